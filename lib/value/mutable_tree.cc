#include "value/mutable_tree.h"

#include <algorithm>
#include <string>

#include "base/strings.h"
#include "value/json.h"

namespace smp {

namespace {

// Returns the levels of lists and maps. Recursion is safe in this file: inputs are at most kMaxDepth deep, and no edit
// may exceed it.
size_t Height(const Value& value) {
  size_t below = 0;
  if (value.is_array()) {
    for (const Value& item : value.Items()) below = std::max(below, Height(item));
  } else if (value.is_object()) {
    for (const Member& m : value.Members()) below = std::max(below, Height(m.value));
  }
  return value.is_scalar() ? 0 : below + 1;
}

Status CheckDepth(const JsonPointer& at, const Value& value) {
  if (at.size() + Height(value) <= kMaxDepth) return Ok();
  return Error::Refused(StrCat("the result would be nested deeper than ", kMaxDepth, " levels"));
}

// Returns the first `depth` tokens of the path, for a message.
std::string Shown(const JsonPointer& at, size_t depth) {
  const std::string text = ToString(JsonPointer(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(depth)));
  return text.empty() ? "the document" : text;
}

Error NothingBelow(const JsonPointer& at, size_t depth, Kind kind) {
  return Error::InvalidArgument(
      StrCat("there is no ", Shown(at, depth + 1), ": ", Shown(at, depth), " is a value of type ", KindName(kind)));
}

// Returns the list index that a token denotes. `size` is the number of items, `places` the same or one more, to insert.
Result<size_t> ListPlace(const JsonPointer& at, size_t depth, size_t places, size_t size,
                         MutableTree::Negative negative) {
  const std::string& token = at[depth];
  const std::string_view list = depth == 0 ? "" : "the list ";
  const std::string_view items = size == 1 ? " item" : " items";
  const bool from_end = negative == MutableTree::Negative::kFromEnd && token.size() > 1 && token.front() == '-';
  const auto index = ParseListIndex(std::string_view(token).substr(from_end ? 1 : 0));
  if (token == "-" && places > size) return size;
  if (!index || (from_end && *index == 0)) {
    return Error::InvalidArgument(
        StrCat("\"", token, "\" is not an index of ", list, Shown(at, depth), ", which has ", size, items));
  }
  if (from_end ? *index > places : *index >= places) {
    return Error::NotFound(StrCat("there is no ", Shown(at, depth + 1), ": the list has ", size, items));
  }
  return from_end ? places - *index : *index;
}

}  // namespace

const Value* MutableTree::Node::origin() const { return children == nullptr ? value : children->origin; }

MutableTree::Children& MutableTree::ChildrenOf(Node& node) {
  if (node.children != nullptr) return *node.children;
  node.children = std::make_unique<Children>(Children{.origin = node.value});
  Children& children = *node.children;
  if (node.value->is_array()) {
    children.items.reserve(node.value->size());
    for (const Value& item : node.value->Items()) children.items.push_back({&item});
  } else {
    for (const Member& m : node.value->Members()) {
      children.members.emplace_hint(children.members.end(), m.name, Node{&m.value});
    }
  }
  return children;
}

const Value& MutableTree::Current(Node& node) {
  if (node.children == nullptr || !node.children->stale) return *node.value;
  node.children->stale = false;
  if (node.value->is_array()) {
    std::vector<Value> items;
    for (Node& item : node.children->items) items.push_back(Current(item));
    node.value = arena_.Keep(arena_.Array(items));
  } else {
    std::vector<Member> members;
    for (auto& [name, member] : node.children->members) members.push_back({name, Current(member)});
    node.value = arena_.Keep(arena_.SortedObject(members));
  }
  return *node.value;
}

Result<MutableTree::Node*> MutableTree::Child(Node& parent, const JsonPointer& at, size_t depth, Negative negative) {
  if (parent.value->is_scalar()) return NothingBelow(at, depth, parent.value->kind());
  Children& children = ChildrenOf(parent);
  if (parent.value->is_array()) {
    SMP_ASSIGN(const size_t index, ListPlace(at, depth, children.items.size(), children.items.size(), negative));
    return &children.items[index];
  }
  const auto member = children.members.find(at[depth]);
  if (member == children.members.end()) return Error::NotFound(StrCat("there is no ", Shown(at, depth + 1)));
  return &member->second;
}

Result<MutableTree::Node*> MutableTree::Walk(const JsonPointer& at, size_t count, Negative negative, Purpose purpose) {
  Node* node = &root_;
  for (size_t depth = 0; depth < count; ++depth) {
    Node* above = node;
    SMP_ASSIGN(node, Child(*above, at, depth, negative));
    if (purpose == Purpose::kChange) above->children->stale = true;
  }
  return node;
}

Result<MutableTree::Node*> MutableTree::Find(const JsonPointer& at, Negative negative) {
  return Walk(at, at.size(), negative, Purpose::kRead);
}

Result<MutableTree::Node*> MutableTree::Replace(const JsonPointer& at, const Value& value, Negative negative) {
  SMP_TRY(CheckDepth(at, value));
  SMP_ASSIGN(Node * node, Walk(at, at.size(), negative, Purpose::kChange));
  *node = {arena_.Keep(value)};
  return node;
}

Result<MutableTree::Node*> MutableTree::Add(const JsonPointer& at, const Value& value, Negative negative) {
  if (at.empty()) return Replace(at, value);
  SMP_TRY(CheckDepth(at, value));
  const size_t last = at.size() - 1;
  SMP_ASSIGN(Node * parent, Walk(at, last, negative, Purpose::kChange));
  if (parent->value->is_scalar()) return NothingBelow(at, last, parent->value->kind());
  Children& children = ChildrenOf(*parent);
  children.stale = true;
  if (parent->value->is_array()) {
    std::vector<Node>& items = children.items;
    SMP_ASSIGN(const size_t index, ListPlace(at, last, items.size() + 1, items.size(), negative));
    return &*items.insert(items.begin() + static_cast<std::ptrdiff_t>(index), Node{arena_.Keep(value)});
  }
  auto member = children.members.find(at[last]);
  if (member == children.members.end()) member = children.members.emplace(arena_.Copy(at[last]), Node{}).first;
  member->second = {arena_.Keep(value)};
  return &member->second;
}

Result<MutableTree::Node*> MutableTree::Remove(const JsonPointer& at, Negative negative) {
  if (at.empty()) return Error::InvalidArgument("the whole document cannot be removed");
  const size_t last = at.size() - 1;
  SMP_ASSIGN(Node * parent, Walk(at, last, negative, Purpose::kChange));
  SMP_ASSIGN(const Node* child, Child(*parent, at, last, negative));
  Children& children = *parent->children;
  children.stale = true;
  if (parent->value->is_array()) {
    children.items.erase(children.items.begin() + (child - children.items.data()));
  } else {
    children.members.erase(children.members.find(at[last]));
  }
  return parent;
}

void MutableTree::Merge(Node& node, const Value& patch) {
  if (!patch.is_object() || !node.value->is_object()) node = {&patch};
  if (!patch.is_object()) return;
  Children& children = ChildrenOf(node);
  children.stale = true;
  for (const Member& m : patch.Members()) {
    if (m.value.is_null()) {
      children.members.erase(m.name);
    } else {
      // A new member starts as the patch's value, and merging that value into it removes its nulls.
      Merge(children.members.try_emplace(m.name, Node{&m.value}).first->second, m.value);
    }
  }
}

}  // namespace smp
