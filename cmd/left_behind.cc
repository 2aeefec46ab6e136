#include "cmd/left_behind.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "apply/deletion.h"
#include "apply/last_applied.h"
#include "base/name_some.h"
#include "base/strings.h"
#include "cmd/missing_needs.h"
#include "explain/changed_fields.h"
#include "explain/danger.h"
#include "explain/deleted_worries.h"
#include "explain/image_words.h"
#include "explain/in_words.h"
#include "explain/object_names.h"
#include "explain/of_others.h"
#include "explain/pod_facts.h"
#include "explain/row_values.h"
#include "explain/undone_words.h"
#include "explain/worries.h"
#include "smp/managed_fields.h"
#include "value/at.h"
#include "value/path_match.h"

namespace smp::cmd {

namespace {

using explain::kServingKinds;

bool IsNewWorkload(const explain::ObjectReport& object) {
  return object.action == explain::Action::kCreate && explain::Serves(object.kind) && object.api_version == "apps/v1";
}

// Returns the reference to a workload; without a name, to all of the kind, and without a namespace, to those of all namespaces.
kube::ObjectRef WorkloadRef(std::string_view kind, const std::string& name_space, const std::string& name) {
  if (kind == "Pod") return {{"", "v1", "Pod"}, "pods", name_space, name};
  return {{"apps", "v1", std::string(kind)}, StrCat(ToLower(kind), "s"), name_space, name};
}

std::set<explain::ObjectName> NamesOf(const explain::Report& report) {
  std::set<explain::ObjectName> out;
  for (const explain::ObjectReport& object : report.objects)
    out.insert({explain::OwnKind(object), object.name_space, object.name});
  return out;
}

// In the connection's namespace, if the manifest has none.
explain::ObjectName NameOf(const apply::Manifest& manifest, const explain::Report& report) {
  const bool names_it = !manifest.name_space.empty() || !report.context;
  const std::string_view in = names_it ? manifest.name_space : report.context->name_space;
  return {manifest.gvk.kind, in, manifest.name};
}

std::vector<kube::ObjectRef> RefsOf(const auto& with_refs) {
  std::vector<kube::ObjectRef> out;
  for (const auto& one : with_refs) out.push_back(one.ref);
  return out;
}

// --- workloads

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

// --- objects of earlier manifests

constexpr size_t kMostNamespaces = 4;

constexpr const char* kRbac = "rbac.authorization.k8s.io";

struct CollectionName {
  const char *group, *version, *kind, *plural;
};
constexpr CollectionName kOfApplications[] = {
    {"apps", "v1", "DaemonSet", "daemonsets"},
    {"apps", "v1", "Deployment", "deployments"},
    {"apps", "v1", "StatefulSet", "statefulsets"},
    {"batch", "v1", "CronJob", "cronjobs"},
    {"", "v1", "ConfigMap", "configmaps"},
    {"", "v1", "PersistentVolumeClaim", "persistentvolumeclaims"},
    {"", "v1", "Secret", "secrets"},
    {"", "v1", "Service", "services"},
    {"", "v1", "ServiceAccount", "serviceaccounts"},
    {kRbac, "v1", "Role", "roles"},
    {kRbac, "v1", "RoleBinding", "rolebindings"},
    {"autoscaling", "v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers"},
    {"networking.k8s.io", "v1", "Ingress", "ingresses"},
    {"networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies"},
    {"policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets"}};
constexpr const char* kAdmission = "admissionregistration.k8s.io";
constexpr CollectionName kOfClusters[] = {
    {kAdmission, "v1", "MutatingWebhookConfiguration", "mutatingwebhookconfigurations"},
    {kAdmission, "v1", "ValidatingWebhookConfiguration", "validatingwebhookconfigurations"},
    {"apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions"},
    {kRbac, "v1", "ClusterRole", "clusterroles"},
    {kRbac, "v1", "ClusterRoleBinding", "clusterrolebindings"}};

// Returns "app=web" for the labels that say to which application an object belongs.
std::vector<std::string> MarksOf(const Value& object) {
  constexpr const char* kKeys[] = {
      "app", "app.kubernetes.io/instance", "app.kubernetes.io/name", "app.kubernetes.io/part-of", "k8s-app", "run"};
  std::vector<std::string> out;
  for (const char* key : kKeys) {
    const std::string_view value = TextAt(object, {"metadata", "labels", key});
    if (!value.empty()) out.push_back(StrCat(key, "=", value));
  }
  return out;
}

// What the input has in a namespace. That of "" is the cluster, and has those names of all namespaces, too, that are more than a word: what
// belongs to "web-agent" may be called "web-agent-reader".
struct InputOfNamespace {
  std::set<std::string_view> names;
  size_t objects = 0;
};
using InputOfNamespaces = std::map<std::string_view, InputOfNamespace>;

// A single word is the beginning of many names.
bool TellsByItsName(std::string_view name) { return name.find('-') != name.npos; }

InputOfNamespaces ByNamespace(const std::set<explain::ObjectName>& input) {
  InputOfNamespaces out;
  for (const auto& [kind, name_space, name] : input) {
    if (kind == "Namespace") continue;  // many objects of other applications may have names that begin so
    out[name_space].names.insert(name);
    ++out[name_space].objects;
  }
  const auto cluster = out.find("");
  if (cluster == out.end()) return out;
  for (const auto& [name_space, here] : out) {
    std::ranges::copy_if(here.names, std::inserter(cluster->second.names, cluster->second.names.end()), TellsByItsName);
  }
  return out;
}

// Adds the namespaces of which ServiceAccounts lose a role to others: the application may have moved to another one.
void AddFormerNamespaces(const explain::Report& report, InputOfNamespaces& input) {
  constexpr std::string_view kAccount = "ServiceAccount ";
  std::set<std::string_view> names;
  for (const auto& [_, here] : input) names.insert(here.names.begin(), here.names.end());
  for (const explain::ObjectReport& object : report.objects) {
    for (const std::string& subject : object.access.lost_by) {
      const size_t slash = subject.find('/');
      if (!subject.starts_with(kAccount) || slash == subject.npos) continue;
      const std::string_view name = std::string_view(subject).substr(slash + 1);
      const bool has_moved = names.contains(name);  // the input has one of this name elsewhere
      if (has_moved) input[std::string_view(subject).substr(kAccount.size(), slash - kAccount.size())].names = names;
    }
  }
}

// Returns true if the input has "web", or "web-2025" beside "web", whichever of the two it is.
bool HasVariantOf(std::string_view name, const std::set<std::string_view>& names) {
  const std::string beginning = StrCat(name, "-");
  const auto longer = names.lower_bound(beginning);
  if (names.contains(name) || (longer != names.end() && longer->starts_with(beginning))) return true;
  for (size_t dash = name.find('-'); dash != name.npos; dash = name.find('-', dash + 1)) {
    if (names.contains(name.substr(0, dash))) return true;
  }
  return false;
}

std::set<std::string> MarksOfInput(const apply::Manifests& manifests) {
  std::set<std::string> out;
  for (const Result<apply::Manifest>& manifest : manifests.items) {
    if (!manifest.ok()) continue;
    for (std::string& mark : MarksOf(manifest->document.root())) out.insert(std::move(mark));
  }
  return out;
}

// Returns true for a namespace that is probably there for one application.
bool IsOfOneApplication(std::string_view name_space) {
  return !name_space.empty() && name_space != "default" && !name_space.starts_with("kube-");
}

std::vector<kube::ObjectRef> CollectionsIn(const InputOfNamespaces& input) {
  std::vector<kube::ObjectRef> out;
  for (const auto& [name_space, here] : input) {
    const std::span<const CollectionName> names = name_space.empty() ? std::span<const CollectionName>(kOfClusters)
                                                                     : std::span<const CollectionName>(kOfApplications);
    for (const auto& [group, version, kind, plural] : names) {
      out.push_back({{group, version, kind}, plural, std::string(name_space), ""});
    }
  }
  return out;
}

bool IsOfKubectl(const std::vector<FieldManager>& managers) {
  return std::ranges::any_of(managers, [](const FieldManager& manager) {
    const ManagerKind kind = KindOf(manager);
    return kind == ManagerKind::kClientSideApply || kind == ManagerKind::kServerSideApply;
  });
}

// Returns true for people and other tools: controllers, and who writes the status, write settings of their own.
bool IsOther(const FieldManager& manager) {
  return explain::IsOfOthers(manager) && !IsController(manager) && manager.subresource != "status";
}

// Returns who set what of an entry; nullopt for what we applied, and the like.
std::optional<FieldManager> OtherOf(const Value& entry) {
  FieldManager manager = ManagerOf(entry);
  return IsOther(manager) ? std::optional(std::move(manager)) : std::nullopt;
}

// Returns "others set args, replicas; by kubectl-edit" where people, or other tools, own something of what was applied.
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

// --- Ingresses that are left beside new ones

constexpr size_t kMostIngresses = 8;  // of earlier manifests: each is a request

// Returns "shop.example.com: Ingress old, which has whitelist-source-range"; "" if they have no host in common.
std::string SharedHosts(const explain::ReachFacts& created, const std::string& left, const explain::ReachFacts& stays) {
  std::vector<std::string> hosts, settings;
  std::ranges::set_intersection(created.hosts_after, stays.hosts_after, std::back_inserter(hosts));
  std::ranges::set_difference(stays.settings, created.settings, std::back_inserter(settings));
  if (hosts.empty()) return {};
  const std::string lacks =
      settings.empty() ? "" : StrCat(", which has ", NameSome(std::move(settings), 2), ", and the new one has not");
  return StrCat(NameSome(std::move(hosts), 2), ": Ingress ", left, lacks);
}

void FindSharedHosts(kube::Client& client, explain::Report& report) {
  std::vector<explain::ObjectReport*> created;
  for (explain::ObjectReport& object : report.objects) {
    if (object.action == explain::Action::kCreate && !object.reach.hosts_after.empty()) created.push_back(&object);
  }
  if (created.empty()) return;
  std::vector<kube::ObjectRef> refs;
  for (const explain::LeftObject& left : *report.left) {
    if (left.kind != "Ingress" || refs.size() == kMostIngresses) continue;
    refs.push_back({{"networking.k8s.io", "v1", "Ingress"}, "ingresses", left.name_space, left.name});
  }
  const std::vector<Result<Document>> found = client.GetAll(refs);
  for (size_t i = 0; i < found.size(); ++i) {
    if (!found[i].ok()) continue;
    const explain::ReachFacts stays = explain::ReachFactsOf(Value(), found[i]->root());
    for (explain::ObjectReport* ingress : created) {
      std::string shared = SharedHosts(ingress->reach, refs[i].name, stays);
      if (!shared.empty()) ingress->shares_hosts.push_back(std::move(shared));
    }
  }
}

bool HasOwnerObject(const Value& object) { return !ItemsAt(object, {"metadata", "ownerReferences"}).empty(); }

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

// The manifests of the input, by what they are about.
using ManifestsByName = std::map<explain::ObjectName, const Value*>;

ManifestsByName ByName(const apply::Manifests& manifests, const explain::Report& report) {
  ManifestsByName out;
  for (const Result<apply::Manifest>& manifest : manifests.items) {
    if (manifest.ok()) out.emplace(NameOf(*manifest, report), &manifest->document.root());
  }
  return out;
}

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

// Returns "replicas 6 → 3; by kubectl (scale)": what others have set in an object that stays, and the new one has otherwise.
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

// Returns the keys of a ConfigMap that others have written.
std::set<std::string> KeysOfOthers(const Value& map) {
  std::set<std::string> out;
  for (const Value& entry : ManagedFields(map)) {
    if (OtherOf(entry)) out.merge(DataKeysOf(entry));
  }
  return out;
}

// Notes what others have set in a ConfigMap that stays in another namespace, where a new one of its name has other values.
void CompareMovedSettings(kube::Client& client, const ManifestsByName& manifests, explain::Report& report) {
  constexpr size_t kMost = 4;  // each is a request
  std::map<std::string_view, const explain::LeftObject*> left;
  for (const explain::LeftObject& object : *report.left) {
    if (object.kind == "ConfigMap" && !object.changed.empty()) left.emplace(object.name, &object);
  }
  std::vector<std::pair<explain::ObjectReport*, const Value*>> asked;  // with their manifests
  std::vector<kube::ObjectRef> refs;
  for (explain::ObjectReport& created : report.objects) {
    if (created.kind != "ConfigMap" || created.action != explain::Action::kCreate) continue;
    const auto manifest = manifests.find({created.kind, created.name_space, created.name});
    const auto old = left.find(created.name);
    if (old == left.end() || manifest == manifests.end() || refs.size() == kMost) continue;
    asked.emplace_back(&created, manifest->second);
    refs.push_back({{"", "v1", "ConfigMap"}, "configmaps", old->second->name_space, created.name});
  }
  const std::vector<Result<Document>> found = client.GetAll(refs);
  for (size_t i = 0; i < found.size(); ++i) {
    const std::set<std::string> keys = found[i].ok() ? KeysOfOthers(found[i]->root()) : std::set<std::string>();
    const auto& [created, manifest] = asked[i];
    if (keys.empty()) continue;
    const Result<std::optional<Document>> applied = apply::ReadLastApplied(found[i]->root());
    const Value* base = applied.ok() && *applied ? &(*applied)->root() : nullptr;
    created->not_carried = explain::ChangedDataInWords(found[i]->root(), *manifest, keys, base);
  }
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

// Says which of the workloads that stay run no Pods, as scaling to 0 leaves no manager, and which run beside new ones.
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

// --- settings

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

namespace {

// --- an application in another namespace

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

// A namespace that the input creates may be the new name of another one, where the same workloads run on. Where several have them, they
// are environments, of which this is one more. One workload may have its name by chance.
void FindFormerNamespace(kube::Client& client, const apply::Manifests& manifests, explain::Report& report) {
  constexpr size_t kFewest = 2;
  const std::vector<const explain::ObjectReport*> workloads = WorkloadsOfNewNamespaces(report);
  if (workloads.size() < kFewest) return;
  auto namesakes = Namesakes(client, workloads);
  std::erase_if(namesakes, [](const auto& entry) { return entry.second.size() < kFewest; });
  if (namesakes.size() != 1 || namesakes.begin()->second.size() * 2 < workloads.size()) return;
  ReadLeftWorkloads(client, ByName(manifests, report), namesakes.begin()->second, report);
}

// Moves the objects of the cluster that go by their names with what is left in namespaces: "web-manager-role" with "web-manager".
void AddOfLeft(std::vector<explain::LeftObject>& of_cluster, std::vector<explain::LeftObject>& left) {
  std::vector<std::string> names;  // `left` moves its own
  for (const explain::LeftObject& object : left) {
    if (!object.name_space.empty() && TellsByItsName(object.name)) names.push_back(object.name);
  }
  const std::set<std::string_view> all(names.begin(), names.end());
  const auto belongs = [&](const explain::LeftObject& object) { return HasVariantOf(object.name, all); };
  std::ranges::copy_if(of_cluster, std::back_inserter(left), belongs);
  std::erase_if(of_cluster, belongs);
}

// Returns the Services that webhooks call: "shop/checker".
std::set<std::string> CalledBy(const Value& hooks) {
  std::set<std::string> out;
  for (const Value& webhook : ItemsAt(hooks, {"webhooks"})) out.insert(explain::ReceiverOf(webhook));
  return out;
}

// Returns the manifest of an object of the cluster, which ByName has in the connection's namespace; nullptr: there is none.
const Value* ManifestOf(const explain::ObjectReport& object, const ManifestsByName& manifests,
                        const explain::Report& report) {
  const std::string_view in = report.context ? std::string_view(report.context->name_space) : "";
  const auto at = manifests.find({object.kind, in, object.name});
  return at == manifests.end() ? nullptr : at->second;
}

// Adds webhooks of other names that call Services of the input, and notes that new ones take their place: both are asked from now on.
void AddHooksOfInput(kube::Client& client, const std::vector<explain::LeftObject>& of_cluster,
                     const ManifestsByName& manifests, explain::Report& report) {
  constexpr size_t kMost = 8;  // each is a request
  std::vector<const explain::LeftObject*> asked;
  std::vector<kube::ObjectRef> refs;
  for (const explain::LeftObject& object : of_cluster) {
    if (!object.kind.ends_with("WebhookConfiguration") || refs.size() == kMost) continue;
    asked.push_back(&object);
    refs.push_back({{kAdmission, "v1", object.kind}, StrCat(ToLower(object.kind), "s"), "", object.name});
  }
  const std::vector<Result<Document>> found = client.GetAll(refs);
  for (size_t i = 0; i < found.size(); ++i) {
    const std::set<std::string> called = found[i].ok() ? CalledBy(found[i]->root()) : std::set<std::string>();
    const bool is_of_input = std::ranges::any_of(report.objects, [&](const explain::ObjectReport& object) {
      return object.kind == "Service" && called.contains(StrCat(object.name_space, "/", object.name));
    });
    if (!is_of_input) continue;
    report.left->push_back(*asked[i]);
    for (explain::ObjectReport& created : report.objects) {
      if (created.action != explain::Action::kCreate || created.kind != asked[i]->kind) continue;
      const Value* manifest = ManifestOf(created, manifests, report);
      if (manifest == nullptr || CalledBy(*manifest) != called) continue;
      created.replaces_left = true;
      created.not_carried = NotCarriedOver(found[i]->root(), *manifest, created);
    }
  }
}

}  // namespace

void FindLeftObjects(kube::Client& client, const apply::Manifests& manifests, explain::Report& report) {
  FindFormerNamespace(client, manifests, report);
  if (!explain::MayLeaveObjects(report)) return;
  std::set<explain::ObjectName> known = NamesOf(report);
  for (const apply::Manifest& manifest : manifests.refused) known.insert(NameOf(manifest, report));
  InputOfNamespaces input = ByNamespace(known);
  AddFormerNamespaces(report, input);
  if (input.size() - input.count("") > kMostNamespaces) return;
  const std::vector<kube::ObjectRef> collections = CollectionsIn(input);
  const std::vector<Result<Document>> lists = client.ListMetadata(collections, "");
  for (size_t i = 0; i < lists.size(); ++i) {
    const kube::ObjectRef& of = collections[i];
    const bool is_optional = of.name_space.empty() || of.gvk.kind == "Secret" || of.gvk.group == kRbac;
    if (!lists[i].ok() && !is_optional) return;
  }
  const std::set<std::string> marks = MarksOfInput(manifests);
  const auto is_marked = [&](const Value& item) {
    return std::ranges::any_of(MarksOf(item), [&](const std::string& mark) { return marks.contains(mark); });
  };
  std::map<std::string_view, std::vector<explain::LeftObject>> related, others;
  for (size_t i = 0; i < lists.size(); ++i) {
    if (!lists[i].ok()) continue;
    const kube::ObjectRef& of = collections[i];
    const std::set<std::string_view>& names = input.at(of.name_space).names;
    for (const Value& item : ItemsAt(lists[i]->root(), {"items"})) {
      const std::string_view name = TextAt(item, {"metadata", "name"});
      if (known.contains({of.gvk.kind, of.name_space, name}) || HasOwnerObject(item) || apply::IsBeingDeleted(item))
        continue;
      if (!IsOfKubectl(ManagersOf(item))) continue;
      auto& found = HasVariantOf(name, names) || is_marked(item) ? related : others;
      found[of.name_space].push_back({of.gvk.kind, of.name_space, std::string(name), ChangesOfOthers(item)});
    }
  }
  report.left.emplace();
  for (const auto& [name_space, here] : input) {
    for (explain::LeftObject& object : related[name_space]) report.left->push_back(std::move(object));
    // A new version often has fewer objects.
    const bool only_input = IsOfOneApplication(name_space) && others[name_space].size() <= 2 * here.objects;
    for (explain::LeftObject& object : others[name_space]) {
      if (only_input) report.left->push_back(std::move(object));
    }
  }
  AddOfLeft(others[""], *report.left);
  const ManifestsByName by_name = ByName(manifests, report);
  AddHooksOfInput(client, others[""], by_name, report);
  ReadLeftWorkloads(client, by_name, *report.left, report);
  CompareMovedSettings(client, by_name, report);
  FindSharedHosts(client, report);
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
