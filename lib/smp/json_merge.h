// JSON merge patch (RFC 7386): for kinds whose server side knows no strategic merge, and where a strategic patch cannot
// say it.
#pragma once

#include "value/document.h"

namespace smp {

// The patch that makes `outcome` of `live` (both objects); {} when they are equal. Lists that differ are sent whole.
// Null members of `outcome` cannot be written (null means delete), so they count as absent.
Value CreateJsonMergePatch(const Value& live, const Value& outcome, Arena& arena);

// RFC 7386 section 2.
Value ApplyJsonMergePatch(const Value& target, const Value& patch, Arena& arena);

}  // namespace smp
