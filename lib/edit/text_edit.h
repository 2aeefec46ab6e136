// Applies the operations of RFC 6902 (JSON Patch) and the merge of RFC 7396 to the drafts of a document (draft.h).
#pragma once

#include "base/result.h"
#include "edit/draft.h"
#include "value/json_pointer.h"

namespace smp::edit {

// Returns the value that `pointer` points to. Error: not-found, with the members or items that exist; invalid-argument.
Result<Draft*> FindDraft(DraftDocument& document, const JsonPointer& pointer);

// Errors as in InnerDocument, and invalid-argument if the document would become too large or too deep.
Status ApplyEdit(DraftDocument& document, const Edit& edit);
Status MergeInto(DraftDocument& document, const Value& patch);

}  // namespace smp::edit
