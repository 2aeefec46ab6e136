// --prune: objects that were applied once and are in no manifest any more. Planned by LIST alone (of metadata), so that
// apply, its dry runs and explain-diff show the same; then deleted, each exactly as it was seen.
//
//   SMP_ASSIGN(std::vector<Stale> stale, PlanPrune({client, schemas}, scope, applied));
//   for (const Stale& object : stale) SMP_TRY(Prune(client, object, deletion, DryRun::kNone));
//
// As kubectl (its prune.go): objects with the last-applied annotation that match the selector, of the allowed kinds, in
// the namespaces of what was applied, and not among what was just applied.
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

// "apps/v1/Deployment", "core/v1/ConfigMap". Error: invalid-argument, in kubectl's words.
Result<GroupVersionKind> ParsePruneKind(std::string_view text);

// What an apply has to do with, collected while it runs.
class Applied {
 public:
  // An object of the manifests that -l left out: a name that is still in a manifest is never pruned. `name_space` is
  // the one of -n or of the context. Differs from kubectl: whoever moves an object to another label loses it there.
  void AddLeftOut(const Manifest& manifest, const std::string& name_space);
  // An object that was applied, as the server has it (it may have no uid yet, in a dry run).
  void AddObject(const ObjectRef& ref, const Value& object);
  // Namespaces in which to look, besides those of objects: that of -n.
  void AddNamespace(const std::string& name_space);

  const std::set<std::string>& namespaces() const { return namespaces_; }
  bool Has(const ObjectRef& ref, const std::string& uid) const;

 private:
  void AddNamed(const GroupVersionKind& gvk, const std::string& name_space, const std::string& name);

  std::set<std::string> uids_;
  std::set<std::string> namespaces_;
  std::set<std::tuple<std::string, std::string, std::string, std::string>> names_;  // group, kind, namespace, name
};

// An object to be pruned.
struct Stale {
  ObjectRef ref;
  std::string uid;
};

// In the order of the namespaces, the kinds and the names; cluster-scoped kinds last. Objects that are being deleted
// already are left out. Errors: not-found for a kind of the allowlist that the server does not know (a default kind
// that it does not know is left out), and those of the lists: then nothing is known, and nothing may be pruned.
Result<std::vector<Stale>> PlanPrune(Client& client, SchemaSource& schemas, const PruneScope& scope,
                                     const Applied& applied);

enum class Storing { kYes, kServerDryRun };

// Deletes it, unless it is another object by now (error conflict). One that is gone already is fine.
Status Prune(Client& client, const Stale& object, const Deletion& deletion, Storing storing);

}  // namespace smp

#endif  // SMP_APPLY_PRUNE_H_
