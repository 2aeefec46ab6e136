#include "apply/guard.h"

#include "apply/submit.h"
#include "value/at.h"

namespace smp::apply {

namespace {

// A server compares the resourceVersion of an apply with that of the object, if there is one, and not if it creates the
// object. etcd's revisions are int64 and count up, so no object has the largest.
constexpr std::string_view kVersionOfNoObject = "9223372036854775807";

Value WithUnlessStated(const Value& configuration, Names path, std::string_view text, Arena& arena) {
  const bool stated = configuration.FindPath(path) != nullptr;
  return text.empty() || stated ? configuration : WithAt(configuration, path, Value::UnownedString(text), arena);
}

}  // namespace

Guard GuardOf(const std::optional<Document>& live, bool dry_run) {
  if (!live) return {.uid = {}, .version = std::string(dry_run ? "" : kVersionOfNoObject)};
  return {std::string(TextAt(live->root(), {"metadata", "uid"})), std::string(VersionOf(live->root()))};
}

Value Guarded(const Value& configuration, const Guard& guard, Arena& arena) {
  const Value versioned = WithUnlessStated(configuration, {"metadata", "resourceVersion"}, guard.version, arena);
  return WithUnlessStated(versioned, {"metadata", "uid"}, guard.uid, arena);
}

}  // namespace smp::apply
