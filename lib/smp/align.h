// Alignment: which items of two lists belong together.
#ifndef SMP_SMP_ALIGN_H_
#define SMP_SMP_ALIGN_H_

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace smp {

// Positions of each identity in one list, in order.
class PositionIndex {
 public:
  explicit PositionIndex(const std::vector<std::string>& identities);

  // The last position of `identity` that was not taken yet, or kNoPlace; takes it.
  size_t TakeLast(const std::string& identity);
  size_t Count(const std::string& identity) const;  // not taken yet
  bool has_duplicates() const { return has_duplicates_; }

 private:
  std::unordered_map<std::string, std::vector<size_t>> positions_;
  bool has_duplicates_ = false;
};

// For each item of `wanted` its partner in `side` (kNoPlace: none). Of equal identities the last pairs with the last, as the reference
// does it; each item has one partner at most.
std::vector<size_t> PairUp(const std::vector<std::string>& wanted, PositionIndex& side);

}  // namespace smp

#endif  // SMP_SMP_ALIGN_H_
