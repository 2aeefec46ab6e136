#include "yaml/read_yaml.h"

#include <gtest/gtest.h>

#include <string>

#include "base/strings.h"
#include "value/json.h"

namespace smp::yaml {
namespace {

std::string Json(std::string_view yaml) {
  const Result<Document> document = ParseYaml(yaml, "f");
  return document.ok() ? WriteJson(document->root()) : ToString(document.error());
}

struct Row {
  std::string_view yaml, json;
};

void ExpectRead(std::initializer_list<Row> rows) {
  for (const Row& row : rows) EXPECT_EQ(Json(row.yaml), row.json) << row.yaml;
}

void ExpectError(std::string_view yaml, std::string_view line, std::string_view words) {
  EXPECT_EQ(Json(yaml), StrCat("f:", line, ": this is not valid YAML: ", words)) << yaml;
}

std::string Repeated(std::string_view text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

// Each was refused or misread by a reader over yaml-cpp.
TEST(ReadYaml, ReadsWhatGoReads) {
  ExpectRead({
      {"a: >+\n  b\n\n", R"({"a":"b\n\n"})"},
      {"a: >2-\n    b\n   c\n  ", R"({"a":"  b\n c"})"},
      {"- &x |2\n    a", R"(["  a"])"},
      {"- &x |\n  a\n  b\n- *x", R"(["a\nb\n","a\nb\n"])"},
      {"a: {b:, c: d}", R"({"a":{"b:":null,"c":"d"}})"},
      {"a: [*b]\n",
       "f:1: this is not valid YAML: no anchor (&) of that name precedes this alias (*); put text that "
       "begins with * in quotes"},
      {"a: [&b]\nc: *b", R"({"a":[null],"c":null})"},
      {"a: &b? c\n", "f:1: this is not valid YAML: a key cannot begin here; fix the indentation"},
      {"!", "\"\""},
      {"a: x\xE2\x80\xA8 y", "{\"a\":\"x\\u2028y\"}"},
      {"a: .inf\na: 1", R"({"a":1})"},
      {"a: {~: 1}\na: 1", R"({"a":1})"},
      {"a: &x .inf\na: 1\n*x : 2", R"({".inf":2,"a":1})"},
      {"a: &x 1e8\n*x : 2", R"({"1e+08":2,"a":100000000})"},
      {"&x <<: {a: 1}\nb: *x", R"({"a":1,"b":"\u003c\u003c"})"},
      {"! '<<': {a: 1}", R"({"a":1})"},
      {"%TAG !y! tag:yaml.org,2002:\r---\ra: !y!str 1", R"({"a":"1"})"},
      {"a: !!s%74r 1", R"({"a":"1"})"},
      {"a: 1\n...\n...\n# end\n", R"({"a":1})"},
  });
}

TEST(ReadYaml, RefusesWhatGoRefusesOnlyInTheEnd) {
  ExpectError("b: {a: .inf}\na: 1", "1", "JSON has no infinity and no NaN");
  ExpectError("b: .nan\nb: .inf", "2", "JSON has no infinity and no NaN");
  ExpectError("x: &x {18446744073709551615: a}\ny:\n  <<: *x", "1", "an integer beyond 64 bits cannot be a key");
  ExpectError("a: 1\n~: x", "2", "a key is missing or null");
}

TEST(ReadYaml, RefusesALineThatBeginsWithATab) {
  for (const std::string_view yaml : {"a:\n\t\n- b", "a: [1]\n \t\nb: 1", "a: [1]\n\t# c\n"}) {
    EXPECT_NE(Json(yaml).find("tab in the indentation; use spaces"), std::string::npos) << Json(yaml);
  }
}

TEST(ReadYaml, ErrorsHaveTheirLine) {
  ExpectError("a: 1\nb: [1\nc: 2", "3", "the [ of a list is not closed by ], or a comma is missing");
  ExpectError("a: 1\nb: [", "2", "the [ of a list is not closed by ]");
  ExpectError("a: {b: [1]", "1", "the { of a mapping is not closed by }, or a comma is missing");
  ExpectError("a: 1\nb: !!int x", "2", "the value is not a !!int");
  ExpectError("a: 1\n? [x]\n: y", "2", "a key must be a scalar, not a mapping or a list");
  ExpectError("a: 1\n<<: x", "2", "the value of << must be a mapping or a list of mappings");
  ExpectError("a: 1\nb: \xFF", "2", "it is not UTF-8 text");
  ExpectError("a: 1\nb: \x01", "2", "control characters are not allowed");
  ExpectError("a: 1\nb: 'x\n\n", "2", "the quote that opens here is not closed");
  ExpectError("a: 1\nb:2\n", "2", "expected a colon after the key");
  ExpectError("a: [x,\n,y]", "2", "an item is missing before the comma or bracket, or the bracket was not opened");
  ExpectError("a: &a [*a]", "1", "an anchor contains an alias of itself");
  ExpectError("{a: 1}\n\nb: 2", "3", "unexpected text after the end of the document; separate documents by ---");
}

TEST(ReadYaml, KnowsTheLineOfEveryValue) {
  const Result<Document> document = ParseYaml(
      "# c\nspec: &l\n  args:\n  - x\n  - |\n    text\n  map: {p: 1,\n    q: 2}\n  empty:\n\nlast: *l\nlist:\n-\n\n- "
      "a\n");
  ASSERT_TRUE(document.ok()) << ToString(document.error());
  const Value& root = document->root();
  const auto line = [&](std::initializer_list<std::string_view> path) { return document->LineOf(root.FindPath(path)); };
  EXPECT_EQ(document->LineOf(&root), 2);
  EXPECT_EQ(document->LineOf(&root.FindPath({"spec", "args"})->Items()[1]), 5);
  EXPECT_EQ(line({"spec", "map", "q"}), 8);
  EXPECT_EQ(line({"spec", "empty"}), 9);
  EXPECT_EQ(line({"last"}), 11);
  EXPECT_EQ(document->LineOf(&root.Find("list")->Items()[0]), 13);
}

// Found once: the key of the outer bracket stayed possible at the end of the text, and the end was read for ever.
TEST(ReadYaml, EndsWithinABracketOnTheFirstLine) {
  for (const std::string_view yaml : {"{c: ?a", "[a", "{", "[[a, ", "[? "}) EXPECT_FALSE(ParseYaml(yaml).ok()) << yaml;
}

TEST(ReadYaml, IsLimitedInDepth) {
  for (const auto& [open, inner, close] :
       {std::tuple("[", "1", "]"), std::tuple("{a: ", "1", "}"), std::tuple("- ", "1", "")}) {
    EXPECT_TRUE(ParseYaml(Repeated(open, kMaxDepth) + inner + Repeated(close, kMaxDepth)).ok()) << open;
    for (const size_t depth : {kMaxDepth + 1, 100 * kMaxDepth}) {
      EXPECT_FALSE(ParseYaml(Repeated(open, depth) + inner + Repeated(close, depth)).ok()) << open;
    }
  }
  const std::string through_alias =
      StrCat("a: &a ", Repeated("[", 600), Repeated("]", 600), "\nb: ", Repeated("[", 400), "*a", Repeated("]", 400));
  EXPECT_NE(Json(through_alias).find("nested deeper than 1000 levels"), std::string::npos);
}

// Go's limit: 99 % of a small document may be aliases.
TEST(ReadYaml, IsLimitedInAliases) {
  const std::string small = "a: &a [" + Repeated("x, ", 100) + "]\nb: [";
  EXPECT_TRUE(ParseYaml(StrCat(small, Repeated("*a, ", 90), "]")).ok());
  const std::string large = StrCat("a: &a [", Repeated("x, ", 100), "]\nb: &b [", Repeated("*a, ", 90), "]\nc: [");
  EXPECT_NE(Json(StrCat(large, Repeated("*b, ", 9), "]")).find("most of the document consists of aliases"),
            std::string::npos);
}

TEST(ReadYaml, ReadsLargeTexts) {
  const std::string text(40UL << 20, 'x');
  EXPECT_EQ(ParseYaml("a: \"" + text + "\"\n")->root().Find("a")->AsString().size(), text.size());
  EXPECT_EQ(ParseYaml("a: |\n  " + text + "\n")->root().Find("a")->AsString().size(), text.size() + 1);
  EXPECT_EQ(ParseYaml("a: [" + Repeated("1234567890, ", 3'000'000) + "]\n")->root().Find("a")->size(), 3'000'000U);
}

}  // namespace
}  // namespace smp::yaml
