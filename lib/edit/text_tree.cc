#include "edit/text_tree.h"

#include <algorithm>
#include <utility>

namespace smp::edit {

namespace {

// Returns the mappings that a `<<` merges, the weakest first.
std::vector<const TextNode*> MergedMappings(const TextEntry* merge) {
  const TextNode* value = Followed(merge->value);
  if (value->kind == TextNode::Kind::kMapping) return {value};
  std::vector<const TextNode*> out;
  ForEachEntry(value, [&](const TextEntry* item) { out.push_back(Followed(item->value)); });
  std::reverse(out.begin(), out.end());
  return out;
}

class MemberCollector {
 public:
  std::vector<const TextEntry*> Collect(const TextNode* mapping) && {
    ForEachEntry(mapping, [&](const TextEntry* entry) {
      if (!entry->is_merge) return Add(entry, true);
      for (const TextNode* merged : MergedMappings(entry)) {
        for (const TextEntry* member : EffectiveMembers(merged)) Add(member, false);
      }
    });
    return std::move(members_);
  }

 private:
  struct Found {
    size_t place;
    bool is_explicit;
  };

  void Add(const TextEntry* entry, bool is_explicit) {
    const auto [at, is_new] = places_.emplace(entry->name, Found{members_.size(), is_explicit});
    if (is_new) return members_.push_back(entry);
    if (!is_explicit && at->second.is_explicit) return;
    members_[at->second.place] = entry;
    at->second.is_explicit = is_explicit;
  }

  std::vector<const TextEntry*> members_;
  std::unordered_map<std::string_view, Found> places_;
};

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

std::vector<const TextEntry*> EffectiveMembers(const TextNode* mapping) { return MemberCollector().Collect(mapping); }

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

int LineAt(std::string_view text, size_t at) {
  int line = 1;
  for (size_t i = 0; i < std::min(at, text.size()); ++i) {
    const bool carriage_return = text[i] == '\r' && text.substr(i + 1, 1) != "\n";
    line += text[i] == '\n' || carriage_return ? 1 : 0;
  }
  return line;
}

}  // namespace smp::edit
