#include "edit/draft.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "value/utf8.h"

namespace smp::edit {

namespace {

// Returns a draft without items, of the text's value `origin` or, if that is nullptr, of `value`.
Draft Unopened(const TextNode* origin, const Value& value) {
  Draft draft;
  draft.origin = origin;
  draft.value = value;
  return draft;
}

std::unique_ptr<Draft> DraftOf(const TextEntry* entry) {
  auto child = std::make_unique<Draft>(Unopened(Followed(entry->value), {}));
  if (entry->key == nullptr) return child;
  child->name = entry->name;
  child->key_from = entry;
  return child;
}

// Creates the drafts of the children of `parent.origin`. They get a `place` only if the parent is in place.
void OpenText(const Draft& parent, DraftItems& items) {
  const bool in_place = IsInPlace(parent);
  const auto child_of = [&](const TextEntry* entry) {
    auto child = DraftOf(entry);
    if (in_place) child->place = entry;
    child->merged = in_place && entry->parent != parent.origin;
    return child;
  };
  if (!items.is_map) {
    return ForEachEntry(parent.origin,
                        [&](const TextEntry* entry) { items.list.Insert(items.list.size(), child_of(entry)); });
  }
  for (const TextEntry* entry : EffectiveMembers(parent.origin)) {
    auto child = child_of(entry);
    child->order = items.next_order++;
    items.has_other_spellings |= entry->name != entry->spelling;
    items.members.emplace(entry->name, std::move(child));
  }
}

void OpenValue(const Value& value, DraftItems& items) {
  for (const Value& item : value.is_array() ? value.Items() : std::span<const Value>()) {
    items.list.Insert(items.list.size(), std::make_unique<Draft>(Unopened(nullptr, item)));
  }
  for (const Member& member : value.is_object() ? value.Members() : std::span<const Member>()) {
    auto child = std::make_unique<Draft>(Unopened(nullptr, member.value));
    child->name = member.name;
    child->order = items.next_order++;
    items.members.emplace(member.name, std::move(child));
  }
}

void Include(DraftSize& size, const DraftSize& child) {
  size.nodes += child.nodes;
  size.bytes += child.bytes;
  size.height = std::max(size.height, child.height + 1);
}

size_t BytesOf(const Value& value) { return value.is_string() ? value.size() : 0; }

DraftSize SizeOfValue(const Value& value) {
  DraftSize size = {1, BytesOf(value), value.is_scalar() ? size_t{0} : size_t{1}};
  for (const Value& item : value.is_array() ? value.Items() : std::span<const Value>()) {
    Include(size, SizeOfValue(item));
  }
  for (const Member& member : value.is_object() ? value.Members() : std::span<const Member>()) {
    Include(size, SizeOfValue(member.value));
  }
  return size;
}

DraftSize SizeOfNode(const TextNode* node) {
  node = Followed(node);
  DraftSize size = {1, BytesOf(node->value), node->is_collection() ? size_t{1} : size_t{0}};
  ForEachEntry(node, [&](const TextEntry* entry) { Include(size, SizeOfNode(entry->value)); });
  return size;
}

std::unique_ptr<Draft> CopyOfChild(const Draft& child) {
  auto copy = std::make_unique<Draft>(CopyOf(child));
  copy->name = child.name;
  copy->key_from = child.key_from;
  copy->order = child.order;
  return copy;
}

}  // namespace

DraftList::Position DraftList::PositionOf(size_t index) const {
  size_t block = 0;
  while (index >= blocks_[block].size()) index -= blocks_[block++].size();
  return {block, index};
}

Draft* DraftList::At(size_t index) const {
  const Position at = PositionOf(index);
  return blocks_[at.block][at.offset].get();
}

void DraftList::Insert(size_t index, std::unique_ptr<Draft> item) {
  const bool at_end = index == size_++;
  if (at_end && (blocks_.empty() || blocks_.back().size() >= kBlock)) blocks_.emplace_back();
  const Position at = at_end ? Position{blocks_.size() - 1, blocks_.back().size()} : PositionOf(index);
  Block& block = blocks_[at.block];
  block.insert(block.begin() + static_cast<std::ptrdiff_t>(at.offset), std::move(item));
  if (block.size() <= 2 * kBlock) return;
  const auto half = block.begin() + kBlock;
  Block second(std::make_move_iterator(half), std::make_move_iterator(block.end()));
  block.resize(kBlock);
  blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(at.block) + 1, std::move(second));
}

std::unique_ptr<Draft> DraftList::Take(size_t index) {
  const Position at = PositionOf(index);
  Block& block = blocks_[at.block];
  const auto item = block.begin() + static_cast<std::ptrdiff_t>(at.offset);
  std::unique_ptr<Draft> taken = std::move(*item);
  block.erase(item);
  --size_;
  return taken;
}

std::vector<std::unique_ptr<Draft>> DraftList::TakeAll() {
  std::vector<std::unique_ptr<Draft>> out;
  for (Block& block : blocks_) std::move(block.begin(), block.end(), std::back_inserter(out));
  blocks_.clear();
  size_ = 0;
  return out;
}

DraftDocument::DraftDocument(std::unique_ptr<TextTree> read)
    : tree(std::move(read)), nodes(tree->expanded_nodes), bytes(tree->expanded_bytes) {
  root.place = &tree->document;
  root.origin = tree->root();
}

bool IsMap(const Draft& draft) {
  if (draft.items) return draft.items->is_map;
  return draft.origin != nullptr ? draft.origin->kind == TextNode::Kind::kMapping : draft.value.is_object();
}

bool IsList(const Draft& draft) {
  if (draft.items) return !draft.items->is_map;
  return draft.origin != nullptr ? draft.origin->kind == TextNode::Kind::kSequence : draft.value.is_array();
}

bool IsInPlace(const Draft& draft) {
  return draft.place != nullptr && !draft.merged && draft.place->value == draft.origin;
}

bool IsAsInText(const Draft& draft) {
  return draft.place != nullptr && Followed(draft.place->value) == draft.origin && !draft.changed && !draft.written_out;
}

DraftItems& Opened(Draft& draft) {
  if (draft.items) return *draft.items;
  auto items = std::make_unique<DraftItems>();
  items->is_map = IsMap(draft);
  if (draft.origin != nullptr) {
    OpenText(draft, *items);
  } else {
    OpenValue(draft.value, *items);
  }
  draft.items = std::move(items);
  return *draft.items;
}

bool IsEmpty(Draft& draft) {
  const DraftItems& items = Opened(draft);
  return items.members.empty() && items.list.size() == 0;
}

std::vector<Draft*> ChildrenOf(Draft& draft) {
  const DraftItems& items = Opened(draft);
  std::vector<Draft*> children;
  children.reserve(items.members.size() + items.list.size());
  for (const auto& [name, member] : items.members) children.push_back(member.get());
  std::sort(children.begin(), children.end(), [](const Draft* a, const Draft* b) { return a->order < b->order; });
  items.list.ForEach([&](Draft* item) { children.push_back(item); });
  return children;
}

Draft* FindMember(Draft& map, std::string_view key) {
  const DraftItems& items = Opened(map);
  const auto named = items.members.find(key);
  if (named != items.members.end()) return named->second.get();
  if (!items.has_other_spellings) return nullptr;
  for (const auto& [name, member] : items.members) {
    if (member->key_from != nullptr && member->key_from->spelling == key) return member.get();
  }
  return nullptr;
}

std::string_view ValidCopy(std::string_view text, Arena& arena) {
  return IsValidUtf8(text) ? arena.Copy(text) : arena.Copy(ReplaceInvalidUtf8(text));
}

// The recursion is bounded by the depth limit of values.
Value DeepCopy(const Value& value, Arena& arena) {
  if (value.is_string()) return Value::UnownedString(ValidCopy(value.AsString(), arena));
  if (value.is_array()) {
    std::vector<Value> items;
    for (const Value& item : value.Items()) items.push_back(DeepCopy(item, arena));
    return arena.Array(items);
  }
  if (!value.is_object()) return value;
  std::vector<Member> members;
  for (const Member& member : value.Members()) {
    members.push_back({ValidCopy(member.name, arena), DeepCopy(member.value, arena)});
  }
  return arena.Object(std::move(members));
}

const Value& ScalarOf(const Draft& draft) { return draft.origin != nullptr ? draft.origin->value : draft.value; }

Value ValueOf(const Draft& draft, Arena& arena) {
  if (!draft.items) return draft.origin != nullptr ? ValueOf(draft.origin, arena) : draft.value;
  std::vector<Value> items;
  draft.items->list.ForEach([&](const Draft* item) { items.push_back(ValueOf(*item, arena)); });
  if (!draft.items->is_map) return arena.Array(items);
  std::vector<Member> members;
  for (const auto& [name, member] : draft.items->members) members.push_back({name, ValueOf(*member, arena)});
  return arena.Object(std::move(members));
}

Draft CopyOf(const Draft& draft) {
  Draft copy = Unopened(draft.origin, draft.value);
  if (!draft.changed) return copy;
  copy.changed = true;
  copy.items = std::make_unique<DraftItems>();
  DraftItems& items = *copy.items;
  items.is_map = draft.items->is_map;
  items.next_order = draft.items->next_order;
  items.has_other_spellings = draft.items->has_other_spellings;
  draft.items->list.ForEach([&](const Draft* item) { items.list.Insert(items.list.size(), CopyOfChild(*item)); });
  for (const auto& [name, member] : draft.items->members) items.members.emplace(name, CopyOfChild(*member));
  return copy;
}

DraftSize SizeOf(const Draft& draft) {
  if (!draft.items) return draft.origin != nullptr ? SizeOfNode(draft.origin) : SizeOfValue(draft.value);
  DraftSize size = {1, 0, 1};
  draft.items->list.ForEach([&](const Draft* item) { Include(size, SizeOf(*item)); });
  for (const auto& [name, member] : draft.items->members) Include(size, SizeOf(*member));
  return size;
}

}  // namespace smp::edit
