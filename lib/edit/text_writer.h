// DraftDocument → text: keeps the bytes of unchanged parts, and writes the rest in the style of the text around it.
//
// When a member or item is removed, so are the comments inside it, on its line, and directly above it in its column.
// All other comments stay.
#pragma once

#include <string>

#include "edit/draft.h"

namespace smp::edit {

// Takes linear time in the text. REQUIRES: at least one value was changed.
std::string WriteText(DraftDocument& document);

}  // namespace smp::edit
