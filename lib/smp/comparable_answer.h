// The server's answer to a dry run, made comparable with live. Private to foretell.cc.
#pragma once

#include "value/document.h"
#include "value/value.h"

namespace smp {

// Returns `answer` with live's server metadata (live nullptr: a new object), without the annotation that a new object
// gets besides, and with ChosenByServer (service.h) for what the server chooses: the next request may get another node
// port than the dry run. `read`: the object as reading shows it. Recursion depth: that of `answer`.
Value ComparableAnswer(const Value& answer, const Value* live, const Value& read, Arena& arena);

}  // namespace smp
