// Finds the entries of a document's text by keys and indexes. A list of many items is walked once, not for each of them.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "edit/text_tree.h"

namespace smp::edit {

class EntryFinder {
 public:
  // An entry and those beside it; nullptr: there is none.
  struct Found {
    const TextEntry* before = nullptr;
    const TextEntry* entry = nullptr;
    const TextEntry* after = nullptr;
  };

  // Returns the member (the last one of that name) or item of a collection that a token of a JSON pointer names; no entry if
  // there is none, or if the node is a scalar. Follows an alias.
  Found Child(const TextNode* node, std::string_view token);

 private:
  const std::vector<const TextEntry*>& EntriesOf(const TextNode* node);

  std::unordered_map<const TextNode*, std::vector<const TextEntry*>> entries_;
};

}  // namespace smp::edit
