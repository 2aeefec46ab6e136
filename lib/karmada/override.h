// Applies override policies to an object, as karmada's override manager does for one member cluster: which policies, in
// which order, and what each overrider does.
//
//   SMP_ASSIGN(const Overridden done,
//              ApplyPolicies(manifest, "default", policies, {.name = "member1"}, Record::kSteps));
//   Print(done.object.root());
//
// Atomic: if one operation fails, there is no result for the object. Independent of files and servers. Source:
// karmada's pkg/util/overridemanager, by its observed behavior; comments mark intended differences.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "karmada/member_cluster.h"
#include "karmada/object_draft.h"
#include "karmada/policy.h"
#include "value/document.h"

namespace smp::karmada {

// kChanges records the inner text after each operation on it, or, if that would come to many megabytes, only the values
// that the operation touches.
enum class Record { kSteps, kChanges };

// What one operation did at one place. nullopt: absent. Inner texts as they are, all other values as JSON.
struct StepChange {
  // Contract 2 of the project: data["app.yaml"]; for a value in a text followed by a pointer: … /database/host
  std::string path;
  std::optional<std::string> before;
  std::optional<std::string> after;
};

struct OverrideStep {
  PolicyPlace place;
  std::string policy;               // "OverridePolicy default/p"
  std::string what;                 // "replace /database/host in /data/app.yaml"
  std::vector<StepChange> changes;  // for Record::kChanges
};

struct Overridden {
  Document object;  // the given one if nothing changed
  std::vector<OverrideStep> steps;
  std::vector<TouchedPath> touched;
  std::vector<Error> notes;  // about operations that had no effect although they seem to say something
  std::vector<const OverridePolicy*> policies;  // that select the object
  std::vector<const ResourceSelector*> selectors;
};

// `default_namespace`: for an object that names none; "": the object has none, and no OverridePolicy applies. Error:
// policy, with the place of the operation.
Result<Overridden> ApplyPolicies(const Document& object, const std::string& default_namespace,
                                 std::span<const OverridePolicy> policies, const MemberCluster& cluster, Record record);

// What policies wrote at or above `path` of the object (with keys of list items, as in an explanation), or, if nothing
// there, below it.
struct Origin {
  enum class Extent { kWhole, kPart };  // kPart: something below the path only
  Extent extent = Extent::kWhole;
  std::vector<const OverrideStep*> steps;
};
std::optional<Origin> OriginOf(const Overridden& overridden, const FieldPath& path);

}  // namespace smp::karmada
