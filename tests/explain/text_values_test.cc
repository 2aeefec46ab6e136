// Values in the text: the lines, words and documents that differ.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/strings.h"
#include "explain/nested_changes.h"
#include "explain/testing.h"
#include "explain/text.h"
#include "value/columns.h"

namespace smp::explain {
namespace {

TEST(Text, ShowsTheLinesThatDiffer) {
  std::vector<std::string> before(200, ""), after;
  for (size_t i = 0; i < before.size(); ++i) before[i] = StrCat("line ", i);
  after = before;
  after[100] = "changed";
  EXPECT_EQ(Rows(Print({Change(TextOfMap(before), TextOfMap(after))})),
            "  ~ data.t:  changed, line 5\n"
            "      … 98 unchanged lines\n"
            "        line 98\n"
            "        line 99\n"
            "      - line 100\n"
            "      + changed\n"
            "        line 101\n"
            "        line 102\n"
            "      … 97 unchanged lines\n");
}

TEST(Text, FoldsALongTextThatChangesAllOver) {
  std::vector<std::string> before(2000, ""), after;
  for (size_t i = 0; i < before.size(); ++i) before[i] = StrCat("line ", i);
  after = before;
  for (size_t i = 0; i < after.size(); i += 20) after[i] += " changed";
  const std::string text = Rows(Print({Change(TextOfMap(before), TextOfMap(after))}));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 44) << text;
  EXPECT_TRUE(text.ends_with("\n      … 188 more changed lines (--wide)\n")) << text;
  const std::string wide = Rows(Print({Change(TextOfMap(before), TextOfMap(after))}, {.wide = true}));
  EXPECT_NE(wide.find("+ line 1980 changed\n"), std::string::npos);
  EXPECT_EQ(wide.find("(--wide)"), std::string::npos);
}

TEST(Text, ShowsBlanksAndMissingNewlines) {
  EXPECT_EQ(Rows(Print({Change(TextOfMap({"a", "b"}), TextOfMap({"a  ", "b"}))})),
            "  ~ data.t:  changed, line 5\n      - a\n      + a··\n        b\n");
  EXPECT_EQ(Rows(Print({Change(TextOfMap({"a", "x\ty"}), TextOfMap({"a", "x y"}))})),
            "  ~ data.t:  changed, line 5\n        a\n      - x\\ty\n      + x y\n");
  EXPECT_EQ(Rows(Print({Change(TextOfMap({"a", "b"}), TextOfMap({"a", "b"}, false))})),
            "  ~ data.t:  changed, line 5\n        a\n        b\n      + \\ no newline at end\n");
}

TEST(Text, ShowsWhatLooksLikeASpaceAndCarriageReturns) {
  EXPECT_EQ(Rows(Print({Change(TextOfMap({"a", "b c"}), TextOfMap({"a", "b\u00A0c"}))})),
            "  ~ data.t:  changed, line 5\n        a\n      - b c\n      + b\\u00a0c\n");
  EXPECT_EQ(Rows(Print({Change(Map("m", "{k: b c}"), Map("m", "{k: b\u00A0c}"))})),
            "  ~ data.k: b c → b\\u00a0c  changed, line 4\n");
  EXPECT_EQ(Rows(Print({Change(Map("m", "{k: \"a\\nb\\n\"}"), Map("m", "{k: \"a\\nb \\r\\n\"}"))})),
            "  ~ data.k:  changed, line 4\n        a\n      - b\n      + b·\\r\n");
  EXPECT_EQ(Rows(Print({Change(Map("m", "{k: \"a\\nb\\n\"}"), Map("m", "{k: \"a\\n\\u2028b\\u202e\\n\"}"))})),
            "  ~ data.k:  changed, line 4\n        a\n      - b\n      + \\u2028b\\u202e\n");
}

// A line of 5,000 characters of which a word changes.
TEST(Text, ShowsTheWordsThatChangeInLongLines) {
  std::string line;
  for (int i = 0; line.size() < 5000; ++i) line += "word" + std::to_string(i) + " ";
  line += "end";
  const auto with = [&](const std::string& word, const std::string& by) {
    return std::string(line).replace(line.find(word), word.size(), by);
  };
  EXPECT_EQ(Rows(Print({Change(TextOfMap({"a", line}), TextOfMap({"a", with("word300 ", "other ")}))})),
            "  ~ data.t:  changed, line 5\n        a\n"
            "      - …ord296 word297 word298 word299 word300 word301 word302 word303 word30…\n"
            "      + …ord296 word297 word298 word299 other word301 word302 word303 word30…\n");
  EXPECT_EQ(Rows(Print({Change(TextOfMap({"a", line}), TextOfMap({"a", with("word300 ", "other "), "b"}))})),
            "  ~ data.t:  changed, line 5\n        a\n"
            "      - …ord296 word297 word298 word299 word300 word301 word302 word303 word30…\n"
            "      + …ord296 word297 word298 word299 other word301 word302 word303 word30…\n"
            "      + b\n")
      << "beside a new line";
}

std::string Crd(const std::string& type, const std::string& more = "") {
  return "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b.io}\n"
         "spec:\n  versions:\n"
         "  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: "
         "{spec: {type: " +
         type + "}, status: {type: object}}}}}\n" + more;
}

TEST(Text, ShowsWhatDiffersInsideAListThatIsReplaced) {
  EXPECT_EQ(Rows(Print({Change(Crd("string"), Crd("integer"))})),
            "  ~ spec.versions:  changed, line 6\n"
            "      v1:\n"
            "        ~ may refuse objects: type string → integer in spec\n");
  EXPECT_EQ(Rows(Print({Change(Crd("string"), Crd("string", "  - {name: v2, served: true, storage: false}\n"))})),
            "  ~ spec.versions:  changed, line 6\n"
            "      + [name=v2]: {name: v2, served: true, storage: false}\n");
}

// A schema in which the same things change at many paths. `name`: of the schema.
std::string Schema(const std::string& fields, std::string_view name = "openAPIV3Schema") {
  std::string out =
      "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b.io}\n"
      "spec:\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      " +
      StrCat(name, ":\n        properties:\n");
  for (int i = 0; i < 30; ++i) out += StrCat("          f", i, ": {properties: {", fields, "}}\n");
  return out;
}

TEST(Text, SaysWhatASchemaChangesForItsObjects) {
  EXPECT_EQ(Rows(Print({Change(Schema("a: {description: old, type: string}, gone: {type: string}"),
                               Schema("a: {description: new, type: integer}, b: {type: string}"))})),
            "  ~ spec.versions:  changed, line 6\n"
            "      v1:\n"
            "        - 30 fields gone: f0.gone (and 29 like it)\n"
            "        ~ may refuse objects: type string → integer in f0.a (and 29 like it)\n"
            "        + 30 fields: f0.b (string) (and 29 like it)\n"
            "        … 30 changed descriptions (--wide)\n");
}

constexpr std::string_view kOther = "anotherSchema";

TEST(Text, FoldsWhatChangesAlikeAtManyPaths) {
  EXPECT_EQ(Rows(Print({Change(Schema("a: {type: string}, gone: {type: string}", kOther),
                               Schema("a: {type: integer}, b: {type: string}", kOther))})),
            "  ~ spec.versions:  changed, line 6\n"
            "      [name=v1].schema.anotherSchema.properties.f0.properties\n"
            "        ~ a.type: string → integer  and at 29 more paths\n"
            "        + b: {type: string}         and at 29 more paths\n"
            "        - gone: {type: string}      and at 29 more paths\n");
  const std::string wide = Print({Change(Schema("a: {type: string}"), Schema("a: {type: integer}"))}, {.wide = true});
  EXPECT_EQ(wide.find("more paths"), std::string::npos) << wide;
}

TEST(Text, CountsWhatDoesNotFitOfManyChanges) {
  const auto schema = [](int first, int end, int more = 0) {
    std::string out = Schema("a: {type: string}", kOther);
    for (int i = first; i < end; ++i) out += StrCat("          g", i, ": {type: string, maxLength: ", i + more, "}\n");
    return out;
  };
  const std::string text = Rows(Print({Change(schema(20, 110), schema(10, 60))}));
  // What is removed or changed is not only counted.
  EXPECT_NE(text.find("\n      … 21 more changes (--wide), of which these remove something: g"), std::string::npos)
      << text;
  EXPECT_NE(text.find("and 17 more"), std::string::npos) << text;
  const std::string changed = Rows(Print({Change(schema(10, 110), schema(10, 110, 1))}));
  EXPECT_NE(changed.find(" more changes (--wide), of which these change a value:"), std::string::npos) << changed;
  const std::string both = Rows(Print({Change(schema(10, 110), schema(11, 60, 1))}));
  EXPECT_NE(both.find("these change a value:"), std::string::npos) << both;
}

// Rules have no name, and one is removed, so that the others have other places.
TEST(Text, PairsItemsByTheirTitles) {
  const auto rules = [](const std::string& first, const std::string& more) {
    return "apiVersion: monitoring.coreos.com/v1\nkind: PrometheusRule\nmetadata: {name: a}\nspec:\n  groups:\n"
           "  - name: g\n    rules:\n" +
           first + "    - {alert: Down, expr: up == 0, for: " + more + "}\n    - {record: rate, expr: " + more + "}\n";
  };
  const Document before = Yaml(rules("    - {alert: Gone, expr: x}\n", "5m")), after = Yaml(rules("", "10m"));
  const auto changes = NestedChanges(*before.root().Find("spec"), *after.root().Find("spec"));
  ASSERT_TRUE(changes);
  std::vector<std::string> paths;
  for (const NestedChange& change : *changes) paths.push_back(ToString(change.path));
  EXPECT_EQ(paths, (std::vector<std::string>{"groups[name=g].rules[alert=Gone]", "groups[name=g].rules[alert=Down].for",
                                             "groups[name=g].rules[record=rate].expr"}));
}

TEST(Text, ShowsWhatDiffersInsideJson) {
  const auto json = [](int a) {
    return Map("a", StrCat("{j: '{\"a\": ", a, ", \"long\": \"", std::string(80, 'x'), "\"}'}"));
  };
  EXPECT_EQ(Rows(Print({Change(json(1), json(2))})), "  ~ data.j:  changed, line 4\n      ~ a: 1 → 2\n");
}

TEST(Text, ShowsWhatDiffersInsideFiles) {
  EXPECT_EQ(Rows(Print({Change(TextOfMap({"server.port=8080", "server.host=a"}),
                               TextOfMap({"server.port=9090", "server.host=a"}))})),
            "  ~ data.t:  changed, line 5\n      ~ server.port: 8080 → 9090\n");
  EXPECT_EQ(Rows(Print({Change(TextOfMap({"a: 1", "b: 2", "t: |", "  c=1", "  d=2"}),
                               TextOfMap({"a: 1", "b: 2", "t: |", "  c=1", "  d=3"}))})),
            "  ~ data.t:  changed, line 5\n      ~ t:\n          ~ d: 2 → 3\n")
      << "a file in a file";
}

// Many values in few lines: the lines are shorter.
TEST(Text, ShowsTheLinesOfAFileWhereTheyAreFewer) {
  EXPECT_EQ(
      Rows(Print({Change(TextOfMap({"a: {b: 1, c: 1, d: 1, e: 1}", "f: 1"}),
                         TextOfMap({"a: {b: 2, c: 2, d: 2, e: 2}", "f: 1"}))})),
      "  ~ data.t:  changed, line 5\n      - a: {b: 1, c: 1, d: 1, e: 1}\n      + a: {b: 2, c: 2, d: 2, e: 2}\n       "
      " f: 1\n");
}

TEST(Text, TellsNothingOfFilesInSecrets) {
  const std::string secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n  t: |\n    PASSWORD=";
  const std::string text = Print({Change(secret + "hunter2\n    USER=web\n", secret + "hunter33\n    USER=web\n")});
  EXPECT_NE(text.find("stringData.t: ***"), std::string::npos) << text;
  for (const char* part : {"hunter", "PASSWORD", "USER"}) EXPECT_EQ(text.find(part), std::string::npos) << text;
}

TEST(Text, ShowsBinaryDataBySizeAndDigest) {
  const auto binary = [](const std::string& base64) {
    return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nbinaryData: {b: " + base64 + "}\n";
  };
  EXPECT_EQ(Rows(Print({Change(binary("AA=="), binary("AQI="))})),
            "  ~ binaryData.b:  changed, line 4\n"
            "      1 byte, sha256 6e340b9cffb3 → 2 bytes, sha256 a12871fee210\n");
}

TEST(Text, CutsLongValuesUnlessWide) {
  const auto image = [](const std::string& tag) { return Map("a", "{k: " + std::string(100, 'r') + ":" + tag + "}"); };
  const std::string cut = Rows(Print({Change(image("v1"), image("v2"))}));
  EXPECT_EQ(cut, "  ~ data.k:  changed, line 4\n      - …" + std::string(68, 'r') + ":v1\n      + …" +
                     std::string(68, 'r') + ":v2\n");
  const std::string whole = Rows(Print({Change(image("v1"), image("v2"))}, {.wide = true}));
  EXPECT_NE(whole.find(std::string(100, 'r') + ":v1"), std::string::npos) << whole;
  EXPECT_EQ(whole.find("…"), std::string::npos) << whole;
}

TEST(Text, FitsTheWidth) {
  const std::string live = Crd("string", "  - {name: v1beta1, served: true, storage: false}\n");
  for (const size_t width : {40u, 60u, 80u, 120u}) {
    const std::string text = Print({Change(Crd("integer"), Crd("object"), live)}, {.width = width});
    for (const std::string_view line : Split(text, '\n')) {
      EXPECT_TRUE(Columns(line) <= width || line.find(' ', line.find_first_not_of(' ')) == line.rfind(' ')) << line;
    }
  }
}

}  // namespace
}  // namespace smp::explain
