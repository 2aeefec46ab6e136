#include "pull/written_value.h"

#include <span>
#include <vector>

namespace smp::pull {

// The recursion is bounded by the parser's kMaxDepth.
Value WrittenValue(const Value& live, const Value* manifest, const Place& place, Arena& arena) {
  if (manifest != nullptr && SameMeaning(live, *manifest, place)) return *manifest;
  if (live.is_array()) {
    std::vector<Value> items;
    const bool is_list = manifest != nullptr && manifest->is_array();
    const auto beside = is_list ? manifest->Items() : std::span<const Value>();
    const Place item_place = PlaceOfItem(place);
    for (size_t i = 0; i < live.size(); ++i) {
      items.push_back(WrittenValue(live.Items()[i], i < beside.size() ? &beside[i] : nullptr, item_place, arena));
    }
    return arena.Array(items);
  }
  if (!live.is_object()) return live;
  std::vector<Member> members;
  for (const Member& m : live.Members()) {
    const Value* beside = manifest != nullptr ? manifest->Find(m.name) : nullptr;
    const Place below = PlaceOfMember(place, m.name);
    if (beside == nullptr && CountsAsAbsent(m.value, below)) continue;
    members.push_back({m.name, WrittenValue(m.value, beside, below, arena)});
  }
  return arena.SortedObject(members);
}

}  // namespace smp::pull
