#include "edit/text_tree.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"

namespace smp::edit {

namespace {

// Returns the mappings that a `<<` merges, in ascending order of precedence.
std::vector<const TextNode*> MergedMappings(const TextEntry* merge) {
  const TextNode* value = Followed(merge->value);
  if (value->kind == TextNode::Kind::kMapping) return {value};
  std::vector<const TextNode*> out;
  ForEachEntry(value, [&](const TextEntry* item) { out.push_back(Followed(item->value)); });
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace

TextNode* NewNode(TextTree& tree, TextNode::Kind kind) {
  TextNode& node = tree.nodes.emplace_back();
  node.kind = kind;
  return &node;
}

TextEntry* NewEntry(TextTree& tree, TextNode* parent) {
  TextEntry& entry = tree.entries.emplace_back();
  entry.parent = parent;
  (parent->last == nullptr ? parent->first : parent->last->next) = &entry;
  parent->last = &entry;
  return &entry;
}

const TextNode* Followed(const TextNode* node) {
  while (node->kind == TextNode::Kind::kAlias) node = node->target;
  return node;
}

std::vector<const TextEntry*> EffectiveMembers(const TextNode* mapping) {
  std::vector<const TextEntry*> members;
  ViewMap<size_t> places;
  const auto add = [&](const TextEntry* entry) {
    const auto [at, is_new] = places.emplace(entry->name, members.size());
    if (is_new) return members.push_back(entry);
    const TextEntry*& found = members[at->second];
    if (entry->parent == mapping || found->parent != mapping) found = entry;
  };
  ForEachEntry(mapping, [&](const TextEntry* entry) {
    if (!entry->is_merge) return add(entry);
    for (const TextNode* merged : MergedMappings(entry)) {
      for (const TextEntry* member : EffectiveMembers(merged)) add(member);
    }
  });
  return members;
}

const TextEntry* MergeWith(const TextNode* mapping, std::string_view name) {
  const auto has = [&](const TextNode* merged) {
    return std::ranges::any_of(EffectiveMembers(merged), [&](const TextEntry* member) { return member->name == name; });
  };
  const TextEntry* found = nullptr;
  ForEachEntry(mapping, [&](const TextEntry* entry) {
    if (found == nullptr && entry->is_merge && std::ranges::any_of(MergedMappings(entry), has)) found = entry;
  });
  return found;
}

Value ValueOf(const TextNode* node, Arena& arena) {
  node = Followed(node);
  if (node->kind == TextNode::Kind::kScalar) return node->value;
  if (node->kind == TextNode::Kind::kSequence) {
    std::vector<Value> items;
    ForEachEntry(node, [&](const TextEntry* entry) { items.push_back(ValueOf(entry->value, arena)); });
    return arena.Array(items);
  }
  std::vector<Member> members;
  const auto add = [&](const TextEntry* entry) { members.push_back({entry->name, ValueOf(entry->value, arena)}); };
  if (node->merges) {
    for (const TextEntry* entry : EffectiveMembers(node)) add(entry);
  } else {
    ForEachEntry(node, add);
  }
  return arena.Object(std::move(members));
}

int LineAt(std::string_view text, size_t at) { return LineNumbers(text.substr(0, at)).At(at); }

LineNumbers::LineNumbers(std::string_view text) : begins_{0} {
  for (size_t i = 0; i < text.size(); ++i) {
    const bool carriage_return = text[i] == '\r' && text.substr(i + 1, 1) != "\n";
    if (text[i] == '\n' || carriage_return) begins_.push_back(i + 1);
  }
}

int LineNumbers::At(size_t at) const {
  return static_cast<int>(std::ranges::upper_bound(begins_, at) - begins_.begin());
}

}  // namespace smp::edit
