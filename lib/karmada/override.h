// Applies override policies to an object like karmada's override manager does for one member cluster: selects the
// policies, orders them, and runs their overriders (imageOverrider, fieldOverrider …, see policy.h).
//
//   SMP_ASSIGN(const Overridden done,
//              ApplyPolicies(manifest, "default", policies, {.name = "member1"}, Record::kSteps));
//   Print(done.object.root());
//
// If one operation fails, the result is its error and no object. Accesses no files or servers. Source: the observed
// behavior of karmada's pkg/util/overridemanager; comments with "Differs from karmada" mark intended differences.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/result.h"
#include "karmada/member_cluster.h"
#include "karmada/object_draft.h"
#include "karmada/policy.h"
#include "value/document.h"

namespace smp::karmada {

// kSteps: record the operations. kChanges: also the values before and after each; of a JSON or YAML text in a field,
// the whole text or, if that would take many megabytes, only the values in it that the operation changes.
enum class Record { kSteps, kChanges };

// One change by an operation. nullopt: absent. Texts in a field (inner texts) are unchanged, other values are JSON.
struct StepChange {
  // E.g. data["app.yaml"]; for a value in an inner text, followed by a JSON pointer: data["app.yaml"] /database/host
  std::string path;
  std::optional<std::string> before;
  std::optional<std::string> after;
  bool secret = false;  // before or after has a value of a Secret
};

struct OverrideStep {
  PolicyPlace place;
  std::string policy;               // "OverridePolicy default/p"
  std::string what;                 // "replace /database/host in /data/app.yaml"
  std::vector<StepChange> changes;  // empty unless Record::kChanges
};

struct Overridden {
  Document object;  // the overridden object; the given document if nothing changed
  Document given;
  std::vector<OverrideStep> steps;
  std::vector<TouchedPath> touched;
  std::vector<Error> notes;  // warnings about operations that have no effect, although they look as if they had
  std::vector<const OverridePolicy*> policies;     // those that select the object
  std::vector<const ResourceSelector*> selectors;  // those that match the object
};

// `default_namespace`: the namespace of an object that does not specify one; "" if such an object is cluster-scoped, so
// that no OverridePolicy applies to it. Error: policy, with the place of the operation.
Result<Overridden> ApplyPolicies(const Document& object, const std::string& default_namespace,
                                 std::span<const OverridePolicy> policies, const MemberCluster& cluster, Record record);

// The steps that wrote a value: at or above its path in the object, or else below it.
struct Origin {
  enum class Extent { kWhole, kPart };  // kPart: steps wrote only something below the path
  Extent extent = Extent::kWhole;
  std::vector<const OverrideStep*> steps;
};

// Answers where values come from. Its first question costs time that is linear in the object, the others do not. Paths may
// name list items by key, as messages do. `overridden` must outlive it.
class Origins {
 public:
  explicit Origins(const Overridden& overridden);

  // nullopt if no step wrote the value.
  std::optional<Origin> Of(const FieldPath& path);

  // Where the given document has the value, which a step may have replaced. An empty Source if it has none.
  Source InGiven(const FieldPath& path);

 private:
  // Of a path: the touched paths at and below it, and the last one that is equal to it.
  struct Touched {
    size_t begin, end;
    std::optional<size_t> whole = std::nullopt;
  };

  const TextMap<size_t>& ItemsOf(const Value& list, const PathStep& like);
  std::optional<size_t> IndexOf(const Value& list, const PathStep& step);
  std::pair<const Value*, PathStep> StepInto(const Value* value, const PathStep& step);
  std::vector<const OverrideStep*> StepsOf(const TouchedPath& touched) const;

  const Overridden& overridden_;
  TextMap<Touched> touched_;  // by ToString of the path
  std::map<std::pair<const Value*, std::string>, TextMap<size_t>> items_;
};

}  // namespace smp::karmada
