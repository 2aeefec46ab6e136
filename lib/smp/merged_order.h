// The order of two lists that a server-side apply merges. Source: structured-merge-diff, typed/merge.go, visitListItems.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "smp/align.h"
#include "value/value.h"

namespace smp {

// An item of the merged list: its positions in live and in the manifest; kNoPlace: it is not there.
struct MergedItem {
  size_t live, wanted;
};

// Returns the merged items: those of the manifest keep its order, the others stay where they are between the shared ones. Linear.
std::vector<MergedItem> MergedOrder(const Identities& live, const Identities& wanted);

// The items that live has several times. The manifest's item takes the place of all, and is merged with none.
class Copies {
 public:
  Copies() = default;
  explicit Copies(const Identities& live);

  // Returns the positions of the copies of which the item at the position is one; nullptr if it is the only one.
  const std::vector<size_t>* At(size_t position) const;

 private:
  std::map<size_t, std::vector<size_t>> by_first_;
  std::map<size_t, size_t> firsts_;  // by position
};

// Returns the items of live alone.
std::vector<MergedItem> ItemsOfLive(const Value& live);

// Returns true if the merge moves items of live.
bool IsOutOfOrder(const std::vector<MergedItem>& pairs);

}  // namespace smp
