#include "explain/object_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/in_words.h"
#include "explain/rights.h"
#include "value/at.h"
#include "value/metadata.h"

namespace smp::explain {

namespace {

std::string Plural(std::string kind) {
  if (kind.ends_with("ss")) return kind + "es";
  if (kind.ends_with("s")) return kind;
  const bool vowel = kind.size() > 1 && std::string_view("aeiou").find(kind[kind.size() - 2]) != std::string_view::npos;
  if (kind.ends_with("y") && !vowel) return kind.replace(kind.size() - 1, 1, "ies");
  return kind + "s";
}

bool HasPods(std::string_view kind) {
  constexpr std::string_view kKinds[] = {"DaemonSet", "Deployment", "Job", "Pod", "ReplicaSet", "StatefulSet"};
  return std::ranges::find(kKinds, kind) != std::end(kKinds);
}

std::string NameInLists(const ObjectReport& object) {
  return object.namespace_is_said ? StrCat(object.kind, " ", object.name) : NameOf(object);
}

}  // namespace

bool Serves(std::string_view kind) { return std::ranges::find(kServingKinds, kind) != std::end(kServingKinds); }

bool IsDefaultClass(const Value& object) {
  const std::string_view kind = object.is_object() ? object.StringOr("kind") : "";
  const auto has = [&](const char* of, const char* annotation) {
    return kind == of && TextAt(object, {"metadata", "annotations", annotation}) == "true";
  };
  return has("IngressClass", "ingressclass.kubernetes.io/is-default-class") ||
         has("StorageClass", "storageclass.kubernetes.io/is-default-class") ||
         has("StorageClass", "storageclass.beta.kubernetes.io/is-default-class");
}

ObjectName NameOfObject(const ObjectReport& object) { return {object.kind, object.name_space, object.name}; }

ObjectName NameOfNeed(const NeededObject& needed, const ObjectReport& by) {
  return {needed.kind, needed.has_namespace() ? std::string_view(by.name_space) : "", needed.name};
}

std::string KindInWords(std::string_view api_version, std::string_view kind) {
  constexpr std::string_view kOfKubernetes[] = {"APIService",
                                                "ClusterRole",
                                                "ClusterRoleBinding",
                                                "ConfigMap",
                                                "CronJob",
                                                "CustomResourceDefinition",
                                                "DaemonSet",
                                                "Deployment",
                                                "Endpoints",
                                                "Event",
                                                "HorizontalPodAutoscaler",
                                                "Ingress",
                                                "IngressClass",
                                                "Job",
                                                "LimitRange",
                                                "Namespace",
                                                "NetworkPolicy",
                                                "Node",
                                                "PersistentVolume",
                                                "PersistentVolumeClaim",
                                                "Pod",
                                                "PodDisruptionBudget",
                                                "PodTemplate",
                                                "PriorityClass",
                                                "ReplicaSet",
                                                "ReplicationController",
                                                "ResourceQuota",
                                                "Role",
                                                "RoleBinding",
                                                "RuntimeClass",
                                                "Secret",
                                                "Service",
                                                "ServiceAccount",
                                                "StatefulSet",
                                                "StorageClass"};
  const std::string_view group = GroupOf(api_version);
  const bool is_clear = IsGroupOfKubernetes(group) || !std::ranges::binary_search(kOfKubernetes, kind);
  return is_clear ? std::string(kind) : StrCat(kind, ".", group);
}

std::string_view OwnKind(const ObjectReport& object) {
  return std::string_view(object.kind).substr(0, object.kind.find('.'));
}

void SayGroups(Report& report) {
  std::map<std::string, std::set<std::string_view>> groups;  // by kind
  for (const ObjectReport& object : report.objects) groups[object.kind].insert(GroupOf(object.api_version));
  for (ObjectReport& object : report.objects) {
    const std::string_view group = GroupOf(object.api_version);
    const std::set<std::string_view>& all = groups[object.kind];
    const bool is_unclear = all.size() > 1 && !std::ranges::all_of(all, IsGroupOfKubernetes);
    if (is_unclear && group.find('.') != group.npos) object.kind = StrCat(object.kind, ".", group);
  }
}

void SayNamespaceOnce(Report& report) {
  constexpr size_t kLong = 16, kMuch = 48;  // bytes: of the name, and in all the names of what changes
  std::set<std::string_view> all;
  size_t bytes = 0;
  for (const ObjectReport& object : report.objects) {
    all.insert(object.name_space);
    if (object.differs()) bytes += object.name_space.size();
  }
  all.erase("");
  if (all.size() != 1 || report.here || (all.begin()->size() < kLong && bytes < kMuch)) return;
  for (ObjectReport& object : report.objects) object.namespace_is_said = !object.name_space.empty();
}

std::string_view NamespaceToSay(const Report& report) {
  const auto object = std::ranges::find_if(report.objects, &ObjectReport::namespace_is_said);
  return object == report.objects.end() ? "" : std::string_view(object->name_space);
}

bool OneKind(const Objects& objects) {
  return std::ranges::all_of(objects,
                             [&](const ObjectReport* object) { return object->kind == objects.front()->kind; });
}

std::string NamesIn(const Objects& objects, Kinds kinds, size_t most) {
  std::vector<std::string> names;
  for (const ObjectReport* object : objects) {
    const std::string name = NameInLists(*object);
    const bool hides = kinds == Kinds::kHide && !object->kind.empty();  // else the name is a place in a file
    names.push_back(hides ? name.substr(object->kind.size() + 1) : name);
  }
  return NameSome(std::move(names), most);
}

std::string NamesByKind(Objects objects, size_t most) {
  const size_t more = objects.size() > most + 1 ? objects.size() - most : 0;
  // What serves today is not to be among those that are only counted.
  if (more > 0) std::ranges::stable_partition(objects, [](const ObjectReport* object) { return Serves(object->kind); });
  objects.resize(objects.size() - more);
  std::vector<std::string_view> kinds;
  std::map<std::string_view, Objects> of_kind;
  for (const ObjectReport* object : objects) {
    Objects& same = of_kind[object->kind];
    if (same.empty()) kinds.push_back(object->kind);
    same.push_back(object);
  }
  std::vector<std::string> names;
  for (const std::string_view kind : kinds) {
    names.push_back(StrCat(kind, kind.empty() ? "" : " ", NamesIn(of_kind[kind], Kinds::kHide, of_kind[kind].size())));
  }
  return StrCat(Join(names, "; "), more == 0 ? "" : StrCat(" and ", more, " more"));
}

std::string NumberAndKind(const Objects& objects) {
  return StrCat(objects.size(), " ", OneKind(objects) ? Plural(objects.front()->kind) : "objects");
}

std::string CountByKind(const Objects& objects) {
  std::map<std::pair<bool, std::string_view>, size_t> counts;
  for (const ObjectReport* object : objects) ++counts[{!HasPods(object->kind), object->kind}];
  std::vector<std::string> parts;
  for (const auto& [kind, count] : counts) {
    const std::string name(kind.second);
    parts.push_back(StrCat(count, " ", count == 1 ? name : Plural(name)));
  }
  return Join(parts, ", ");
}

}  // namespace smp::explain
