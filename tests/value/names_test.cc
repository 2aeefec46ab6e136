#include "value/names.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace smp {
namespace {

int Sign(int order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

TEST(Names, OrderByUnsignedBytesAndThenByLength) {
  EXPECT_LT(CompareNames("", "a"), 0);
  EXPECT_LT(CompareNames("ab", "abc"), 0);
  EXPECT_LT(CompareNames("ab", std::string("ab\0", 3)), 0);
  EXPECT_LT(CompareNames("a", "\xff"), 0);
  EXPECT_GT(CompareNames("terminationMessagePolicy", "terminationMessagePath"), 0);
  EXPECT_EQ(CompareNames("containers", "containers"), 0);
}

// Two letters only, so that long common beginnings are frequent.
TEST(Names, AgreeWithTheLibraryOnRandomTexts) {
  std::mt19937 random(20261121);
  const auto text = [&] {
    std::string out(random() % 40, 'a');
    for (char& c : out) c = random() % 8 == 0 ? static_cast<char>(random()) : 'a';
    return out;
  };
  for (int i = 0; i < 200000; ++i) {
    const std::string a = text(), b = random() % 4 == 0 ? a : text();
    ASSERT_EQ(CompareNames(a, b), Sign(a.compare(b))) << testing::PrintToString(a) << testing::PrintToString(b);
    ASSERT_EQ(SameNames(a, b), a == b);
  }
}

}  // namespace
}  // namespace smp
