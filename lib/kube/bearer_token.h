// The bearer token of a connection. A token file is read again every minute, because service account tokens rotate
// (client-go's cachingTokenSource); what was read last, else the fixed token, is used while the file cannot be read.
#ifndef SMP_KUBE_BEARER_TOKEN_H_
#define SMP_KUBE_BEARER_TOKEN_H_

#include <chrono>
#include <string>

#include "base/result.h"

namespace smp {

class BearerToken {
 public:
  using Time = std::chrono::steady_clock::time_point;

  BearerToken(std::string token, std::string file) : token_(std::move(token)), file_(std::move(file)) {}

  // "" when the connection has no token. Error: invalid-argument, for a file that cannot be read when nothing else is
  // known, and for a token that does not fit into a header. Not safe to call from two threads at once.
  Result<std::string> Get(Time now);
  // The server did not accept it: the file is read again at the next Get.
  void Forget() { have_read_ = false; }

 private:
  std::string token_;
  std::string file_;
  bool have_read_ = false;
  Time read_at_ = {};
};

}  // namespace smp

#endif  // SMP_KUBE_BEARER_TOKEN_H_
