#include "smp/order.h"

#include <gtest/gtest.h>

#include <string>

namespace smp {
namespace {

// Items are letters; `order` and `live` give ranks and anchors.
std::string Woven(const std::string& items, const std::string& order, const std::string& live) {
  std::vector<Placed> placed;
  for (const char c : items) {
    const size_t rank = order.find(c), anchor = live.find(c);
    placed.push_back({rank == std::string::npos ? kNoPlace : rank, anchor == std::string::npos ? kNoPlace : anchor});
  }
  std::string out;
  for (const size_t i : MergeOrder(placed)) out += items[i];
  return out;
}

TEST(MergeOrder, PutsNamedItemsInTheirOrder) { EXPECT_EQ(Woven("abc", "cab", "abc"), "cab"); }

TEST(MergeOrder, PutsOthersBeforeTheFirstNamedItemThatIsBehindThemInLive) {
  EXPECT_EQ(Woven("axbc", "cba", "axbc"), "xcba");
}

TEST(MergeOrder, PutsNewItemsAsEarlyAsPossible) { EXPECT_EQ(Woven("abc", "c", "ab"), "cab"); }

TEST(MergeOrder, KeepsALeadingOtherInFront) { EXPECT_EQ(Woven("xab", "ab", "xab"), "xab"); }

}  // namespace
}  // namespace smp
