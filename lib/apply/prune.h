// --prune: finds objects that were applied once and are no longer in any manifest. Planned with LIST requests (of
// metadata) only, so that apply, its dry runs and explain-diff show the same; then each is deleted exactly as it was
// seen.
//
//   SMP_ASSIGN(std::vector<Stale> stale, PlanPrune(client, schemas, scope, applied));
//   const PruneEnd end = PruneAll(client, clock, stale, options, report);
//
// As in kubectl (prune.go), these are objects with the last-applied annotation that match the selector, are of an
// allowed kind and in a namespace of what was applied, but were not just applied themselves.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "apply/deletion.h"
#include "apply/manifests.h"
#include "apply/submit.h"
#include "base/clock.h"
#include "base/result.h"
#include "kube/client.h"
#include "kube/object_ref.h"
#include "kube/schema_source.h"
#include "schema/schema.h"

namespace smp::apply {

struct PruneScope {
  std::vector<GroupVersionKind> allowlist = {};  // empty: kubectl's namespaced default kinds
  std::string selector = {};                     // "": all objects
};

// Parses "apps/v1/Deployment", "core/v1/ConfigMap". Error: invalid-argument, in kubectl's words.
Result<GroupVersionKind> ParsePruneKind(std::string_view text);

// The objects and namespaces that an apply dealt with, collected while it runs.
class Applied {
 public:
  // Adds an object of the manifests that -l left out: a name that is still in a manifest is never pruned. `name_space`
  // is from -n or the context. Differs from kubectl: it prunes an object that was moved to another label.
  void AddLeftOut(const Manifest& manifest, const std::string& name_space);
  // Adds an object that was applied, as the server returned it (in a dry run it may have no uid yet).
  void AddObject(const kube::ObjectRef& ref, const Value& object);
  // Adds a namespace to look in, besides those of the objects: that of -n.
  void AddNamespace(const std::string& name_space);

  const std::set<std::string>& namespaces() const { return namespaces_; }
  bool Has(const kube::ObjectRef& ref, const std::string& uid) const;

 private:
  void AddNamed(const GroupVersionKind& gvk, const std::string& name_space, const std::string& name);

  std::set<std::string> uids_;
  std::set<std::string> namespaces_;
  std::set<std::tuple<std::string, std::string, std::string, std::string>> names_;  // group, kind, namespace, name
};

// An object to prune.
struct Stale {
  kube::ObjectRef ref;
  std::string uid;
};

// Returns what to prune, ordered by namespace, kind and name; cluster-scoped kinds last. Leaves out objects that are
// already being deleted. Errors: not-found, for a kind of the allowlist that the server does not know (an unknown
// default kind is skipped); errors of the LISTs, after which nothing may be pruned.
Result<std::vector<Stale>> PlanPrune(kube::Client& client, kube::SchemaSource& schemas, const PruneScope& scope,
                                     const Applied& applied);

struct PruneRunOptions {
  Deletion deletion;
  DryRun dry_run = DryRun::kNone;
  bool wait = false;  // until all objects are gone, within the deletion's timeout
  int parallel = 16;  // deletions in flight
};

// What to tell the user: one outcome for each object, in the order of the plan. With `wait`, an object is pruned when it
// is gone, so that all that were deleted come after the others.
struct PruneReport {
  std::function<void(const Stale&)> pruned;
  std::function<void(const Stale&, Error)> failed;
  std::function<void(const Stale&)> not_tried;  // Ctrl-C came first
};

enum class PruneEnd { kDone, kFailed, kInterrupted };

// Deletes the objects in parallel, each exactly as it was seen, and may wait until they are gone. Errors: conflict, if
// another object has taken its place. An object that is already gone counts as pruned.
PruneEnd PruneAll(kube::Client& client, Clock& clock, const std::vector<Stale>& plan, const PruneRunOptions& options,
                  const PruneReport& report);

}  // namespace smp::apply
