// --prune: finds objects that were applied once and are no longer in any manifest. Planned with LIST requests (of
// metadata) only, so that apply, its dry runs and explain-diff show the same; then each is deleted exactly as it was
// seen.
//
//   SMP_ASSIGN(std::vector<Stale> stale, PlanPrune(client, schemas, scope, applied));
//   for (const Stale& object : stale) SMP_TRY(Prune(client, object, deletion, Storing::kYes));
//
// As in kubectl (prune.go), these are objects with the last-applied annotation that match the selector, are of an
// allowed kind and in a namespace of what was applied, but were not just applied themselves.
#ifndef SMP_APPLY_PRUNE_H_
#define SMP_APPLY_PRUNE_H_

#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "apply/deletion.h"
#include "apply/manifests.h"
#include "base/result.h"
#include "kube/client.h"
#include "kube/object_ref.h"
#include "kube/schema_source.h"
#include "schema/schema.h"

namespace smp {

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
  void AddObject(const ObjectRef& ref, const Value& object);
  // Adds a namespace to look in, besides those of the objects: that of -n.
  void AddNamespace(const std::string& name_space);

  const std::set<std::string>& namespaces() const { return namespaces_; }
  bool Has(const ObjectRef& ref, const std::string& uid) const;

 private:
  void AddNamed(const GroupVersionKind& gvk, const std::string& name_space, const std::string& name);

  std::set<std::string> uids_;
  std::set<std::string> namespaces_;
  std::set<std::tuple<std::string, std::string, std::string, std::string>> names_;  // group, kind, namespace, name
};

// An object to prune.
struct Stale {
  ObjectRef ref;
  std::string uid;
};

// Returns what to prune, ordered by namespace, kind and name; cluster-scoped kinds last. Leaves out objects that are
// already being deleted. Errors: not-found, for a kind of the allowlist that the server does not know (an unknown
// default kind is skipped); errors of the LISTs, after which nothing may be pruned.
Result<std::vector<Stale>> PlanPrune(Client& client, SchemaSource& schemas, const PruneScope& scope,
                                     const Applied& applied);

enum class Storing { kYes, kServerDryRun };

// Deletes the object. Error: conflict, if another object has taken its place. Succeeds if it is already gone.
Status Prune(Client& client, const Stale& object, const Deletion& deletion, Storing storing);

}  // namespace smp

#endif  // SMP_APPLY_PRUNE_H_
