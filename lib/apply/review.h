// Review: compares what apply is about to send with a plan that somebody has reviewed (plan_file.h).
//
// What counts is what apply writes: the patch, and at the paths that it changes what live has and will have. Changes of the live
// object at other paths, in status or managedFields are no difference. Where nothing is left to send, nothing can differ, so that a
// plan which was carried out in part can be applied again. A server-side apply in which reading shows no change is sent only if it
// was planned, and counts by the server's answer to a dry run (reviewed_apply.h).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "apply/copies.h"
#include "apply/plan_file.h"
#include "apply/prepare.h"
#include "apply/prune.h"
#include "base/result.h"
#include "kube/object_ref.h"

namespace smp::apply {

enum class Recreation { kNo, kYes };  // kYes: --force deletes the object and creates it again

// Return what the plan has for an object.
PlannedObject PlanOf(const Prepared& prepared, Recreation recreation, const PlanKey& key);
PlannedObject PlanOf(const Stale& stale, const PlanKey& key);

class Review {
 public:
  Review(PlanFile plan, PlanKey key);
  Review(Review&&) = default;
  Review& operator=(Review&&) = default;

  // Returns an error refused, with the names, unless the objects of the plan and of the input are the same, with the same
  // manifests. `name_space`: for manifests without one. An unreadable manifest is its error.
  Status CheckInput(const Manifests& input, const std::string& name_space) const;

  // Error: conflict, if something else would be sent than what was reviewed. May be called from any thread.
  Status Check(const Prepared& prepared) const;

  // Returns true if the plan has an apply of an object in which reading shows no change.
  bool Foresees(const Prepared& prepared) const;

  // Error: conflict, if the answer to a dry run of that apply is not the reviewed one. REQUIRES: prepared.answer.
  Status CheckEffect(const Prepared& prepared) const;

  // Error: refused, unless the plan recreates the object.
  Status CheckRecreation(const kube::ObjectRef& ref) const;

  // Adds what the plan applies.
  void AddTo(Applied& applied) const;

  // Error: refused, with the names, if the plan does not delete all of these.
  Status CheckPruned(const std::vector<Stale>& stale) const;

 private:
  using Id = Identity;

  static Id IdOf(const PlannedObject& object);
  const PlannedObject* Find(const Id& id) const;
  const PlannedObject* Find(const Manifest& manifest, const std::string& name_space) const;
  std::string DifferenceOf(const Manifest& manifest, const PlannedObject* reviewed) const;

  PlanFile plan_;
  PlanKey key_;
  std::map<Id, const PlannedObject*> objects_;  // of plan_
};

}  // namespace smp::apply
