#include "smp/align.h"

#include "smp/order.h"

namespace smp {

PositionIndex::PositionIndex(const std::vector<std::string>& identities) {
  positions_.reserve(identities.size());
  for (size_t i = 0; i < identities.size(); ++i) positions_[identities[i]].push_back(i);
  has_duplicates_ = positions_.size() < identities.size();
}

size_t PositionIndex::TakeLast(const std::string& identity) {
  const auto at = positions_.find(identity);
  if (at == positions_.end() || at->second.empty()) return kNoPlace;
  const size_t position = at->second.back();
  at->second.pop_back();
  return position;
}

size_t PositionIndex::Count(const std::string& identity) const {
  const auto at = positions_.find(identity);
  return at == positions_.end() ? 0 : at->second.size();
}

std::vector<size_t> PairUp(const std::vector<std::string>& wanted, PositionIndex& side) {
  std::vector<size_t> partners(wanted.size(), kNoPlace);
  for (size_t i = wanted.size(); i-- > 0;) partners[i] = side.TakeLast(wanted[i]);
  return partners;
}

}  // namespace smp
