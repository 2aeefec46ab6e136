// Edits a TextTree with the operations of RFC 6902 and the merge of RFC 7396, on the meaning of the text. An edit below
// an alias first replaces the alias by a copy, so that only that place changes; an edit of an anchored node (or of
// something in it) first replaces its aliases by copies, so that they keep their meaning.
#ifndef SMP_EDIT_TEXT_EDIT_H_
#define SMP_EDIT_TEXT_EDIT_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "edit/text_tree.h"
#include "value/json_pointer.h"

namespace smp {

using Pointer = JsonPointer;

// Returns the node at `pointer`; does not follow it if it is an alias. Error: not-found, with what is there instead.
Result<const TextNode*> FindNode(const TextTree& tree, const Pointer& pointer);

Status ApplyEdit(TextTree& tree, const Edit& edit);

// REQUIRES: the root is not an alias. Error: invalid-argument.
Status MergeInto(TextTree& tree, const Value& patch);

}  // namespace smp

#endif  // SMP_EDIT_TEXT_EDIT_H_
