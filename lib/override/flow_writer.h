// Changed collections in brackets: JSON, and YAML's flow style.
#ifndef SMP_OVERRIDE_FLOW_WRITER_H_
#define SMP_OVERRIDE_FLOW_WRITER_H_

#include <string>

#include "override/new_text.h"
#include "override/text_tree.h"

namespace smp {

// How the collection around all others is written; for a document without any.
FlowStyle DefaultFlowStyle(const TextTree& tree);
// How the entries of a collection that stands in the text are written. `outer`: of the one around it.
FlowStyle FlowStyleOf(const TextTree& tree, const TextNode* node, const FlowStyle& outer);

// From the opening bracket to the closing one.
void AppendFlow(const TextTree& tree, const TextNode* node, const FlowStyle& outer, std::string& out);

}  // namespace smp

#endif  // SMP_OVERRIDE_FLOW_WRITER_H_
