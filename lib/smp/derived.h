// Fields that the server derives from other fields and stores (k8s.io/kubernetes/pkg/apis/GROUP/v1/defaults.go). They
// look as if somebody had set them, and would be out of date when the other fields change. Differs from kubectl: it
// leaves them as they are or, inside atomic lists, sends the list again at every apply.
#pragma once

#include <optional>
#include <string_view>

#include "schema/release.h"
#include "schema/schema.h"
#include "smp/plan.h"
#include "value/document.h"
#include "value/value.h"

namespace smp {

// How the server derives the fields of one type.
struct DerivedRule {
  std::string_view type;
  // Updates the derived fields of a map (live-only fields, or copies of other fields) if the plan changes their source
  // fields (reason derived). REQUIRES: the node has all its children. nullptr: nothing to do.
  void (*follow)(PlanNode& node);
  // Returns the map as the server completes it: with the fields that it derives, without those that it drops. `before`
  // is the map that was stored until now; nullptr: none. nullptr: the server derives nothing.
  Value (*complete)(const Value& map, const Value* before, Arena& arena);
  // The last release that the rule holds for. A rule of the same type without one follows.
  std::optional<Release> until = std::nullopt;
  // A field that the server sets to the time of the write where the manifest lacks it. Absent means any time. "": none.
  std::string_view stamped = {};
  // The rule holds only where this field has a default: of a type that is used in several places, defaults.txt may give it
  // one in some. "": everywhere.
  std::string_view where_default = {};
};

// Returns nullptr if the server derives no field of the type. `server` is its release; nullopt: newer than all in the rules.
const DerivedRule* DerivedRuleOf(const Type& type, const std::optional<Release>& server);

}  // namespace smp
