// Edits a document with the operations of RFC 6902 and the merge of RFC 7396, on the meaning of its text.
#pragma once

#include "base/result.h"
#include "edit/draft.h"
#include "value/json_pointer.h"

namespace smp::edit {

// Error: not-found, with what is there instead; invalid-argument.
Result<Draft*> FindDraft(DraftDocument& document, const JsonPointer& pointer);

// Errors as in InnerDocument; invalid-argument, too, if the document becomes too large or too deep.
Status ApplyEdit(DraftDocument& document, const Edit& edit);
Status MergeInto(DraftDocument& document, const Value& patch);

}  // namespace smp::edit
