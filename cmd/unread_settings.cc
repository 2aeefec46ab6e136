#include "cmd/unread_settings.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "apply/last_applied.h"
#include "cmd/changed_by_others.h"
#include "cmd/input_objects.h"
#include "cmd/missing_needs.h"
#include "explain/undone_words.h"
#include "smp/managed_fields.h"

namespace smp::cmd {

namespace {

bool IsApplied(const explain::ObjectReport& object) {
  return object.action == explain::Action::kChange || object.action == explain::Action::kRecreate;
}

// Returns true for what a single manager has made, such as a Secret of an operator.
bool IsOfOneWriter(const Value& object) { return ManagersOf(object).size() < 2; }

// Returns which managers of others own data.
std::vector<FieldManager> ChangedBy(const Value& object, const std::string& kind, const std::set<std::string>& keys) {
  const FieldOwners owners(ManagedFields(object), kind == "Secret");
  std::vector<FieldManager> out;
  for (const char* place : {"data", "binaryData"}) {
    const auto data = owners.root().Field(place);
    std::vector<FieldManager> managers = keys.empty() ? data.Holders() : std::vector<FieldManager>();
    for (const std::string& key : keys) {
      for (FieldManager& manager : data.Field(key).Holders()) managers.push_back(std::move(manager));
    }
    for (const FieldManager& manager : managers) {
      if (IsOther(manager) && std::ranges::find(out, manager) == out.end()) out.push_back(manager);
    }
  }
  return out;
}

// Returns what differs from what was applied last.
std::string ChangesOf(const Document& live, const std::set<std::string>& keys) {
  const Result<std::optional<Document>> applied = apply::ReadLastApplied(live.root());
  return applied.ok() && *applied ? explain::ChangedDataInWords((*applied)->root(), live.root(), keys) : "";
}

// What Pods no longer read.
struct Unread {
  kube::ObjectRef ref;
  explain::UnreadSetting* setting = nullptr;
};

// Leaves out what the input has.
std::vector<Unread> UnreadIn(explain::Report& report) {
  const auto has_some = [](const explain::ObjectReport& object) { return IsApplied(object) && !object.unread.empty(); };
  if (std::ranges::none_of(report.objects, has_some)) return {};
  const std::set<explain::ObjectName> names = NamesOf(report);
  std::vector<Unread> out;
  for (explain::ObjectReport& object : report.objects) {
    if (!IsApplied(object) || object.name_space.empty()) continue;
    for (explain::UnreadSetting& setting : object.unread) {
      kube::ObjectRef ref = RefOf(setting.object, object.name_space);
      const bool is_known = names.contains({ref.gvk.kind, ref.name_space, ref.name});
      if (!is_known && kube::CheckPathSegments(ref).ok()) out.push_back({std::move(ref), &setting});
    }
  }
  return out;
}

// Values of Secrets are not shown.
bool ShowsChanges(const Unread& unread) {
  return !unread.setting->changed_by.empty() && unread.ref.gvk.kind == "ConfigMap";
}

}  // namespace

void FindUnreadChanges(kube::Client& client, explain::Report& report) {
  std::vector<Unread> unread = UnreadIn(report);
  if (unread.empty()) return;
  const std::vector<Result<Document>> metadata = client.GetAllMetadata(RefsOf(unread));
  for (size_t i = 0; i < metadata.size(); ++i) {
    const auto& [ref, setting] = unread[i];
    const bool has_changed = metadata[i].ok() && !IsOfOneWriter(metadata[i]->root());
    if (has_changed) setting->changed_by = ChangedBy(metadata[i]->root(), ref.gvk.kind, setting->keys);
  }
  std::erase_if(unread, [](const Unread& one) { return !ShowsChanges(one); });
  const std::vector<Result<Document>> found = client.GetAll(RefsOf(unread));
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i].ok()) unread[i].setting->changes = ChangesOf(*found[i], unread[i].setting->keys);
  }
}

}  // namespace smp::cmd
