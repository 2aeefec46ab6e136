#include "cmd/left_workloads.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "apply/deletion.h"
#include "base/name_some.h"
#include "base/strings.h"
#include "cmd/changed_by_others.h"
#include "explain/deleted_worries.h"
#include "explain/image_words.h"
#include "explain/pod_facts.h"
#include "explain/reach_facts.h"
#include "explain/role_facts.h"
#include "value/at.h"

namespace smp::cmd {

namespace {

using explain::kServingKinds;

// Returns the reference to a workload; without a name, to all of the kind, and without a namespace, to those of all namespaces.
kube::ObjectRef WorkloadRef(std::string_view kind, const std::string& name_space, const std::string& name) {
  if (kind == "Pod") return {{"", "v1", "Pod"}, "pods", name_space, name};
  return {{"apps", "v1", std::string(kind)}, StrCat(ToLower(kind), "s"), name_space, name};
}

constexpr size_t kMostAsked = 200;       // an upgrade hardly creates more, and each is a request
constexpr size_t kMostAskedAllNew = 12;  // where nothing of the input exists: it is hardly one

// What may be left of a workload that will be created.
struct Candidate {
  kube::ObjectRef ref;
  explain::ObjectReport* created = nullptr;
};

// A Pod without a workload, too.
constexpr std::string_view kMayBeReplaced[] = {"DaemonSet", "Deployment", "StatefulSet", "Pod"};

std::vector<Candidate> CandidatesIn(explain::Report& report) {
  const std::set<explain::ObjectName> names = NamesOf(report);
  std::vector<Candidate> out;
  for (explain::ObjectReport& object : report.objects) {
    if (!IsNewWorkload(object)) continue;
    for (const std::string_view kind : kMayBeReplaced) {
      kube::ObjectRef ref = WorkloadRef(kind, object.name_space, object.name);
      const bool is_known = names.contains({kind, object.name_space, object.name});
      if (!is_known && kube::CheckPathSegments(ref).ok()) out.push_back({std::move(ref), &object});
    }
  }
  return out;
}

// Returns the Services that send requests to the Pods of a workload, few of them.
std::vector<const explain::ObjectReport*> ServicesOf(const explain::Report& report, const explain::ReachFacts& workload,
                                                     const std::string& name_space) {
  constexpr size_t kMost = 8;
  std::vector<const explain::ObjectReport*> out;
  for (const explain::ObjectReport& object : report.objects) {
    const bool is_service = object.kind == "Service" && object.name_space == name_space;
    if (!is_service || object.reach.selector.empty() || out.size() == kMost) continue;
    if (explain::Selects(object.reach.selector, workload.pods_after)) out.push_back(&object);
  }
  return out;
}

// Returns one of the Services that sends requests to the new workload, too; "" if there is none.
std::string SharedService(const std::vector<const explain::ObjectReport*>& services,
                          const explain::ObjectReport& created) {
  const auto shared = std::ranges::find_if(services, [&](const explain::ObjectReport* service) {
    return service->name_space == created.name_space &&
           explain::Selects(service->reach.selector, created.reach.pods_after);
  });
  return shared == services.end() ? "" : (*shared)->name;
}

bool RunsNoPods(const Value& workload) { return IntAt(workload, {"spec", "replicas"}, 1) == 0; }

std::string WithoutDigits(std::string name) {
  std::erase_if(name, [](char c) { return c >= '0' && c <= '9'; });
  return name;
}

bool SharesProgram(const Value& object, const explain::ObjectReport& created) {
  return std::ranges::any_of(explain::ImagesOf(object), [&](const std::string& image) {
    return std::ranges::any_of(created.pods.new_images, [&](const std::string& other) {
      return explain::RepositoryOf(other) == explain::RepositoryOf(image);
    });
  });
}

// Returns true for "driver-amd64" beside a new "driver" that runs as the same ServiceAccount, or the same program. "web-worker" may be
// another program beside a new "web", and so may what gets a longer name.
bool IsRenamed(const explain::LeftObject& left, const Value& object, const explain::ObjectReport& created) {
  if (left.name_space != created.name_space) return false;
  const bool is_other_version = WithoutDigits(left.name) == WithoutDigits(created.name);  // "db-16" beside "db-17"
  if (!left.name.starts_with(created.name + "-") && !is_other_version) return false;
  if (!created.account.empty() && created.account == explain::AccountOf(object)) return true;
  const std::string_view more = std::string_view(left.name).substr(std::min(left.name.size(), created.name.size()));
  const bool has_digits = more.find_first_of("0123456789") != more.npos;  // an architecture, a version or a year
  return (is_other_version || has_digits) && SharesProgram(object, created);
}

// Returns true for a claim that gets neither a copy nor a volume that exists.
bool IsEmpty(const Value& claim) {
  return std::ranges::none_of(std::initializer_list<const char*>{"dataSource", "dataSourceRef", "volumeName"},
                              [&](const char* field) {
                                const Value* value = claim.FindPath({"spec", field});
                                return value != nullptr && !value->is_null();
                              });
}

// Returns "; its claim data-2 is new and empty" for the claims of a new workload that the input creates.
std::string NewClaims(const explain::ObjectReport& created, const ManifestsByName& manifests,
                      const explain::Report& report) {
  std::set<std::string_view> claims;
  for (const explain::ObjectReport& object : report.objects) {
    const bool is_new = object.kind == "PersistentVolumeClaim" && object.action == explain::Action::kCreate;
    if (!is_new || object.name_space != created.name_space) continue;
    const auto manifest = manifests.find({object.kind, object.name_space, object.name});
    if (manifest != manifests.end() && IsEmpty(*manifest->second)) claims.insert(object.name);
  }
  NamesOnce names;
  for (const explain::NeededObject& need : created.pods.needs) {
    if (need.kind == "PersistentVolumeClaim" && claims.contains(need.name)) names.Add(need.name);
  }
  if (names.empty()) return {};
  const bool is_one = names.all().size() == 1;
  return StrCat("; its claim", is_one ? " " : "s ", names.Some(2), is_one ? " is" : " are", " new and empty");
}

// Notes that the new workload runs beside the object, which stays. `service`: that reaches both; "" if none does.
void TellCompanion(explain::ObjectReport& created, const std::string& name, const std::string& service,
                   const Value& object, const ManifestsByName& manifests, const explain::Report& report) {
  created.left_workload = StrCat(name, service.empty() ? "" : StrCat("; Service ", service, " reaches both"),
                                 NewClaims(created, manifests, report));
  created.left_images = explain::ImagesOf(object);
  const auto manifest = manifests.find({created.kind, created.name_space, created.name});
  if (manifest != manifests.end()) created.not_carried = NotCarriedOver(object, *manifest->second, created);
}

// Notes beside which new workloads a left one runs: one of the same name in another namespace, one of a longer name, or one that shares a
// Service with it.
void TellCompanions(const explain::LeftObject& left, const Value& object, const ManifestsByName& manifests,
                    explain::Report& report) {
  const auto services = ServicesOf(report, explain::ReachFactsOf(Value(), object), left.name_space);
  for (explain::ObjectReport& created : report.objects) {
    if (!IsNewWorkload(created) || created.kind != left.kind || !created.left_workload.empty()) continue;
    const bool has_moved = created.name == left.name && created.name_space != left.name_space;
    const std::string service = SharedService(services, created);
    const bool has_new_name = IsRenamed(left, object, created);
    if (!has_moved && service.empty() && !has_new_name) continue;
    created.replaces_left = true;
    if (RunsNoPods(object) || !created.new_pods) continue;
    const std::string name =
        has_moved ? StrCat(left.kind, " ", left.name_space, "/", left.name) : StrCat(left.kind, " ", left.name);
    TellCompanion(created, name, has_moved ? "" : service, object, manifests, report);
  }
}

}  // namespace

void ReadLeftWorkloads(kube::Client& client, const ManifestsByName& manifests, std::vector<explain::LeftObject>& left,
                       explain::Report& report) {
  constexpr size_t kMost = 8;  // each is a request
  std::vector<explain::LeftObject*> asked;
  std::vector<kube::ObjectRef> refs;
  for (explain::LeftObject& object : left) {
    if (!explain::Serves(object.kind)) continue;
    kube::ObjectRef ref = WorkloadRef(object.kind, object.name_space, object.name);
    if (refs.size() == kMost || !kube::CheckPathSegments(ref).ok()) continue;
    asked.push_back(&object);
    refs.push_back(std::move(ref));
  }
  if (refs.empty()) return;
  const std::vector<Result<Document>> found = client.GetAll(refs);
  for (size_t i = 0; i < found.size(); ++i) {
    if (!found[i].ok()) continue;
    TellCompanions(*asked[i], found[i]->root(), manifests, report);
    if (RunsNoPods(found[i]->root())) {
      asked[i]->changed = StrCat("scaled to 0", asked[i]->changed.empty() ? "" : "; ", asked[i]->changed);
    } else {
      asked[i]->account = explain::SubjectOfPods(asked[i]->name_space, explain::AccountOf(found[i]->root()));
    }
  }
}

bool IsOfKubectl(const std::vector<FieldManager>& managers) {
  return std::ranges::any_of(managers, [](const FieldManager& manager) {
    const ManagerKind kind = KindOf(manager);
    return kind == ManagerKind::kClientSideApply || kind == ManagerKind::kServerSideApply;
  });
}

namespace {

// Returns the new workloads whose namespace the input creates.
std::vector<const explain::ObjectReport*> WorkloadsOfNewNamespaces(const explain::Report& report) {
  std::set<std::string_view> namespaces;
  for (const explain::ObjectReport& object : report.objects) {
    if (object.kind == "Namespace" && object.action == explain::Action::kCreate) namespaces.insert(object.name);
  }
  std::vector<const explain::ObjectReport*> out;
  for (const explain::ObjectReport& object : report.objects) {
    if (IsNewWorkload(object) && namespaces.contains(object.name_space)) out.push_back(&object);
  }
  return out;
}

// Returns those of the workloads that kubectl has applied in other namespaces, by namespace.
std::map<std::string, std::vector<explain::LeftObject>> Namesakes(
    kube::Client& client, const std::vector<const explain::ObjectReport*>& workloads) {
  std::set<std::pair<std::string_view, std::string_view>> names;
  std::vector<kube::ObjectRef> collections;
  for (const explain::ObjectReport* workload : workloads) names.emplace(workload->kind, workload->name);
  for (const std::string_view kind : kServingKinds) {
    const bool is_asked = std::ranges::any_of(workloads, [&](const auto* workload) { return workload->kind == kind; });
    if (is_asked) collections.push_back(WorkloadRef(kind, "", ""));
  }
  std::map<std::string, std::vector<explain::LeftObject>> out;
  const std::vector<Result<Document>> lists = client.ListMetadata(collections, "");
  for (size_t i = 0; i < lists.size(); ++i) {
    if (!lists[i].ok()) continue;  // may not be read
    for (const Value& item : ItemsAt(lists[i]->root(), {"items"})) {
      const std::string_view name = TextAt(item, {"metadata", "name"});
      const bool counts = names.contains({collections[i].gvk.kind, name}) && IsOfKubectl(ManagersOf(item));
      if (!counts || apply::IsBeingDeleted(item)) continue;
      const std::string name_space(TextAt(item, {"metadata", "namespace"}));
      out[name_space].push_back({collections[i].gvk.kind, name_space, std::string(name)});
    }
  }
  return out;
}

}  // namespace

void FindFormerNamespace(kube::Client& client, const apply::Manifests& manifests, explain::Report& report) {
  constexpr size_t kFewest = 2;
  const std::vector<const explain::ObjectReport*> workloads = WorkloadsOfNewNamespaces(report);
  if (workloads.size() < kFewest) return;
  auto namesakes = Namesakes(client, workloads);
  std::erase_if(namesakes, [](const auto& entry) { return entry.second.size() < kFewest; });
  if (namesakes.size() != 1 || namesakes.begin()->second.size() * 2 < workloads.size()) return;
  ReadLeftWorkloads(client, ByName(manifests, report), namesakes.begin()->second, report);
}

void NoteReplaced(const explain::LeftObject& pruned, const Value& object, explain::Report& report) {
  for (explain::ObjectReport& created : report.objects) {
    if (!IsNewWorkload(created)) continue;
    const bool is_of_the_same_name = created.name == pruned.name && created.name_space == pruned.name_space;
    if (!is_of_the_same_name && !IsRenamed(pruned, object, created)) continue;
    created.replaces_left = true;
    created.left_images = explain::ImagesOf(object);
  }
}

void FindLeftWorkloads(kube::Client& client, const apply::Manifests& manifests, explain::Report& report) {
  if (std::ranges::none_of(report.objects, IsNewWorkload)) return;
  const std::vector<Candidate> candidates = CandidatesIn(report);
  const std::vector<kube::ObjectRef> refs = RefsOf(candidates);
  if (refs.size() > (explain::IsUpgrade(report) ? kMostAsked : kMostAskedAllNew)) return;
  const std::vector<std::optional<bool>> answers = client.Exist(refs);
  std::vector<Candidate> left;
  for (size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].value_or(false)) left.push_back(candidates[i]);
  }
  const std::vector<Result<Document>> found = client.GetAll(RefsOf(left));
  const ManifestsByName by_name = ByName(manifests, report);
  for (size_t i = 0; i < found.size(); ++i) {
    explain::ObjectReport& created = *left[i].created;
    const std::string name = StrCat(left[i].ref.gvk.kind, " of the same name");
    created.replaces_left = true;
    if (!created.new_pods) continue;
    if (!found[i].ok()) created.left_workload = name;  // it exists, and may not be read
    if (!found[i].ok() || RunsNoPods(found[i]->root())) continue;
    const auto services = ServicesOf(report, explain::ReachFactsOf(Value(), found[i]->root()), created.name_space);
    TellCompanion(created, name, SharedService(services, created), found[i]->root(), by_name, report);
  }
}

}  // namespace smp::cmd
