#include "smp/order.h"

#include <algorithm>

namespace smp {

namespace {

using Iterator = std::vector<size_t>::iterator;

// For items without a live position (possible only with an empty $setElementOrder), the server's comparator says "less"
// both ways. Insertion sort gives the server's result for lists of up to 20 items, so it is used for such lists.
void SortByAnchor(Iterator begin, Iterator end, const std::vector<Placed>& items) {
  const auto placed = [&](size_t i) { return items[i].anchor != kNoPlace; };
  const auto less = [&](size_t a, size_t b) { return !placed(a) || !placed(b) || items[a].anchor < items[b].anchor; };
  if (std::all_of(begin, end, placed)) {
    std::stable_sort(begin, end, [&](size_t a, size_t b) { return items[a].anchor < items[b].anchor; });
    return;
  }
  for (Iterator i = begin; i != end; ++i) {
    for (Iterator j = i; j != begin && less(*j, *(j - 1)); --j) std::swap(*j, *(j - 1));
  }
}

// Moves the items with `last` to the end of the group; returns an iterator to the first of them.
Iterator TakeLast(std::vector<size_t>& group, const std::vector<Placed>& items) {
  return std::stable_partition(group.begin(), group.end(), [&](size_t i) { return !items[i].last; });
}

}  // namespace

std::vector<size_t> MergeOrder(const std::vector<Placed>& items) {
  std::vector<size_t> mine, others;
  for (size_t i = 0; i < items.size(); ++i) (items[i].rank == kNoPlace ? others : mine).push_back(i);
  std::stable_sort(mine.begin(), TakeLast(mine, items),
                   [&](size_t a, size_t b) { return items[a].rank < items[b].rank; });
  SortByAnchor(others.begin(), TakeLast(others, items), items);

  std::vector<size_t> out;
  out.reserve(items.size());
  auto m = mine.begin();
  auto o = others.begin();
  while (m != mine.end() && o != others.end()) {
    const size_t a = items[*o].anchor, b = items[*m].anchor;
    const bool other_first = a != kNoPlace && b != kNoPlace && a < b;
    out.push_back(other_first ? *o++ : *m++);
  }
  out.insert(out.end(), m, mine.end());
  out.insert(out.end(), o, others.end());
  return out;
}

}  // namespace smp
