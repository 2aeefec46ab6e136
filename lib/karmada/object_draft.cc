#include "karmada/object_draft.h"

namespace smp::karmada {

namespace {

constexpr MutableTree::Negative kFromEnd = MutableTree::Negative::kFromEnd;

}  // namespace

ObjectDraft::ObjectDraft(const Document& object) : source_(object), tree_(source_.root(), arena_) {
  arena_.Retain(object);
}

Result<Value> ObjectDraft::Get(const JsonPointer& at) {
  SMP_ASSIGN(Node * node, tree_.Find(at));
  return tree_.Current(*node);
}

std::string_view ObjectDraft::TextAt(const JsonPointer& at) {
  const auto value = Get(at);
  return value.ok() && value->is_string() ? value->AsString() : std::string_view();
}

ObjectDraft::Marks& ObjectDraft::MarksOf(Node& node) {
  if (node.tag == 0) {
    node.tag = marks_.size();
    marks_.emplace_back();
  }
  return marks_[node.tag];
}

Status ObjectDraft::Mark(const Result<Node*>& written, std::vector<int> steps) {
  if (!written.ok()) return written.error();
  MarksOf(**written).steps = std::move(steps);
  return Ok();
}

Status ObjectDraft::Add(const JsonPointer& at, const Value& value, int step) {
  return Mark(tree_.Add(at, value, kFromEnd), {step});
}

Status ObjectDraft::Replace(const JsonPointer& at, const Value& value, int step) {
  return Mark(tree_.Replace(at, value, kFromEnd), {step});
}

Status ObjectDraft::Rewrite(const JsonPointer& at, const Value& value, const std::vector<int>& steps) {
  SMP_ASSIGN(const Node* old, tree_.Find(at, kFromEnd));
  std::vector<int> all = marks_[old->tag].steps;
  all.insert(all.end(), steps.begin(), steps.end());
  return Mark(tree_.Replace(at, value, kFromEnd), std::move(all));
}

Status ObjectDraft::Remove(const JsonPointer& at, int step) {
  SMP_ASSIGN(Node * parent, tree_.Remove(at, kFromEnd));
  Marks& marks = MarksOf(*parent);
  if (parent->value->is_array()) {
    marks.took_items.push_back(step);
  } else {
    marks.removed[at.back()] = step;
  }
  return Ok();
}

FieldPath ObjectDraft::PathOf(const JsonPointer& at) {
  FieldPath out;
  for (size_t depth = 0; depth < at.size(); ++depth) {
    const auto parent = tree_.Find(JsonPointer(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(depth)), kFromEnd);
    const auto index = ParseListIndex(at[depth]);
    const bool in_list = parent.ok() && (*parent)->value->is_array() && index.has_value();
    out.push_back(in_list ? PathStep::Index(static_cast<int64_t>(*index)) : PathStep::Field(at[depth]));
  }
  return out;
}

// Adds the touched paths and the lines at and below `node`. `value`: the node's value in the finished document.
void ObjectDraft::Collect(const Node& node, const Value& value, FieldPath& path, std::vector<TouchedPath>& touched) {
  if (const int line = source_.LineOf(node.origin()); line > 0) lines_.emplace_back(&value, line);
  const Marks& marks = marks_[node.tag];
  if (!marks.steps.empty()) touched.push_back({path, marks.steps});
  if (node.children == nullptr) return;
  for (size_t i = 0; i < node.children->items.size(); ++i) {
    path.push_back(PathStep::Index(static_cast<int64_t>(i)));
    Collect(node.children->items[i], value.Items()[i], path, touched);
    path.pop_back();
  }
  const Member* at = value.is_object() ? value.Members().data() : nullptr;
  for (const auto& [name, member] : node.children->members) {
    path.push_back(PathStep::Field(name));
    Collect(member, (at++)->value, path, touched);
    path.pop_back();
  }
  const auto add = [&](PathStep below, std::vector<int> steps) {
    touched.push_back({path, std::move(steps)});
    touched.back().path.push_back(std::move(below));
  };
  for (const auto& [name, step] : marks.removed) {
    if (!node.children->members.contains(name)) add(PathStep::Field(name), {step});
  }
  if (!marks.took_items.empty()) add(PathStep::Index(-1), marks.took_items);
}

Document ObjectDraft::Finish(std::vector<TouchedPath>& touched) {
  if (marks_.size() == 1) return source_;
  const Value root = tree_.root();
  Document out(std::move(arena_), root);
  FieldPath path;
  Collect(tree_.root_node(), out.root(), path, touched);
  if (!lines_.empty()) {
    out.SetSource(source_.source_name());
    out.SetLines(std::move(lines_));
  }
  return out;
}

}  // namespace smp::karmada
