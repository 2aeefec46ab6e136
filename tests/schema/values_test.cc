// That the server refuses what these lines refuse is tested against one (tests/e2e/lint_values.py).
#include "schema/facts/values.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "base/strings.h"
#include "schema/builtin.h"
#include "tests_dir.h"

namespace smp {
namespace {

using Kind = ValueRule::Kind;

const Type& TypeNamed(const Schema& schema, std::string_view name) {
  const TypeId id = schema.FindTypeByName(name);
  EXPECT_NE(id, kNoType) << name;
  return schema.type(id);
}

std::string Words(const ValueRule& rule) {
  std::string out = Join(rule.path, ".");
  switch (rule.kind) {
    case Kind::kRequired: return out + " required";
    case Kind::kAnyOf: return StrCat(Join(rule.choices, ","), " any-required");
    case Kind::kOneOf: return StrCat(out, " one-of ", Join(rule.choices, ","));
    case Kind::kRange:
      return StrCat(out, " range ", rule.least ? std::to_string(*rule.least) : "", "..",
                    rule.most ? std::to_string(*rule.most) : "");
    case Kind::kLength: return StrCat(out, " length:", *rule.most);
    case Kind::kForm: return StrCat(out, " ", rule.form);
    case Kind::kKeys: return StrCat(out, " keys:", rule.form);
    case Kind::kValues: return StrCat(out, " values:", rule.form);
  }
  return out;
}

std::vector<std::string> WordsOf(std::string_view type, const Schema& schema) {
  std::vector<std::string> out;
  for (const ValueRule* rule : ValueRulesOf(TypeNamed(schema, type), schema.release())) out.push_back(Words(*rule));
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Values, KnowWhatTheServerRefuses) {
  const std::vector<std::string> expected = {"containerPort range 1..65535", "containerPort required",
                                             "hostPort range 0..65535", "name port-name",
                                             "protocol one-of SCTP,TCP,UDP"};
  EXPECT_EQ(WordsOf("io.k8s.api.core.v1.ContainerPort", *BuiltinSchema()), expected);
}

TEST(Values, FormsAreKnown) {
  EXPECT_TRUE(HasForm("50%", "percent"));
  EXPECT_FALSE(HasForm("50", "percent"));
  EXPECT_TRUE(HasForm("*/5 * * * *", "cron"));
  EXPECT_TRUE(HasForm("@daily", "cron"));
  EXPECT_FALSE(HasForm("5 * * *", "cron"));
  EXPECT_TRUE(HasForm("/data", "absolute-path"));
  EXPECT_FALSE(HasForm("data", "absolute-path"));
  EXPECT_TRUE(HasForm("anything", "a form that is not known"));
}

std::multimap<std::string, std::string> LinesInFile() {
  std::ifstream file(StrCat(kTestsDir, "/../lib/schema/facts/values.txt"));
  const std::string text(std::istreambuf_iterator<char>(file), {});
  std::multimap<std::string, std::string> out;
  for (const FactLine& line : FactLines(text)) {
    const size_t space = line.text.find(' ');
    out.emplace(line.text.substr(0, space), line.text.substr(space + 1));
  }
  return out;
}

// A misspelt line would say nothing.
TEST(Values, EveryLineNamesATypeAndAFieldThatExistAndIsReadWhole) {
  const Schema& schema = *BuiltinSchema();
  const auto lines = LinesInFile();
  EXPECT_GT(lines.size(), 400u);
  for (auto at = lines.begin(); at != lines.end(); at = lines.upper_bound(at->first)) {
    SCOPED_TRACE(at->first);
    std::vector<std::string> expected;
    for (auto [one, end] = lines.equal_range(at->first); one != end; ++one) expected.push_back(one->second);
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(WordsOf(at->first, schema), expected);
    const Type& type = TypeNamed(schema, at->first);
    for (const ValueRule* rule : ValueRulesOf(type, schema.release())) {
      TypeId in = schema.FindTypeByName(at->first);
      for (const std::string_view name : rule->path) {
        if (schema.type(in).has_additional) break;
        const Field* field = schema.Find(in, name);
        ASSERT_NE(field, nullptr) << name;
        in = field->type;
      }
      if (rule->kind == Kind::kAnyOf) {
        for (const std::string_view name : rule->choices) EXPECT_NE(schema.Find(in, name), nullptr) << name;
      }
      EXPECT_TRUE(rule->form.empty() || DescribeForm(rule->form) != rule->form) << "an unknown form";
    }
  }
}

TEST(Values, ChoicesAreThoseOfTheReleasesThatAreKnown) {
  const Type& type = TypeNamed(*BuiltinSchema(), "io.k8s.api.core.v1.ContainerPort");
  for (const ValueRule* rule : ValueRulesOf(type, Release{1, 99})) EXPECT_NE(rule->kind, Kind::kOneOf);
}

}  // namespace
}  // namespace smp
