#include "explain/settings_worries.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/name_some.h"
#include "base/strings.h"

namespace smp::explain {

namespace {

// Returns "web-config" of "web-config-57mh2m4k5c". Source: kustomize, hasher.go: ten of these letters and digits.
std::string_view WithoutHash(std::string_view name) {
  constexpr size_t kLength = 10;
  constexpr std::string_view kOfHashes = "2456789bcdfghkmt";
  const size_t dash = name.rfind('-');
  if (dash == name.npos || name.size() - dash - 1 != kLength) return name;
  const bool is_hash = name.find_first_not_of(kOfHashes, dash + 1) == name.npos;
  return is_hash ? name.substr(0, dash) : name;
}

std::set<std::string> SettingsIn(const std::vector<NeededObject>& needs) {
  std::set<std::string> out;
  for (const NeededObject& need : needs) {
    const bool is_setting = need.kind == "ConfigMap" || need.kind == "Secret";
    if (is_setting) out.insert(StrCat(need.kind, " ", WithoutHash(need.name)));
  }
  return out;
}

}  // namespace

void AddOtherSettings(const ObjectReport& object, FoundWorries& out) {
  constexpr size_t kMost = 4;
  if (object.action != Action::kChange || !object.new_pods) return;
  const std::set<std::string> before = SettingsIn(object.needs_now), after = SettingsIn(object.pods.needs);
  NamesOnce gone, added;
  for (const std::string& name : before) {
    if (!after.contains(name)) gone.Add(StrCat("-", name));
  }
  for (const std::string& name : after) {
    if (!before.contains(name)) added.Add(StrCat("+", name));
  }
  if (gone.empty() || added.empty()) return;
  const auto words = [&](size_t most) { return StrCat(gone.Some(most), ", ", added.Some(most)); };
  out[Worry::kOtherSettings] = {words(kMost), words(1)};
}

}  // namespace smp::explain
