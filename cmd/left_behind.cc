#include "cmd/left_behind.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "apply/last_applied.h"
#include "base/strings.h"
#include "cmd/missing_needs.h"
#include "explain/cross_worries.h"
#include "explain/of_others.h"
#include "explain/pod_facts.h"
#include "explain/undone_words.h"
#include "smp/managed_fields.h"

namespace smp::cmd {

namespace {

constexpr std::string_view kWorkloads[] = {"DaemonSet", "Deployment", "StatefulSet"};  // of apps/v1

bool IsNewWorkload(const explain::ObjectReport& object) {
  const bool is_workload = std::ranges::find(kWorkloads, object.kind) != std::end(kWorkloads);
  return object.action == explain::Action::kCreate && is_workload && object.api_version == "apps/v1";
}

using Name = std::tuple<std::string_view, std::string_view, std::string_view>;  // kind, namespace and name

std::set<Name> NamesOf(const explain::Report& report) {
  std::set<Name> out;
  for (const explain::ObjectReport& object : report.objects) out.insert({object.kind, object.name_space, object.name});
  return out;
}

std::vector<kube::ObjectRef> RefsOf(const auto& with_refs) {
  std::vector<kube::ObjectRef> out;
  for (const auto& one : with_refs) out.push_back(one.ref);
  return out;
}

// --- workloads

constexpr size_t kMostAsked = 200;  // an upgrade hardly creates more, and each is a request

// What may be left of a workload that will be created.
struct Candidate {
  kube::ObjectRef ref;
  explain::ObjectReport* created = nullptr;
};

std::vector<Candidate> CandidatesIn(explain::Report& report) {
  const std::set<Name> names = NamesOf(report);
  std::vector<Candidate> out;
  for (explain::ObjectReport& object : report.objects) {
    if (!IsNewWorkload(object)) continue;
    for (const std::string_view kind : kWorkloads) {
      kube::ObjectRef ref = {
          {"apps", "v1", std::string(kind)}, StrCat(ToLower(kind), "s"), object.name_space, object.name};
      const bool is_known = names.contains({kind, object.name_space, object.name});
      if (!is_known && kube::CheckPathSegments(ref).ok()) out.push_back({std::move(ref), &object});
    }
  }
  return out;
}

// --- settings

bool IsApplied(const explain::ObjectReport& object) {
  return object.action == explain::Action::kChange || object.action == explain::Action::kRecreate;
}

// Returns which managers of others own data. Controllers write settings of their own.
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
      const bool counts = explain::IsOfOthers(manager) && !IsController(manager);
      if (counts && std::ranges::find(out, manager) == out.end()) out.push_back(manager);
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
  const std::set<Name> names = NamesOf(report);
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
    if (metadata[i].ok()) setting->changed_by = ChangedBy(metadata[i]->root(), ref.gvk.kind, setting->keys);
  }
  std::erase_if(unread, [](const Unread& one) { return !ShowsChanges(one); });
  const std::vector<Result<Document>> found = client.GetAll(RefsOf(unread));
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i].ok()) unread[i].setting->changes = ChangesOf(*found[i], unread[i].setting->keys);
  }
}

void FindLeftWorkloads(kube::Client& client, explain::Report& report) {
  if (std::ranges::none_of(report.objects, IsNewWorkload) || !explain::IsUpgrade(report)) return;
  const std::vector<Candidate> candidates = CandidatesIn(report);
  const std::vector<kube::ObjectRef> refs = RefsOf(candidates);
  if (refs.size() > kMostAsked) return;
  const std::vector<std::optional<bool>> answers = client.Exist(refs);
  std::vector<Candidate> left;
  for (size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].value_or(false)) left.push_back(candidates[i]);
  }
  const std::vector<Result<Document>> found = client.GetAll(RefsOf(left));
  for (size_t i = 0; i < found.size(); ++i) {
    left[i].created->left_workload = left[i].ref.gvk.kind;
    if (found[i].ok()) left[i].created->left_images = explain::ImagesOf(found[i]->root());
  }
}

}  // namespace smp::cmd
