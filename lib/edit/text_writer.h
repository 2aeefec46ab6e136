// DraftDocument → text: keeps the bytes of what did not change, and writes the rest in the style of its neighbours.
//
// Comments on the line of a removed member or item, inside it, and directly above it in its column are removed with it;
// all others stay.
#pragma once

#include <string>

#include "edit/draft.h"

namespace smp::edit {

// Linear in the text. REQUIRES: something is changed.
std::string WriteText(DraftDocument& document);

}  // namespace smp::edit
