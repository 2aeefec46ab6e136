// Live as it will be: the object whose difference from live foretell.h describes. For formats that show whole objects.
#pragma once

#include "schema/schema.h"
#include "smp/meaning.h"
#include "smp/smp.h"
#include "value/document.h"
#include "value/value.h"

namespace smp {

// Returns the object as it will be after the patch, with what the server adds as far as reading shows. Where live lacks
// a default although the patch does not concern it, the object lacks it, too. The result points into its arguments.
Value ForetoldObject(const VerifiedPatch& patch, const Value& live, const Schema& schema, TypeId type, Arena& arena);

// Returns the object as it is stored when it is created again. The family of a Service stays, unless it becomes or was
// headless.
Value StoredAnew(const Value& created, const Value& live, const Place& place, Arena& arena);

// Returns the object without what the server sets anew.
Value WithoutServerFields(const Value& object, Arena& arena);

}  // namespace smp
