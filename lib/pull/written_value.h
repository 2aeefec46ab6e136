// A live value as somebody would write it into a manifest.
#pragma once

#include "smp/meaning.h"
#include "value/document.h"
#include "value/value.h"

namespace smp::pull {

// Returns `live` without what the server adds by default. Where it means the same as the manifest's value, it is written like
// that. `manifest`: nullptr if the manifest has none. Shares the memory of both.
Value WrittenValue(const Value& live, const Value* manifest, const Place& place, Arena& arena);

}  // namespace smp::pull
