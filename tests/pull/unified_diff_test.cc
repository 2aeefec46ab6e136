#include "pull/unified_diff.h"

#include <gtest/gtest.h>

namespace smp::pull {
namespace {

TEST(UnifiedDiff, NothingChanges) { EXPECT_EQ(UnifiedDiff({"f", "a\n", "a\n"}), ""); }

TEST(UnifiedDiff, IsWhatDiffPrints) {
  EXPECT_EQ(UnifiedDiff({"f", "1\n2\n3\n4\n5\n", "1\n2\n3\n4\nfive\n"}),
            "--- a/f\n+++ b/f\n@@ -2,4 +2,4 @@\n 2\n 3\n 4\n-5\n+five\n");
  EXPECT_EQ(UnifiedDiff({"f", "", "a\n"}), "--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+a\n");
  EXPECT_EQ(UnifiedDiff({"f", "a\n", ""}), "--- a/f\n+++ b/f\n@@ -1 +0,0 @@\n-a\n");
}

TEST(UnifiedDiff, TellsOfAMissingLineEnd) {
  EXPECT_EQ(UnifiedDiff({"f", "a", "b"}),
            "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n");
}

TEST(UnifiedDiff, RemarksAreBeforeTheNearestHunk) {
  const std::string before = "a\n1\n2\n3\n4\n5\n6\n7\n8\nb\n", after = "A\n1\n2\n3\n4\n5\n6\n7\n8\nB\n";
  EXPECT_EQ(UnifiedDiff({"f", before, after, {}, {}, {{10, "second"}, {2, "first"}, {1, "first"}}}),
            "--- a/f\n+++ b/f\n# first\n@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n"
            "# second\n@@ -7,4 +7,4 @@\n 6\n 7\n 8\n-b\n+B\n");
}

TEST(UnifiedDiff, QuotesNamesAsGitDoes) {
  EXPECT_EQ(UnifiedDiff({"a \xC3\xA9", "1\n", "2\n"}), "--- a/a \xC3\xA9\n+++ b/a \xC3\xA9\n@@ -1 +1 @@\n-1\n+2\n");
  EXPECT_EQ(UnifiedDiff({"a\n\"\x1B", "1\n", "2\n"}),
            "--- \"a/a\\012\\042\\033\"\n+++ \"b/a\\012\\042\\033\"\n@@ -1 +1 @@\n-1\n+2\n");
}

TEST(UnifiedDiff, ShowsOtherLinesThanItCompares) {
  EXPECT_EQ(UnifiedDiff({"f", "k: a\n", "k: b\n", {"k: ***"}, {"k: ***"}}),
            "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-k: ***\n+k: ***\n");
}

}  // namespace
}  // namespace smp::pull
