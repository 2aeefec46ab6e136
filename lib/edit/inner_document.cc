#include "edit/inner_document.h"

#include <utility>
#include <vector>

#include "edit/proof.h"
#include "edit/text_edit.h"
#include "edit/text_reader.h"
#include "edit/text_tree.h"
#include "edit/text_writer.h"

namespace smp {

namespace {

// Returns a deep copy that shares no memory with the tree. Recursion is bounded by the document's depth.
Value Copied(const Value& value, Arena& arena) {
  if (value.is_string()) return arena.String(value.AsString());
  if (value.is_array()) {
    std::vector<Value> items;
    for (const Value& item : value.Items()) items.push_back(Copied(item, arena));
    return arena.Array(items);
  }
  if (!value.is_object()) return value;
  std::vector<Member> members;
  for (const Member& member : value.Members())
    members.push_back({arena.Copy(member.name), Copied(member.value, arena)});
  return arena.SortedObject(members);
}

}  // namespace

struct InnerDocument::State {
  std::unique_ptr<TextTree> tree;
};

InnerDocument::InnerDocument(std::unique_ptr<State> state) : state_(std::move(state)) {}
InnerDocument::~InnerDocument() = default;
InnerDocument::InnerDocument(InnerDocument&&) noexcept = default;
InnerDocument& InnerDocument::operator=(InnerDocument&&) noexcept = default;

Result<InnerDocument> InnerDocument::Parse(std::string_view text, DataFormat format) {
  auto state = std::make_unique<State>();
  SMP_ASSIGN(state->tree, format == DataFormat::kJson ? ReadJsonText(text) : ReadYamlText(text));
  return InnerDocument(std::move(state));
}

Status InnerDocument::Apply(const Edit& edit) { return ApplyEdit(*state_->tree, edit); }

Status InnerDocument::Merge(const Value& patch) { return MergeInto(*state_->tree, patch); }

Result<Document> InnerDocument::Find(std::string_view path) const {
  SMP_ASSIGN(const Pointer pointer, ParseJsonPointer(path));
  SMP_ASSIGN(const TextNode* node, FindNode(*state_->tree, pointer));
  Arena arena;
  const Value value = Copied(ValueOf(node, arena), arena);
  return Document(std::move(arena), value);
}

Result<Kind> InnerDocument::KindAt(std::string_view path) const {
  SMP_ASSIGN(const Pointer pointer, ParseJsonPointer(path));
  SMP_ASSIGN(const TextNode* node, FindNode(*state_->tree, pointer));
  node = Followed(node);
  if (node->is_collection()) return node->kind == TextNode::Kind::kMapping ? Kind::kObject : Kind::kArray;
  return node->value.kind();
}

Result<std::string> InnerDocument::Write() const {
  const TextTree& tree = *state_->tree;
  if (!IsChanged(tree)) return tree.text;
  std::string text = WriteText(tree);
  Arena arena;
  SMP_TRY(ProveText(text, tree.format, ValueOf(tree.root, arena)));
  return text;
}

}  // namespace smp
