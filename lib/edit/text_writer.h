// DraftDocument → text: keeps the bytes of what did not change, and writes the rest in the style of its neighbours.
//
// Comments on the line of a removed member or item, inside it, and directly above it in its column are removed with it;
// all others stay.
#ifndef SMP_EDIT_TEXT_WRITER_H_
#define SMP_EDIT_TEXT_WRITER_H_

#include <string>

#include "edit/draft.h"

namespace smp {

// Linear in the text. REQUIRES: something is changed.
std::string WriteText(DraftDocument& document);

}  // namespace smp

#endif  // SMP_EDIT_TEXT_WRITER_H_
