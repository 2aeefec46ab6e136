// The warnings that the server sends with its answers (the Warning header), each printed once.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>

#include "cmd/io.h"
#include "kube/object_ref.h"

namespace smp::cmd {

class ServerWarnings {
 public:
  // `io` must outlive it.
  explicit ServerWarnings(Io& io) : io_(io) {}

  // Prints the warning, without its object, unless it was printed before. Thread-safe.
  void Add(const std::string& text, const kube::ObjectRef& ref);

  // From now on, holds back warnings until Flush, which prints each with the names of its objects.
  void Hold();
  void Flush();

 private:
  void Tell(const std::string& text, const std::set<std::string>& names);

  Io& io_;
  std::mutex mutex_;
  bool holds_ = false;
  std::set<std::string> told_;
  std::map<std::string, std::set<std::string>> held_;  // the names of the objects by the text
};

}  // namespace smp::cmd
