// Slots: what happens to each entry of a collection that stays in the text. Before anything is written, Slots adapts
// aliases and merge keys: an alias of a value that changes is replaced by a copy of the old value, and `<<` no longer
// merges members that were removed.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "edit/draft.h"

namespace smp::edit {

// An entry of the text, a new one (`old` is nullptr), or both.
struct Slot {
  const TextEntry* old = nullptr;
  Draft* now = nullptr;  // nullptr: removed, or an entry that has no draft and is kept (`<<`, an overridden duplicate)
  bool removed = false;
  const TextEntry* moved = nullptr;  // of a new entry: where it was in the text

  bool is_new() const { return old == nullptr; }
  // Returns true if nothing in the entry changes.
  bool is_kept() const { return !removed && old != nullptr && (now == nullptr || (IsAsInText(*now) && !now->new_key)); }
  // Returns true if the entry stays but its value is written anew.
  bool is_replaced() const { return old != nullptr && now != nullptr && !IsAsInText(*now) && !IsInPlace(*now); }
};

class Slots {
 public:
  explicit Slots(DraftDocument& document);

  // Returns the slots in text order, with new entries at the position where they are written; at the same position,
  // removed entries come before new ones. REQUIRES: IsInPlace(collection).
  std::vector<Slot> Of(Draft& collection);

 private:
  void FilterMerges(Draft& draft);
  void FilterMerge(const TextEntry* merge, Draft& map);
  void RemoveUnwanted(Draft& draft, Draft& map);
  void WriteOutAliases();
  bool ChangesIn(const TextNode* anchored);
  void WriteOut(const TextNode* alias);
  Draft& HiddenAt(const TextEntry* entry);
  Draft* DraftAt(const TextEntry* entry);
  Draft* ItemAt(Draft& list, const TextEntry* entry);
  Slot MemberSlot(Draft& map, const TextEntry* entry);
  std::vector<Slot> OfMap(Draft& map);
  std::vector<Slot> OfList(Draft& list);

  DraftDocument& document_;
  // Entries without a value in the edited document: `<<`, and duplicate keys that a later one overrides (they stay in
  // the text as long as the later one does).
  std::unordered_map<const TextEntry*, Draft> hidden_;
  std::unordered_map<const TextEntry*, Draft*> items_;  // of the lists in listed_
  std::unordered_set<const Draft*> listed_;
};

}  // namespace smp::edit
