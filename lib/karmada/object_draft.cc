#include "karmada/object_draft.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "value/json.h"
#include "value/number.h"

namespace smp {

namespace {

// Returns the levels of lists and maps. Recursion is safe in this file: inputs are at most kMaxDepth deep, and edits
// that would exceed it are refused.
size_t Height(const Value& value) {
  size_t below = 0;
  for (const Value& item : value.is_array() ? value.Items() : std::span<const Value>()) {
    below = std::max(below, Height(item));
  }
  for (const Member& m : value.is_object() ? value.Members() : std::span<const Member>()) {
    below = std::max(below, Height(m.value));
  }
  return value.is_scalar() ? 0 : below + 1;
}

// Returns the first `depth` tokens for a message.
std::string Shown(const JsonPointer& at, size_t depth) {
  const std::string text = ToString(JsonPointer(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(depth)));
  return text.empty() ? "the object" : text;
}

Error NothingBelow(const JsonPointer& at, size_t depth, Kind kind) {
  return Error::InvalidArgument(
      StrCat("there is no ", Shown(at, depth + 1), ": ", Shown(at, depth), " is a value of type ", KindName(kind)));
}

Error NoMember(const JsonPointer& at, size_t depth) {
  return Error::NotFound(StrCat("there is no ", Shown(at, depth + 1)));
}

}  // namespace

// Returns the position in a list of `size` items that a token names. `places` is `size`, or one more to insert an item.
Result<size_t> ObjectDraft::ListPlace(const JsonPointer& at, size_t depth, size_t places, size_t size,
                                      Negative negative) {
  const std::string& token = at[depth];
  const std::string_view items = size == 1 ? " item" : " items";
  const bool from_end = negative == Negative::kFromEnd && token.size() > 1 && token.front() == '-';
  const auto index = ParseListIndex(std::string_view(token).substr(from_end ? 1 : 0));
  if (token == "-" && places > size) return size;
  if (!index || (from_end && *index == 0)) {
    return Error::InvalidArgument(
        StrCat("\"", token, "\" is no index of the list ", Shown(at, depth), ", which has ", size, items));
  }
  if (from_end ? *index > places : *index >= places) {
    return Error::NotFound(StrCat("there is no ", Shown(at, depth + 1), ": the list has ", size, items));
  }
  return from_end ? places - *index : *index;
}

ObjectDraft::ObjectDraft(const Document& object) : source_(object) {
  arena_.Retain(object);
  root_.value = object.root();
  root_.origin = &object.root();
}

ObjectDraft::OpenNode& ObjectDraft::Open(Node& node) {
  if (node.open != nullptr) return *node.open;
  node.open = std::make_unique<OpenNode>();
  for (const Value& item : node.value.is_array() ? node.value.Items() : std::span<const Value>()) {
    node.open->items.push_back({item, &item});
  }
  for (const Member& m : node.value.is_object() ? node.value.Members() : std::span<const Member>()) {
    node.open->members.emplace_hint(node.open->members.end(), m.name, Node{m.value, &m.value});
  }
  return *node.open;
}

const Value& ObjectDraft::Close(Node& node) {
  if (!node.stale) return node.value;
  node.stale = false;
  if (node.value.is_array()) {
    std::vector<Value> items;
    for (Node& item : node.open->items) items.push_back(Close(item));
    node.value = arena_.Array(items);
  } else {
    std::vector<Member> members;
    for (auto& [name, member] : node.open->members) members.push_back({name, Close(member)});
    node.value = arena_.SortedObject(members);
  }
  return node.value;
}

Result<ObjectDraft::Node*> ObjectDraft::Child(Node& parent, const JsonPointer& at, size_t depth, Negative negative) {
  if (parent.value.is_scalar()) return NothingBelow(at, depth, parent.value.kind());
  OpenNode& open = Open(parent);
  if (parent.value.is_array()) {
    SMP_ASSIGN(const size_t index, ListPlace(at, depth, open.items.size(), open.items.size(), negative));
    return &open.items[index];
  }
  const auto member = open.members.find(at[depth]);
  if (member == open.members.end()) return NoMember(at, depth);
  return &member->second;
}

Result<std::vector<ObjectDraft::Node*>> ObjectDraft::Walk(const JsonPointer& at, size_t count, Negative negative) {
  std::vector<Node*> nodes = {&root_};
  for (size_t depth = 0; depth < count; ++depth) {
    SMP_ASSIGN(Node * child, Child(*nodes.back(), at, depth, negative));
    nodes.push_back(child);
  }
  return nodes;
}

Result<Value> ObjectDraft::Get(const JsonPointer& at) {
  SMP_ASSIGN(const std::vector<Node*> nodes, Walk(at, at.size(), Negative::kNoIndex));
  return Close(*nodes.back());
}

Value ObjectDraft::root() { return Close(root_); }

Status ObjectDraft::Put(const JsonPointer& at, Node node) {
  if (at.size() + Height(node.value) > kMaxDepth) {
    return Error::Refused(StrCat("the object would become deeper than ", kMaxDepth, " levels"));
  }
  SMP_ASSIGN(const std::vector<Node*> nodes, Walk(at, at.size()));
  for (Node* above : nodes) above->stale = true;
  *nodes.back() = std::move(node);
  changed_ = true;
  return Ok();
}

Status ObjectDraft::Replace(const JsonPointer& at, const Value& value, int step) {
  return Put(at, {.value = value, .steps = {step}});
}

Status ObjectDraft::Rewrite(const JsonPointer& at, const Value& value, const std::vector<int>& steps) {
  SMP_ASSIGN(const std::vector<Node*> nodes, Walk(at, at.size()));
  Node node = {.value = value, .steps = nodes.back()->steps};
  node.steps.insert(node.steps.end(), steps.begin(), steps.end());
  return Put(at, std::move(node));
}

Status ObjectDraft::Add(const JsonPointer& at, const Value& value, int step) {
  if (at.empty()) return Replace(at, value, step);
  const size_t last = at.size() - 1;
  SMP_ASSIGN(const std::vector<Node*> nodes, Walk(at, last));
  Node& parent = *nodes.back();
  if (parent.value.is_scalar()) return NothingBelow(at, last, parent.value.kind());
  OpenNode& open = Open(parent);
  JsonPointer place = at;
  if (parent.value.is_array()) {
    SMP_ASSIGN(const size_t index, ListPlace(at, last, open.items.size() + 1, open.items.size(), Negative::kFromEnd));
    open.items.insert(open.items.begin() + static_cast<std::ptrdiff_t>(index), Node{});
    place[last] = std::to_string(index);
  } else {
    open.members.try_emplace(arena_.Copy(at[last]));
    open.removed.erase(at[last]);
  }
  return Put(place, {.value = value, .steps = {step}});
}

Status ObjectDraft::Remove(const JsonPointer& at, int step) {
  if (at.empty()) return Error::InvalidArgument("the whole object cannot be removed");
  SMP_TRY(Walk(at, at.size()));
  const size_t last = at.size() - 1;
  SMP_ASSIGN(const std::vector<Node*> nodes, Walk(at, last));
  for (Node* above : nodes) above->stale = true;
  changed_ = true;
  OpenNode& open = *nodes.back()->open;
  if (nodes.back()->value.is_array()) {
    SMP_ASSIGN(const size_t index, ListPlace(at, last, open.items.size(), open.items.size(), Negative::kFromEnd));
    open.items.erase(open.items.begin() + static_cast<std::ptrdiff_t>(index));
    open.took_items.push_back(step);
  } else {
    open.members.erase(at[last]);
    open.removed[arena_.Copy(at[last])] = step;
  }
  return Ok();
}

FieldPath ObjectDraft::PathOf(const JsonPointer& at) {
  FieldPath out;
  const Node* parent = &root_;
  for (size_t depth = 0; depth < at.size(); ++depth) {
    const auto index = ParseListIndex(at[depth]);
    const bool in_list = parent != nullptr && parent->value.is_array() && index.has_value();
    out.push_back(in_list ? PathStep::Index(static_cast<int64_t>(*index)) : PathStep::Field(at[depth]));
    const auto nodes = Walk(at, depth + 1);
    parent = nodes.ok() ? nodes->back() : nullptr;
  }
  return out;
}

void ObjectDraft::Collect(const Node& node, const Value& value, FieldPath& path, std::vector<TouchedPath>& touched) {
  if (node.origin != nullptr) lines_.emplace_back(&value, source_.LineOf(node.origin));
  if (!node.steps.empty()) touched.push_back({path, node.steps});
  if (node.open == nullptr) return;
  for (size_t i = 0; i < node.open->items.size(); ++i) {
    path.push_back(PathStep::Index(static_cast<int64_t>(i)));
    Collect(node.open->items[i], value.Items()[i], path, touched);
    path.pop_back();
  }
  const Member* at = value.is_object() ? value.Members().data() : nullptr;
  for (const auto& [name, member] : node.open->members) {
    path.push_back(PathStep::Field(name));
    Collect(member, (at++)->value, path, touched);
    path.pop_back();
  }
  const auto add = [&](PathStep below, std::vector<int> steps) {
    touched.push_back({path, std::move(steps)});
    touched.back().path.push_back(std::move(below));
  };
  for (const auto& [name, step] : node.open->removed) add(PathStep::Field(name), {step});
  if (!node.open->took_items.empty()) add(PathStep::Index(-1), node.open->took_items);
}

Document ObjectDraft::Finish(std::vector<TouchedPath>& touched) {
  if (!changed_) return source_;
  const Value root = Close(root_);
  Document out(std::move(arena_), root);
  FieldPath path;
  Collect(root_, out.root(), path, touched);
  std::erase_if(lines_, [](const auto& line) { return line.second == 0; });
  if (!lines_.empty()) {
    out.SetSource(source_.source_name());
    out.SetLines(std::move(lines_));
  }
  return out;
}

}  // namespace smp
