#include "edit/text_change.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "value/json.h"
#include "value/utf8.h"

namespace smp {

namespace {

Status Spend(TextTree& tree, size_t bytes) {
  ++tree.expanded_nodes;
  tree.expanded_bytes += bytes;
  if (tree.expanded_nodes <= kMaxTextNodes && tree.expanded_bytes <= kMaxInputBytes) return Ok();
  return Error::InvalidArgument("the document becomes too large by these operations");
}

size_t DepthOf(const TextNode* node) {
  size_t depth = 0;
  for (; node->entry != nullptr; node = node->entry->parent) ++depth;
  return depth;
}

// Nodes made by edits contain no aliases. Recursion is bounded by the depth of documents.
size_t HeightOf(const TextNode* node) {
  size_t height = 0;
  if (!node->is_collection()) return height;
  node->items->list.ForEach([&](const TextEntry* entry) {
    if (!entry->removed) height = std::max(height, HeightOf(entry->value));
  });
  return height + 1;
}

Status CheckDepth(const TextNode* parent, const TextNode* value) {
  if (DepthOf(parent) + 1 + HeightOf(value) <= static_cast<size_t>(kMaxDepth)) return Ok();
  return Error::InvalidArgument(StrCat("the document becomes nested deeper than ", kMaxDepth, " levels"));
}

void Attach(TextEntry* entry, TextNode* value) {
  entry->value = value;
  value->entry = entry;
}

void MarkChanged(TextNode* node) {
  while (node != nullptr && !node->changed) {
    node->changed = true;
    node = node->entry == nullptr ? nullptr : node->entry->parent;
  }
}

bool IsAttached(const TextTree& tree, const TextNode* node) {
  for (; node->entry != nullptr; node = node->entry->parent) {
    const TextEntry* entry = node->entry;
    if (entry->removed || (entry->value != node && entry->key != node)) return false;
  }
  return node == tree.root;
}

std::string_view ValidCopy(TextTree& tree, std::string_view text) {
  return IsValidUtf8(text) ? tree.arena.Copy(text) : tree.arena.Copy(ReplaceInvalidUtf8(text));
}

TextNode* KeyNode(TextTree& tree, std::string_view name) {
  TextNode* key = NewNode(tree, TextNode::Kind::kScalar);
  key->spelling = ValidCopy(tree, name);
  key->value = Value::UnownedString(key->spelling);
  return key;
}

// The text that an alias stands for may not work as a key: `<<` would merge, and a number beyond 64 bits is refused.
Result<TextNode*> CopyOfKey(TextTree& tree, const TextEntry* entry) {
  SMP_ASSIGN(TextNode * key, CopyOf(tree, entry->key));
  const bool by_name = key->spelling == "<<" || key->value.is_double();
  return entry->key->kind == TextNode::Kind::kAlias && by_name ? KeyNode(tree, entry->name) : key;
}

Status ReplaceAlias(TextTree& tree, TextNode* alias) {
  TextEntry* entry = alias->entry;
  SMP_ASSIGN(TextNode * copy, entry->key == alias ? CopyOfKey(tree, entry) : CopyOf(tree, alias->target));
  copy->entry = entry;
  (entry->key == alias ? entry->key : entry->value) = copy;
  MarkChanged(entry->parent);
  return Ok();
}

// Called before an anchored node changes: turns its aliases into copies.
Status ReplaceUsers(TextTree& tree, const TextNode* anchored) {
  const auto at = tree.users.find(anchored);
  if (at == tree.users.end()) return Ok();
  const std::vector<TextNode*> users = std::move(at->second);
  tree.users.erase(at);
  for (TextNode* user : users) {
    if (IsAttached(tree, user)) SMP_TRY(ReplaceAlias(tree, user));
  }
  return Ok();
}

// Called before something in `node` changes.
Status BeforeChangeIn(TextTree& tree, TextNode* node) {
  if (!tree.users.empty()) {
    for (const TextNode* at = node; at != nullptr; at = at->entry == nullptr ? nullptr : at->entry->parent) {
      if (at->anchored) SMP_TRY(ReplaceUsers(tree, at));
    }
  }
  MarkChanged(node);
  return Ok();
}

// Called before the entry is removed. Aliases inside it need not be preserved.
Status BeforeRemovalOf(TextTree& tree, const TextEntry* entry) {
  if (tree.users.empty() || !entry->in_text) return Ok();
  const uint32_t begin = entry->begin;
  const auto first = std::partition_point(tree.anchored.begin(), tree.anchored.end(),
                                          [begin](const TextNode* node) { return node->begin < begin; });
  for (auto at = first; at != tree.anchored.end() && (*at)->begin < entry->end; ++at) {
    SMP_TRY(ReplaceUsers(tree, *at));
  }
  return Ok();
}

TextEntry* NewMember(TextTree& tree, TextNode* mapping, std::string_view name, TextNode* value) {
  TextEntry* entry = NewEntry(tree, mapping);
  entry->key = KeyNode(tree, name);
  entry->key->entry = entry;
  entry->name = entry->spelling = entry->key->spelling;
  Attach(entry, value);
  return entry;
}

Status AddChild(TextTree& tree, TextNode* node, const Value& child, std::string_view name) {
  SMP_ASSIGN(TextNode * value, NodeOfValue(tree, child));
  TextEntry* entry = node->kind == TextNode::Kind::kMapping ? NewMember(tree, node, name, value) : NewEntry(tree, node);
  Attach(entry, value);
  node->items->list.Append(entry);
  return Ok();
}

// Copies the member with its spelling, so that `y: 1` stays `y`.
Status AddCopy(TextTree& tree, TextNode* node, const TextEntry* original) {
  SMP_ASSIGN(TextNode * value, CopyOf(tree, original->value));
  TextEntry* entry = NewEntry(tree, node);
  if (original->key != nullptr) {
    SMP_ASSIGN(entry->key, CopyOfKey(tree, original));
    entry->key->entry = entry;
    entry->name = original->name;
    entry->spelling = original->spelling;
  }
  Attach(entry, value);
  node->items->list.Append(entry);
  return Ok();
}

void ForgetIndex(TextItems& items, const TextEntry* entry) {
  if (!items.index) return;
  if (items.index->has_duplicates) return items.index.reset();
  items.index->by_spelling.erase(entry->spelling);
  items.index->by_name.erase(entry->name);
}

// Returns all entries that would take the place of a removed member. If `key` is its spelling (`yes`) and not its name,
// entries of the same name with another spelling (`on`) stay.
std::vector<TextEntry*> WithDuplicates(const TextItems& items, TextEntry* entry, std::string_view key) {
  if (items.index && !items.index->has_duplicates) return {entry};
  std::vector<TextEntry*> out;
  items.list.ForEach([&](TextEntry* other) {
    const bool same = other->name == entry->name && (key == entry->name || other->spelling == entry->spelling);
    if (same && !other->removed && !other->is_merge) out.push_back(other);
  });
  return out;
}

Status RemoveEntry(TextTree& tree, TextNode* mapping, TextEntry* entry) {
  SMP_TRY(BeforeRemovalOf(tree, entry));
  mapping->items->list.RemoveMember(entry);
  if (!entry->is_merge) ForgetIndex(*mapping->items, entry);
  return Ok();
}

// A member to remove: the name of the member that `key` finds.
struct Named {
  std::string_view key;
  std::string_view name;
};

bool Holds(const TextNode* mapping, const Named& member) {
  const TextEntry* found = FindEffective(mapping, member.key);
  return found != nullptr && found->name == member.name;
}

// Removes the member from the mappings of a `<<`, turning aliases into copies first.
Status RemoveFromMerge(TextTree& tree, TextEntry* merge, const Named& member) {
  if (merge->value->kind == TextNode::Kind::kAlias) SMP_TRY(ReplaceAlias(tree, merge->value));
  TextNode* value = merge->value;
  if (value->kind == TextNode::Kind::kMapping) return RemoveMember(tree, value, member.key);
  for (size_t i = 0; i < value->items->list.size(); ++i) {
    TextEntry* item = value->items->list.At(i);
    const TextNode* merged = Followed(item->value);
    if (!Holds(merged, member)) continue;
    if (item->value->kind == TextNode::Kind::kAlias) SMP_TRY(ReplaceAlias(tree, item->value));
    SMP_TRY(RemoveMember(tree, item->value, member.key));
  }
  return Ok();
}

bool Brings(const TextEntry* merge, const Named& member) {
  const TextNode* value = Followed(merge->value);
  if (value->kind == TextNode::Kind::kMapping) return Holds(value, member);
  bool found = false;
  value->items->list.ForEach(
      [&](const TextEntry* item) { found |= !item->removed && Holds(Followed(item->value), member); });
  return found;
}

Status RemoveMerged(TextTree& tree, TextNode* mapping, const Named& member) {
  if (!mapping->merges) return Ok();
  std::vector<TextEntry*> merges;
  mapping->items->list.ForEach([&](TextEntry* entry) {
    if (entry->is_merge && !entry->removed && Brings(entry, member)) merges.push_back(entry);
  });
  for (TextEntry* merge : merges) {
    SMP_TRY(RemoveFromMerge(tree, merge, member));
    if (merge->value->items->list.size() == 0) SMP_TRY(RemoveEntry(tree, mapping, merge));
  }
  return Ok();
}

}  // namespace

Result<TextNode*> NodeOfValue(TextTree& tree, const Value& value) {
  SMP_TRY(Spend(tree, value.is_string() ? value.size() : 0));
  if (value.is_array()) {
    TextNode* node = NewNode(tree, TextNode::Kind::kSequence);
    for (const Value& item : value.Items()) SMP_TRY(AddChild(tree, node, item, {}));
    return node;
  }
  if (value.is_object()) {
    TextNode* node = NewNode(tree, TextNode::Kind::kMapping);
    for (const Member& member : value.Members()) SMP_TRY(AddChild(tree, node, member.value, member.name));
    return node;
  }
  TextNode* node = NewNode(tree, TextNode::Kind::kScalar);
  node->value = value.is_string() ? Value::UnownedString(ValidCopy(tree, value.AsString())) : value;
  return node;
}

Result<TextNode*> CopyOf(TextTree& tree, const TextNode* original) {
  original = Followed(original);
  SMP_TRY(Spend(tree, original->value.size()));
  TextNode* node = NewNode(tree, original->kind);
  node->value = original->value;
  node->spelling = original->spelling;
  node->style = original->style;
  node->written = original->written;
  if (original->kind == TextNode::Kind::kMapping) {
    for (const TextEntry* entry : EffectiveMembers(original)) SMP_TRY(AddCopy(tree, node, entry));
  } else if (original->kind == TextNode::Kind::kSequence) {
    std::vector<const TextEntry*> entries;
    original->items->list.ForEach([&](const TextEntry* entry) {
      if (!entry->removed) entries.push_back(entry);
    });
    for (const TextEntry* entry : entries) SMP_TRY(AddCopy(tree, node, entry));
  }
  return node;
}

Status SetRoot(TextTree& tree, TextNode* value) {
  tree.root = value;
  return Ok();
}

Status SetValue(TextTree& tree, TextEntry* entry, TextNode* value) {
  SMP_TRY(CheckDepth(entry->parent, value));
  SMP_TRY(BeforeChangeIn(tree, entry->parent));
  SMP_TRY(BeforeRemovalOf(tree, entry));
  Attach(entry, value);
  return Ok();
}

Status AppendMember(TextTree& tree, TextNode* mapping, std::string_view name, TextNode* value) {
  SMP_TRY(CheckDepth(mapping, value));
  SMP_TRY(BeforeChangeIn(tree, mapping));
  TextEntry* entry = NewMember(tree, mapping, name, value);
  mapping->items->list.Append(entry);
  if (mapping->items->index) {
    mapping->items->index->by_spelling[entry->spelling] = entry;
    mapping->items->index->has_duplicates |= !mapping->items->index->by_name.emplace(entry->name, entry).second;
  }
  return Ok();
}

Status InsertItem(TextTree& tree, TextNode* sequence, size_t index, TextNode* value) {
  SMP_TRY(CheckDepth(sequence, value));
  SMP_TRY(BeforeChangeIn(tree, sequence));
  TextEntry* entry = NewEntry(tree, sequence);
  Attach(entry, value);
  sequence->items->list.Insert(index, entry);
  return Ok();
}

Status RemoveItem(TextTree& tree, TextNode* sequence, size_t index) {
  SMP_TRY(BeforeChangeIn(tree, sequence));
  SMP_TRY(BeforeRemovalOf(tree, sequence->items->list.At(index)));
  sequence->items->list.RemoveAt(index);
  return Ok();
}

Status RemoveMember(TextTree& tree, TextNode* mapping, std::string_view key) {
  SMP_TRY(BeforeChangeIn(tree, mapping));
  const TextEntry* meant = FindEffective(mapping, key);
  if (meant == nullptr) return Ok();
  const Named member = {key, meant->name};
  if (TextEntry* found = FindMember(mapping, key); found == meant) {
    for (TextEntry* entry : WithDuplicates(*mapping->items, found, key)) SMP_TRY(RemoveEntry(tree, mapping, entry));
  }
  return RemoveMerged(tree, mapping, member);
}

}  // namespace smp
