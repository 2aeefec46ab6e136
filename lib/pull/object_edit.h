// ObjectEdit: the operations by which the changes of a live object get into the document that has its manifest.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "edit/draft.h"
#include "explain/report.h"
#include "pull/change_tree.h"
#include "pull/items.h"
#include "value/json_pointer.h"
#include "value/mutable_tree.h"

namespace smp::edit {
struct ItemSource;
}

namespace smp::pull {

// A document that is being edited: its text, and what it shall say afterwards. Each operation is done to both.
class DocumentEdit {
 public:
  // `read`: the document as the ordinary reader reads it. All must outlive the edit.
  DocumentEdit(edit::DraftDocument& draft, const Value& read, Arena& arena)
      : draft_(draft), wanted_(read, arena), arena_(arena), lines_(draft.tree->text) {}

  // Makes those changes of the object at `at` that have no reason yet not to be made. Sets the line of each, or the reason;
  // a change with a new reason may have been made in part. Returns false if there is one. Linear in the object and the
  // changes, but for sorting.
  bool Apply(const JsonPointer& at, const Value& object, const explain::KindOfObject& kind, std::span<Written> changes);

  const Value& wanted() { return wanted_.root(); }

 private:
  struct Placed;  // the changes of a list, by its items

  void EditPresent(const ChangeTree& tree, const JsonPointer& at, const Value& present, const Spot& spot);
  void EditMembers(const ChangeTree& tree, const JsonPointer& at, const Value& map, const Spot& spot);
  void EditItems(const ChangeTree& tree, const JsonPointer& at, const Value& list, const Spot& spot);
  void AddAbsent(const ChangeTree& tree, const JsonPointer& at, bool null);
  void Arrange(const Placed& placed, const JsonPointer& at, const Value& list, const ItemIndex& index,
               const Spot& spot);
  std::optional<Value> Built(const ChangeTree& tree);

  Status Rewrite(const JsonPointer& at, const Value& from, const Value& to);
  Status RewriteMap(const JsonPointer& at, const Value& from, const Value& to);
  Status RewriteList(const JsonPointer& at, const Value& from, const Value& to);

  Status Add(const JsonPointer& at, const Value& value);
  Status Replace(const JsonPointer& at, const Value& value);
  Status Remove(const JsonPointer& at);
  Status Rearrange(const JsonPointer& at, const std::vector<edit::ItemSource>& items);
  Status CheckIsAlone(const JsonPointer& at);
  Status CheckMayGo(const JsonPointer& at);
  Status CheckAbove(const JsonPointer& at);
  Status CheckIsNotMerged(const JsonPointer& at);

  void LeaveHalves(std::span<Written> changes);
  Status SeveralItems(const JsonPointer& list, const std::vector<size_t>& found);
  void Note(Written& written, const Status& done, int line);
  void Note(const ChangeTree& tree, const Status& done, int line);
  int LineOf(const JsonPointer& at);
  int EndOf(const JsonPointer& at);

  edit::DraftDocument& draft_;
  MutableTree wanted_;
  Arena& arena_;
  const edit::LineNumbers lines_;
  bool failed_ = false;
};

}  // namespace smp::pull
