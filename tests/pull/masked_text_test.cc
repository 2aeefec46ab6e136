#include "pull/masked_text.h"

#include <gtest/gtest.h>

#include "base/strings.h"

namespace smp::pull {
namespace {

std::string Masked(std::string_view text) { return Join(MaskedLines(text), "\n"); }

TEST(MaskedLines, ShowsKeysAndNames) {
  EXPECT_EQ(
      Masked(
          "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s # canary\n  labels: {a: canary}\n"
          "data:\n  # canary\n  key: canary\n  name: canary\nstringData:\n  text: |\n    name: canary\n    canary\n"),
      "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s ***\n  labels: ***\n"
      "data:\n  ***\n  key: ***\n  name: ***\nstringData:\n  text: ***\n    ***\n    ***");
}

TEST(MaskedLines, LeavesOtherDocuments) {
  const std::string_view text = "kind: ConfigMap\ndata: {a: b}\n---\nkind: Secret\napiVersion: v1\ndata: {a: canary}\n";
  EXPECT_TRUE(HasSecret(text));
  EXPECT_EQ(Masked(text), "kind: ConfigMap\ndata: {a: b}\n---\nkind: Secret\napiVersion: v1\ndata: ***");
  EXPECT_FALSE(HasSecret("kind: ConfigMap\ndata: {a: Secret}\n"));
}

TEST(MaskedLines, ShowsNoValueOfAFieldThatMayBeAMisspeltOne) {
  EXPECT_EQ(
      Masked("kind: Secret\napiVersion: v1\nstringdata:\n  name: canary\n  type: canary\n  labels:\n    a: canary\n"),
      "kind: Secret\napiVersion: v1\nstringdata:\n  name: ***\n  type: ***\n  labels:\n    a: ***");
  EXPECT_EQ(
      Masked("kind: List\napiVersion: v1\nitems:\n- kind: Secret\n  apiVersion: v1\n  metadata:\n    labels:\n      a: "
             "shown\n"
             "  x:\n  - type: canary\n"),
      "kind: List\napiVersion: v1\nitems:\n- kind: Secret\n  apiVersion: v1\n  metadata:\n    labels:\n      a: shown\n"
      "  x:\n  - type: ***");
}

TEST(MaskedLines, KnowsASecretByAKindWithEscapes) {
  EXPECT_TRUE(HasSecret("kind: \"Sec\\x72et\"\napiVersion: v1\n"));
  EXPECT_TRUE(HasSecret("{\"kind\": \"Sec\\u0072et\", \"apiVersion\": \"v1\"}"));
  EXPECT_FALSE(HasSecret("kind: \"Config\\x4dap\"\napiVersion: v1\n"));
}

TEST(MaskedLines, NeverShowsAValueInJsonOrInAList) {
  for (const std::string_view text :
       {R"({"kind": "Secret", "apiVersion": "v1", "stringData": {"a": "canary"}})",
        "kind: List\napiVersion: v1\nitems:\n- {kind: Secret, apiVersion: v1, data: {a: canary}}\n",
        "kind: Secret\napiVersion: v1\ndata:\n  a:\n    canary\n  b: &canary 'canary\n    canary'\n  c: *canary\n"}) {
    EXPECT_EQ(Masked(text).find("canary"), std::string::npos) << Masked(text);
  }
}

}  // namespace
}  // namespace smp::pull
