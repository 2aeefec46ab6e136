#include "base/line_diff.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace smp {
namespace {

using Lines = std::vector<std::string_view>;

std::string Print(const Lines& before, const Lines& after) {
  std::string out;
  for (const LineEdit& edit : DiffLines(before, after)) {
    switch (edit.kind) {
      case LineEdit::Kind::kKeep: out += " " + std::string(before[edit.before]); break;
      case LineEdit::Kind::kRemove: out += "-" + std::string(before[edit.before]); break;
      case LineEdit::Kind::kAdd: out += "+" + std::string(after[edit.after]); break;
    }
  }
  return out;
}

TEST(DiffLines, KeepsWhatIsEqual) {
  EXPECT_EQ(Print({}, {}), "");
  EXPECT_EQ(Print({"a", "b"}, {"a", "b"}), " a b");
  EXPECT_EQ(Print({"a", "b", "c"}, {"a", "x", "c"}), " a-b+x c");
  EXPECT_EQ(Print({"a", "b", "c"}, {"b", "c", "d"}), "-a b c+d");
  EXPECT_EQ(Print({}, {"a"}), "+a");
  EXPECT_EQ(Print({"a"}, {}), "-a");
}

TEST(DiffLines, PutsRemovalsBeforeAdditions) { EXPECT_EQ(Print({"a", "b"}, {"x", "y"}), "-a-b+x+y"); }

// "}" is not unique, so only Myers' algorithm can keep it.
TEST(DiffLines, KeepsLinesThatRepeat) {
  EXPECT_EQ(Print({"{", "}", "{", "}"}, {"{", "}", "{", "x", "}"}), " { } {+x }");
}

TEST(DiffLines, OfAMovedLineIsShort) { EXPECT_EQ(Print({"a", "b", "c"}, {"c", "a", "b"}), "+c a b-c"); }

std::vector<uint32_t> Random(std::mt19937& random, size_t size, uint32_t kinds) {
  std::vector<uint32_t> out(size);
  for (uint32_t& line : out) line = static_cast<uint32_t>(random() % kinds);
  return out;
}

// The law of every diff: keeps and removals are `before`, keeps and additions are `after`.
TEST(DiffLines, LeadsFromOneTextToTheOther) {
  std::mt19937 random(1);
  for (int round = 0; round < 5000; ++round) {
    const uint32_t kinds = 1 + static_cast<uint32_t>(random() % 12);
    const auto before = Random(random, random() % 20, kinds), after = Random(random, random() % 20, kinds);
    std::vector<uint32_t> from, to;
    for (const LineEdit& edit : DiffLines(before, after)) {
      if (edit.kind == LineEdit::Kind::kKeep) {
        ASSERT_EQ(before[edit.before], after[edit.after]);
      }
      if (edit.kind != LineEdit::Kind::kAdd) from.push_back(before[edit.before]);
      if (edit.kind != LineEdit::Kind::kRemove) to.push_back(after[edit.after]);
    }
    ASSERT_EQ(from, before);
    ASSERT_EQ(to, after);
  }
}

// Lines that repeat, in two texts that have nothing else in common. Quadratic time would exceed the time limit of unit tests.
TEST(DiffLines, IsLinearForTextsThatDiffer) {
  std::mt19937 random(1);
  const auto before = Random(random, 1000000, 50), after = Random(random, 1000000, 50);
  EXPECT_GE(DiffLines(before, after).size(), 1000000u);
}

TEST(LongestIncreasing, LeavesOutAsFewAsPossible) {
  EXPECT_EQ(LongestIncreasing({}), (std::vector<size_t>{}));
  EXPECT_EQ(LongestIncreasing({3, 0, 1, 2}), (std::vector<size_t>{1, 2, 3}));
  EXPECT_EQ(LongestIncreasing({1, 2, 0}), (std::vector<size_t>{0, 1}));
}

}  // namespace
}  // namespace smp
