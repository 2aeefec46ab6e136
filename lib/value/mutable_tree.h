// MutableTree: an editable Value. An operation of a JSON patch (RFC 6902) takes time proportional to the length of its
// path and, the first time, to the sizes of the maps and lists on the path, but not to the size of the whole value.
// Inserting and removing in the middle of a list is linear in its length.
//
//   MutableTree tree(object, arena);
//   SMP_TRY(tree.Add({"spec", "paused"}, Value::Bool(true)));
//   const Value changed = tree.root();
#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "value/document.h"
#include "value/json_pointer.h"
#include "value/value.h"

namespace smp {

class MutableTree {
 public:
  // kFromEnd: negative indexes count from the end of a list, as in karmada's library: -1 is the last item; for Add, it
  // is the position after the last item.
  enum class Negative { kRefuse, kFromEnd };

  struct Children;
  struct Node {
    const Value* value;                       // see Current()
    size_t tag = 0;                           // free for use by callers; 0 in each newly written node
    std::unique_ptr<Children> children = {};  // nullptr until a value below this one is accessed

    const Value* origin() const;  // address of the value before changes below it
  };
  struct Children {
    const Value* origin;
    bool stale = false;  // a value below has changed since Node::value was computed
    std::map<std::string_view, Node> members = {};
    std::vector<Node> items = {};
  };

  // Does not copy values: `root`, whose address becomes the root's origin, and all values that are written must live as
  // long as the document of `arena`.
  MutableTree(const Value& root, Arena& arena) : arena_(arena), root_{&root} {}

  // RFC 6902, section 4. Add and Replace return the written node, Remove the parent of the removed one. Nodes are valid
  // until the next change. Errors, which quote the path: not-found (no such member or item), invalid-argument (not an
  // index, a path below a scalar, or removal of the root), refused (the result would be nested deeper than kMaxDepth).
  Result<Node*> Find(const JsonPointer& at, Negative negative = Negative::kRefuse);
  Result<Node*> Add(const JsonPointer& at, const Value& value, Negative negative = Negative::kRefuse);
  Result<Node*> Replace(const JsonPointer& at, const Value& value, Negative negative = Negative::kRefuse);
  Result<Node*> Remove(const JsonPointer& at, Negative negative = Negative::kRefuse);

  // RFC 7386, section 2.
  void Merge(const Value& patch) { Merge(root_, patch); }

  // Returns the node's current value, with all changes made below it.
  const Value& Current(Node& node);
  const Value& root() { return Current(root_); }
  const Node& root_node() const { return root_; }

 private:
  enum class Purpose { kRead, kChange };

  static Children& ChildrenOf(Node& node);
  static Result<Node*> Child(Node& parent, const JsonPointer& at, size_t depth, Negative negative);
  // Returns the node at the path of the first `count` tokens of `at`.
  Result<Node*> Walk(const JsonPointer& at, size_t count, Negative negative, Purpose purpose);
  void Merge(Node& node, const Value& patch);

  Arena& arena_;
  Node root_;
};

}  // namespace smp
