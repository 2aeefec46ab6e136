// Writes changed collections in brackets: JSON, and YAML's flow style.
#ifndef SMP_EDIT_FLOW_WRITER_H_
#define SMP_EDIT_FLOW_WRITER_H_

#include <string>

#include "edit/new_text.h"
#include "edit/text_tree.h"

namespace smp {

// Returns the style to pass as `outer` for the root, and to use for a document without collections.
FlowStyle DefaultFlowStyle(const TextTree& tree);
// Returns how the entries of a collection in the text are written. `outer`: the style of the enclosing one.
FlowStyle FlowStyleOf(const TextTree& tree, const TextNode* node, const FlowStyle& outer);

// Writes from the opening bracket to the closing one.
void AppendFlow(const TextTree& tree, const TextNode* node, const FlowStyle& outer, std::string& out);

}  // namespace smp

#endif  // SMP_EDIT_FLOW_WRITER_H_
