// --prune: deletes objects that were applied earlier and are no longer in any manifest. The plan uses only LIST
// requests (of metadata), so that apply, its dry runs and explain-diff show the same; then each object is deleted by
// uid.
//
//   SMP_ASSIGN(std::vector<Stale> stale, PlanPrune(client, schemas, scope, applied));
//   const PruneEnd end = PruneAll(client, clock, stale, options, report);
//
// As in kubectl (prune.go), an object is pruned if it has the last-applied annotation, matches the selector, is of an
// allowed kind and in a namespace of an applied object, but was not just applied itself. Differs from kubectl: an object
// without the annotation that we applied server-side counts, too, because it may be too large for the annotation.
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
#include "kube/resource_mapper.h"
#include "kube/schema_source.h"
#include "schema/schema.h"
#include "smp/managed_fields.h"

namespace smp::apply {

struct PruneScope {
  std::vector<GroupVersionKind> allowlist = {};  // empty: kubectl's namespaced default kinds
  std::string selector = {};                     // "": all objects
  // Whose Apply entry in managedFields counts like the annotation; "": nobody's.
  std::string server_side_manager{kServerSideManager};
};

// Parses "apps/v1/Deployment", "core/v1/ConfigMap". Error: invalid-argument, with kubectl's wording.
Result<GroupVersionKind> ParsePruneKind(std::string_view text);

// The objects that an apply run must not prune, and the namespaces to search, collected during the run.
class Applied {
 public:
  // Adds an object excluded by -l: what is still in a manifest is never pruned. `name_space` (from -n or the context)
  // is for a manifest without one. Differs from kubectl: it prunes an object that was moved to another label.
  void AddLeftOut(const Manifest& manifest, const std::string& name_space);
  // Adds an object that was applied, as the server returned it (in a dry run it may have no uid yet).
  void AddObject(const kube::ObjectRef& ref, const Value& object);
  // Adds a namespace to search in addition to those of the objects: the one from -n.
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
// Returns what changes with what people write: the generation, where the kind has one, so that a new status is no other revision;
// else the resourceVersion. "": the server did not say.
std::string RevisionOf(const Value& object);

struct Stale {
  kube::ObjectRef ref;
  std::string uid;
  std::string resource_version = {};  // "": the server did not say
  std::string revision = {};          // RevisionOf the object as it was chosen
  // Returns true if the object, as it is now, would be chosen again.
  std::function<bool(const Value& object)> still_counts = [](const Value&) { return true; };
  std::vector<FieldManager> managers = {};  // who has written it
};

// A kind whose objects are listed.
struct ListedKind {
  GroupVersionKind gvk;
  std::string plural;
  bool namespaced = true;
};

// Where to look for objects to prune, and which of them count.
struct PruneSearch {
  std::vector<ListedKind> kinds;
  std::set<std::string> namespaces;                                                 // for the namespaced kinds
  std::string selector;                                                             // "": all objects
  std::function<bool(const Value& object)> counts;                                  // a copy may outlive the search
  std::function<bool(const Error&)> may_fail = [](const Error&) { return false; };  // skips a LIST with this error
  kube::Client::Busy busy = kube::Client::Busy::kWait;
};

// Returns the objects that count and are not in `applied`, ordered by namespace, kind and name; cluster-scoped kinds
// last. Skips objects that are already being deleted. Error: of a LIST that may not fail.
Result<std::vector<Stale>> FindStale(kube::Client& client, const PruneSearch& search, const Applied& applied);

// Returns the objects to prune, as FindStale. Errors: not-found, for a kind in the allowlist that the server does not
// know (an unknown default kind is skipped); those of the LISTs. After any error the caller must not prune.
Result<std::vector<Stale>> PlanPrune(kube::Client& client, kube::SchemaSource& schemas, const PruneScope& scope,
                                     const Applied& applied);

// Returns the objects that --prune leaves only because of their kind: they match the selector, were applied before and
// are not in `applied`. Kinds that cannot be listed are skipped. Empty if there are too many kinds to list them all.
Result<std::vector<Stale>> FindOtherKinds(kube::Client& client, kube::ResourceMapper& mapper, const PruneScope& scope,
                                          const Applied& applied);

struct PruneRunOptions {
  Deletion deletion;
  DryRun dry_run = DryRun::kNone;
  bool wait = false;  // wait until all objects are gone, at most deletion.timeout_ms (0: a week)
  int parallel = 16;  // deletions in flight
};

// Callbacks: one call for each object, in the order of the plan. With `wait`, `pruned` is called only when the object
// is gone, after all calls for objects that could not be deleted.
struct PruneReport {
  std::function<void(const Stale&)> pruned;
  std::function<void(const Stale&, Error)> failed;
  std::function<void(const Stale&)> not_tried;  // interrupted (Ctrl-C) before its deletion
};

enum class PruneEnd { kDone, kFailed, kInterrupted };

// Deletes the planned objects in parallel and, with `wait`, waits until they are gone. Reports error conflict for an
// object that was replaced by one with another uid, or has changed so that it does not count any more. An object that is
// already gone counts as pruned.
PruneEnd PruneAll(kube::Client& client, Clock& clock, const std::vector<Stale>& plan, const PruneRunOptions& options,
                  const PruneReport& report);

}  // namespace smp::apply
