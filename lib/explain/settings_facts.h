// Settings that Pods read only when they start: variables, and files that are mounted with a subPath. A change of their ConfigMap or
// Secret reaches new Pods only. (The kubelet updates other files in running Pods.)
#pragma once

#include <set>
#include <string>
#include <vector>

#include "value/value.h"

namespace smp::explain {

// A key of a ConfigMap or Secret in the object's namespace; "": all of its keys.
struct Setting {
  std::string kind, name, key;
};

// Returns the keys of a ConfigMap or Secret; none of other objects, nor of a Secret that a controller fills.
std::set<std::string> KeysOf(const Value& object);

// Returns what the containers of an object's Pods read when they start.
std::vector<Setting> SettingsReadAtStart(const Value& object);

}  // namespace smp::explain
