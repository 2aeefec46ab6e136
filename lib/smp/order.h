// The order of a merged list after a patch: items that the patch (or $setElementOrder) names have that order, the
// others keep their place relative to their neighbours. Source: $setElementOrder in the strategic merge patch proposal;
// the rule as the server executes it is in the comment of MergeOrder.
#pragma once

#include <cstddef>
#include <vector>

namespace smp {

inline constexpr size_t kNoPlace = static_cast<size_t>(-1);

struct Placed {
  size_t rank = kNoPlace;    // place in the order list; kNoPlace: not named there
  size_t anchor = kNoPlace;  // place in the live list; kNoPlace: not there
  bool last = false;         // a deletion, when two patches are composed: after its group, unsorted
};

// The new order, as indices into `items`. Those with a rank are sorted by it, the others by their anchor; then both are
// merged: one of the others goes before the next ranked item only when both have an anchor and its own is smaller.
// Hence new items come as early as possible, and an other stays behind its neighbour only if that neighbour is live
// too. O(n log n).
std::vector<size_t> MergeOrder(const std::vector<Placed>& items);

}  // namespace smp
