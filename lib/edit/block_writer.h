// Changed collections in YAML's block style.
#ifndef SMP_EDIT_BLOCK_WRITER_H_
#define SMP_EDIT_BLOCK_WRITER_H_

#include <string>

#include "edit/text_tree.h"

namespace smp {

// The first document of a YAML text, to where the next one begins.
std::string WriteYamlDocument(const TextTree& tree);

}  // namespace smp

#endif  // SMP_EDIT_BLOCK_WRITER_H_
