#include "explain/style.h"

#include <gtest/gtest.h>

#include "explain/text.h"
#include "value/columns.h"
#include "value/escape.h"

namespace smp::explain {
namespace {

TEST(Style, WithoutColorsAMarkedTextIsAsItWas) {
  const std::string text = "  + a: b\n\n    c\n";
  EXPECT_EQ(Rendered(As(Role::kAdded, text), Color::kNo), text);
  EXPECT_EQ(Rendered(WithSign(Role::kAdded, text), Color::kNo), text);
  EXPECT_EQ(Rendered(WithRolesOfDiff("--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n z\n"), Color::kNo),
            "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n z\n");
}

TEST(Style, ColorsEndWithTheirLine) {
  EXPECT_EQ(Rendered(As(Role::kAdded, "  a\n\n    b\n"), Color::kYes), "  \x1b[32ma\x1b[0m\n\n    \x1b[32mb\x1b[0m\n");
  EXPECT_EQ(Rendered(WithSign(Role::kRemoved, "  - x"), Color::kYes), "  \x1b[31m-\x1b[0m x");
  EXPECT_EQ(Rendered(WithSign(Role::kRemoved, ""), Color::kYes), "");
}

TEST(Style, APartWithinAnotherReturnsToIt) {
  EXPECT_EQ(Rendered(As(Role::kDim, "a " + As(Role::kError, "b") + " c"), Color::kYes),
            "\x1b[2ma \x1b[1;31mb\x1b[0m\x1b[2m c\x1b[0m");
}

TEST(Style, MarksTakeNoColumns) {
  const std::string marked = As(Role::kHeading, "name") + As(Role::kWarning, "…");
  EXPECT_EQ(Columns(marked), 5u);
  EXPECT_EQ(Rendered(FirstColumns(As(Role::kHeading, "abc") + "def", 4), Color::kNo), "abcd");
}

TEST(Style, ColorsTakeNoColumns) {
  for (const Color color : {Color::kNo, Color::kYes}) {
    EXPECT_EQ(ColumnsShown(Rendered("  " + As(Role::kError, "é: m") + " x", color)), 8u);
  }
  EXPECT_EQ(ColumnsShown(""), 0u);
}

TEST(Style, TextOfOthersCannotHaveMarks) {
  for (char c = '\x01'; c < '\x20'; ++c) {
    if (c == '\n' || c == '\t') continue;
    EXPECT_EQ(Rendered(Visible(std::string(1, c)), Color::kYes), Visible(std::string(1, c)));
  }
}

TEST(Style, KindsOfLinesOfADiff) {
  EXPECT_EQ(Rendered(WithRolesOfDiff("-x\n+y\n z"), Color::kYes), "\x1b[31m-x\x1b[0m\n\x1b[32m+y\x1b[0m\n z");
}

}  // namespace
}  // namespace smp::explain
