#include "cmd/left_behind.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apply/deletion.h"
#include "apply/last_applied.h"
#include "base/name_some.h"
#include "base/strings.h"
#include "cmd/changed_by_others.h"
#include "cmd/input_objects.h"
#include "cmd/left_workloads.h"
#include "explain/access_facts.h"
#include "explain/in_words.h"
#include "explain/reach_facts.h"
#include "explain/undone_words.h"
#include "value/at.h"

namespace smp::cmd {

namespace {

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

}  // namespace smp::cmd
