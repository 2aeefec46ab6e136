// What the server adds to a plan: the defaults that it sets where a field is removed, and the fields that it changes
// because others change, such as the node ports of a Service that becomes a ClusterIP. For the explanation; a patch
// needs none of it. Only what is certain by reading: nothing that admission, webhooks and controllers do.
#pragma once

#include "schema/schema.h"
#include "smp/smp.h"
#include "value/document.h"
#include "value/value.h"

namespace smp {

// Returns the plan with PlanNode::stored filled in, with nodes of reason kServer for what the server changes beyond the
// plan, and without deletions of values that the server sets again. A kServer node with kSet and without `stored` gets
// a value that the server chooses. `type` is the type of the object. The result points into `live`, `patch` and `arena`.
Plan Foretell(const VerifiedPatch& patch, const Value& live, const Schema& schema, TypeId type, Arena& arena);

}  // namespace smp
