// JSON merge patch (RFC 7386): for kinds that the server does not patch strategically, and for changes that a strategic
// merge patch cannot express.
#pragma once

#include "value/document.h"

namespace smp {

// Returns the patch that turns `live` into `outcome` (both objects); {} if they are equal. A list that differs is sent
// as a whole. Null members of `outcome` count as absent, because null in a patch deletes.
Value CreateJsonMergePatch(const Value& live, const Value& outcome, Arena& arena);

// Returns `target` after `patch` (RFC 7386, section 2).
Value ApplyJsonMergePatch(const Value& target, const Value& patch, Arena& arena);

}  // namespace smp
