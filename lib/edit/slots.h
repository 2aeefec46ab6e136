// Slots: what becomes of the entries of a collection that is in place. Before anything is written, aliases and merge
// keys are made fit: an alias of something that changes is written out, so that it keeps its meaning, and `<<` brings in
// no member that was removed.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "edit/draft.h"

namespace smp::edit {

// An entry of the text, a new one (`old` is nullptr), or both.
struct Slot {
  const TextEntry* old = nullptr;
  Draft* now = nullptr;  // nullptr: removed, or an entry that the meaning does not depend on
  bool removed = false;

  bool is_new() const { return old == nullptr; }
  // Returns true if nothing in the entry changes.
  bool is_kept() const { return !removed && old != nullptr && (now == nullptr || (IsAsInText(*now) && !now->new_key)); }
  // Returns true if the entry stays and its value becomes another text.
  bool is_replaced() const { return old != nullptr && now != nullptr && !IsAsInText(*now) && !IsInPlace(*now); }
};

class Slots {
 public:
  explicit Slots(DraftDocument& document);

  // In the order of the text, new entries where they are to be written; removed ones come before new ones. REQUIRES: the
  // draft is in place.
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
  // What is no value of its own: the values of `<<`, and duplicates that do not count but stay as long as the one that
  // does.
  std::unordered_map<const TextEntry*, Draft> hidden_;
  std::unordered_map<const TextEntry*, Draft*> items_;  // of the lists in listed_
  std::unordered_set<const Draft*> listed_;
};

}  // namespace smp::edit
