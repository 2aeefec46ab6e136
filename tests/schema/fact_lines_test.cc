#include "schema/facts/fact_lines.h"

#include <gtest/gtest.h>

namespace smp {
namespace {

TEST(Release, IsReadFromWhatServersSay) {
  for (const char* version : {"1.30", "v1.30", "v1.30.4", "v1.30.4-gke.100", "1.30+", "v1.30.0-rc.1+abc"}) {
    EXPECT_EQ(ParseRelease(version), (Release{1, 30})) << version;
  }
  for (const char* version :
       {"", "v", "unversioned", "1", "1.", "v1.x", ".30", "-1.30", "1.-30", "1.30x", "1.99999999999"}) {
    EXPECT_EQ(ParseRelease(version), std::nullopt) << version;
  }
  EXPECT_EQ(ToString(Release{1, 30}), "1.30");
  EXPECT_LT((Release{1, 9}), (Release{1, 30}));
}

TEST(FactLines, HaveTheReleasesThatTheyHoldFor) {
  const auto lines =
      FactLines("# since=1.1 a comment\n\nT f 1\nsince=1.27 T f 2\nuntil=1.30 T f 3\nsince=1.27 until=1.30 T f 4\n");
  ASSERT_EQ(lines.size(), 4u);
  const struct {
    const char* text;
    std::vector<std::optional<Release>> holds;
    std::vector<std::optional<Release>> does_not;
  } kRows[] = {
      {"T f 1", {std::nullopt, Release{1, 1}, Release{2, 0}}, {}},
      {"T f 2", {std::nullopt, Release{1, 27}, Release{1, 36}}, {Release{1, 26}}},
      {"T f 3", {Release{1, 1}, Release{1, 30}}, {std::nullopt, Release{1, 31}, Release{2, 0}}},
      {"T f 4", {Release{1, 27}, Release{1, 30}}, {std::nullopt, Release{1, 26}, Release{1, 31}}},
  };
  for (size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i].text, kRows[i].text);
    for (const auto& server : kRows[i].holds) EXPECT_TRUE(HoldsFor(lines[i], server)) << kRows[i].text;
    for (const auto& server : kRows[i].does_not) EXPECT_FALSE(HoldsFor(lines[i], server)) << kRows[i].text;
  }
}

// Then it names no type, and the test of the file finds it.
TEST(FactLines, AReleaseThatCannotBeReadStaysInTheText) {
  EXPECT_EQ(FactLines("since=soon T f 1")[0].text, "since=soon T f 1");
  EXPECT_EQ(FactLines("until=1.30 since=1.27 T f 1")[0].text, "since=1.27 T f 1");
  EXPECT_EQ(FactLines("since=1.30")[0].text, "");
}

}  // namespace
}  // namespace smp
