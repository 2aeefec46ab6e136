// ObjectDraft: an object while the operations of override policies change it (see MutableTree). It records which step
// (operation) wrote each value, and the line in the manifest of each value that no step wrote.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "value/document.h"
#include "value/json_pointer.h"
#include "value/mutable_tree.h"
#include "value/path.h"

namespace smp::karmada {

// A path where steps wrote or removed something.
struct TouchedPath {
  FieldPath path;          // fields and indexes in the final object; -1: an item removed from a list
  std::vector<int> steps;  // numbers of the steps, in the order in which they ran
};

class ObjectDraft {
 public:
  explicit ObjectDraft(const Document& object);
  ObjectDraft(const ObjectDraft&) = delete;
  ObjectDraft& operator=(const ObjectDraft&) = delete;

  // Returns the current value. Errors: not-found (no such path), invalid-argument (not a list index, or the parent is a
  // scalar). Does not accept negative indexes.
  Result<Value> Get(const JsonPointer& at);
  bool Has(const JsonPointer& at) { return Get(at).ok(); }
  std::string_view TextAt(const JsonPointer& at);  // "" if there is no string

  // The operations of RFC 6902, section 4. `step`: the number of the step. `value` must live as long as the draft's
  // arena. Negative indexes count from the end of a list, as in karmada's library: -1 is the last item, but for Add the
  // position after it. Errors: as for Get; refused, if the object would become deeper than kMaxDepth.
  Status Add(const JsonPointer& at, const Value& value, int step);
  Status Replace(const JsonPointer& at, const Value& value, int step);
  Status Remove(const JsonPointer& at, int step);
  // Replaces a value by one that several steps produced together.
  Status Rewrite(const JsonPointer& at, const Value& value, const std::vector<int>& steps);

  Arena& arena() { return arena_; }
  Value root() { return tree_.root(); }
  FieldPath PathOf(const JsonPointer& at);  // `at` with the indexes of existing lists told from field names

  // Returns the object with its line numbers (the source document itself if nothing was written), and sets `touched`.
  // The draft must not be used afterwards.
  Document Finish(std::vector<TouchedPath>& touched);

 private:
  using Node = MutableTree::Node;
  // What steps did to a node itself, not to its descendants. A node's tag is its index in marks_; 0: no marks.
  struct Marks {
    std::vector<int> steps;              // steps that wrote its value; empty: unchanged
    std::map<std::string, int> removed;  // names of removed members, and the step that removed each
    std::vector<int> took_items;         // steps that removed items of a list
  };

  Marks& MarksOf(Node& node);
  Status Mark(const Result<Node*>& written, std::vector<int> steps);
  void Collect(const Node& node, const Value& value, FieldPath& path, std::vector<TouchedPath>& touched);

  Document source_;
  Arena arena_;
  MutableTree tree_;
  std::vector<Marks> marks_ = {{}};
  std::vector<std::pair<const Value*, int>> lines_;  // filled by Finish
};

}  // namespace smp::karmada
