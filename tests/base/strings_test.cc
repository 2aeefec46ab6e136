#include "base/strings.h"

#include <gtest/gtest.h>

namespace smp {
namespace {

TEST(StrCat, TakesStringsCharactersAndIntegers) {
  EXPECT_EQ(StrCat("a", std::string("b"), 'c', -1, size_t{2}, std::string_view("d")), "abc-12d");
  EXPECT_EQ(StrCat(), "");
}

TEST(Join, PutsTheSeparatorBetween) {
  EXPECT_EQ(Join(std::vector<std::string>{"a", "b"}, ", "), "a, b");
  EXPECT_EQ(Join(std::vector<std::string>{}, ", "), "");
  EXPECT_EQ(Join(std::vector<std::string>{"", ""}, ","), ",");
}

TEST(Split, KeepsEmptyPieces) {
  using Pieces = std::vector<std::string_view>;
  EXPECT_EQ(Split("a,,b", ','), (Pieces{"a", "", "b"}));
  EXPECT_EQ(Split("", ','), Pieces{""});
  EXPECT_EQ(Split(",", ','), (Pieces{"", ""}));
}

TEST(Trim, TakesWhiteSpaceOffBothEnds) {
  EXPECT_EQ(Trim(" \t\r\na b\n"), "a b");
  EXPECT_EQ(Trim(" \n"), "");
  EXPECT_EQ(Trim(""), "");
}

TEST(ToLower, ChangesAsciiOnly) { EXPECT_EQ(ToLower("AbZ9-\xC3\x84"), "abz9-\xC3\x84"); }

TEST(Texts, AreSelectedInTheirOrder) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(TextsIn({"a", "b"}, {"c", "b", "a", "b"}), (Texts{"b", "a", "b"}));
  EXPECT_EQ(TextsNotIn({"a", "b"}, {"d", "b", "c"}), (Texts{"d", "c"}));
  EXPECT_EQ(TextsNotIn({}, {"a"}), Texts{"a"});
}

}  // namespace
}  // namespace smp
