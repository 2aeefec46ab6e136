// ObjectDraft: an object that the operations of override policies change place by place (see MutableTree). At the end
// the draft knows which step wrote what, and the manifest's lines of everything else.
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

// A place where steps (by their number) wrote or removed something.
struct TouchedPath {
  FieldPath path;          // fields and indexes in the final object; -1: an item removed from a list
  std::vector<int> steps;  // in order; each built on what the previous one wrote
};

class ObjectDraft {
 public:
  explicit ObjectDraft(const Document& object);
  ObjectDraft(const ObjectDraft&) = delete;
  ObjectDraft& operator=(const ObjectDraft&) = delete;

  // Returns the current value. Errors: not-found (no such path), invalid-argument (not an index of the list, or the
  // parent is a scalar). Does not accept negative indexes.
  Result<Value> Get(const JsonPointer& at);
  bool Has(const JsonPointer& at) { return Get(at).ok(); }
  std::string_view TextAt(const JsonPointer& at);  // "" if there is no string

  // RFC 6902, section 4. `value` must live as long as the draft's arena. Negative indexes count from the end of a list,
  // as in karmada's library: -1 is the last item, and for Add the place after it. Errors: as for Get; refused, if the
  // object would become deeper than kMaxDepth.
  Status Add(const JsonPointer& at, const Value& value, int step);
  Status Replace(const JsonPointer& at, const Value& value, int step);
  Status Remove(const JsonPointer& at, int step);
  // Replaces a value by what several steps made of it.
  Status Rewrite(const JsonPointer& at, const Value& value, const std::vector<int>& steps);

  Arena& arena() { return arena_; }
  Value root() { return tree_.root(); }
  FieldPath PathOf(const JsonPointer& at);  // as far as `at` exists

  // Returns the object with the lines of its source, and what was touched; the source itself if nothing was written.
  // Ends the draft.
  Document Finish(std::vector<TouchedPath>& touched);

 private:
  using Node = MutableTree::Node;
  // What steps did at a node, as opposed to below it. The node's tag is the index in marks_, 0 for no marks.
  struct Marks {
    std::vector<int> steps;              // that wrote its value; empty: as in the source
    std::map<std::string, int> removed;  // members of a map, and the step that removed each
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
