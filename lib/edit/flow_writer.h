// Writes edited collections in brackets: JSON, and YAML's flow style.
#pragma once

#include "edit/draft.h"
#include "edit/new_text.h"
#include "edit/slots.h"
#include "edit/text_changes.h"

namespace smp::edit {

// Returns the style of the first bracketed collection in the text, for new collections.
FlowStyle DefaultFlowStyle(const TextTree& tree);

// Returns the style of a bracketed collection's entries. `outer`: the style of the enclosing collection.
FlowStyle FlowStyleOf(const TextTree& tree, const TextNode* node, const FlowStyle& outer);

// Adds the edits of `collection` to `changes`. `outer`: style of the enclosing one. REQUIRES: IsInPlace(collection).
void RewriteFlow(const TextTree& tree, Slots& slots, Draft& collection, const FlowStyle& outer, TextChanges& changes);

}  // namespace smp::edit
