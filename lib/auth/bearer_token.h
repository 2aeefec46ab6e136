// The bearer token of a connection. A token file is re-read every minute, because service account tokens rotate
// (client-go's cachingTokenSource). If it cannot be read, the last token from it is used, or else the fixed token.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace smp::auth {

class BearerToken {
 public:
  BearerToken(std::string token, std::string file) : token_(std::move(token)), file_(std::move(file)) {}

  // Returns "" if the connection has no token. `now_ms` is MonotonicMs(). Error: invalid-argument if the file cannot be
  // read and no other token is known, or if the token is not valid in a header. Not thread-safe.
  Result<std::string> Get(int64_t now_ms);
  // Call if the server refused the token: the next Get re-reads the file.
  void Forget() { read_at_ms_.reset(); }

 private:
  std::string token_;
  std::string file_;
  std::optional<int64_t> read_at_ms_;
};

}  // namespace smp::auth
