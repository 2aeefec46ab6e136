// Fields that the server derives from others and stores (k8s.io/kubernetes/pkg/apis/GROUP/v1/defaults.go). They look as
// if somebody had set them, and would be out of date when the others change. Differs from kubectl: it leaves them as
// they are or, inside atomic lists, sends the list again at every apply.
#pragma once

#include <string_view>

#include "schema/schema.h"
#include "smp/plan.h"
#include "value/document.h"
#include "value/value.h"

namespace smp {

// The rule of one type.
struct DerivedRule {
  std::string_view type;
  // Makes the derived fields of a map, which only live has or which repeat others, follow the plan's changes to their
  // sources (reason derived). REQUIRES: the node has all its children. nullptr: nothing to do.
  void (*follow)(PlanNode& node);
  // The map as the server completes it, for types inside atomic lists. nullptr: it stays as it is.
  Value (*complete)(const Value& map, Arena& arena);
};

// nullptr if the server derives no field of the type.
const DerivedRule* DerivedRuleOf(const Type& type);

}  // namespace smp
