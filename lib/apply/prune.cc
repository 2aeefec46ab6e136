#include "apply/prune.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "apply/apply_mode.h"
#include "apply/last_applied.h"
#include "base/parallel.h"
#include "base/strings.h"
#include "kube/label_selector.h"
#include "net/transport.h"
#include "value/at.h"

namespace smp::apply {

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

// For the default kinds, this avoids downloading large schema documents.
Result<std::vector<ListedKind>> ListedKinds(kube::SchemaSource& schemas,
                                            const std::vector<GroupVersionKind>& allowlist) {
  std::vector<ListedKind> out;
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
std::vector<kube::ObjectRef> Collections(const PruneSearch& search) {
  std::vector<kube::ObjectRef> out;
  for (const std::string& name_space : search.namespaces) {
    for (const ListedKind& kind : search.kinds) {
      if (kind.namespaced) out.push_back({kind.gvk, kind.plural, name_space, ""});
    }
  }
  for (const ListedKind& kind : search.kinds) {
    if (!kind.namespaced) out.push_back({kind.gvk, kind.plural, "", ""});
  }
  return out;
}

bool WasApplied(const Value& object, const std::string& manager) {
  return object.FindPath({"metadata", "annotations", kLastAppliedAnnotation}) != nullptr ||
         (!manager.empty() && ApplyEntryOf(object, manager));
}

void AddStale(const kube::ObjectRef& collection, const Document& list, const std::function<bool(const Value&)>& counts,
              const Applied& applied, std::set<std::string>& seen, std::vector<Stale>& out) {
  for (const Value& object : ItemsAt(list.root(), {"items"})) {
    if (!counts(object) || IsBeingDeleted(object)) continue;
    Stale stale{collection, std::string(TextAt(object, {"metadata", "uid"})), std::string(VersionOf(object)),
                RevisionOf(object), counts};
    stale.ref.name = TextAt(object, {"metadata", "name"});
    stale.managers = ManagersOf(object);
    // Without name and uid, the wrong object could be deleted.
    if (stale.ref.name.empty() || stale.uid.empty()) continue;
    // One object may be in the lists of two groups or versions.
    if (!applied.Has(stale.ref, stale.uid) && seen.insert(stale.uid).second) out.push_back(std::move(stale));
  }
}

PruneSearch SearchOf(const PruneScope& scope, const Applied& applied) {
  return {.namespaces = applied.namespaces(),
          .selector = scope.selector,
          .counts = [manager = scope.server_side_manager](const Value& object) { return WasApplied(object, manager); }};
}

using GroupKind = std::pair<std::string, std::string>;

std::set<GroupKind> PrunedKinds(const PruneScope& scope) {
  std::set<GroupKind> out;
  for (const GroupVersionKind& gvk : scope.allowlist) out.emplace(gvk.group, gvk.kind);
  if (!out.empty()) return out;
  for (const DefaultKind& row : kDefaultKinds) out.emplace(row.group, row.kind);
  return out;
}

bool CanBeListed(const kube::ServedResource& served) {
  return std::ranges::count(served.verbs, "list") > 0 && std::ranges::count(served.verbs, "delete") > 0;
}

// A cluster may have thousands of kinds; what is found is only a hint.
constexpr size_t kMostOtherLists = 500;

// Returns what `scope` does not prune, each kind in the version that the server prefers.
std::vector<ListedKind> OtherKinds(const std::vector<kube::ServedResource>& served, const PruneScope& scope) {
  std::set<GroupKind> known = PrunedKinds(scope);
  std::vector<ListedKind> out;
  for (const kube::ServedResource& one : served) {
    const Resource& resource = one.resource;
    if (!CanBeListed(one) || !known.emplace(resource.gvk.group, resource.gvk.kind).second) continue;
    out.push_back({resource.gvk, resource.plural, resource.namespaced});
  }
  return out;
}

Error Unlisted(const kube::ObjectRef& collection, Error error) {
  error.message = StrCat("error pruning ", collection.name_space.empty() ? "nonNamespaced" : "namespaced", " object ",
                         collection.gvk.ApiVersion(), ", Kind=", collection.gvk.kind, ": ", error.message);
  return error;
}

// --- deletion

constexpr int kMostTries = 5;
constexpr int64_t kForeverMs = int64_t{7} * 24 * 3600 * 1000;  // a week, as in kubectl

Status DeleteOnce(kube::Client& client, const Stale& object, const PruneRunOptions& options) {
  kube::DeleteOptions how = ToDeleteOptions(options.deletion, object.uid, object.resource_version);
  how.dry_run = options.dry_run == DryRun::kServer;
  Status deleted = client.Delete(object.ref, how);
  return !deleted.ok() && deleted.error().code == ErrorCode::kNotFound ? Ok() : deleted;
}

// Deletes the object as it was chosen. If only its status has changed since, it is chosen again.
Status DeleteOne(kube::Client& client, Stale object, const PruneRunOptions& options) {
  if (options.dry_run == DryRun::kClient) return Ok();
  for (int tries = 1;; ++tries) {
    Status deleted = DeleteOnce(client, object, options);
    if (!deleted.ok() && net::IsAnswerLost(deleted.error()) && tries < kMostTries) continue;  // only this uid can go
    const bool changed = !deleted.ok() && deleted.error().code == ErrorCode::kConflict;
    if (!changed || tries == kMostTries || object.resource_version.empty()) return deleted;
    const Result<Document> live = client.Get(object.ref);
    if (!live.ok()) return live.error().code == ErrorCode::kNotFound ? Ok() : deleted;
    if (TextAt(live->root(), {"metadata", "uid"}) != object.uid) return deleted;
    if (!object.still_counts(live->root())) {
      return Error::Conflict("it was changed since it was chosen, and does not count as stale any more; it is kept");
    }
    if (RevisionOf(live->root()) != object.revision) {
      return Error::Conflict("somebody changed it since it was chosen, so it is kept");
    }
    object.resource_version = VersionOf(live->root());
  }
}

// Returns the outcomes in the order of the plan; nullopt for objects that were not tried because of Ctrl-C.
std::vector<std::optional<Status>> DeleteAll(kube::Client& client, Clock& clock, const std::vector<Stale>& plan,
                                             const PruneRunOptions& options) {
  std::vector<std::optional<Status>> out(plan.size());
  ParallelFor(plan.size(), options.parallel, [&](size_t i) {
    if (!clock.interrupted()) out[i] = DeleteOne(client, plan[i], options);
  });
  return out;
}

// Waits until all are gone, with one timeout. After Ctrl-C, reports the rest as pruned: they are being deleted.
PruneEnd AwaitAll(kube::Client& client, Clock& clock, const std::vector<const Stale*>& deleted, int64_t timeout_ms,
                  const PruneReport& report) {
  const int64_t end = clock.NowMs() + (timeout_ms > 0 ? timeout_ms : kForeverMs);
  PruneEnd result = PruneEnd::kDone;
  bool interrupted = clock.interrupted();
  for (const Stale* object : deleted) {
    Awaited awaited{Absence::kInterrupted};
    if (!interrupted) awaited = AwaitGone(client, object->ref, object->uid, end - clock.NowMs(), clock);
    interrupted |= awaited.absence == Absence::kInterrupted;
    if (awaited.absence != Absence::kTimedOut) {
      report.pruned(*object);
      continue;
    }
    const std::string held = awaited.object ? WhatHolds(awaited.object->root()) : "";
    const std::string message =
        awaited.error ? StrCat("its deletion has begun; it is not known whether it is gone: ", awaited.error->message)
                      : StrCat("timed out waiting for its deletion", held.empty() ? "" : ": ", held);
    report.failed(*object, {ErrorCode::kServer, message});
    result = PruneEnd::kFailed;
  }
  return interrupted ? PruneEnd::kInterrupted : result;
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

void Applied::AddObject(const kube::ObjectRef& ref, const Value& object) {
  AddNamed(ref.gvk, ref.name_space, ref.name);
  AddNamespace(ref.name_space);
  if (const std::string_view uid = TextAt(object, {"metadata", "uid"}); !uid.empty()) uids_.emplace(uid);
}

void Applied::AddNamespace(const std::string& name_space) {
  if (!name_space.empty()) namespaces_.insert(name_space);
}

void Applied::AddNamed(const GroupVersionKind& gvk, const std::string& name_space, const std::string& name) {
  names_.emplace(gvk.group, gvk.kind, name_space, name);
}

bool Applied::Has(const kube::ObjectRef& ref, const std::string& uid) const {
  return uids_.contains(uid) || names_.contains({ref.gvk.group, ref.gvk.kind, ref.name_space, ref.name});
}

std::string RevisionOf(const Value& object) {
  const int64_t generation = IntAt(object, {"metadata", "generation"});
  if (generation > 0) return StrCat("generation ", generation);
  const std::string_view version = VersionOf(object);
  return version.empty() ? "" : StrCat("version ", version);
}

Result<std::vector<Stale>> FindStale(kube::Client& client, const PruneSearch& search, const Applied& applied) {
  SMP_ASSIGN(const kube::LabelSelector selector, kube::ParseLabelSelector(search.selector));
  // The labels are matched here, too: a server or a proxy that ignores the selector would cost what others applied.
  const auto counts = [selector, of_search = search.counts](const Value& object) {
    return kube::Matches(selector, object) && of_search(object);
  };
  const std::vector<kube::ObjectRef> collections = Collections(search);
  const std::vector<Result<Document>> lists = client.ListMetadata(collections, search.selector, search.busy);
  std::vector<Stale> out;
  std::set<std::string> seen;
  for (size_t i = 0; i < lists.size(); ++i) {
    if (lists[i].ok()) {
      AddStale(collections[i], *lists[i], counts, applied, seen, out);
    } else if (!search.may_fail(lists[i].error())) {
      return Unlisted(collections[i], lists[i].error());
    }
  }
  return out;
}

Result<std::vector<Stale>> PlanPrune(kube::Client& client, kube::SchemaSource& schemas, const PruneScope& scope,
                                     const Applied& applied) {
  PruneSearch search = SearchOf(scope, applied);
  SMP_ASSIGN(search.kinds, ListedKinds(schemas, scope.allowlist));
  // Skip default kinds that the server does not serve.
  const bool by_default = scope.allowlist.empty();
  search.may_fail = [by_default](const Error& error) { return by_default && error.code == ErrorCode::kNotFound; };
  return FindStale(client, search, applied);
}

Result<std::vector<Stale>> FindOtherKinds(kube::Client& client, kube::ResourceMapper& mapper, const PruneScope& scope,
                                          const Applied& applied) {
  PruneSearch search = SearchOf(scope, applied);
  SMP_ASSIGN(const std::vector<kube::ServedResource> served, mapper.All());
  search.kinds = OtherKinds(served, scope);
  search.may_fail = [](const Error&) { return true; };
  search.busy = kube::Client::Busy::kGiveUp;
  if (Collections(search).size() > kMostOtherLists) return std::vector<Stale>();
  return FindStale(client, search, applied);
}

PruneEnd PruneAll(kube::Client& client, Clock& clock, const std::vector<Stale>& plan, const PruneRunOptions& options,
                  const PruneReport& report) {
  const auto fates = DeleteAll(client, clock, plan, options);
  const bool waits = options.wait && options.dry_run == DryRun::kNone;
  PruneEnd end = PruneEnd::kDone;
  std::vector<const Stale*> deleted;
  for (size_t i = 0; i < plan.size(); ++i) {
    if (!fates[i]) {
      report.not_tried(plan[i]);
    } else if (!fates[i]->ok()) {
      report.failed(plan[i], fates[i]->error());
      end = PruneEnd::kFailed;
    } else if (waits) {
      deleted.push_back(&plan[i]);
    } else {
      report.pruned(plan[i]);
    }
  }
  const PruneEnd waited = AwaitAll(client, clock, deleted, options.deletion.timeout_ms, report);
  if (waited != PruneEnd::kDone) end = waited;
  return clock.interrupted() ? PruneEnd::kInterrupted : end;
}

}  // namespace smp::apply
