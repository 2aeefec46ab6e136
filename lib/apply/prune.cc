#include "apply/prune.h"

#include <algorithm>
#include <utility>

#include "apply/last_applied.h"
#include "base/strings.h"

namespace smp {

namespace {

struct DefaultKind {
  const char* group;
  const char* kind;
  const char* plural;
};

// kubectl's default kinds (util/prune), all v1. Differs from kubectl: it adds Namespace and PersistentVolume, and so
// deletes Namespaces elsewhere although -n limits the run (kubernetes issue 108161); here cluster-scoped kinds are
// touched only if the allowlist names them.
constexpr DefaultKind kDefaultKinds[] = {
    {"", "ConfigMap", "configmaps"},
    {"", "Endpoints", "endpoints"},
    {"", "PersistentVolumeClaim", "persistentvolumeclaims"},
    {"", "Pod", "pods"},
    {"", "ReplicationController", "replicationcontrollers"},
    {"", "Secret", "secrets"},
    {"", "Service", "services"},
    {"batch", "Job", "jobs"},
    {"batch", "CronJob", "cronjobs"},
    {"networking.k8s.io", "Ingress", "ingresses"},
    {"apps", "DaemonSet", "daemonsets"},
    {"apps", "Deployment", "deployments"},
    {"apps", "ReplicaSet", "replicasets"},
    {"apps", "StatefulSet", "statefulsets"},
};

// Where to find objects of one kind.
struct Place {
  GroupVersionKind gvk;
  std::string plural;
  bool namespaced;
};

// The default kinds need no schema documents, which are large.
Result<std::vector<Place>> Places(SchemaSource& schemas, const std::vector<GroupVersionKind>& allowlist) {
  std::vector<Place> out;
  if (allowlist.empty()) {
    for (const DefaultKind& row : kDefaultKinds) out.push_back({{row.group, "v1", row.kind}, row.plural, true});
  }
  for (const GroupVersionKind& gvk : allowlist) {
    SMP_ASSIGN(const Resource resource, schemas.FindResource(gvk));
    out.push_back({gvk, resource.plural, resource.namespaced});
  }
  return out;
}

// Returns the lists to read, in the order in which their objects are pruned.
std::vector<ObjectRef> Collections(const std::vector<Place>& places, const std::set<std::string>& namespaces) {
  std::vector<ObjectRef> out;
  for (const std::string& name_space : namespaces) {
    for (const Place& place : places) {
      if (place.namespaced) out.push_back({place.gvk, place.plural, name_space, ""});
    }
  }
  for (const Place& place : places) {
    if (!place.namespaced) out.push_back({place.gvk, place.plural, "", ""});
  }
  return out;
}

bool WasApplied(const Value& object) {
  return object.FindPath({"metadata", "annotations", kLastAppliedAnnotation}) != nullptr;
}

void AddStale(const ObjectRef& collection, const Document& list, const Applied& applied, std::set<std::string>& seen,
              std::vector<Stale>& out) {
  const Value* items = list.root().Find("items");  // Client::ListMetadata guarantees it
  for (const Value& object : items->Items()) {
    if (!WasApplied(object) || IsBeingDeleted(object)) continue;
    Stale stale{collection, MetadataText(object, "uid")};
    stale.ref.name = MetadataText(object, "name");
    // Without name and uid a deletion could hit another object.
    if (stale.ref.name.empty() || stale.uid.empty()) continue;
    // One object may be in the lists of two groups or versions.
    if (!applied.Has(stale.ref, stale.uid) && seen.insert(stale.uid).second) out.push_back(std::move(stale));
  }
}

Error Unlisted(const ObjectRef& collection, Error error) {
  error.message = StrCat("error pruning ", collection.name_space.empty() ? "nonNamespaced" : "namespaced", " object ",
                         collection.gvk.ApiVersion(), ", Kind=", collection.gvk.kind, ": ", error.message);
  return error;
}

}  // namespace

Result<GroupVersionKind> ParsePruneKind(std::string_view text) {
  const std::vector<std::string_view> parts = Split(text, '/');
  if (parts.size() != 3) {
    return Error::InvalidArgument(
        StrCat("invalid GroupVersionKind format: ", text, ", please follow <group/version/kind>"));
  }
  const std::string_view group = parts[0] == "core" ? std::string_view() : parts[0];
  return GroupVersionKind{std::string(group), std::string(parts[1]), std::string(parts[2])};
}

void Applied::AddLeftOut(const Manifest& manifest, const std::string& name_space) {
  AddNamed(manifest.gvk, manifest.name_space.empty() ? name_space : manifest.name_space, manifest.name);
  AddNamed(manifest.gvk, "", manifest.name);  // it is unknown whether the kind is namespaced
}

void Applied::AddObject(const ObjectRef& ref, const Value& object) {
  AddNamed(ref.gvk, ref.name_space, ref.name);
  AddNamespace(ref.name_space);
  if (std::string uid = MetadataText(object, "uid"); !uid.empty()) uids_.insert(std::move(uid));
}

void Applied::AddNamespace(const std::string& name_space) {
  if (!name_space.empty()) namespaces_.insert(name_space);
}

void Applied::AddNamed(const GroupVersionKind& gvk, const std::string& name_space, const std::string& name) {
  names_.emplace(gvk.group, gvk.kind, name_space, name);
}

bool Applied::Has(const ObjectRef& ref, const std::string& uid) const {
  return uids_.contains(uid) || names_.contains({ref.gvk.group, ref.gvk.kind, ref.name_space, ref.name});
}

Result<std::vector<Stale>> PlanPrune(Client& client, SchemaSource& schemas, const PruneScope& scope,
                                     const Applied& applied) {
  SMP_ASSIGN(const std::vector<Place> places, Places(schemas, scope.allowlist));
  const std::vector<ObjectRef> collections = Collections(places, applied.namespaces());
  const std::vector<Result<Document>> lists = client.ListMetadata(collections, scope.selector);
  std::vector<Stale> out;
  std::set<std::string> seen;
  for (size_t i = 0; i < lists.size(); ++i) {
    // A server that does not serve a default kind has nothing of it to prune.
    const bool unknown = !lists[i].ok() && lists[i].error().code == ErrorCode::kNotFound;
    if (unknown && scope.allowlist.empty()) continue;
    if (!lists[i].ok()) return Unlisted(collections[i], lists[i].error());
    AddStale(collections[i], *lists[i], applied, seen, out);
  }
  return out;
}

Status Prune(Client& client, const Stale& object, const Deletion& deletion, Storing storing) {
  Status deleted = client.Delete(object.ref, {.dry_run = storing == Storing::kServerDryRun,
                                              .propagation = deletion.propagation,
                                              .grace_period_seconds = deletion.grace_period_seconds,
                                              .uid = object.uid});
  if (!deleted.ok() && deleted.error().code == ErrorCode::kNotFound) return Ok();
  return deleted;
}

}  // namespace smp
