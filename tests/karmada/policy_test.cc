#include "karmada/policy.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "karmada/testing.h"

namespace smp::karmada {
namespace {

constexpr char kHead[] = "apiVersion: policy.karmada.io/v1alpha1\nkind: OverridePolicy\nmetadata: {name: p}\nspec:\n";

std::string ErrorOf(std::string_view policy) {
  const auto read = Policies(policy);
  return read.ok() ? "none" : ToString(read.error());
}

struct BadCase {
  std::string name;
  std::string overriders;
  std::string error;
};
void PrintTo(const BadCase& c, std::ostream* out) { *out << c.name; }

class PolicyIsRefused : public testing::TestWithParam<BadCase> {};

TEST_P(PolicyIsRefused, WithItsLineAndItsPath) {
  EXPECT_EQ(ErrorOf(PolicyWith(GetParam().overriders)), GetParam().error);
}

const BadCase kBadCases[] = {
    {"UnknownField", "fieldOverrider:\n- fieldPth: /data/x\n  json: [{subPath: /a, operator: remove}]",
     "policy.yaml:8: spec.overrideRules[0].overriders.fieldOverrider[0]: fieldPath is required"},
    {"UnknownFieldBesideKnown",
     "fieldOverrider:\n- fieldPath: /data/x\n  json:\n  - subPath: /a\n    operator: remove\n    sub: 1",
     "policy.yaml:12: spec.overrideRules[0].overriders.fieldOverrider[0].json[0].sub: unknown field \"sub\"; known "
     "fields are operator, subPath, value"},
    {"UnknownOverrider", "fieldOveride: []",
     "policy.yaml:7: spec.overrideRules[0].overriders.fieldOveride: unknown field \"fieldOveride\"; known fields are "
     "annotationsOverrider, argsOverrider, commandOverrider, fieldOverrider, imageOverrider, jsonPlaintextOverrider, "
     "labelsOverrider, plaintext, plaintextObjectOverrider, tomlPlaintextOverrider, xmlPlaintextOverrider, "
     "yamlPlaintextOverrider"},
    {"BothFormats",
     "fieldOverrider:\n- fieldPath: /data/x\n  json: [{subPath: /a, operator: remove}]\n"
     "  yaml: [{subPath: /a, operator: remove}]",
     "policy.yaml:8: spec.overrideRules[0].overriders.fieldOverrider[0]: has both json and yaml operations; use only "
     "one of them"},
    {"MisspeltFormat", "fieldOverrider:\n- fieldPath: /data/x\n  yml: [{subPath: /a, operator: remove}]",
     "policy.yaml:9: spec.overrideRules[0].overriders.fieldOverrider[0].yml: unknown field \"yml\"; known fields are "
     "fieldPath, json, yaml"},
    {"NeitherFormat", "fieldOverrider:\n- fieldPath: /data/x",
     "policy.yaml:8: spec.overrideRules[0].overriders.fieldOverrider[0]: has no operations; specify json or yaml"},
    {"PathWithoutSlash", "fieldOverrider:\n- fieldPath: data/x\n  json: [{subPath: /a, operator: remove}]",
     "policy.yaml:8: spec.overrideRules[0].overriders.fieldOverrider[0].fieldPath: \"data/x\" must be a JSON pointer: "
     "empty, or beginning with / (/data/x)"},
    {"NoValue", "fieldOverrider:\n- fieldPath: /data/x\n  json: [{subPath: /a, operator: add}]",
     "policy.yaml:9: spec.overrideRules[0].overriders.fieldOverrider[0].json[0]: add requires a value other than null"},
    {"ValueOfRemove", "fieldOverrider:\n- fieldPath: /data/x\n  json: [{subPath: /a, operator: remove, value: 1}]",
     "policy.yaml:9: spec.overrideRules[0].overriders.fieldOverrider[0].json[0].value: remove takes no value"},
    {"UnknownOperator", "plaintext:\n- {path: /a, operator: test, value: 1}",
     "policy.yaml:8: spec.overrideRules[0].overriders.plaintext[0].operator: \"test\" is not supported; it must be one "
     "of "
     "add, remove, replace"},
    {"NumberForText", "imageOverrider:\n- {component: Tag, operator: replace, value: 1.27}",
     "policy.yaml:8: spec.overrideRules[0].overriders.imageOverrider[0].value: must be a string, found number; quote "
     "it"},
    {"Component", "imageOverrider:\n- {component: tag, operator: remove}",
     "policy.yaml:8: spec.overrideRules[0].overriders.imageOverrider[0].component: \"tag\" must be one of Registry, "
     "Repository, Tag"},
    {"LabelValue", "labelsOverrider:\n- {operator: add, value: {a: b c}}",
     "policy.yaml:8: spec.overrideRules[0].overriders.labelsOverrider[0].value: \"b c\" is not a valid label value: it "
     "must consist of letters, digits, '-', '_' and '.', and begin and end with a letter or digit"},
    {"Toml", "plaintextObjectOverrider:\n- {path: /data/x, dataFormat: toml, jsonPatch: []}",
     "policy.yaml:8: spec.overrideRules[0].overriders.plaintextObjectOverrider[0].dataFormat: toml is not supported; "
     "use json or yaml"},
    {"Xml", "xmlPlaintextOverrider: []",
     "policy.yaml:7: spec.overrideRules[0].overriders.xmlPlaintextOverrider: xml is not supported; use json or yaml"},
    {"TwoNamesOfThePatch", "jsonPlaintextOverrider:\n- {path: /data/x, patch: [], jsonPatch: []}",
     "policy.yaml:8: spec.overrideRules[0].overriders.jsonPlaintextOverrider[0]: has both patch and jsonPatch, which "
     "are aliases; use only one of them"},
    {"MoveWithoutFrom", "jsonPlaintextOverrider:\n- {path: /data/x, patch: [{path: /a, operator: move}]}",
     "policy.yaml:8: spec.overrideRules[0].overriders.jsonPlaintextOverrider[0].patch[0]: from is required"},
    {"TestWithoutValue", "jsonPlaintextOverrider:\n- {path: /data/x, patch: [{path: /a, operator: test}]}",
     "policy.yaml:8: spec.overrideRules[0].overriders.jsonPlaintextOverrider[0].patch[0]: test needs a value"},
    {"BadRawValue", "yamlPlaintextOverrider:\n- path: /data/x\n  mergeRawValue: |\n    a: 1\n    b: [",
     "policy.yaml:9: spec.overrideRules[0].overriders.yamlPlaintextOverrider[0].mergeRawValue: this is not valid YAML: "
     "the [ of a list is not closed by ] (line 3 of the text)"},
};

std::string NameOf(const testing::TestParamInfo<BadCase>& bad) { return bad.param.name; }

INSTANTIATE_TEST_SUITE_P(Overriders, PolicyIsRefused, testing::ValuesIn(kBadCases), NameOf);

TEST(Policy, OfAnOverridePolicySelectsItsOwnNamespaceOnly) {
  EXPECT_EQ(
      ErrorOf(StrCat(kHead, "  resourceSelectors:\n  - {apiVersion: v1, kind: ConfigMap, namespace: other}\n")),
      "policy.yaml:6: spec.resourceSelectors[0].namespace: an OverridePolicy selects objects of its own namespace, "
      "default; a ClusterOverridePolicy may select others");
}

TEST(Policy, CannotHaveRulesAndTheDeprecatedFields) {
  EXPECT_EQ(ErrorOf(StrCat(kHead, "  overriders: {fieldOverrider: [{}]}\n  overrideRules: [{overriders: {}}]\n")),
            "policy.yaml:5: spec.overriders: cannot be used with overrideRules; turn it into a rule");
  EXPECT_EQ(ErrorOf(StrCat(kHead, "  targetCluster: {}\n  overrideRules: [{overriders: {}}]\n")),
            "policy.yaml:5: spec.targetCluster: cannot be used with overrideRules; move it into the rules");
}

TEST(Policy, ClusterFieldsAreProviderRegionAndZone) {
  EXPECT_EQ(ErrorOf(StrCat(kHead,
                           "  overrideRules:\n  - targetCluster:\n      fieldSelector:\n        matchExpressions:\n"
                           "        - {key: country, operator: In, values: [x]}\n    overriders: {}\n")),
            "policy.yaml:9: spec.overrideRules[0].targetCluster.fieldSelector.matchExpressions[0].key: \"country\" is "
            "not a cluster field; it must be provider, region or zone");
}

TEST(Policy, OfTheProposalsApiVersionIsOne) {
  const auto read =
      Policies("{apiVersion: karmada.io/v1alpha1, kind: ClusterOverridePolicy, metadata: {name: p}, spec: {}}");
  ASSERT_TRUE(read.ok()) << ToString(read.error());
  EXPECT_EQ(read->front().Label(), "ClusterOverridePolicy p");
}

TEST(Policy, OfAnotherKindIsRefused) {
  EXPECT_EQ(ErrorOf("{apiVersion: v1, kind: ConfigMap, metadata: {name: p}}"),
            "policy.yaml:1: not an override policy: found v1 ConfigMap, expected OverridePolicy or "
            "ClusterOverridePolicy of policy.karmada.io/v1alpha1");
}

TEST(Policy, SaysWhatItIgnores) {
  const auto read = Policies(PolicyWith(
      "jsonPlaintextOverrider:\n- path: /data/x\n  patch:\n  - {path: /a, operator: copy, from: /b, value: 1}"));
  ASSERT_TRUE(read.ok()) << ToString(read.error());
  ASSERT_EQ(read->front().notes.size(), 1u);
  EXPECT_EQ(
      ToString(read->front().notes[0]),
      "policy.yaml:10: spec.overrideRules[0].overriders.jsonPlaintextOverrider[0].patch[0].value: copy ignores the "
      "value");
}

TEST(Policy, AnInvalidSelectorIsNotedAndSelectsNothing) {
  const std::string policy =
      StrCat(kHead,
             "  resourceSelectors:\n  - apiVersion: v1\n    kind: ConfigMap\n    labelSelector:\n"
             "      matchExpressions: [{key: a, operator: In}]\n"
             "  overrideRules: [{overriders: {plaintext: [{path: /x, operator: add}]}}]\n");
  const auto read = Policies(policy);
  ASSERT_TRUE(read.ok()) << ToString(read.error());
  ASSERT_EQ(read->front().notes.size(), 1u);
  EXPECT_EQ(read->front().notes[0].message, "the selector is invalid and selects nothing: In and NotIn need values");
  EXPECT_EQ(Outcome("{apiVersion: v1, kind: ConfigMap}", policy), R"({"apiVersion":"v1","kind":"ConfigMap"})");
}

}  // namespace
}  // namespace smp::karmada
