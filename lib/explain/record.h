// What an apply changes in the last-applied annotation, in words.
#pragma once

#include <string>

#include "value/value.h"

namespace smp::explain {

// Returns a sentence with the paths that the annotation gains, loses or has with another value: "now records
// spec.replicas; no longer records status". Names no values, because they may be secret. `before` is nullptr if live has
// no annotation; both are the annotation's text.
std::string RecordMessage(const Value* before, const Value* after);

}  // namespace smp::explain
