#include "edit/entry_finder.h"

#include "value/json_pointer.h"

namespace smp::edit {

EntryFinder::Found EntryFinder::Child(const TextNode* node, std::string_view token) {
  node = Followed(node);
  const std::vector<const TextEntry*>& entries = EntriesOf(node);
  size_t at = entries.size();
  if (node->kind == TextNode::Kind::kSequence) {
    at = ParseListIndex(token).value_or(at);
  } else {
    for (size_t i = 0; i < entries.size(); ++i) {
      if (entries[i]->name == token) at = i;
    }
  }
  if (at >= entries.size()) return {};
  return {at == 0 ? nullptr : entries[at - 1], entries[at], at + 1 == entries.size() ? nullptr : entries[at + 1]};
}

const std::vector<const TextEntry*>& EntryFinder::EntriesOf(const TextNode* node) {
  const auto [at, is_new] = entries_.try_emplace(node);
  if (is_new) ForEachEntry(node, [&](const TextEntry* entry) { at->second.push_back(entry); });
  return at->second;
}

}  // namespace smp::edit
