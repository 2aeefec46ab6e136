// Applies the operations of RFC 6902 (JSON Patch) and the merge of RFC 7396 to the drafts of a document (draft.h).
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "edit/draft.h"
#include "value/json_pointer.h"

namespace smp::edit {

// Returns the value that `pointer` points to. Error: not-found, with the members or items that exist; invalid-argument.
Result<Draft*> FindDraft(DraftDocument& document, const JsonPointer& pointer);

// An item of a list that is rearranged: one that it has, by its index, or a new one.
struct ItemSource {
  std::optional<size_t> index;
  Value value = {};
};

// Gives the list these items. Those that keep their order stay where they are in the text, and the others move with their
// comments. REQUIRES: no index is there twice, and `pointer` points to a list. Errors as of ApplyEdit.
Status Rearrange(DraftDocument& document, const JsonPointer& pointer, const std::vector<ItemSource>& items);

// Errors as in InnerDocument, and invalid-argument if the document would become too large or too deep.
Status ApplyEdit(DraftDocument& document, const Edit& edit);
Status MergeInto(DraftDocument& document, const Value& patch);

}  // namespace smp::edit
