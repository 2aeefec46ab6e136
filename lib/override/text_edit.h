// Edits of a TextTree: the operations of RFC 6902 and the merge of RFC 7396, on the meaning of the text. An edit below
// an alias replaces the alias by a copy first, so that it changes that place only; an edit of an anchored node (or of
// what is in it) replaces its aliases by copies first, so that they mean what they meant.
#ifndef SMP_OVERRIDE_TEXT_EDIT_H_
#define SMP_OVERRIDE_TEXT_EDIT_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "override/text_tree.h"
#include "value/json_pointer.h"

namespace smp {

using Pointer = JsonPointer;

// The node there, or not-found and what there is instead. Not followed if it is an alias.
Result<const TextNode*> FindNode(const TextTree& tree, const Pointer& pointer);

Status ApplyEdit(TextTree& tree, const Edit& edit);

// REQUIRES: the root is no alias. Error: invalid-argument.
Status MergeInto(TextTree& tree, const Value& patch);

}  // namespace smp

#endif  // SMP_OVERRIDE_TEXT_EDIT_H_
