#include "edit/slots.h"

#include <algorithm>
#include <utility>

#include "base/line_diff.h"

namespace smp::edit {

namespace {

const TextEntry* EntryAbove(const DraftDocument& document, const TextEntry* entry) {
  return entry->parent->entry != nullptr ? entry->parent->entry : &document.tree->document;
}

// Returns the member if it has an entry of the map's own text (not merged by `<<`), else nullptr.
Draft* MemberInText(Draft& map, std::string_view name) {
  const auto at = Opened(map).members.find(name);
  if (at == Opened(map).members.end() || at->second->place == nullptr || at->second->merged) return nullptr;
  return at->second.get();
}

// Returns the items that are no longer in the order of the text: as few as possible.
std::unordered_set<const Draft*> MovedItems(Draft& list) {
  std::unordered_map<const TextEntry*, size_t> numbers;
  ForEachEntry(list.origin, [&](const TextEntry* entry) { numbers.emplace(entry, numbers.size()); });
  std::vector<const Draft*> items;
  std::vector<size_t> order;
  Opened(list).list.ForEach([&](const Draft* item) {
    if (item->place == nullptr) return;
    items.push_back(item);
    order.push_back(numbers.at(item->place));
  });
  if (std::ranges::is_sorted(order)) return {};
  std::unordered_set<const Draft*> out(items.begin(), items.end());
  for (const size_t stays : LongestIncreasing(order)) out.erase(items[stays]);
  return out;
}

}  // namespace

Slots::Slots(DraftDocument& document) : document_(document) {
  FilterMerges(document.root);
  WriteOutAliases();
}

// --- Merge keys

// Filters the merge keys of every changed map. The recursion is bounded by the depth limit of documents.
void Slots::FilterMerges(Draft& draft) {
  if (!draft.changed || !IsInPlace(draft)) return;
  if (draft.origin->merges) {
    ForEachEntry(draft.origin, [&](const TextEntry* entry) {
      if (entry->is_merge) FilterMerge(entry, draft);
    });
  }
  for (Draft* child : ChildrenOf(draft)) FilterMerges(*child);
}

void Slots::FilterMerge(const TextEntry* merge, Draft& map) {
  Draft& value = HiddenAt(merge);
  if (IsMap(value)) return RemoveUnwanted(value, map);
  for (Draft* item : ChildrenOf(value)) {
    RemoveUnwanted(*item, map);
    value.changed |= item->changed;
  }
}

void Slots::RemoveUnwanted(Draft& draft, Draft& map) {
  const auto& wanted = Opened(map).members;
  const size_t removed =
      std::erase_if(Opened(draft).members, [&](const auto& member) { return !wanted.contains(member.first); });
  draft.changed |= removed > 0;
  FilterMerges(draft);
}

Draft& Slots::HiddenAt(const TextEntry* entry) {
  const auto [at, is_new] = hidden_.try_emplace(entry);
  if (is_new) {
    at->second.name = entry->name;
    at->second.key_from = at->second.place = entry;
    at->second.origin = Followed(entry->value);
  }
  return at->second;
}

// --- Aliases

void Slots::WriteOutAliases() {
  std::vector<const TextNode*> changing;
  for (const auto& [anchored, users] : document_.tree->users) {
    if (ChangesIn(anchored)) changing.push_back(anchored);
  }
  for (const TextNode* anchored : changing) {
    for (const TextNode* alias : document_.tree->users.at(anchored)) WriteOut(alias);
  }
}

// Returns true if the anchored node, or something in it, is removed or changed.
bool Slots::ChangesIn(const TextNode* anchored) {
  const TextEntry* entry = anchored->entry != nullptr ? anchored->entry : &document_.tree->document;
  const Draft* parent = entry->parent == nullptr ? nullptr : DraftAt(EntryAbove(document_, entry));
  if (parent != nullptr && IsAsInText(*parent)) return false;
  const Draft* draft = DraftAt(entry);
  if (draft == nullptr) return true;
  return entry->key != anchored && (!IsInPlace(*draft) || draft->changed);
}

// Marks the alias as written out, and all collections around it as changed, so that the writer visits it.
void Slots::WriteOut(const TextNode* alias) {
  Draft* draft = DraftAt(alias->entry);
  if (draft == nullptr) return;
  (alias->entry->key == alias ? draft->new_key : draft->written_out) = true;
  // If a collection is marked as changed already, so are those around it.
  for (const TextEntry* at = alias->entry; at->parent != nullptr;) {
    at = EntryAbove(document_, at);
    if (std::exchange(DraftAt(at)->changed, true)) return;
  }
}

// Returns the draft for an entry of the text; nullptr if the entry was removed. The recursion is bounded by the depth
// limit of documents.
Draft* Slots::DraftAt(const TextEntry* entry) {
  if (entry->parent == nullptr) return &document_.root;
  Draft* parent = DraftAt(EntryAbove(document_, entry));
  if (parent == nullptr || !IsInPlace(*parent)) return nullptr;
  if (IsList(*parent)) return ItemAt(*parent, entry);
  if (entry->is_merge) return &HiddenAt(entry);
  Draft* member = MemberInText(*parent, entry->name);
  return member == nullptr || member->place == entry ? member : &HiddenAt(entry);
}

Draft* Slots::ItemAt(Draft& list, const TextEntry* entry) {
  if (listed_.insert(&list).second) {
    Opened(list).list.ForEach([&](Draft* item) {
      if (item->place != nullptr) items_[item->place] = item;
    });
  }
  const auto at = items_.find(entry);
  return at == items_.end() ? nullptr : at->second;
}

// --- Slots

std::vector<Slot> Slots::Of(Draft& collection) { return IsMap(collection) ? OfMap(collection) : OfList(collection); }

Slot Slots::MemberSlot(Draft& map, const TextEntry* entry) {
  Draft* member = entry->is_merge ? nullptr : MemberInText(map, entry->name);
  if (member == nullptr && !entry->is_merge) return {entry, nullptr, true};
  if (member != nullptr && member->place == entry) return {entry, member};
  const auto hidden = hidden_.find(entry);
  if (hidden == hidden_.end()) return {entry};
  const bool emptied = entry->is_merge && hidden->second.changed && IsEmpty(hidden->second);
  return {entry, emptied ? nullptr : &hidden->second, emptied};
}

std::vector<Slot> Slots::OfMap(Draft& map) {
  std::vector<Slot> slots;
  ForEachEntry(map.origin, [&](const TextEntry* entry) { slots.push_back(MemberSlot(map, entry)); });
  for (Draft* member : ChildrenOf(map)) {
    const bool brought_in = member->merged && IsAsInText(*member);
    if (member->place == nullptr || (member->merged && !brought_in)) slots.push_back({nullptr, member});
  }
  return slots;
}

std::vector<Slot> Slots::OfList(Draft& list) {
  std::vector<Slot> slots;
  std::vector<Slot> added;
  const TextEntry* at = list.origin->first;
  const auto remove_until = [&](const TextEntry* entry) {
    for (; at != entry; at = at->next) slots.push_back({at, nullptr, true});
    slots.insert(slots.end(), added.begin(), added.end());
    added.clear();
  };
  const std::unordered_set<const Draft*> moved = MovedItems(list);
  Opened(list).list.ForEach([&](Draft* item) {
    if (item->place == nullptr) return added.push_back({nullptr, item});
    if (moved.contains(item)) return added.push_back({nullptr, item, false, item->place});
    remove_until(item->place);
    slots.push_back({item->place, item});
    at = at->next;
  });
  remove_until(nullptr);
  return slots;
}

}  // namespace smp::edit
