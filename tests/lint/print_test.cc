#include "lint/print.h"

#include "base/path_syntax.h"
#include "lint/testing.h"
#include "value/json.h"

namespace smp::lint {
namespace {

std::string Text(std::string_view manifest, TextStyle style = {}) { return PrintText(Linted(manifest), style); }

size_t Count(std::string_view text, std::string_view part) {
  size_t out = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++out;
  return out;
}

std::string Json(std::string_view manifest) { return WriteJson(ToJson(Linted(manifest)).root()); }

TEST(Print, TextPointsAtWhatIsWrong) {
  EXPECT_EQ(Text(StrCat(kConfigMap, "data:\n  a: 1\n")),
            "f.yaml:5:6: error: 1 is an integer in YAML, and this field takes text [wrong-type]\n"
            "5 | a: 1\n"
            "  |    ^ put it in quotes: \"1\" (--fix does it)\n"
            "  | in configmap/web data.a\n");
}

TEST(Print, OfALongLineOnlyWhatIsAroundTheMark) {
  const std::string text = Text(
      StrCat(kConfigMap, "data: {a: \"", std::string(300, 'x'), "\", b: 1, c: \"", std::string(300, 'y'), "\"}\n"));
  EXPECT_NE(text.find("b: 1, c: \"yyy"), text.npos) << text;
  for (const std::string_view line : Split(text, '\n')) EXPECT_LT(line.size(), 130u) << line;
}

// Columns are counted from the nearest of many places, whatever is before them.
TEST(Print, ColumnsInALongLineAreOfCharacters) {
  for (const size_t before : {100u, 255u, 256u, 257u, 1000u}) {
    std::string long_text;
    for (size_t i = 0; i < before; ++i) long_text += "ä";
    EXPECT_EQ(Short(Linted(StrCat("\xEF\xBB\xBF{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: \"",
                                  long_text, "\", b: 1}}\n"))),
              Lines{StrCat("1:", 73 + before, " error wrong-type data.b")});
  }
}

// When each finding cost the whole line, this took minutes.
TEST(Print, ManyFindingsInOneLineTakeLinearTime) {
  std::string manifest =
      "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"d\"},\"data\":{\"k\":1";
  for (int i = 0; i < 60000; ++i) manifest += StrCat(", \"k", i, "\": 1");
  EXPECT_EQ(Count(Text(StrCat(manifest, "}}"), {.fold = false}), "[wrong-type]"), 60001u);
}

// A comment is of no object, and its line may have a value.
TEST(Print, ShowsNoLinesOfSecrets) {
  const std::string text = Text(
      "apiVersion: v1\nkind: \"Sec\\u0072et\"\nmetadata: {name: s}\nstringData:\n"
      "  pin: hunter2 # smp:ignore wrong-typ\n");
  EXPECT_NE(text.find("[unused-ignore]"), text.npos);
  EXPECT_EQ(text.find("hunter2"), text.npos) << text;
}

TEST(Print, WideCharactersTakeTwoColumns) {
  EXPECT_NE(Text(StrCat(kConfigMap, "data: {a: \"日本\", b: 1}\n"))
                .find("4 | data: {a: \"日本\", b: 1}\n  |                      ^ "),
            std::string::npos);
}

TEST(Print, EscapesWhatATerminalWouldObey) {
  const std::string text = Text(StrCat(kConfigMap, "data: {\"a\\e[31m\": \"\\u202e\", b: 1}  # \x1b[2J\n"));
  EXPECT_EQ(text.find('\x1b'), text.npos) << text;
}

TEST(Print, FoldsManyOfOneRule) {
  std::string manifest = "apiVersion: example.com/v1\nkind: W\nmetadata: {name: w}\nspec:\n";
  for (char c = 'a'; c < 'j'; ++c) manifest += StrCat("  ", std::string(1, c), ": NO\n");
  const std::string folded = Text(manifest), whole = Text(manifest, {.fold = false});
  EXPECT_NE(folded.find("f.yaml: and 4 more [yaml-versions] (--show=all)\n"), folded.npos) << folded;
  EXPECT_EQ(whole.find("more"), whole.npos);
  EXPECT_GT(whole.size(), folded.size());
}

TEST(Print, JsonHasEverything) {
  EXPECT_EQ(Json(StrCat(kConfigMap, "data: {a: 1}  # smp:ignore invalid-name\n")),
            R"({"findings":[{"column":11,"file":"f.yaml","fix":"put it in quotes: \"1\"","line":4,)"
            R"("message":"1 is an integer in YAML, and this field takes text",)"
            R"("object":{"apiVersion":"v1","kind":"ConfigMap","name":"web"},"path":"data.a","rule":"wrong-type",)"
            R"("safe":true,"severity":"error"},)"
            R"({"column":15,"file":"f.yaml","fix":"remove it","line":4,"message":"this comment suppresses nothing",)"
            R"("rule":"unused-ignore","severity":"warning"}],)"
            R"("summary":{"error":1,"files":1,"fixed":0,"info":0,"objects":1,"suppressed":0,"warning":1},)"
            R"("suppressed":[],"version":1})");
}

TEST(Print, GithubHasErrorsFirst) {
  const Report report = Linted(StrCat("# smp:ignore-file invalid-name\n", kConfigMap, "data: {\"a,b\": 1}\n"));
  EXPECT_EQ(PrintGithub(report, Severity::kWarning),
            "::error file=f.yaml,line=5,col=15,title=configmap/web::data[\"a,b\"]: 1 is an integer in YAML, and this "
            "field takes text; put it in quotes: \"1\" [wrong-type]\n");
  EXPECT_EQ(PrintGithub(Linted(kConfigMap), Severity::kInfo), "");
}

const Value& At(const Value& value, std::initializer_list<std::string_view> path) {
  const Value* at = &value;
  for (const std::string_view step : path) {
    const Value* next = at->is_array() ? &at->Items()[static_cast<size_t>(step[0] - '0')] : at->Find(step);
    if (next == nullptr) {
      ADD_FAILURE() << "no " << step;
      break;
    }
    at = next;
  }
  return *at;
}

TEST(Print, SarifNamesRulesAndPlaces) {
  const Document document =
      ToSarif(Linted(StrCat(kConfigMap, "data: {a: 1}\n", "---\n", kConfigMap, "data: {b: 1}  # smp:ignore\n")), "v9");
  const Value& run = At(document.root(), {"runs", "0"});
  EXPECT_EQ(At(document.root(), {"version"}).AsString(), "2.1.0");
  EXPECT_EQ(At(run, {"tool", "driver", "version"}).AsString(), "v9");
  EXPECT_EQ(At(run, {"results"}).size(), 3u);
  const Value& first = At(run, {"results", "0"});
  EXPECT_EQ(At(first, {"ruleId"}).AsString(), "wrong-type");
  EXPECT_EQ(At(first, {"level"}).AsString(), "error");
  const Value& place = At(first, {"locations", "0", "physicalLocation"});
  EXPECT_EQ(At(place, {"artifactLocation", "uri"}).AsString(), "f.yaml");
  EXPECT_EQ(At(place, {"region", "startLine"}).AsInt(), 4);
  EXPECT_EQ(At(place, {"region", "startColumn"}).AsInt(), 11);
  const auto index = static_cast<size_t>(At(first, {"ruleIndex"}).AsInt());
  EXPECT_EQ(At(run, {"tool", "driver", "rules"}).Items()[index].StringOr("id"), "wrong-type");
}

// Code scanning looks for the file in the repository.
TEST(Print, SarifNamesFilesByUri) {
  const std::string text = StrCat(kConfigMap, "data: {a: 1}\n");
  const auto uri = [&](const std::string& name) {
    const Document document = ToSarif(Linted({{name, text}}), "v9");
    const Value& first = At(document.root(), {"runs", "0", "results", "0", "locations", "0"});
    return std::string(At(first, {"physicalLocation", "artifactLocation", "uri"}).AsString());
  };
  EXPECT_EQ(uri("a b/ü%.yaml"), "a%20b/ü%25.yaml");
  EXPECT_EQ(uri("a\\b.yaml"), IsPathSeparator('\\') ? "a/b.yaml" : "a%5Cb.yaml");
}

}  // namespace
}  // namespace smp::lint
