// What writes a manifest, if not a person: then a change of the file would be lost the next time.
#pragma once

#include <string>
#include <string_view>

#include "value/value.h"

namespace smp::pull {

// Returns why the file must not be changed for this object, with its origin and what to change instead; "" if nothing is
// known of an origin. `text`: of the object's document, with the comments above it; `live`: nullptr if it is not known.
std::string OriginOf(const Value& manifest, const Value* live, std::string_view text);

// The same for all objects of a file, by the comments at its beginning. `text`: of the file.
std::string OriginOfFile(std::string_view text);

}  // namespace smp::pull
