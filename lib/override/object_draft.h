// ObjectDraft: an object that is being changed, place by place, by the operations of override policies. An operation
// costs the length of its path and the width of the maps and lists on it, the first time; it never costs the size of
// the object. Knows at the end which step wrote what, and on which line of the manifest the rest stands.
#ifndef SMP_OVERRIDE_OBJECT_DRAFT_H_
#define SMP_OVERRIDE_OBJECT_DRAFT_H_

#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "value/document.h"
#include "value/json_pointer.h"
#include "value/path.h"

namespace smp {

// Where steps (by their number) wrote or took away something.
struct TouchedPath {
  FieldPath path;          // fields and indexes, as the object is in the end; -1: an item that was taken out of a list
  std::vector<int> steps;  // in order; each but the first built on what the one before wrote
};

class ObjectDraft {
 public:
  explicit ObjectDraft(const Document& object);

  // The value as it is now. Errors: not-found (no such path), invalid-argument (no index of a list, or nothing can be
  // below). A negative index is none here.
  Result<Value> Get(const JsonPointer& at);
  bool Has(const JsonPointer& at) { return Get(at).ok(); }

  // RFC 6902, section 4; what is written lives at least as long as the draft's arena. Of lists a negative index counts
  // from the end, as in karmada's library: -1 is the last item, and where something is added, the place behind it.
  // Errors as Get's, and refused, when the object would become deeper than kMaxDepth.
  Status Add(const JsonPointer& at, const Value& value, int step);
  Status Replace(const JsonPointer& at, const Value& value, int step);
  Status Remove(const JsonPointer& at, int step);
  // Replace by what was made of the value that is there, by several steps.
  Status Rewrite(const JsonPointer& at, const Value& value, const std::vector<int>& steps);

  Arena& arena() { return arena_; }
  Value root();
  FieldPath PathOf(const JsonPointer& at);  // as far as it leads

  // The object, the one that was given where nothing was written, and what was touched. With the lines of the one that
  // it was made from. Ends the draft.
  Document Finish(std::vector<TouchedPath>& touched);

 private:
  enum class Negative { kNoIndex, kFromEnd };
  struct OpenNode;
  // A value, or a map or list that is being changed.
  struct Node {
    Value value;
    const Value* origin = nullptr;  // its address in the document that it was read from
    std::vector<int> steps = {};    // that wrote it; none: as it was read
    bool stale = false;             // what is below has changed since `value` was made
    std::unique_ptr<OpenNode> open = {};
  };
  struct OpenNode {
    std::map<std::string_view, Node> members;
    std::vector<Node> items;
    std::map<std::string_view, int> removed;  // members, and by which step
    std::vector<int> took_items;              // steps
  };

  static OpenNode& Open(Node& node);
  const Value& Close(Node& node);
  static Result<size_t> ListPlace(const JsonPointer& at, size_t depth, size_t places, size_t size, Negative negative);
  static Result<Node*> Child(Node& parent, const JsonPointer& at, size_t depth, Negative negative);
  // The nodes from the root down to the one that the first `count` tokens lead to.
  Result<std::vector<Node*>> Walk(const JsonPointer& at, size_t count, Negative negative = Negative::kFromEnd);
  Status Put(const JsonPointer& at, Node node);
  void Collect(const Node& node, const Value& value, FieldPath& path, std::vector<TouchedPath>& touched);

  Document source_;
  Arena arena_;
  Node root_;
  bool changed_ = false;
  std::vector<std::pair<const Value*, int>> lines_;  // of Finish
};

}  // namespace smp

#endif  // SMP_OVERRIDE_OBJECT_DRAFT_H_
