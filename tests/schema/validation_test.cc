#include "schema/validation.h"

#include <gtest/gtest.h>

#include <string>

#include "base/strings.h"
#include "schema/testing.h"
#include "yaml/read_yaml.h"

namespace smp {
namespace {

// Returns "path: message" for each violation, with "?" before those that were not checked.
Words Violations(std::string_view schema, std::string_view value) {
  const Document node = *yaml::ParseYaml(schema), of_value = *yaml::ParseYaml(value);
  Validator validator;
  Words out;
  for (const Violation& violation : validator.Validate(of_value.root(), node.root())) {
    const bool unchecked = violation.kind == Violation::Kind::kUnchecked;
    out.push_back(StrCat(unchecked ? "? " : "", ToString(ToFieldPath(violation.path)), ": ", violation.message));
  }
  return out;
}

struct Row {
  std::string_view schema, value, expected;  // expected: "" if the value is right
};

void Check(std::initializer_list<Row> rows) {
  for (const Row& row : rows) {
    const Words found = Violations(row.schema, row.value);
    EXPECT_EQ(Join(found, "\n"), row.expected) << row.schema << "\n" << row.value;
  }
}

TEST(Validation, OfScalars) {
  Check({
      {"{type: string, enum: [a, b]}", "a", ""},
      {"{type: string, enum: [a, b]}", "c", ": is not one of the values that are allowed"},
      {"{type: integer, enum: [1, 2]}", "1.0", ""},
      {"{type: string, pattern: '^a+$'}", "aa", ""},
      {"{type: string, pattern: '^a+$'}", "ab", ": does not match the pattern ^a+$"},
      {"{type: string, minLength: 2, maxLength: 3}", "äö", ""},
      {"{type: string, minLength: 2}", "ä", ": has 1 characters, and must have at least 2"},
      {"{type: string, maxLength: 3}", "abcd", ": has 4 characters, and must have at most 3"},
      {"{type: integer, minimum: 1, maximum: 3}", "0", ": must be at least 1"},
      {"{type: integer, minimum: 1, maximum: 3}", "3", ""},
      {"{type: number, maximum: 3, exclusiveMaximum: true}", "3", ": must be less than 3"},
      {"{type: number, minimum: 0.5, exclusiveMinimum: true}", "0.5", ": must be more than 0.5"},
      {"{type: integer, multipleOf: 5}", "12", ": must be a multiple of 5"},
  });
}

// Each match alone is within its limit; together they would take minutes.
TEST(Validation, PatternsShareALimit) {
  std::string pattern;
  for (int i = 0; i < 66; ++i) pattern += ".?";
  const Document node = *yaml::ParseYaml(StrCat("{items: {type: string, pattern: '^(?:", pattern, "){1000}$'}}"));
  std::string list = "[";
  for (int i = 0; i < 1000; ++i) list += "\"aaaaaaaaaaaaaaaaaaaa\\n\", ";
  const Document values = *yaml::ParseYaml(list + "]");
  Validator validator;
  const std::vector<Violation> found = validator.Validate(values.root(), node.root());
  ASSERT_GT(found.size(), 1u);
  EXPECT_LT(found.size(), 1000u);
  EXPECT_EQ(found.front().kind, Violation::Kind::kPattern);
  EXPECT_EQ(found.back().kind, Violation::Kind::kUnchecked);
  // It is said once.
  EXPECT_TRUE(validator.Validate(values.root(), node.root()).empty());
}

TEST(Validation, OfMapsAndLists) {
  Check({
      {"{required: [a]}", "{b: 1}", ": the field a is required"},
      {"{required: [a]}", "{a: null}", ": the field a is required"},
      {"{required: [a], properties: {a: {nullable: true}}}", "{a: null}", ""},
      {"{required: [a], properties: {a: {default: 1}}}", "{}", ""},
      {"{properties: {a: {required: [b]}}}", "{a: {}}", "a: the field b is required"},
      {"{properties: {a: {required: [b]}}}", "{a: null}", ""},
      {"{items: {maximum: 1}}", "[1, 2]", "[1]: must be at most 1"},
      {"{minItems: 1}", "[]", ": has 0 items, and must have at least 1"},
      {"{maxProperties: 1}", "{a: 1, b: 2}", ": has 2 fields, and must have at most 1"},
      {"{additionalProperties: {enum: [x]}}", "{a: x, b: y}", "b: is not one of the values that are allowed"},
  });
}

TEST(Validation, OfCombinations) {
  Check({
      {"{anyOf: [{required: [a]}, {required: [b]}]}", "{b: 1}", ""},
      {"{anyOf: [{required: [a]}, {required: [b]}]}", "{}", ": fits none of the alternatives of the schema (anyOf)"},
      {"{oneOf: [{required: [a]}, {required: [b]}]}", "{a: 1, b: 1}",
       ": fits 2 of the alternatives of the schema, and must fit one (oneOf)"},
      {"{allOf: [{required: [a]}, {required: [b]}]}", "{a: 1}", ": the field b is required"},
      {"{not: {required: [a]}}", "{a: 1}", ": is what the schema excludes (not)"},
      {"{anyOf: [{type: integer}, {type: string}], x-kubernetes-int-or-string: true}", "50%", ""},
      {"{anyOf: [{type: integer}, {type: string, pattern: '%$'}]}", "50", ""},
  });
}

// Another rule says what a value of the wrong type is.
TEST(Validation, LeavesOutWrongTypes) {
  Check({{"{type: string, pattern: a}", "1", ""}, {"{type: array, items: {required: [a]}}", "{}", ""}});
}

TEST(Validation, ListsWhatItDoesNotCheck) {
  Check({
      {"{x-kubernetes-validations: [{rule: 'self > 1', message: too small}]}", "0",
       "? : the rule self > 1 was not evaluated: too small"},
      {"{type: string, pattern: '\\p{Greek}'}", "x",
       "? : the pattern \\p{Greek} was not checked: a class of Unicode (\\p) is not supported"},
  });
}

}  // namespace
}  // namespace smp
