#include "explain/changed_words.h"

#include <gtest/gtest.h>

#include <random>

#include "value/columns.h"

namespace smp::explain {
namespace {

std::string Print(std::string_view before, std::string_view after) {
  std::string out;
  const ChangedWords words = DiffWords(before, after);
  EXPECT_EQ(words.before.size(), words.after.size());
  for (size_t i = 0; i < words.before.size(); ++i) {
    const Span &old = words.before[i], &now = words.after[i];
    out += "[" + std::string(before.substr(old.begin, old.end - old.begin)) + "→" +
           std::string(after.substr(now.begin, now.end - now.begin)) + "]";
  }
  return out;
}

TEST(DiffWords, FindsWholeWords) {
  EXPECT_EQ(Print("", ""), "");
  EXPECT_EQ(Print("one two three", "one two three"), "");
  EXPECT_EQ(Print("one two three", "one too three"), "[two→too]");
  EXPECT_EQ(Print("one two three four five", "one three four six"), "[two →][five→six]");
  EXPECT_EQ(Print("image: web:1.4.0", "image: web:1.5.1"), "[4.0→5.1]") << "changes that are near are one";
  EXPECT_EQ(Print("", "new"), "[→new]");
  EXPECT_EQ(Print("gr\u00FCn und blau", "gr\u00F6n und blau"), "[gr\u00FCn→gr\u00F6n]");
}

TEST(CutAroundChanges, ShowsEachChange) {
  const std::string gap(200, 'x'), before = "a " + gap + " old " + gap + " z",
                                   after = "b " + gap + " new " + gap + " z";
  EXPECT_EQ(CutAroundChanges(before, after, 40).text, "a xxxxxxxxxx…xxxxxxxxxx old xxxxxxxxxx…");
  EXPECT_EQ(CutAroundChanges(after, before, 40).text, "b xxxxxxxxxx…xxxxxxxxxx new xxxxxxxxxx…");
  EXPECT_EQ(CutAroundChanges("short", after, 40).text, "short");
  EXPECT_EQ(CutAroundChanges(before, "", 10).text, CutMiddle(before, 10)) << "a line without a partner";
}

// Else the item that is left out of one of them looks like the one that changes.
TEST(CutAroundChanges, BothLinesBeginAtTheSamePlace) {
  const std::string items = R"([")" + std::string(60, 'x') + R"(", "docker", "tunl", "flannel", "cni")",
                    before = items + "]", after = items + R"(, "lxc"])";
  EXPECT_EQ(CutAroundChanges(before, after, 40).text, R"(…cker", "tunl", "flannel", "cni"])");
  EXPECT_EQ(CutAroundChanges(after, before, 40).text, R"(…cker", "tunl", "flannel", "cni", "lxc"])");
}

TEST(CutAroundChanges, CountsChangesWithoutRoom) {
  std::string before, after;
  for (int i = 0; i < 20; ++i) {
    before += "old" + std::to_string(i) + std::string(50, ' ');
    after += "new" + std::to_string(i) + std::string(50, ' ');
  }
  const CutLine cut = CutAroundChanges(before, after, 40);
  EXPECT_EQ(cut.text, "old0     …     old1     …     old2     …");
  EXPECT_EQ(cut.hidden, 17u);
}

// In the space of all lines: it fits, and what is not changed is from the line.
TEST(CutAroundChanges, FitsWhateverTheLinesAre) {
  std::mt19937 random(1);
  const std::string_view units[] = {"a", "bc", " ", "  ", "\u00E9", "\u4E2D", "-", "\U0001F600"};
  const auto line = [&](size_t size) {
    std::string out;
    for (size_t i = 0; i < size; ++i) out += units[random() % std::size(units)];
    return out;
  };
  for (int round = 0; round < 2000; ++round) {
    const std::string before = line(random() % 200);
    std::string after = before;
    for (int i = 0; i < 3; ++i) after.insert(after.empty() ? 0 : (random() % after.size()), "x");
    if (round % 5 == 0) after = line(random() % 200);
    const size_t most = 10 + random() % 60;
    for (const auto& [a, b] : {std::pair(before, after), std::pair(after, before)}) {
      ASSERT_LE(Columns(CutAroundChanges(a, b, most).text), most) << a << "\n" << b;
    }
  }
}

// Lines of 1 MiB: quadratic time would exceed the time limit of unit tests.
TEST(CutAroundChanges, IsNotSlowForHostileLines) {
  std::mt19937 random(1);
  std::string before, after;
  for (int i = 0; i < 1 << 20; ++i) {
    before += "ab "[random() % 3];
    after += "ab "[random() % 3];
  }
  std::string other = before;
  for (size_t i = 0; i < other.size(); i += 100) other[i] = 'c';
  for (const std::string& line : {after, other, before + "x", "x" + before}) {
    EXPECT_LE(Columns(CutAroundChanges(before, line, 70).text), 70u);
  }
}

}  // namespace
}  // namespace smp::explain
