// The order of a merged list after a patch: items named in the patch (or in $setElementOrder) take that order, all
// other items keep their place relative to their neighbours. Source: $setElementOrder in the strategic merge patch
// proposal; MergeOrder states the rule as the server implements it.
#pragma once

#include <cstddef>
#include <vector>

namespace smp {

inline constexpr size_t kNoPlace = static_cast<size_t>(-1);

struct Placed {
  size_t rank = kNoPlace;    // position in the order list; kNoPlace: not in it
  size_t anchor = kNoPlace;  // position in the live list; kNoPlace: not in it
  bool last = false;         // a deletion, if two patches are composed: goes to the end of its group, unsorted
};

// Returns the new order, as indices into `items`. Sorts ranked items by rank and the rest by anchor, then merges both
// groups: an unranked item goes before the next ranked one only if both have an anchor and its own is smaller. Hence
// new items come as early as possible, and an unranked item stays after its neighbour only if that one is in live, too.
// O(n log n).
std::vector<size_t> MergeOrder(const std::vector<Placed>& items);

}  // namespace smp
