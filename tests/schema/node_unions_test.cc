#include "schema/node_unions.h"

#include <gtest/gtest.h>

#include <string>

#include "base/strings.h"
#include "yaml/read_yaml.h"

namespace smp {
namespace {

// "a=a b=b; …", presence marked by "!".
std::string UnionsIn(const std::string& node) {
  const auto document = yaml::ParseYaml("{properties: {a: {}, b: {}, c: {}}, " + node + "}");
  EXPECT_TRUE(document.ok()) << node;
  std::vector<std::string> texts;
  for (const Union& one : UnionsOf(document->root())) {
    std::vector<std::string> words;
    if (!one.discriminator.empty()) words.push_back(one.discriminator + ":");
    for (const auto& [field, alternative] : one.members) words.push_back(StrCat(field, "=", alternative));
    texts.push_back(StrCat(one.by_presence ? "!" : "", Join(words, " ")));
  }
  return Join(texts, "; ");
}

TEST(UnionsOfNode, AreWhatRequiredSaysAndNothingElse) {
  const struct {
    const char* node;
    const char* unions;
  } kRows[] = {
      {"oneOf: [{required: [a]}, {required: [b]}]", "!a=a b=b"},
      {"oneOf: [{not: {anyOf: [{required: [a]}]}}, {required: [a]}, {required: [b]}]", "!a=a b=b"},
      {"oneOf: [{required: [t, a]}, {required: [t, b]}]", "!a=a b=b"},
      {"oneOf: [{required: [a]}, {required: [b, c]}]", "!a=a b=b+c c=b+c"},
      {"allOf: [{oneOf: [{required: [a]}, {required: [b]}]}, {not: {required: [b, c]}}]", "!a=a b=b; !b=b c=c"},
      {"not: {anyOf: [{required: [a, b]}, {required: [b, c]}]}", "!a=a b=b; !b=b c=c"},
      {"maxProperties: 1", "!a=a b=b c=c"},
      {"maxProperties: 2", ""},
      {"oneOf: [{required: [a]}]", ""},
      {"oneOf: [{required: [a]}, {required: [a]}]", ""},
      {"oneOf: [{required: [a]}, {required: [a, b]}]", ""},
      {"oneOf: [{required: [a, c]}, {required: [b, c]}, {required: [a, b]}]", ""},  // a field in two alternatives
      {"oneOf: [{required: [a], properties: {t: {enum: [A]}}}, {required: [b]}]", ""},
      {"oneOf: [{type: string}, {type: integer}]", ""},
      {"anyOf: [{required: [a]}, {required: [b]}]", ""},
      {"oneOf: 7", ""},
      {"oneOf: [7, {required: [7]}]", ""},
      {"x-kubernetes-unions: [{discriminator: t, fields-to-discriminateBy: {a: A, b: B}}]", "a=A b=B"},
      {"x-kubernetes-unions: 7", ""},
  };
  for (const auto& row : kRows) EXPECT_EQ(UnionsIn(row.node), row.unions) << row.node;
}

// Documents made from Go types state the name of a Go field there, mostly not the discriminator's value.
TEST(UnionsOfNode, TrustADiscriminatorOnlyWhereItsEnumHasTheValues) {
  const std::string extension = "x-kubernetes-unions: [{discriminator: t, fields-to-discriminateBy: {a: A, b: B}}]}";
  const auto discriminator = [&](const char* values) {
    const auto node = yaml::ParseYaml(StrCat("{properties: {t: {enum: ", values, "}}, ", extension));
    EXPECT_TRUE(node.ok());
    return UnionsOf(node->root()).at(0).discriminator;
  };
  EXPECT_EQ(discriminator("[A, B, C]"), "t");
  EXPECT_EQ(discriminator("[A, Bb]"), "");
  EXPECT_EQ(discriminator("7"), "");
}

}  // namespace
}  // namespace smp
