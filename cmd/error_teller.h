// Tells the errors of many objects: each once, and what they have in common once a run.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cmd/io.h"

namespace smp::cmd {

class ErrorTeller {
 public:
  explicit ErrorTeller(Io& io) : io_(io) {}  // must outlive it

  // Prints the error without the advice at its end. A server that does not answer is told once: later errors of code transport with
  // a message that was told are only counted.
  void Tell(const Error& error);
  // Prints how many errors were counted, and each distinct advice.
  void Finish();

 private:
  void TakeAdvice(std::string& message);

  Io& io_;
  std::set<std::string>
      unanswered_;  // messages of errors of code transport: some hundred at most, then nothing is tried
  size_t same_ = 0;
  std::set<std::string_view> advice_;
};

}  // namespace smp::cmd
