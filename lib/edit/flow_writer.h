// Changed collections in brackets: JSON, and YAML's flow style.
#pragma once

#include "edit/draft.h"
#include "edit/new_text.h"
#include "edit/slots.h"
#include "edit/text_changes.h"

namespace smp::edit {

// Returns how the text writes its first collection.
FlowStyle DefaultFlowStyle(const TextTree& tree);

// Returns how a collection in brackets writes its entries; `outer`: that of the enclosing one.
FlowStyle FlowStyleOf(const TextTree& tree, const TextNode* node, const FlowStyle& outer);

// Adds what changes in a collection that is in place. `outer`: the style of the enclosing one.
void RewriteFlow(const TextTree& tree, Slots& slots, Draft& collection, const FlowStyle& outer, TextChanges& changes);

}  // namespace smp::edit
