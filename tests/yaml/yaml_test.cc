#include <gtest/gtest.h>

#include <string>

#include "value/json.h"
#include "yaml/input.h"
#include "yaml/read_yaml.h"
#include "yaml/write_yaml.h"

namespace smp::yaml {
namespace {

std::string Json(std::string_view yaml) {
  const Result<Document> document = yaml::ParseYaml(yaml, "f.yaml");
  return document.ok() ? WriteJson(document->root()) : ToString(document.error());
}

// "JSON" or "error" per document.
std::vector<std::string> Items(const yaml::YamlFile& file) {
  std::vector<std::string> items;
  for (const yaml::YamlFile::Item& item : file.items) {
    items.push_back(item.document.ok() ? WriteJson(item.document->root()) : ToString(item.document.error()));
  }
  return items;
}

using Strings = std::vector<std::string>;

TEST(YamlFile, SplitsDocumentsAndLeavesOutEmptyOnes) {
  const yaml::YamlFile file =
      yaml::ParseYamlFile("\xEF\xBB\xBF# head\n---\na: 1\n--- # two\n\n# nothing\n---\nb: 2\n---\n", "f");
  EXPECT_EQ(Items(file), (Strings{R"({"a":1})", R"({"b":2})"}));
}

TEST(YamlFile, ABadDocumentDoesNotHideTheOthers) {
  const yaml::YamlFile file = yaml::ParseYamlFile("a: 1\n---\nb: [\n---\nc: 3\n", "f");
  ASSERT_EQ(file.items.size(), 3U);
  EXPECT_TRUE(file.items[0].document.ok());
  EXPECT_FALSE(file.items[1].document.ok());
  EXPECT_EQ(WriteJson(file.items[2].document->root()), R"({"c":3})");
  EXPECT_EQ(file.items[2].document->LineOf(file.items[2].document->root().Find("c")), 5);
}

// Large enough to be read by several threads.
TEST(YamlFile, ManyDocumentsComeOutInOrderWithTheirLinesAndErrors) {
  std::string text;
  Strings expected;
  for (int line = 1; line < 15'000; line += 5) {
    const std::string at = std::to_string(line);
    switch (line % 4) {
      case 0:
        text += "a: [\nb: 1\n# \n# \n---\n";
        expected.push_back("bad before " + std::to_string(line + 5));
        break;
      case 1: text += "# nothing\n\n\n\n---\n"; break;
      case 2:
        text += "{\"a\": " + at + "}\n{\"b\": 2}\n\n\n---\n";
        expected.push_back("{\"a\":" + at + "} at " + at);
        expected.push_back("{\"b\":2} at " + std::to_string(line + 1));
        break;
      default:
        text += "\n\na: " + at + "\ny: 1\n---\n";
        expected.push_back("{\"a\":" + at + ",\"true\":1} at " + std::to_string(line + 2) + " warns");
    }
  }
  Strings found;
  for (const auto& [document] : yaml::ParseYamlFile(text, "f").items) {
    if (!document.ok()) {
      const int line = document.error().source.line;
      found.push_back("bad before " + std::to_string((line + 4) / 5 * 5 + 1));
    } else {
      found.push_back(WriteJson(document->root()) + " at " + std::to_string(document->LineOf(&document->root())) +
                      (document->warnings().empty() ? "" : " warns"));
    }
  }
  EXPECT_EQ(found, expected);
}

TEST(YamlFile, SeparatorsTakeOnlyComments) {
  const yaml::YamlFile file = yaml::ParseYamlFile("a: 1\n--- b\nc: 3\n", "f");
  EXPECT_EQ(Items(file),
            (Strings{R"({"a":1})", "f:2: this is not valid YAML: only a comment may follow --- on the same line",
                     R"({"c":3})"}));
}

TEST(YamlFile, JsonDocumentsAreRead) {
  const yaml::YamlFile file =
      yaml::ParseYamlFile("{\"a\": 1.0}\n{\"a\": 2}\n---\n{\"a\": 3} # yaml\n---\n{a: 4}\n", "f");
  EXPECT_EQ(Items(file), (Strings{R"({"a":1})", R"({"a":2})", R"({"a":3})", R"({"a":4})"}));
  // JSON keeps 1.0 a float, as kubectl does; YAML would make it an integer.
  EXPECT_TRUE(file.items[0].document->root().Find("a")->is_double());
}

TEST(YamlFile, BrokenJsonIsExplainedAsJson) {
  const yaml::YamlFile file = yaml::ParseYamlFile("---\n{\"a\": 1,\n\"b\" 2}\n", "f");
  EXPECT_EQ(Items(file), Strings{"f:3: this is not valid JSON: missing a colon after a name of object member"});
}

TEST(YamlFile, WarnsOfDuplicatesWithBothLines) {
  const yaml::YamlFile file = yaml::ParseYamlFile("a: 1\nb: {c: 1}\na: 2\n", "f");
  const std::vector<ReadWarning>& warnings = file.items.front().document->warnings();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].kind, ReadWarning::Kind::kDuplicateKey);
  EXPECT_EQ(warnings[0].message, "duplicate key \"a\" on line 3 (first on line 1); the server would keep the last one");
  EXPECT_EQ(warnings[0].source.line, 3);
  EXPECT_EQ(Items(file), Strings{R"({"a":2,"b":{"c":1}})"});
}

TEST(YamlFile, WarnsOfKeysThatAreReadAsOtherText) {
  const yaml::YamlFile file = yaml::ParseYamlFile("data:\n  y: 1\n  80: 2\n  \"n\": 3\n  0x10: 4\n", "f");
  const std::vector<ReadWarning>& warnings = file.items.front().document->warnings();
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_EQ(warnings[0].kind, ReadWarning::Kind::kRenamedKey);
  EXPECT_EQ(warnings[0].source.line, 2);
  EXPECT_EQ(warnings[1].source.line, 5);
  EXPECT_EQ(Items(file), Strings{R"({"data":{"16":4,"80":2,"n":3,"true":1}})"});
}

TEST(YamlFile, MergedKeysAreNoDuplicates) {
  const Result<Document> document = yaml::ParseYaml("x: &x {a: 1}\nz:\n  <<: *x\n  a: 2\n", "f");
  ASSERT_TRUE(document.ok());
  EXPECT_TRUE(document->warnings().empty());
}

TEST(YamlFile, WarnsOfDuplicatesInJson) {
  const yaml::YamlFile file = yaml::ParseYamlFile("{\"a\": {\n\"b\": 1,\n\"b\": 2}, \"b\": 3}", "f.json");
  const std::vector<ReadWarning>& warnings = file.items.front().document->warnings();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].message, "duplicate key \"b\" on line 3 (first on line 2); the server would keep the last one");
  EXPECT_EQ(warnings[0].source.file, "f.json");
}

TEST(Yaml, KnowsTheLineOfEveryValue) {
  const Result<Document> document = yaml::ParseYaml(
      "# c\nspec:\n  args:\n  - x\n  - |\n    text\n  map: {p: 1,\n    q: 2}\n  empty:\n\n  last: *l\n", "f");
  EXPECT_FALSE(document.ok());  // *l is not defined
  const Result<Document> good = yaml::ParseYaml(
      "# c\nspec: &l\n  args:\n  - x\n  - |\n    text\n  map: {p: 1,\n    q: 2}\n  empty:\n\nlast: *l\n", "f");
  ASSERT_TRUE(good.ok()) << ToString(good.error());
  const Value& root = good->root();
  const Value* spec = root.Find("spec");
  EXPECT_EQ(good->LineOf(&root), 2);
  EXPECT_EQ(good->LineOf(&spec->Find("args")->Items()[0]), 4);
  EXPECT_EQ(good->LineOf(&spec->Find("args")->Items()[1]), 5);
  EXPECT_EQ(good->LineOf(spec->FindPath({"map", "q"})), 8);
  EXPECT_EQ(good->LineOf(spec->Find("empty")), 9);
  EXPECT_EQ(good->LineOf(root.Find("last")), 11);
}

TEST(Yaml, ReadsWindowsLineEndsWithTheSameLines) {
  const Result<Document> document = yaml::ParseYaml("a: 1\r\nb:\r\n  c: |\r\n    x\r\n    y\r\n", "f");
  ASSERT_TRUE(document.ok());
  EXPECT_EQ(WriteJson(document->root()), R"({"a":1,"b":{"c":"x\ny\n"}})");
  EXPECT_EQ(document->LineOf(document->root().FindPath({"b", "c"})), 3);
}

TEST(Yaml, WholeFloatsAreIntegersAsAfterKubectlsDetourByJson) {
  const Result<Document> document = yaml::ParseYaml("[1.0, 1e3, -0.0, 1.5, 18446744073709551615]");
  ASSERT_TRUE(document.ok());
  const Kind expected[] = {Kind::kInt, Kind::kInt, Kind::kInt, Kind::kDouble, Kind::kDouble};
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(document->root().Items()[i].kind(), expected[i]) << i;
}

TEST(Yaml, ErrorsNameFileAndLine) {
  EXPECT_EQ(Json("a: 1\nb: [1\nc: 2"),
            "f.yaml:3: this is not valid YAML: the [ of a list is not closed by ], or a comma is missing");
  EXPECT_EQ(Json("a:\n\tb: 1"), "f.yaml:2: this is not valid YAML: tab in the indentation; use spaces");
  EXPECT_EQ(Json("a: 1\nb: .inf"), "f.yaml:2: this is not valid YAML: JSON has no infinity and no NaN");
  EXPECT_EQ(Json("a: 1\nb: !!int x"), "f.yaml:2: this is not valid YAML: the value is not a !!int");
  EXPECT_EQ(Json("a: 1\n~: x"), "f.yaml:2: this is not valid YAML: a key is missing or null");
  EXPECT_EQ(Json("a: 1\n? [x]\n: y"),
            "f.yaml:2: this is not valid YAML: a key must be a scalar, not a mapping or a list");
  EXPECT_EQ(Json("a: 1\n<<: x"),
            "f.yaml:2: this is not valid YAML: the value of << must be a mapping or a list of mappings");
  EXPECT_EQ(Json("a: 1\nb: \xFF"), "f.yaml:2: this is not valid YAML: it is not UTF-8 text");
  EXPECT_EQ(Json("a: 1\nb: \x01"), "f.yaml:2: this is not valid YAML: control characters are not allowed");
  EXPECT_EQ(Json("a: 1\nb: 'x\n\n"), "f.yaml:2: this is not valid YAML: the quote that opens here is not closed");
  EXPECT_EQ(Json("a: 1\nb:2\n"), "f.yaml:2: this is not valid YAML: expected a colon after the key");
  EXPECT_EQ(Json("a: [x,\n,y]"),
            "f.yaml:2: this is not valid YAML: an item is missing before the comma or bracket, or the bracket was not "
            "opened");
}

TEST(Yaml, ErrorsAreSaidInPlainWords) {
  const std::string_view rows[][2] = {
      {"a: b: c", "a mapping cannot begin here; put text that contains a colon in quotes"},
      {"a: b\n  c: d", "a mapping cannot begin here"},
      {"a:\n- b\n  c\n - d: 1", "fix the indentation"},
      {"a: {b: 1\nc: 2", "the { of a mapping is not closed by }"},
      {"a: @b", "a value cannot begin with this character"},
      {"a: *b", "no anchor (&) of that name precedes this alias (*)"},
      {"a: |x\n  b", "only a digit, + or - may follow | or >"},
  };
  for (const auto& [yaml, part] : rows) {
    SCOPED_TRACE(yaml);
    EXPECT_NE(Json(yaml).find(part), std::string::npos) << Json(yaml);
  }
}

TEST(Yaml, AnUnrenderedTemplateIsRecognised) {
  const std::string_view hint = "this is a Helm template ({{ … }}) that was not rendered";
  for (const std::string_view yaml : {"a: {{ .Values.x }}\n", "a: 1\n{{- if .Values.b }}\nb: 1\n{{- end }}\n",
                                      "{{ .x }}: 1\n", "{{.Values.all}}\n"}) {
    EXPECT_NE(Json(yaml).find(hint), std::string::npos) << Json(yaml);
  }
  EXPECT_EQ(Json("a: 1\n{{- if .Values.b }}\nb: 1\n"), "f.yaml:2: " + std::string(yaml::kTemplateMessage));
  EXPECT_EQ(Json("a: {b: {c: [}}\n").find(hint), std::string::npos);
  EXPECT_EQ(Json("a: |\n  {{ .Values.x }}\nb: [\n").find(hint), std::string::npos);  // in a text, which is fine
  EXPECT_EQ(Json("a: \"{{ .Values.x }}\""), R"({"a":"{{ .Values.x }}"})");
}

TEST(Yaml, ABlockOfTextMayStandAtTheColumnOfItsAnchor) {
  const std::string_view rows[][2] = {
      {"- &x |\n  a\n  b\n- *x", R"(["a\nb\n","a\nb\n"])"},
      {"- &x |\n a\n\n   b\n\n- c", R"(["a\n\n  b\n","c"])"},
      {"a:\n- - !!str >-\n    b\n    c\n  - d", R"({"a":[["b c","d"]]})"},
      {"- &x |\n  # a\n", R"(["# a\n"])"},
      {"- &x |+\n\n  # a\n- b", R"(["\n# a\n","b"])"},
      {"- &x |\n  a: b\n  [\n- &y |\n  'c\n- [*x, *y]", R"(["a: b\n[\n","'c\n",["a: b\n[\n","'c\n"]])"},
      {"- &x |\n- a", R"(["","a"])"},
      // Its anchor or tag says nothing of where a mapping or list begins.
      {"- &x\n   a: &y |\n   b: 1\n", R"([{"a":"","b":1}])"},
      {"a: !local\n    - !!str >\n    - b\n", R"({"a":["","b"]})"},
  };
  for (const auto& [yaml, json] : rows) EXPECT_EQ(Json(yaml), json) << yaml;
}

TEST(Yaml, TheLinesAfterABlockOfTextAreCountedRight) {
  EXPECT_EQ(Json("- &x |\n  a\n  b\n- c: 'd"),
            "f.yaml:4: this is not valid YAML: the quote that opens here is not closed");
}

TEST(Yaml, ALineThatBeginsWithATabIsRefusedAsGoDoes) {
  const std::string error = "this is not valid YAML: tab in the indentation; use spaces";
  for (const std::string_view yaml : {"a:\n\t\n- b", "\t\na: 1", "a: [1]\n\t\nb: 1", "a: 'x'\n\t# c\nb: 1",
                                      "a: 1\n# c\n\t \nb: 1", "a: [1]\n\t\n", "a: {b: 1}\n# c\n\t"}) {
    EXPECT_NE(Json(yaml).find(error), std::string::npos) << Json(yaml);
  }
  EXPECT_EQ(Json("a: [1,\n\t\n2]\nb: 'x\n\t\n y'\nc: |\n  x\n  \t\n"), R"({"a":[1,2],"b":"x\ny","c":"x\n\t\n"})");
}

// 3 MiB were the limit once.
TEST(Yaml, LongTextsAreRead) {
  const std::string text(5 << 20, 'x');
  const Result<Document> block = yaml::ParseYaml("a: |\n  " + text + "\n");
  ASSERT_TRUE(block.ok()) << ToString(block.error());
  EXPECT_EQ(block->root().Find("a")->AsString().size(), text.size() + 1);
  const Result<Document> quoted = yaml::ParseYaml("a: \"" + text + "\"\n");
  ASSERT_TRUE(quoted.ok()) << ToString(quoted.error());
  EXPECT_EQ(quoted->root().Find("a")->AsString().size(), text.size());
}

// yaml-cpp reads other data here, or nothing.
TEST(Yaml, ReadsWhatYamlCppMisreads) {
  const std::string_view rows[][2] = {
      {"a: x\xE2\x80\xA8", R"({"a":"x"})"},
      {"a: >2-\n    b\n   c\n  ", R"({"a":"  b\n c"})"},
      {"- &x |2\n    a", R"(["  a"])"},
      {"a: >+\n  b\n\n", R"({"a":"b\n\n"})"},
      {"a: {b:, c: d}", R"({"a":{"b:":null,"c":"d"}})"},
      {"a: [!, b]", R"({"a":["b"]})"},
      {"!", R"("")"},
  };
  for (const auto& [yaml, json] : rows) EXPECT_EQ(Json(yaml), json) << yaml;
}

TEST(Yaml, RefusesWhatGoRefuses) {
  const std::string_view rows[][2] = {
      {"a: [:b]", "a value is missing here"},
      {"a: !x!y z", "the handle of the tag is not defined"},
      {"%YAML 1.1\na: b", "a line with --- must follow a directive (%)"},
      {"a:\n'b'\n", "expected a colon after the key"},
      {"a: \"\\/\"", "invalid escape in double quotes"},
  };
  for (const auto& [yaml, part] : rows) {
    SCOPED_TRACE(yaml);
    EXPECT_NE(Json(yaml).find(part), std::string::npos) << Json(yaml);
  }
}

TEST(Yaml, LineEndsOfAllKindsAreLineEnds) {
  EXPECT_EQ(Json("a: 1\rb: 2\r\nc: 3\xC2\x85"
                 "d: 4\n"),
            R"({"a":1,"b":2,"c":3,"d":4})");
}

TEST(Yaml, NulIsRefused) { EXPECT_FALSE(yaml::ParseYaml(std::string_view("a: \0", 4)).ok()); }

TEST(Yaml, WantsExactlyOneDocument) {
  EXPECT_EQ(Json("# only\n"), "f.yaml: this is not valid YAML: there is no document");
  EXPECT_EQ(Json("a: 1\n---\nb: 2"), "f.yaml:3: this is not valid YAML: there is more than one document");
  EXPECT_EQ(Json("---\na: 1\n---\n"), R"({"a":1})");
}

// kubectl ignores it and applies half of the file.
TEST(Yaml, TextBehindTheEndOfADocumentIsAnError) {
  EXPECT_FALSE(yaml::ParseYaml("a: 1\n...\nb: 2").ok());
  EXPECT_FALSE(yaml::ParseYaml(" a: 1\nb: 2").ok());
  EXPECT_EQ(Json("a: 1\n...\n# end\n"), R"({"a":1})");
}

TEST(Yaml, EscapesOfNextLineAndNoBreakSpaceAreUtf8) { EXPECT_EQ(Json(R"("\N\_é")"), "\"\xC2\x85\xC2\xA0\xC3\xA9\""); }

TEST(Yaml, SurvivesHostileInput) {
  const auto repeat = [](std::string_view text, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += text;
    return out;
  };
  for (const std::string_view unit :
       {"[", "{", "{a: ", "- ", "? ", "&a ", "!a ", "[{", "a: [", "'", "\"", "|\n", "*", "]"}) {
    SCOPED_TRACE(unit);
    EXPECT_FALSE(yaml::ParseYaml(repeat(unit, 99'999)).ok());
  }
  std::string indented;
  for (size_t i = 0; i <= kMaxDepth; ++i) indented += std::string(i, ' ') + "a:\n";
  EXPECT_FALSE(yaml::ParseYaml(indented).ok());
}

TEST(Yaml, AliasesAreExpandedUpToALimit) {
  std::string laughs = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
  std::string deep = "a0: &a0 []\n";
  std::string large = "a: &a " + std::string(1 << 20, 'x') + "\nb: [";
  for (int i = 1; i < 10; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int j = 1; j < 10; ++j) laughs += "," + before;
    laughs += "]\n";
  }
  for (int i = 1; i < 1100; ++i) {
    deep += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + "]\n";
  }
  for (int i = 0; i < 300; ++i) large += "*a, ";
  EXPECT_EQ(Json(laughs),
            "f.yaml:4: this is not valid YAML: most of the document consists of aliases, which kubectl refuses");
  EXPECT_EQ(Json(deep),
            "f.yaml:300: this is not valid YAML: most of the document consists of aliases, which kubectl refuses");
  EXPECT_EQ(Json(large + "]"),
            "f.yaml:2: this is not valid YAML: the document is too large after its aliases are expanded");
}

TEST(Yaml, AnAliasMustNotStandInItsOwnAnchor) {
  EXPECT_EQ(Json("a: &a [*a]"), "f.yaml:1: this is not valid YAML: an anchor contains an alias of itself");
}

// Differs from Go on purpose, see yaml_writer.cc.
TEST(WriteYaml, QuotesWhatOtherParsersMisread) {
  EXPECT_EQ(WriteYaml(Value::UnownedString("<<")), "\"<<\"\n");
  EXPECT_EQ(WriteYaml(Value::UnownedString("a\xE2\x80\xA8z")), "\"a\\Lz\"\n");
}

TEST(WriteYaml, WholeDoublesPrintAsIntegers) {
  EXPECT_EQ(WriteYaml(Value::Double(1000000.0)), "1000000\n");
  EXPECT_EQ(WriteYaml(Value::Double(1234567.25)), "1.23456725e+06\n");
}

TEST(WriteYaml, InvalidUtf8IsReplaced) { EXPECT_EQ(WriteYaml(Value::UnownedString("a\xFF")), "a\xEF\xBF\xBD\n"); }

// As PowerShell's > writes it.
std::string Utf16(std::u16string_view text, std::string_view mark) {
  std::string out(mark);
  for (const char16_t unit : text) {
    const char low = static_cast<char>(unit & 0xFF), high = static_cast<char>(unit >> 8);
    out += mark == "\xFF\xFE" ? std::string{low, high} : std::string{high, low};
  }
  return out;
}

TEST(Yaml, IsReadFromUtf16WithAByteOrderMark) {
  for (const char* mark : {"\xFF\xFE", "\xFE\xFF"}) {
    const yaml::YamlFile file = yaml::ParseYamlFile(
        Utf16(u"a: \u00e9\u20ac\U0001F600\r\n---\r\nb: \"\u2603\"\r\n---\r\n{\"c\": 1}", mark), "x.yaml");
    ASSERT_EQ(file.items.size(), 3u);
    for (const auto& item : file.items) ASSERT_TRUE(item.document.ok()) << ToString(item.document.error());
    EXPECT_EQ(WriteJson(file.items[0].document->root()), "{\"a\":\"\u00e9\u20ac\U0001F600\"}");
    EXPECT_EQ(WriteJson(file.items[1].document->root()), "{\"b\":\"\u2603\"}");
    EXPECT_EQ(WriteJson(file.items[2].document->root()), "{\"c\":1}");
    EXPECT_EQ(file.items[2].document->LineOf(&file.items[2].document->root()), 5);
  }
}

TEST(Yaml, HalvesOfUtf16PairsAreReplaced) {
  constexpr char16_t kHigh = 0xD83D, kLow = 0xDE00;
  const std::u16string high = {u'a', u':', u' ', kHigh, u'x'}, low = {u'a', u':', u' ', kLow, u'x'};
  const std::u16string swapped = {u'a', u':', u' ', kLow, kHigh}, twice = {u'a', u':', u' ', kHigh, kHigh, kLow};
  for (const char* mark : {"\xFF\xFE", "\xFE\xFF"}) {
    const auto read = [&](const std::u16string& text) { return WriteJson(yaml::ParseYaml(Utf16(text, mark))->root()); };
    EXPECT_EQ(read(high), "{\"a\":\"\uFFFDx\"}");
    EXPECT_EQ(read(low), "{\"a\":\"\uFFFDx\"}");
    EXPECT_EQ(read(swapped), "{\"a\":\"\uFFFD\uFFFD\"}");
    EXPECT_EQ(read(twice), "{\"a\":\"\uFFFD\U0001F600\"}");
    EXPECT_EQ(WriteJson(yaml::ParseYaml(Utf16(u"a: b", mark) + "x")->root()), "{\"a\":\"b\uFFFD\"}");
  }
}

// To Go the second one is text: "\uFEFF--- a".
TEST(Yaml, ASecondByteOrderMarkBehindASeparatorIsRefused) {
  EXPECT_FALSE(yaml::ParseYaml("\xEF\xBB\xBF---\n\xEF\xBB\xBF---\na\n").ok());
  EXPECT_TRUE(yaml::ParseYaml("\xEF\xBB\xBF---\na: b\n").ok());
  EXPECT_EQ(yaml::ParseYamlFile("a: b\n---\n\xEF\xBB\xBF"
                                "c: d\n",
                                "two files")
                .items.size(),
            2u);
}

TEST(WriteVisibleYaml, EscapesWhatATerminalDoesNotShow) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {R"({"a\u202eb":"c\u200bd"})", "\"a\\u202Eb\": \"c\\u200Bd\"\n"},
      {R"({"a":"x\n\u2066y\n"})", "a: \"x\\n\\u2066y\\n\"\n"},
      {R"({"a":"x\ny\n","b":"\u00e9"})", "a: |\n  x\n  y\nb: \u00e9\n"},
      {R"({"::a":"x\n ::y\n"})", "\"::a\": \"x\\n \\x3A:y\\n\"\n"},
      {R"({"a":"::1","b":"std::c","c":"x ##[y"})", "a: ::1\nb: std::c\nc: \"x \\x23#[y\"\n"},
  };
  for (const auto& [json, text] : rows) {
    const Document document = *ParseJson(json);
    EXPECT_EQ(WriteVisibleYaml(document.root()), text);
    EXPECT_EQ(Json(WriteVisibleYaml(document.root())), WriteJson(document.root()));
  }
}

TEST(Yaml, Utf16WithoutAByteOrderMarkIsRefused) {
  EXPECT_FALSE(yaml::ParseYaml(Utf16(u"a: b\n", "\xFF\xFE").substr(2)).ok());
}

}  // namespace
}  // namespace smp::yaml
