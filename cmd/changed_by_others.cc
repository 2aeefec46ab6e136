#include "cmd/changed_by_others.h"

#include <algorithm>
#include <utility>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/changed_fields.h"
#include "explain/danger.h"
#include "explain/of_others.h"
#include "explain/worries.h"
#include "value/metadata.h"
#include "value/path_match.h"

namespace smp::cmd {

bool IsOther(const FieldManager& manager) {
  return explain::IsOfOthers(manager) && !IsController(manager) && manager.subresource != "status";
}

std::optional<FieldManager> OtherOf(const Value& entry) {
  FieldManager manager = ManagerOf(entry);
  return IsOther(manager) ? std::optional(std::move(manager)) : std::nullopt;
}

std::string ChangesOfOthers(const Value& object) {
  explain::FieldsByManagers out;
  for (const Value& entry : ManagedFields(object)) {
    const std::optional<FieldManager> manager = OtherOf(entry);
    if (!manager) continue;
    NamesOnce name;
    name.Add(manager->name);
    ForEachOwnedField(entry, [&](const std::string&, const FieldPath& path) {
      if (!IsLastAppliedAnnotation(path)) out.Add(explain::FieldInWords(path), name);
    });
  }
  return out.empty() ? "" : StrCat("others set ", out.Words().brief);
}

namespace {

// Returns "limits memory 2Gi → 1Gi"; without values where these are long, or may be passwords.
std::string DifferenceInWords(const FieldPath& path, const Value& before, const Value* after) {
  const bool is_secret = explain::IsPassword(path) || explain::EndsInPassword(path);
  const std::string old = is_secret ? "" : explain::ShortValue(&before),
                    now = after == nullptr ? "none" : explain::ShortValue(after);
  return StrCat(explain::FieldInWords(path), old.empty() || now.empty() ? "" : StrCat(" ", old, " → ", now));
}

// Returns true for the name of a variable, which its path says already.
bool IsKeyOfItem(const FieldPath& path) {
  if (path.size() < 2 || path[path.size() - 2].kind != PathStep::Kind::kKey) return false;
  return std::ranges::any_of(path[path.size() - 2].keys,
                             [&](const auto& key) { return key.first == path.back().name; });
}

}  // namespace

std::string NotCarriedOver(const Value& left, const Value& manifest, const explain::ObjectReport& created) {
  explain::FieldsByManagers out;
  for (const Value& entry : ManagedFields(left)) {
    const std::optional<FieldManager> manager = OtherOf(entry);
    if (!manager) continue;
    NamesOnce name;
    name.Add(explain::ManagerInWords(*manager, created));
    ForEachOwnedField(entry, [&](const std::string&, const FieldPath& path) {
      if (path.empty() || (path.front().name != "spec" && path.front().name != "webhooks")) return;
      const Value *before = ValueAt(left, path), *after = ValueAt(manifest, path);
      if (before == nullptr || !before->is_scalar() || (after != nullptr && *before == *after)) return;
      if (IsKeyOfItem(path)) return;
      out.Add(DifferenceInWords(path, *before, after), name);
    });
  }
  return out.empty() ? "" : out.Words().all;
}

std::set<std::string> KeysOfOthers(const Value& map) {
  std::set<std::string> out;
  for (const Value& entry : ManagedFields(map)) {
    if (OtherOf(entry)) out.merge(DataKeysOf(entry));
  }
  return out;
}

}  // namespace smp::cmd
