// TextTree → text: the bytes of what is as it was read, and the rest written in the style of what stands beside it.
//
// Of comments: those in the line of a removed member or item, those in it, and those directly above it in its column go
// with it; all others stay.
#ifndef SMP_OVERRIDE_TEXT_WRITER_H_
#define SMP_OVERRIDE_TEXT_WRITER_H_

#include <string>

#include "override/text_tree.h"

namespace smp {

// Linear in the text.
std::string WriteText(const TextTree& tree);

}  // namespace smp

#endif  // SMP_OVERRIDE_TEXT_WRITER_H_
