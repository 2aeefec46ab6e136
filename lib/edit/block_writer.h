// Changed YAML documents: block collections, and what replaces a value in them.
#ifndef SMP_EDIT_BLOCK_WRITER_H_
#define SMP_EDIT_BLOCK_WRITER_H_

#include <string>

#include "edit/draft.h"

namespace smp {

// Returns the first document of a YAML text, to where the next one begins.
std::string WriteYamlDocument(DraftDocument& document);

}  // namespace smp

#endif  // SMP_EDIT_BLOCK_WRITER_H_
