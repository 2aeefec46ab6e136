// MutableTree: a Value that changes place by place. The operations of JSON patch (RFC 6902) cost the length of their
// path and, the first time, the width of the maps and lists on it, but never the size of the value. Only inserting and
// removing in the middle of a list is linear in its length.
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
  // kFromEnd: negative indexes count from the end of a list, as in karmada's library: -1 is the last item, and for Add
  // the place after it.
  enum class Negative { kRefuse, kFromEnd };

  struct Children;
  struct Node {
    const Value* value;                       // see Current()
    size_t tag = 0;                           // free for the user of the tree; 0 for each value that is written
    std::unique_ptr<Children> children = {};  // nullptr until something below the value is asked for

    const Value* origin() const;  // where the value was read, even if something below it has changed since
  };
  struct Children {
    const Value* origin;
    bool stale = false;  // something below has changed since the value was made
    std::map<std::string_view, Node> members = {};
    std::vector<Node> items = {};
  };

  // The values stay shared: `root`, whose address becomes the root's origin, and all values that are written must live
  // as long as the document of `arena`.
  MutableTree(const Value& root, Arena& arena) : arena_(arena), root_{&root} {}

  // RFC 6902, section 4. Add and Replace return the node that was written, Remove the one above what was removed. Nodes
  // are valid until the next change. Errors name the place: not-found (no such member or item), invalid-argument (not
  // an index, below a scalar, or the root is to be removed), refused (the result would be deeper than kMaxDepth).
  Result<Node*> Find(const JsonPointer& at, Negative negative = Negative::kRefuse);
  Result<Node*> Add(const JsonPointer& at, const Value& value, Negative negative = Negative::kRefuse);
  Result<Node*> Replace(const JsonPointer& at, const Value& value, Negative negative = Negative::kRefuse);
  Result<Node*> Remove(const JsonPointer& at, Negative negative = Negative::kRefuse);

  // RFC 7386, section 2.
  void Merge(const Value& patch) { Merge(root_, patch); }

  // Returns the node's value as it is now.
  const Value& Current(Node& node);
  const Value& root() { return Current(root_); }
  const Node& root_node() const { return root_; }

 private:
  enum class Purpose { kRead, kChange };

  static Children& ChildrenOf(Node& node);
  static Result<Node*> Child(Node& parent, const JsonPointer& at, size_t depth, Negative negative);
  // Returns the node at the first `count` tokens.
  Result<Node*> Walk(const JsonPointer& at, size_t count, Negative negative, Purpose purpose);
  void Merge(Node& node, const Value& patch);

  Arena& arena_;
  Node root_;
};

}  // namespace smp
