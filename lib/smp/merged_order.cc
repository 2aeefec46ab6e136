#include "smp/merged_order.h"

namespace smp {

std::vector<MergedItem> MergedOrder(const Identities& live, const Identities& wanted) {
  const PositionIndex in_live(live), in_wanted(wanted);
  std::vector<size_t> shared;  // items of the manifest that live has
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (in_live.Contains(wanted, i)) shared.push_back(i);
  }
  size_t next = 0;  // in `shared`
  const auto next_is = [&](size_t l) { return next < shared.size() && wanted.Same(shared[next], live, l); };
  std::vector<bool> merged(wanted.size());
  std::vector<MergedItem> out;
  for (size_t l = 0, w = 0; l < live.size() || w < wanted.size();) {
    const size_t partner = l < live.size() ? in_wanted.First(live, l) : kNoPlace;
    if (l < live.size() && w < wanted.size()) {
      if (live.Same(l, wanted, w)) {
        merged[w] = true;
        out.push_back({l++, w++});
        ++next;
        continue;
      }
      if (partner != kNoPlace && next < shared.size() && !next_is(l)) {
        ++l;
        continue;
      }
    }
    if (l < live.size()) {
      if (partner == kNoPlace) {
        out.push_back({l++, kNoPlace});
        continue;
      }
      if (merged[partner]) ++l;
    }
    if (w < wanted.size()) {
      merged[w] = true;
      out.push_back({in_live.First(wanted, w), w});
      if (next < shared.size() && shared[next] == w) ++next;
      ++w;
    }
  }
  return out;
}

Copies::Copies(const Identities& live) {
  const PositionIndex index(live);
  if (!index.has_duplicates()) return;
  for (size_t l = 0; l < live.size(); ++l) {
    const size_t first = index.First(live, l);
    if (first == kNoPlace) continue;
    by_first_[first].push_back(l);
    firsts_.emplace(l, first);
  }
}

const std::vector<size_t>* Copies::At(size_t position) const {
  const auto first = firsts_.find(position);
  if (first == firsts_.end()) return nullptr;
  const std::vector<size_t>& copies = by_first_.at(first->second);
  return copies.size() > 1 ? &copies : nullptr;
}

std::vector<MergedItem> ItemsOfLive(const Value& live) {
  std::vector<MergedItem> out;
  for (size_t i = 0; i < live.size(); ++i) out.push_back({i, kNoPlace});
  return out;
}

bool IsOutOfOrder(const std::vector<MergedItem>& pairs) {
  std::vector<size_t> positions;
  for (const MergedItem& pair : pairs) positions.push_back(pair.live);
  return OutOfOrder(positions);
}

}  // namespace smp
