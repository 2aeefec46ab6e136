#include "value/columns.h"

#include <gtest/gtest.h>

namespace smp {
namespace {

TEST(Columns, CountsCharacters) {
  EXPECT_EQ(Columns(""), 0u);
  EXPECT_EQ(Columns("aé…"), 3u);
  EXPECT_EQ(Columns("a\xff"), 2u) << "an invalid byte is a character";
}

TEST(Columns, AreThoseOfATerminal) {
  EXPECT_EQ(Columns("日本語"), 6u);
  EXPECT_EQ(Columns("한국"), 4u);
  EXPECT_EQ(Columns("\u1112\u1161\u11ab"), 2u) << "the letters of one syllable";
  EXPECT_EQ(Columns("🚀"), 2u);
  EXPECT_EQ(Columns("e\u0301"), 1u) << "a combining accent";
  EXPECT_EQ(Columns("a\u200db"), 2u) << "a joiner";
  EXPECT_EQ(Columns("→…─ü"), 4u);
  EXPECT_EQ(Columns("ｆｕｌｌ ﾊﾝ"), 11u) << "full and half width";
}

TEST(CutMiddle, CountsWideCharacters) {
  EXPECT_EQ(CutMiddle("日本語日本語", 12), "日本語日本語");
  EXPECT_EQ(CutMiddle("日本語日本語", 9), "日本…本語");
  EXPECT_EQ(CutMiddle("日本語日本語", 8), "日本…語") << "no half of a character";
  EXPECT_EQ(CutAround("日本語日本語日本語", 9, 12, 8), "…語日本…");
}

TEST(CutMiddle, KeepsBothEnds) {
  EXPECT_EQ(CutMiddle("abcdefgh", 8), "abcdefgh");
  EXPECT_EQ(CutMiddle("abcdefgh", 7), "abc…fgh");
  EXPECT_EQ(CutMiddle("ééééééé", 4), "éé…é");
  EXPECT_EQ(CutMiddle("abcdefgh", 2), "abcdefgh") << "there is no room for anything";
}

TEST(CutAround, ShowsThePart) {
  const std::string text = std::string(100, 'a') + "XY" + std::string(100, 'b');
  EXPECT_EQ(CutAround(text, 100, 102, 10), "…aaaXYbbb…");
  EXPECT_EQ(CutAround(text, 0, 1, 10), "aaaaaaaa…");
  EXPECT_EQ(CutAround(text, 201, 202, 10), "…bbbbbbbb");
  EXPECT_EQ(CutAround("short", 1, 2, 10), "short");
  EXPECT_EQ(CutAround(text, 50, 150, 10), "…aaaaaaaa…") << "a part that does not fit is shown from its beginning";
}

TEST(Wrapped, BreaksAtSpaces) {
  EXPECT_EQ(Wrapped("a bc def", 4), (std::vector<std::string>{"a bc", "def"}));
  EXPECT_EQ(Wrapped("a toolongword b", 4), (std::vector<std::string>{"a", "toolongword", "b"}));
  EXPECT_EQ(Wrapped("- toolongword b", 4), (std::vector<std::string>{"- toolongword", "b"}));
}

}  // namespace
}  // namespace smp
