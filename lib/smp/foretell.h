// What the server adds to a plan: the defaults that it sets where a field is removed, and the fields that it changes
// because others change, such as the node ports of a Service that becomes a ClusterIP. For the explanation; a patch
// needs none of it. By reading, only what is certain: nothing that admission, webhooks and controllers do.
#pragma once

#include "schema/schema.h"
#include "smp/smp.h"
#include "value/document.h"
#include "value/value.h"

namespace smp {

// The message of a refusal that reading shows begins with this.
inline constexpr std::string_view kForetold = "foretold: ";

// Returns the plan with PlanNode::stored filled in, with nodes of reason kServer for what the server changes beyond the
// plan, and without what has no effect, such as deletions of values that the server sets again. A kServer node with kSet
// and without `stored` gets a value that the server chooses. `type` is the type of the object. The result points into
// its arguments.
//
// `answer`: what the server would store, as it answers a dry run; nullptr: it was not asked. With it, the plan also has
// what admission and webhooks do.
Plan Foretell(const VerifiedPatch& patch, const Value& live, const Value* answer, const Schema& schema, TypeId type,
              Arena& arena);

// The same for an object that does not exist yet: a plan with a kSet node for each member of the manifest. Below it,
// kServer nodes for what the answer has in it that reading does not show.
Plan ForetellCreation(const Value& manifest, const Value* answer, const Schema& schema, TypeId type, Arena& arena);

// The same for an object that is deleted and created again as `created`: reason kServer is also what only live has.
Plan ForetellRecreation(const Plan& plan, const Value& created, const Value& live, const Schema& schema, TypeId type,
                        Arena& arena);

}  // namespace smp
