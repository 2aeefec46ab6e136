// ObjectEdit: the operations by which one change of a live object gets into the document that has its manifest.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "edit/draft.h"
#include "pull/choice.h"
#include "value/json_pointer.h"
#include "value/mutable_tree.h"

namespace smp::pull {

// A document that is being edited: its text, and what it shall say afterwards. Each operation is done to both.
class DocumentEdit {
 public:
  // `read`: the document as the ordinary reader reads it. Both must outlive the edit.
  DocumentEdit(edit::DraftDocument& draft, const Value& read, Arena& arena) : draft_(draft), wanted_(read, arena) {}

  // Makes the change of the object at `object`. Returns the line of the text that it is near. Error: refused or not-found,
  // with the reason; some operations may have been done by then.
  Result<int> Apply(const JsonPointer& object, const Change& change, Arena& arena);

  const Value& wanted() { return wanted_.root(); }

 private:
  Status Put(const JsonPointer& at, const Value& value, Arena& arena);
  Status Rewrite(const JsonPointer& at, const Value& from, const Value& to, Arena& arena);
  Status RewriteMap(const JsonPointer& at, const Value& from, const Value& to, Arena& arena);
  Status RewriteList(const JsonPointer& at, const Value& from, const Value& to, Arena& arena);

  Status Add(const JsonPointer& at, const Value& value);
  Status Replace(const JsonPointer& at, const Value& value);
  Status Remove(const JsonPointer& at);
  Status CheckIsAlone(const JsonPointer& at);
  void Note(const JsonPointer& at);

  edit::DraftDocument& draft_;
  MutableTree wanted_;
  int line_ = 0;  // of the first operation of a change
};

}  // namespace smp::pull
