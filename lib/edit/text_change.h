// The changes that edits consist of. Each preserves what aliases mean (see text_edit.h) and marks what the writer must
// write anew.
#ifndef SMP_EDIT_TEXT_CHANGE_H_
#define SMP_EDIT_TEXT_CHANGE_H_

#include <string_view>

#include "base/result.h"
#include "edit/text_tree.h"

namespace smp {

// Return a node that is not in the tree yet. Error: invalid-argument, if the document becomes too large.
Result<TextNode*> NodeOfValue(TextTree& tree, const Value& value);
Result<TextNode*> CopyOf(TextTree& tree, const TextNode* node);

// Error of all below: invalid-argument, if the document becomes too large or too deep.
Status SetRoot(TextTree& tree, TextNode* value);
Status SetValue(TextTree& tree, TextEntry* entry, TextNode* value);
Status AppendMember(TextTree& tree, TextNode* mapping, std::string_view name, TextNode* value);
Status InsertItem(TextTree& tree, TextNode* sequence, size_t index, TextNode* value);
Status RemoveItem(TextTree& tree, TextNode* sequence, size_t index);
// Removes the member and its duplicates, and what `<<` brings in under that name.
Status RemoveMember(TextTree& tree, TextNode* mapping, std::string_view key);

}  // namespace smp

#endif  // SMP_EDIT_TEXT_CHANGE_H_
