#include "base/spelling.h"

#include <gtest/gtest.h>

namespace smp {
namespace {

using Words = std::vector<std::string>;

TEST(Spelling, SuggestsAsCobra) {
  const Words known = {"apply", "explain-diff", "merge", "help"};
  EXPECT_EQ(SpelledLike("aply", known), Words{"apply"});
  EXPECT_EQ(SpelledLike("APPLYY", known), Words{"apply"});
  EXPECT_EQ(SpelledLike("exp", known), (Words{"explain-diff", "help"}));
  EXPECT_EQ(SpelledLike("hlep", known), Words{"help"});
  EXPECT_EQ(SpelledLike("delete", known), Words{});
  EXPECT_EQ(SpelledLike("", known), Words{});
}

}  // namespace
}  // namespace smp
