// Objects that an input has more than once.
#include "apply/copies.h"

#include <gtest/gtest.h>

#include "base/strings.h"

namespace smp::apply {
namespace {

std::string ConfigMap(const std::string& metadata, const std::string& value) {
  return StrCat("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {", metadata, "}\ndata: {a: ", value, "}\n");
}

// Returns the lines of what is left, "!" before that of an error.
std::string Left(const Manifests& manifests) {
  std::vector<std::string> lines;
  for (const auto& item : manifests.items) {
    lines.push_back(item.ok() ? StrCat(item->source().line) : StrCat("!", item.error().source.line));
  }
  return Join(lines, " ");
}

TEST(Copies, EqualOnesAreOneObject) {
  Manifests manifests = ParseManifests(
      ConfigMap("name: c", "x") + ConfigMap("name: d", "x") + ConfigMap("name: c, namespace: shop", "x"), "f");
  EXPECT_EQ(FoldCopies(manifests, "shop", Copies::kRefuse).warnings,
            (std::vector<std::string>{"configmap/c is in f:2, f:12, with the same content: one of them counts"}));
  EXPECT_EQ(Left(manifests), "2 7");
}

TEST(Copies, UnequalOnesAreOneError) {
  Manifests manifests =
      ParseManifests(ConfigMap("name: c", "x") + ConfigMap("name: c", "y") + ConfigMap("name: d", "x"), "f");
  EXPECT_TRUE(FoldCopies(manifests, "shop", Copies::kRefuse).warnings.empty());
  EXPECT_EQ(Left(manifests), "!2 12");
  EXPECT_EQ(manifests.items[0].error().message,
            "configmap/c is also in f:7, with other content; remove all but one of them, or use --duplicates=last");
}

TEST(Copies, TheLastOneStaysInItsPlace) {
  Manifests manifests =
      ParseManifests(ConfigMap("name: c", "x") + ConfigMap("name: d", "x") + ConfigMap("name: c", "y"), "f");
  EXPECT_EQ(FoldCopies(manifests, "shop", Copies::kLast).warnings,
            (std::vector<std::string>{"configmap/c is in f:2, f:12: the last one counts"}));
  EXPECT_EQ(Left(manifests), "7 12");
}

TEST(Copies, OfAnotherNamespaceOrUnreadableIsNone) {
  Manifests manifests = ParseManifests(
      ConfigMap("name: c", "x") + ConfigMap("name: c, namespace: other", "y") + "---\na: [\n---\na: [\n", "f");
  EXPECT_TRUE(FoldCopies(manifests, "shop", Copies::kRefuse).warnings.empty());
  EXPECT_EQ(manifests.items.size(), 4u);
}

// Found by reading: -l chose one of two copies, and nobody said that there is another.
TEST(Copies, ThatALabelSelectorLeavesOutAreTold) {
  const Manifests chosen = ParseManifests(ConfigMap("name: c, labels: {app: a}", "x") + ConfigMap("name: d", "x"), "f");
  std::vector<Manifest> left_out;
  for (auto& item : ParseManifests(ConfigMap("name: c, namespace: shop, labels: {app: b}", "x") +
                                       ConfigMap("name: d, namespace: other", "x"),
                                   "g")
                        .items) {
    left_out.push_back(*std::move(item));
  }
  EXPECT_EQ(CopiesLeftOut(chosen, left_out, "shop"),
            (std::vector<std::string>{"f:2: configmap/c is also in g:2, with labels that -l does not select"}));
  EXPECT_TRUE(CopiesLeftOut(chosen, left_out, "bar").empty());
}

}  // namespace
}  // namespace smp::apply
