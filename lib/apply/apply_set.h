// ApplySet (KEP-3659): a set of objects that --prune owns. Its parent object names the kinds and the namespaces of its
// members; each member has a label with the set's id. Only an object that has this label, and is of such a kind in such a
// namespace, is ever pruned.
//
//   SMP_ASSIGN(ApplySet set, ApplySet::Open(client, options));      // reads the parent
//   SMP_TRY(set.AddLabels(manifests));
//   SMP_TRY(set.AddInput(manifests, target));
//   SMP_TRY(set.WriteSuperset());                                   // before the first object is applied
//   SMP_ASSIGN(std::vector<Stale> stale, set.PlanPrune(applied));   // after all were applied without an error
//   SMP_TRY(set.WriteExact());                                      // after all stale objects were deleted; else KeepSuperset
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "apply/apply_set_parent.h"
#include "apply/manifests.h"
#include "apply/prepare.h"
#include "apply/prune.h"
#include "base/result.h"
#include "kube/client.h"
#include "schema/schema.h"
#include "value/value.h"

namespace smp::apply {

inline constexpr std::string_view kPartOfLabel = "applyset.kubernetes.io/part-of";

// Returns the id of the ApplySet that an object leaves if `before` becomes `after`, be it for another set; "" if it stays, or was
// in none.
std::string SetLeftBy(const Value& before, const Value& after);

class ApplySet {
 public:
  // `client` must outlive the set. Errors: those of FindApplySetParent and ReadApplySetParent. Warns of kinds that the
  // server does not have any more.
  static Result<ApplySet> Open(kube::Client& client, ApplySetOptions options);

  // Adds the label to each manifest, and so to its last-applied annotation. Error: invalid-argument, if one has it, or
  // keeps it as live has it.
  Status AddLabels(Manifests& manifests) const;

  // Adds the kinds and namespaces of the manifests to those that the set will have. Leaves out objects in another
  // namespace than that of -n, which cannot be applied. Error: an unknown kind, as in kubectl: if it became known during
  // the run, the set would not have it.
  Status AddInput(const Manifests& manifests, const Target& target);

  // Reads the parent again, because another run may have changed it since Open. Errors: those of ReadApplySetParent.
  Status ReadAgain();

  // Writes to the parent what the set had and will have, so that nothing is lost if the run ends early.
  Status WriteSuperset();
  // Writes only what the set has now, with a warning also what the parent says, if another run has written it since the superset.
  // REQUIRES: everything was applied and pruned.
  Status WriteExact() const;
  // Adds the superset again, as far as another run has removed it meanwhile: something was applied, and more may be.
  Status KeepSuperset() const;

  // Returns the members that are not in `applied`, as FindStale; none of a new set. Never the parent, nor what a controller
  // made. Errors: those of the LISTs; refused, if a member to prune is a Namespace or CRD of the parent or of objects of the
  // input, which would be deleted too.
  Result<std::vector<Stale>> PlanPrune(const Applied& applied) const;

 private:
  ApplySet(kube::Client& client, ApplySetOptions options, ApplySetParent parent, ApplySetState before);

  void AddMember(const GroupVersionKind& gvk, const std::string& plural, const std::string& name_space);
  Status CheckKeepsInput(const Stale& stale) const;
  Status Update(const std::function<ApplySetSets(const ApplySetSets&)>& after) const;

  kube::Client* client_;
  ApplySetOptions options_;
  ApplySetParent parent_;
  ApplySetState before_;
  ApplySetSets input_;
  std::set<std::string> resources_;  // FullName of the input's kinds
  ApplySetSets superset_;
};

}  // namespace smp::apply
