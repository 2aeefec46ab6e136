#include "cmd/server_warnings.h"

#include <utility>
#include <vector>

#include "base/name_some.h"
#include "cmd/object_printer.h"

namespace smp::cmd {

namespace {}  // namespace

void ServerWarnings::Add(const std::string& text, const kube::ObjectRef& ref) {
  const std::lock_guard lock(mutex_);
  if (!holds_) return Tell(text, {});
  std::set<std::string>& names = held_[text];
  if (!ref.name.empty()) names.insert(LabelOf(ref));
}

void ServerWarnings::Hold() {
  const std::lock_guard lock(mutex_);
  holds_ = true;
}

void ServerWarnings::Flush() {
  const std::lock_guard lock(mutex_);
  holds_ = false;
  for (const auto& [text, names] : std::exchange(held_, {})) Tell(text, names);
}

void ServerWarnings::Tell(const std::string& text, const std::set<std::string>& names) {
  if (!told_.insert(text).second) return;
  ++io_.server_warnings;
  const std::string named = NameSome({names.begin(), names.end()}, kMostNamed);
  Warn(io_, named.empty() ? text : StrCat(named, ": ", text));
}

}  // namespace smp::cmd
