// While one exists, the current thread and the threads it starts block all signals, so that only the main thread gets
// them. This includes SIGPIPE, which libcurl with CURLOPT_NOSIGNAL does not block itself.
#pragma once

#include <memory>

namespace smp {

class SignalsBlocked {
 public:
  SignalsBlocked();
  ~SignalsBlocked();
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  struct Before;  // what was blocked before
  std::unique_ptr<Before> before_;
};

}  // namespace smp
