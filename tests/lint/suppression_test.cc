#include "lint/suppression.h"

#include "lint/testing.h"

namespace smp::lint {
namespace {

Lines Of(std::string_view data) { return Short(Linted(StrCat(kConfigMap, "data:\n", data))); }

TEST(Suppression, IsForItsLine) {
  EXPECT_EQ(Of("  a: 1 # smp:ignore wrong-type\n  b: 2\n"), Lines{"6:6 error wrong-type data.b"});
  EXPECT_EQ(Of("  a: 1 # smp:ignore\n"), Lines());
  EXPECT_EQ(Of("  a: 1 # smp:ignore invalid-name, wrong-type: they all have it\n"), Lines());
  EXPECT_EQ(Short(Linted(StrCat(kConfigMap, "data: {a: '#', b: \"x # smp:ignore\", c: 1}\n"))),
            Lines{"4:40 error wrong-type data.c"});
}

TEST(Suppression, IsOnceInALine) { EXPECT_EQ(Of("  a: 1 # smp:ignore wrong-type: like smp:ignore below\n"), Lines()); }

TEST(Suppression, IsForTheEntryBelow) {
  EXPECT_EQ(Of("  # smp:ignore wrong-type\n  a: 1\n  b: 2\n"), Lines{"7:6 error wrong-type data.b"});
  EXPECT_EQ(
      Short(Linted(StrCat(kConfigMap, "# smp:ignore wrong-type\n# as it has always been\n\ndata:\n  a: 1\n  b: 2\n"))),
      Lines());
}

TEST(Suppression, IsForTheObjectOrTheFile) {
  const std::string bad = StrCat(kConfigMap, "data: {a: 1}\n"),
                    other = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata: {a: 1}\n";
  EXPECT_EQ(Short(Linted(StrCat("# smp:ignore-object wrong-type\n", bad, "---\n", other))),
            Lines{"10:11 error wrong-type data.a"});
  EXPECT_EQ(Short(Linted(StrCat(bad, "---\n# smp:ignore-object wrong-type\n", other))),
            Lines{"4:11 error wrong-type data.a"});
  EXPECT_EQ(Short(Linted(StrCat(bad, "---\n", other, "# smp:ignore-object wrong-type\n"))),
            Lines{"4:11 error wrong-type data.a"});
  EXPECT_EQ(Short(Linted(StrCat("# smp:ignore-file wrong-type\n", bad, "---\n", other))), Lines());
}

TEST(Suppression, OfSeveralCommentsTheFirstCounts) {
  const std::string two = StrCat(kConfigMap, "data:\n  # smp:ignore wrong-type\n  a: 1\n  b: 2\n");
  EXPECT_EQ(Short(Linted(StrCat("# smp:ignore-file wrong-type\n", two))), Lines{"6:3 warning unused-ignore"});
  EXPECT_EQ(Short(Linted(StrCat("# smp:ignore-object\n", two))), Lines{"6:3 warning unused-ignore"});
  EXPECT_EQ(Short(Linted(StrCat("# smp:ignore-file pattern\n", two))),
            (Lines{"1:1 warning unused-ignore", "8:6 error wrong-type data.b"}));
}

TEST(Suppression, IsCounted) {
  const Report report = Linted(StrCat(kConfigMap, "data: {a: 1} # smp:ignore wrong-type\n"));
  EXPECT_EQ(report.findings.size(), 0u);
  EXPECT_EQ(report.suppressed.size(), 1u);
}

TEST(Suppression, IsFoundWhereItIsOfNoUse) {
  EXPECT_EQ(Of("  a: b # smp:ignore wrong-type\n"), Lines{"5:8 warning unused-ignore"});
  EXPECT_EQ(Of("  a: 1 # smp:ignore wrong-typ\n"), (Lines{"5:6 error wrong-type data.a", "5:8 warning unused-ignore"}));
  EXPECT_EQ(Of("  a: b # smp:ignored\n"), Lines());
  EXPECT_EQ(Of("  a: b # see smp:ignore\n"), Lines());
}

}  // namespace
}  // namespace smp::lint
