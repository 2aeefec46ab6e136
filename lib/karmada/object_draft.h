// ObjectDraft: an object that the operations of override policies change place by place. An operation costs the length
// of its path and, the first time, the width of the maps and lists on it, but never the size of the object. At the end
// the draft knows which step wrote what, and the manifest's lines of everything else.
#ifndef SMP_KARMADA_OBJECT_DRAFT_H_
#define SMP_KARMADA_OBJECT_DRAFT_H_

#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "value/document.h"
#include "value/json_pointer.h"
#include "value/path.h"

namespace smp {

// A place where steps (by their number) wrote or removed something.
struct TouchedPath {
  FieldPath path;          // fields and indexes in the final object; -1: an item removed from a list
  std::vector<int> steps;  // in order; each built on what the previous one wrote
};

class ObjectDraft {
 public:
  explicit ObjectDraft(const Document& object);

  // Returns the current value. Errors: not-found (no such path), invalid-argument (not an index of the list, or the
  // parent is a scalar). Does not accept negative indexes.
  Result<Value> Get(const JsonPointer& at);
  bool Has(const JsonPointer& at) { return Get(at).ok(); }

  // RFC 6902, section 4. `value` must live as long as the draft's arena. Negative indexes count from the end of a list,
  // as in karmada's library: -1 is the last item, and for Add the place after it. Errors: as for Get; refused, if the
  // object would become deeper than kMaxDepth.
  Status Add(const JsonPointer& at, const Value& value, int step);
  Status Replace(const JsonPointer& at, const Value& value, int step);
  Status Remove(const JsonPointer& at, int step);
  // Replaces a value by what several steps made of it.
  Status Rewrite(const JsonPointer& at, const Value& value, const std::vector<int>& steps);

  Arena& arena() { return arena_; }
  Value root();
  FieldPath PathOf(const JsonPointer& at);  // as far as `at` exists

  // Returns the object with the lines of its source, and what was touched; the source itself if nothing was written.
  // Ends the draft.
  Document Finish(std::vector<TouchedPath>& touched);

 private:
  enum class Negative { kNoIndex, kFromEnd };
  struct OpenNode;
  // A value, or a map or list that is being changed.
  struct Node {
    Value value;
    const Value* origin = nullptr;  // its address in the source document
    std::vector<int> steps = {};    // that wrote it; empty: as in the source
    bool stale = false;             // something below has changed since `value` was made
    std::unique_ptr<OpenNode> open = {};
  };
  struct OpenNode {
    std::map<std::string_view, Node> members;
    std::vector<Node> items;
    std::map<std::string_view, int> removed;  // members, and the step that removed each
    std::vector<int> took_items;              // steps
  };

  static OpenNode& Open(Node& node);
  const Value& Close(Node& node);
  static Result<size_t> ListPlace(const JsonPointer& at, size_t depth, size_t places, size_t size, Negative negative);
  static Result<Node*> Child(Node& parent, const JsonPointer& at, size_t depth, Negative negative);
  // Returns the nodes from the root to the one at the first `count` tokens.
  Result<std::vector<Node*>> Walk(const JsonPointer& at, size_t count, Negative negative = Negative::kFromEnd);
  Status Put(const JsonPointer& at, Node node);
  void Collect(const Node& node, const Value& value, FieldPath& path, std::vector<TouchedPath>& touched);

  Document source_;
  Arena arena_;
  Node root_;
  bool changed_ = false;
  std::vector<std::pair<const Value*, int>> lines_;  // filled by Finish
};

}  // namespace smp

#endif  // SMP_KARMADA_OBJECT_DRAFT_H_
