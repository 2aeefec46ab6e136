#include "edit/text_tree.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace smp {

namespace {

constexpr size_t kIndexedFrom = 16;  // members

// Returns true if the key reads as it is spelled. Such an entry is preferred to others of its spelling.
bool IsExact(const TextEntry* entry) { return entry->name == entry->spelling; }

void AddToIndex(NameIndex& index, TextEntry* entry) {
  if (entry->is_merge) return;
  const auto [spelled, is_new] = index.by_spelling.emplace(entry->spelling, entry);
  index.has_duplicates |= !is_new;
  if (!is_new && (IsExact(entry) || !IsExact(spelled->second))) spelled->second = entry;
  const auto [named, is_first] = index.by_name.emplace(entry->name, entry);
  index.has_duplicates |= !is_first;
  if (!is_first) named->second = entry;
}

NameIndex& IndexOf(TextItems& items) {
  if (items.index) return *items.index;
  items.index = std::make_unique<NameIndex>();
  items.list.ForEach([&](TextEntry* entry) {
    if (!entry->removed) AddToIndex(*items.index, entry);
  });
  return *items.index;
}

TextEntry* FindAmongFew(const TextItems& items, std::string_view key) {
  TextEntry* exact = nullptr;
  TextEntry* spelled = nullptr;
  TextEntry* named = nullptr;
  items.list.ForEach([&](TextEntry* entry) {
    if (entry->removed || entry->is_merge) return;
    if (entry->spelling == key) (entry->name == key ? exact : spelled) = entry;
    if (entry->name == key) named = entry;
  });
  // An exact entry may have a later duplicate that is spelled differently (`true` and `yes`).
  return exact != nullptr || spelled == nullptr ? named : spelled;
}

// Returns the mappings that a `<<` merges, the strongest first.
std::vector<const TextNode*> MergedMappings(const TextEntry* merge) {
  const TextNode* value = Followed(merge->value);
  if (value->kind == TextNode::Kind::kMapping) return {value};
  std::vector<const TextNode*> out;
  value->items->list.ForEach([&](const TextEntry* item) {
    if (!item->removed) out.push_back(Followed(item->value));
  });
  return out;
}

// Returns the `<<` entries of a mapping, the strongest (last) first.
std::vector<const TextEntry*> Merges(const TextNode* mapping) {
  std::vector<const TextEntry*> out;
  if (!mapping->merges) return out;
  mapping->items->list.ForEach([&](const TextEntry* entry) {
    if (entry->is_merge && !entry->removed) out.push_back(entry);
  });
  std::reverse(out.begin(), out.end());
  return out;
}

class MemberCollector {
 public:
  std::vector<const TextEntry*> Collect(const TextNode* mapping) && {
    AddAll(mapping);
    return std::move(members_);
  }

 private:
  struct Found {
    size_t place;
    bool is_explicit;
  };

  void AddAll(const TextNode* mapping) {
    mapping->items->list.ForEach([&](const TextEntry* entry) {
      if (entry->removed) return;
      if (!entry->is_merge) return Add(entry, true);
      const std::vector<const TextNode*> merged = MergedMappings(entry);
      for (auto at = merged.rbegin(); at != merged.rend(); ++at) {
        for (const TextEntry* member : MemberCollector().Collect(*at)) Add(member, false);
      }
    });
  }

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

void EntryList::Append(TextEntry* entry) {
  if (blocks_.empty() || blocks_.back().entries.size() >= kBlock) blocks_.emplace_back();
  blocks_.back().entries.push_back(entry);
  ++blocks_.back().live;
  ++size_;
}

EntryList::Position EntryList::PositionOf(size_t index) const {
  size_t block = 0;
  while (index >= blocks_[block].live) index -= blocks_[block++].live;
  const std::vector<TextEntry*>& entries = blocks_[block].entries;
  size_t offset = 0;
  for (;; ++offset) {
    if (entries[offset]->removed) continue;
    if (index-- == 0) return {block, offset};
  }
}

TextEntry* EntryList::At(size_t index) const {
  const Position at = PositionOf(index);
  return blocks_[at.block].entries[at.offset];
}

void EntryList::Insert(size_t index, TextEntry* entry) {
  if (index == size_) return Append(entry);
  const Position at = PositionOf(index);
  Block& block = blocks_[at.block];
  block.entries.insert(block.entries.begin() + static_cast<std::ptrdiff_t>(at.offset), entry);
  ++block.live;
  ++size_;
  if (block.entries.size() > 2 * kBlock) Split(at.block);
}

TextEntry* EntryList::RemoveAt(size_t index) {
  const Position at = PositionOf(index);
  TextEntry* entry = blocks_[at.block].entries[at.offset];
  entry->removed = true;
  --blocks_[at.block].live;
  --size_;
  return entry;
}

void EntryList::RemoveMember(TextEntry* entry) {
  entry->removed = true;
  --size_;
}

void EntryList::Split(size_t block) {
  Block second;
  std::vector<TextEntry*>& first = blocks_[block].entries;
  second.entries.assign(first.begin() + kBlock, first.end());
  first.resize(kBlock);
  const auto is_live = [](const TextEntry* entry) { return !entry->removed; };
  second.live = static_cast<size_t>(std::count_if(second.entries.begin(), second.entries.end(), is_live));
  blocks_[block].live -= second.live;
  blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(block) + 1, std::move(second));
}

TextNode* NewNode(TextTree& tree, TextNode::Kind kind) {
  TextNode& node = tree.nodes.emplace_back();
  node.kind = kind;
  if (node.is_collection()) node.items = std::make_unique<TextItems>();
  return &node;
}

TextEntry* NewEntry(TextTree& tree, TextNode* parent) {
  TextEntry& entry = tree.entries.emplace_back();
  entry.parent = parent;
  return &entry;
}

const TextNode* Followed(const TextNode* node) {
  while (node->kind == TextNode::Kind::kAlias) node = node->target;
  return node;
}

TextNode* Followed(TextNode* node) {
  while (node->kind == TextNode::Kind::kAlias) node = node->target;
  return node;
}

TextEntry* FindMember(const TextNode* mapping, std::string_view key) {
  TextItems& items = *mapping->items;
  if (!items.index && items.list.size() < kIndexedFrom) return FindAmongFew(items, key);
  const NameIndex& index = IndexOf(items);
  const auto spelled = index.by_spelling.find(key);
  if (spelled != index.by_spelling.end() && !IsExact(spelled->second)) return spelled->second;
  const auto at = index.by_name.find(key);
  return at == index.by_name.end() ? nullptr : at->second;
}

const TextEntry* FindMerged(const TextNode* mapping, std::string_view key) {
  const TextEntry* spelled = nullptr;
  for (const TextEntry* merge : Merges(mapping)) {
    for (const TextNode* merged : MergedMappings(merge)) {
      const TextEntry* found = FindEffective(merged, key);
      if (found != nullptr && found->name == key) return found;
      if (spelled == nullptr) spelled = found;
    }
  }
  return spelled;
}

const TextEntry* FindEffective(const TextNode* mapping, std::string_view key) {
  const TextEntry* own = FindMember(mapping, key);
  if (own != nullptr && own->name == key) return own;
  const TextEntry* merged = FindMerged(mapping, key);
  return own == nullptr || (merged != nullptr && merged->name == key) ? merged : own;
}

std::vector<const TextEntry*> EffectiveMembers(const TextNode* mapping) { return MemberCollector().Collect(mapping); }

Value ValueOf(const TextNode* node, Arena& arena) {
  node = Followed(node);
  if (node->kind == TextNode::Kind::kScalar) return node->value;
  if (node->kind == TextNode::Kind::kSequence) {
    std::vector<Value> items;
    node->items->list.ForEach([&](const TextEntry* entry) {
      if (!entry->removed) items.push_back(ValueOf(entry->value, arena));
    });
    return arena.Array(items);
  }
  std::vector<Member> members;
  for (const TextEntry* entry : EffectiveMembers(node)) members.push_back({entry->name, ValueOf(entry->value, arena)});
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

}  // namespace smp
