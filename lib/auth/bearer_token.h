// The bearer token of a connection. A token file is re-read every minute, because service account tokens rotate
// (client-go's cachingTokenSource). While the file cannot be read, the token read last is used, else the fixed token.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace smp::auth {

class BearerToken {
 public:
  BearerToken(std::string token, std::string file) : token_(std::move(token)), file_(std::move(file)) {}

  // Returns "" if the connection has no token. Error: invalid-argument, for a file that cannot be read if no other
  // token is known, and for a token that does not fit into a header. `now_ms`: MonotonicMs(). Not thread-safe.
  Result<std::string> Get(int64_t now_ms);
  // Call if the server refused the token: the next Get re-reads the file.
  void Forget() { read_at_ms_.reset(); }

 private:
  std::string token_;
  std::string file_;
  std::optional<int64_t> read_at_ms_;
};

}  // namespace smp::auth
