// Override policies applied to an object, as karmada's override manager does it for one member cluster: which policies,
// in which order, what each of their overriders does.
//
//   SMP_ASSIGN(const Overridden done, ApplyPolicies(manifest, "default", policies, {.name = "member1"},
//   Record::kSteps)); Print(done.object.root());
//
// All or nothing: of an object for which one operation fails there is no result. Knows nothing of files and servers.
// Source: karmada's pkg/util/overridemanager, by its answers; where we differ on purpose the place says so.
#ifndef SMP_OVERRIDE_OVERRIDE_H_
#define SMP_OVERRIDE_OVERRIDE_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "override/member_cluster.h"
#include "override/object_draft.h"
#include "override/policy.h"
#include "value/document.h"

namespace smp {

// kChanges costs a look at the inner text for each operation on it; where that comes to many megabytes, at the values
// that the operation touches.
enum class Record { kSteps, kChanges };

// What one operation did at one place. Nothing: absent. Inner texts as they are, all other values as JSON.
struct StepChange {
  std::string
      path;  // contract 2 of the project: data["app.yaml"]; of a value in a text with a pointer: … /database/host
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
  Document object;  // the one that was given where nothing was changed
  std::vector<OverrideStep> steps;
  std::vector<TouchedPath> touched;
  std::vector<Error> notes;                     // of operations that did nothing though they seem to say something
  std::vector<const OverridePolicy*> policies;  // that select the object
  std::vector<const ResourceSelector*> selectors;
};

// `default_namespace`: of an object that names none; "": it has none, and no OverridePolicy is for it.
// Error: policy, with the place of the operation.
Result<Overridden> ApplyPolicies(const Document& object, const std::string& default_namespace,
                                 std::span<const OverridePolicy> policies, const MemberCluster& cluster, Record record);

// What policies wrote at `path` of the object (with keys of list items, as in an explanation), above it, or, where
// there is no such, below it.
struct Origin {
  enum class Extent { kWhole, kPart };  // kPart: something below the path only
  Extent extent = Extent::kWhole;
  std::vector<const OverrideStep*> steps;
};
std::optional<Origin> OriginOf(const Overridden& overridden, const FieldPath& path);

}  // namespace smp

#endif  // SMP_OVERRIDE_OVERRIDE_H_
