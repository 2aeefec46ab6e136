// What is edited, what is left as it is, and what is refused.
#include "edit/inner_document.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "value/json.h"

namespace smp::edit {
namespace {

// "replace /a 1", "remove /a", "move /from /to".
Status Apply(InnerDocument& document, std::string_view operation) {
  const std::vector<std::string_view> words = Split(operation, ' ');
  const std::string_view kind = words[0];
  Edit edit;
  edit.path = words.size() > 1 ? words[1] : std::string_view();
  if (kind == "merge") return document.Merge(ParseJson(operation.substr(6))->root());
  if (kind == "move" || kind == "copy") {
    edit.kind = kind == "move" ? EditKind::kMove : EditKind::kCopy;
    edit.from = words[1];
    edit.path = words[2];
    return document.Apply(edit);
  }
  if (kind == "remove") {
    edit.kind = EditKind::kRemove;
    return document.Apply(edit);
  }
  edit.kind = kind == "add" ? EditKind::kAdd : kind == "test" ? EditKind::kTest : EditKind::kReplace;
  const Result<Document> value = ParseJson(operation.substr(kind.size() + edit.path.size() + 2));
  if (!value) return value.error();
  edit.value = value->root();
  return document.Apply(edit);
}

// Operations are separated by " ; ".
std::string Edited(std::string_view text, DataFormat format, std::string_view operations) {
  Result<InnerDocument> document = InnerDocument::Parse(text, format);
  if (!document) return StrCat("parse, line ", document.error().source.line, ": ", document.error().message);
  while (!operations.empty()) {
    const size_t end = std::min(operations.find(" ; "), operations.size());
    const Status status = Apply(*document, operations.substr(0, end));
    if (!status) {
      return StrCat(ErrorCodeName(status.error().code), ", line ", status.error().source.line, ": ",
                    status.error().message);
    }
    operations.remove_prefix(std::min(end + 3, operations.size()));
  }
  return *document->Write();
}

std::string Yaml(std::string_view text, std::string_view operations) {
  return Edited(text, DataFormat::kYaml, operations);
}
std::string Json(std::string_view text, std::string_view operations) {
  return Edited(text, DataFormat::kJson, operations);
}

TEST(InnerYaml, KeepsWhatIsNotTouched) {
  constexpr std::string_view kText =
      "# Config\n"
      "\n"
      "database:   # the db\n"
      "  # where it is\n"
      "  host: 'localhost'\n"
      "  port: 0x0CEA  # default\n"
      "since: 2024-01-02\n"
      "ratio: 1.10\n";
  EXPECT_EQ(Yaml(kText, "replace /database/port 3307"),
            "# Config\n"
            "\n"
            "database:   # the db\n"
            "  # where it is\n"
            "  host: 'localhost'\n"
            "  port: 3307  # default\n"
            "since: 2024-01-02\n"
            "ratio: 1.10\n");
  EXPECT_EQ(Yaml(kText, "replace /database/host \"remote\""),
            "# Config\n"
            "\n"
            "database:   # the db\n"
            "  # where it is\n"
            "  host: 'remote'\n"
            "  port: 0x0CEA  # default\n"
            "since: 2024-01-02\n"
            "ratio: 1.10\n");
}

TEST(InnerYaml, AnEditThatChangesNothingChangesNoByte) {
  constexpr std::string_view kText =
      "a:   yes #c\r\nb: 0x10\nc: 1.0\nd: 2024-01-02\ne: ~\nf: {x: [ 1,2 ]}\ng: |+\n  x\n\n";
  EXPECT_EQ(Yaml(kText,
                 "replace /a true ; replace /b 16 ; add /c 1 ; replace /d \"2024-01-02\" ; replace /e null ; "
                 "replace /f {\"x\":[1,2]} ; replace /g \"x\\n\\n\" ; test /f/x/1 2 ; move /a /a ; merge "
                 "{\"f\":{\"x\":[1,2]}}"),
            kText);
}

TEST(InnerJson, KeepsTheLayout) {
  EXPECT_EQ(Json("{\n  \"a\": 1.0,\n  \"b\": [1, 2]\n}\n", "replace /b/0 5 ; add /c {\"d\":1}"),
            "{\n  \"a\": 1.0,\n  \"b\": [5, 2],\n  \"c\": {\"d\": 1}\n}\n");
  EXPECT_EQ(Json("{\"a\":1,\"b\":\"<\"}", "add /c \"<\" ; remove /a"), "{\"b\":\"<\",\"c\":\"<\"}");
}

struct Row {
  std::string_view text;
  std::string_view operations;
  std::string_view expected;
};

void ExpectYaml(std::initializer_list<Row> rows) {
  for (const Row& row : rows) EXPECT_EQ(Yaml(row.text, row.operations), row.expected) << row.operations;
}

TEST(InnerYaml, WritesStringsSoThatTheyAreReadAsStrings) {
  ExpectYaml({
      {"a: 1\n", "replace /a \"3307\"", "a: \"3307\"\n"},
      {"a: 1\n", "replace /a \"yes\"", "a: \"yes\"\n"},
      {"a: 1\n", "replace /a \"2024-01-02\"", "a: \"2024-01-02\"\n"},
      {"a: 1\n", "replace /a \"1e400\"", "a: \"1e400\"\n"},
      {"a: 1\n", "replace /a \"1:30\"", "a: \"1:30\"\n"},
      {"a: 1\n", "replace /a \"\"", "a: \"\"\n"},
      {"a: 1\n", "replace /a \"b: c\"", "a: \"b: c\"\n"},
      {"a: 1\n", "replace /a \"# \\\"b\\\"\"", "a: '# \"b\"'\n"},
      {"a: 1\n", "replace /a \"10.0.0.1\"", "a: 10.0.0.1\n"},
      {"a: 1\n", "replace /a \"http://x/y?z=1\"", "a: http://x/y?z=1\n"},
      {"[1]\n", "replace /0 \"http://x\"", "[\"http://x\"]\n"},
      {"a: 1\n", "add /on true", "a: 1\n\"on\": true\n"},
      {"a: 1\n", "replace /a 1e-9", "a: 1.0e-9\n"},
      {"a: 1 # c\n", "replace /a \"x\\ny\\n\"", "a: | # c\n  x\n  y\n"},
      {"a: 'x'\n", "replace /a \"it's\"", "a: 'it''s'\n"},
  });
}

TEST(InnerYaml, TextsOfSeveralLinesStayInTheirLines) {
  ExpectYaml({
      {"a: |+ # c\n      one\n      two\n\n\nb: 1\n", "replace /a \"one\\nTWO\\n\\n\\n\"",
       "a: |+ # c\n      one\n      TWO\n\n\nb: 1\n"},
      {"a: |+ # c\n      one\n\n\nb: 1\n", "replace /a \"one\"", "a: |- # c\n      one\n\n\nb: 1\n"},
      {"a: |+\n  one\n\nb: 1\n", "replace /a \"one\\n\"", "a: |\n  one\n\nb: 1\n"},
      {"a: |\n  one\nb: 1\n", "replace /a \"one\\n\\n\"", "a: |+\n  one\n\nb: 1\n"},
      {"a: |\n  one\n\n\n\nb: 1\n", "replace /a \"one\\n\\n\"", "a: |+\n  one\n\nb: 1\n"},
      {"a: |2\n   one\n  two\nb: 1\n", "replace /a \" one\\nTWO\\n\"", "a: |2\n   one\n  TWO\nb: 1\n"},
      {"a: |-2\n   one\n", "replace /a \"one\\n\"", "a: |2\n  one\n"},
      {"a: |\n    one\n    two\n", "replace /a \" one\\ntwo\\n\"", "a: |4\n     one\n    two\n"},
      {"a: |\n\n  one\n  two\n", "replace /a \"\\none\\nTWO\\n\"", "a: |\n\n  one\n  TWO\n"},
      {"a: |-\n  one\n  two", "replace /a \"ONE\\ntwo\"", "a: |-\n  ONE\n  two"},
      {"a: |-\n  one\n  two", "replace /a \"one\\ntwo\\n\"", "a: |\n  one\n  two\n"},
      {"a: |\n  one\n  two", "replace /a \"one\\ntwo\\nthree\" ; add /b 1", "a: |-\n  one\n  two\n  three\nb: 1"},
      {"a: |\n  one\n   \n  two\n", "replace /a \"ONE\\n \\ntwo\\n\"", "a: |\n  ONE\n   \n  two\n"},
      {"a: |\n  one\nb: 1\n", "replace /a \"\\u0001\\none\\n\"", "a: \"\\x01\\none\\n\"\nb: 1\n"},
  });
}

TEST(InnerYaml, FoldedTextsKeepTheirLineBreaks) {
  ExpectYaml({
      {"a: > # c\n    one two\n    three\n\n    four\nb: 1\n", "replace /a \"one TWO three\\nfour\\n\"",
       "a: > # c\n    one TWO\n    three\n\n    four\nb: 1\n"},
      {"a: >-\n  one two\n  three four\n  five six\n", "replace /a \"one two three 3 four five six\"",
       "a: >-\n  one two\n  three 3\n  four\n  five six\n"},
      {"a: >\n  one\n\n  two\n", "replace /a \"one\\n\\nnew\\ntwo\\n\"", "a: >\n  one\n\n\n  new\n\n  two\n"},
      {"a: > # c\n  one\n  two\n", "replace /a \"one\\n  two\\n\"", "a: | # c\n  one\n    two\n"},
      {"a: \"one two\n   three\"  # c\nb: 1\n", "replace /a \"one TWO three\"",
       "a: \"one TWO\n   three\"  # c\nb: 1\n"},
      {"a: 'it''s\n   three\n\n   four'\n", "replace /a \"it's 3\\nfour\"", "a: 'it''s\n   3\n\n   four'\n"},
      {"a: one\n   two\nb: 1\n", "replace /a \"ONE two\"", "a: ONE\n   two\nb: 1\n"},
      {"a: one\n   two\nb: 1\n", "replace /a \"ONE: two\"", "a: \"ONE: two\"\nb: 1\n"},
  });
}

TEST(InnerYaml, NewTextsOfSeveralLinesAreBlocks) {
  ExpectYaml({
      {"a: 1\nb: 1\n", "replace /a \" x\\ny\\n\"", "a: |2\n   x\n  y\nb: 1\n"},
      {"a: 1\nb: 1\n", "replace /a \"x \\n\\ty\\n\\n\"", "a: |+\n  x \n  \ty\n\nb: 1\n"},
      {"a: 1\n\nb: 1\n", "replace /a \"x\\n\\n\"", "a: \"x\\n\\n\"\n\nb: 1\n"},
      {"a: 1", "replace /a \"x\\ny\"", "a: |-\n  x\n  y"},
      {"a: 1", "replace /a \"x\\ny\\n\"", "a: |\n  x\n  y\n"},
  });
}

TEST(InnerYaml, ATextThatNowEndsTheFileKeepsItsLineEnd) {
  ExpectYaml({
      {"a: |\n  x\nb: 1", "replace /a \"x\\ny\\n\" ; remove /b", "a: |\n  x\n  y\n"},
      {"a: |\n  x\nb: 1", "remove /b", "a: |\n  x\n"},
      {"a: |-\n  x\nb: 1", "remove /b", "a: |-\n  x"},
  });
}

TEST(InnerYaml, NewMembersFollowTheirSiblings) {
  ExpectYaml({
      {"a:\n    b: 1\n    c:\n        - x\n", "add /a/d {\"e\":[1,{\"f\":2,\"g\":3}]}",
       "a:\n    b: 1\n    c:\n        - x\n    d:\n        e:\n            - 1\n            - f: 2\n              g: "
       "3\n"},
      {"a:\n- b: 1\n", "add /a/- {\"b\":2} ; add /c [3]", "a:\n- b: 1\n- b: 2\nc:\n- 3\n"},
      {"a: {b: 1}\n", "add /a/c {\"d\":[1]}", "a: {b: 1, c: {d: [1]}}\n"},
      {"a: {\"b\": 1}\n", "add /a/c \"x\"", "a: {\"b\": 1, \"c\": \"x\"}\n"},
      {"a: [\n  1,\n  2\n]\n", "add /a/- 3 ; add /a/0 0", "a: [\n  0,\n  1,\n  2,\n  3\n]\n"},
      {"'a': 1\n", "add /b 2", "'a': 1\n'b': 2\n"},
      {"a: 1\r\nb: 2\r\n", "add /c {\"d\":1} ; remove /a", "b: 2\r\nc:\r\n  d: 1\r\n"},
      {"a: 1", "add /b 2", "a: 1\nb: 2"},
      {"a: |\n  text", "add /b 2", "a: |-\n  text\nb: 2"},
      {"a:\n", "replace /a {\"b\":1}", "a:\n  b: 1\n"},
      {"# only a comment\n", "add  {\"a\":1}", "# only a comment\na: 1\n"},
      {"--- # c\na: 1\n--- \nb: [\n", "add /c 2", "--- # c\na: 1\nc: 2\n--- \nb: [\n"},
      {"%YAML 1.1\n---\na: 1\n...\nrest", "replace /a 2", "%YAML 1.1\n---\na: 2\n...\nrest"},
      {"\xEF\xBB\xBF"
       "a: 1\n",
       "replace /a 2",
       "\xEF\xBB\xBF"
       "a: 2\n"},
      {"? a\n: b\n", "replace /a [1]", "? a\n: - 1\n"},
  });
}

TEST(InnerYaml, CommentsGoWithWhatTheyBelongTo) {
  constexpr std::string_view kText =
      "# the file\n"
      "\n"
      "# about a\n"
      "a: 1 # one\n"
      "# about b\n"
      "b:\n"
      "  # in b\n"
      "  c: 1\n"
      "    # below c\n"
      "\n"
      "# at the end\n";
  EXPECT_EQ(Yaml(kText, "remove /a"), "# the file\n\n# about b\nb:\n  # in b\n  c: 1\n    # below c\n\n# at the end\n");
  EXPECT_EQ(Yaml(kText, "remove /b"), "# the file\n\n# about a\na: 1 # one\n\n# at the end\n");
  EXPECT_EQ(Yaml(kText, "remove /b/c"), "# the file\n\n# about a\na: 1 # one\n# about b\nb: {}\n\n# at the end\n");
  EXPECT_EQ(Yaml("# hosts\n\n- a\n", "add /0 \"b\""), "# hosts\n\n- b\n- a\n");
}

TEST(InnerYaml, TheLastMemberLeavesAnEmptyCollection) {
  ExpectYaml({
      {"a: 1\n", "remove /a", "{}\n"},
      {"a:\n- 1 # c\nb: 2\n", "remove /a/0", "a: []\nb: 2\n"},
      {"- a: 1\n- 2\n", "remove /0/a", "- {}\n- 2\n"},
      {"a: {b: 1}\n", "remove /a/b", "a: {}\n"},
      {"a: [b: 1]\n", "add /a/0/c 2", "a: [{b: 1, c: 2}]\n"},
      {"a: [ 1, 2, ] # c\n", "remove /a/1", "a: [ 1, ] # c\n"},
      {"- a: 1\n  # about b\n  b: 2\n", "remove /0/a", "- # about b\n  b: 2\n"},
      {"a: |+\n  x\n\nb: 1\n\nc: 2\n", "remove /b", "a: |+\n  x\n\nc: 2\n"},
  });
}

TEST(InnerYaml, AliasesKeepWhatTheyMean) {
  constexpr std::string_view kText =
      "default: &d\n  name: Alice\n  age: 30\nfirst:\n  <<: *d\n  role: Developer\nsecond: *d\n";
  // Through an alias: at that place only.
  EXPECT_EQ(Yaml(kText, "replace /second/age 31"),
            "default: &d\n  name: Alice\n  age: 30\nfirst:\n  <<: *d\n  role: Developer\nsecond:\n  name: Alice\n  "
            "age: 31\n");
  // The anchored mapping: its users become what they were.
  EXPECT_EQ(Yaml(kText, "replace /default/age 31"),
            "default: &d\n  name: Alice\n  age: 31\nfirst:\n  <<:\n    name: Alice\n    age: 30\n  role: Developer\n"
            "second:\n  name: Alice\n  age: 30\n");
  // What << brings in.
  EXPECT_EQ(Yaml(kText, "replace /first/age 31"),
            "default: &d\n  name: Alice\n  age: 30\nfirst:\n  <<: *d\n  role: Developer\n  age: 31\nsecond: *d\n");
  EXPECT_EQ(Yaml(kText, "remove /first/age"),
            "default: &d\n  name: Alice\n  age: 30\nfirst:\n  <<:\n    name: Alice\n  role: Developer\nsecond: *d\n");
  EXPECT_EQ(Yaml("a: &x 1\n*x : 2\n", "replace /a 3"), "a: 3\n1 : 2\n");
  // An explicit member wins wherever it stands.
  EXPECT_EQ(Yaml("d: &d {x: 1}\na:\n  x: 2\n  <<: *d\n", "test /a/x 2 ; replace /a/x 3"),
            "d: &d {x: 1}\na:\n  x: 3\n  <<: *d\n");
}

TEST(InnerYaml, KeysAreFoundByTheirSpellingFirst) {
  ExpectYaml({
      {"point:\n  y: 2\n", "replace /point/y 3", "point:\n  y: 3\n"},
      {"point:\n  y: 2\n", "replace /point/true 3", "point:\n  y: 3\n"},
      {"y: 1\n\"true\": 2\n", "replace /true 3", "y: 1\n\"true\": 3\n"},
      {"0x1F: 1\n", "remove /31 ; add /0x1F 2", "\"0x1F\": 2\n"},
      {"a/b: 1\n~: 2\n", "", "parse, line 2: this is not valid YAML: a key is missing or null"},
      {"a/b: 1\nc~d: 2\n", "replace /a~1b 3 ; replace /c~0d 4", "a/b: 3\nc~d: 4\n"},
      {"a: 1\na: 2\n", "replace /a 3", "a: 1\na: 3\n"},
      {"a: 1\na: 2\nb: 3\n", "remove /a", "b: 3\n"},
  });
}

TEST(InnerYaml, OperationsOnLists) {
  ExpectYaml({
      {"- a\n- b\n", "add /-1 \"c\"", "- a\n- b\n- c\n"},
      {"- a\n- b\n", "add /-2 \"c\"", "- a\n- c\n- b\n"},
      {"- a\n- b\n", "remove /-1", "- a\n"},
      {"- a\n- b\n", "replace /-2 \"c\"", "- c\n- b\n"},
      {"- a\n- b\n- c\n", "move /0 /2", "- b\n- c\n- a\n"},
      {"- a: 1\n  b: 0x10\n- c\n", "copy /0 /1", "- a: 1\n  b: 0x10\n- a: 1\n  b: 0x10\n- c\n"},
      {"- a\n", "replace /01 1",
       "invalid-argument, line 1: the document is a list, and \"01\" is not an index; use a number from 0"},
      {"- a\n", "replace /- 1",
       "invalid-argument, line 1: the document is a list, and \"-\" is not an index; use a number from 0"},
      {"- a\n", "replace /1 1",
       "not-found, line 1: the list of the document has 1 item, and index 1 is beyond its end"},
      {"x:\n- a\n", "add /x/5 1",
       "invalid-argument, line 2: the list at \"/x\" has 1 item, and index 5 is beyond its end"},
  });
}

TEST(InnerYaml, SaysWhatIsWrong) {
  ExpectYaml({
      {"a:\n  b: 1\n", "replace /a/c 1", "not-found, line 2: there is no \"c\" in \"/a\"; it has \"b\""},
      {"a: 1\n", "add /a/b 1",
       "invalid-argument, line 1: \"/a\" is a number, not a map or list, so \"/a/b\" cannot exist"},
      {"a: ~\n", "add /a/b 1", "not-found, line 1: \"/a\" is null, not a map or list, so \"/a/b\" cannot exist"},
      {"", "add /b 1", "not-found, line 1: the document is empty or null, not a map or list, so \"/b\" cannot exist"},
      {"a: 1\n", "test /a 2", "conflict, line 1: the test of \"/a\" failed: expected 2, found 1"},
      {"a: 1\n", "test /a \"1\"", "conflict, line 1: the test of \"/a\" failed: expected \"1\", found 1"},
      {"a: 1\n", "replace a 1",
       "invalid-argument, line 0: the path \"a\" must begin with / (or be empty, for the document)"},
      {"a: 1\n", "replace /~2 1",
       "invalid-argument, line 0: in the path \"/~2\" a ~ must be followed by 0 or 1; write ~0 for ~"},
      {"a: {b: 1}\n", "move /a /a/b/c", "invalid-argument, line 0: \"/a\" cannot be moved into itself (\"/a/b/c\")"},
      {"a: 1\n", "remove ", "invalid-argument, line 0: the whole document cannot be removed"},
      {"a: 1\n", "replace  5",
       "invalid-argument, line 0: the whole document can only be replaced by a map or a list, not by a number"},
      {"- 1\n", "merge {\"a\":1}",
       "invalid-argument, line 0: the document is a list; values can only be merged into a map"},
      {"just text\n", "", "parse, line 1: the document must be a map or a list, found text"},
      {"a: 1\n\tb: 2\n", "", "parse, line 2: this is not valid YAML: tab in the indentation; use spaces"},
      {"a: *x\n", "",
       "parse, line 1: this is not valid YAML: no anchor (&) of that name precedes this alias (*); put text that "
       "begins with * in quotes"},
      {"a: [1\nb: 2\n", "",
       "parse, line 2: this is not valid YAML: the [ of a list is not closed by ], or a comma is missing"},
  });
}

TEST(InnerYaml, WhatIsWrittenSaysOnlyWhatItShall) {
  ExpectYaml({
      // A root that is replaced loses its anchor and tag.
      {"!!str &a-b \n- _1 #\n", "remove /0 ; replace  null", "null\n"},
      {"--- !local # c\n- 1\n", "replace  {\"a\":1}", "---  # c\na: 1\n"},
      // A comment or tab below is no part of a new text of several lines.
      {"a: 5.\n   #c: d\n", "replace /a [\"a\\nb\"]", "a:\n- \"a\\nb\"\n   #c: d\n"},
      {"a: 1 \n\t\n", "replace /a {\"b\":\"c\\nd\\n\"}", "a: \n  b: \"c\\nd\\n\"\n\t\n"},
      {"? a\n      # a\nb: 1\n", "replace /a \"b\\nc\\n\"", "? a\n: \"b\\nc\\n\"\n      # a\nb: 1\n"},
      {"a: b\n  \t #c: d\n", "replace /a \"c\\nd\\n\"", "a: \"c\\nd\\n\"\n  \t #c: d\n"},
      {"n: |\n   a\nc: 1\n   \t # c\nd: 2\n", "remove /c", "n: |\n   a\nd: 2\n"},
      {"n: >-\n   a\n\nc: 1\n\t\nd: 2\n", "remove /c", "n: >-\n   a\n\nd: 2\n"},
      // A text of several lines may stand less deep than its key; what replaces it does not.
      {"d:\n\n|+1\n", "replace /d \"? a\"", "d: \"? a\"\n"},
      {"-\n|\n", "replace /0 {\"a\":1,\"b\":2}", "- a: 1\n  b: 2\n"},
      {"a: b\n\t\n", "replace  [\"c\\nd\\n\"]", "- \"c\\nd\\n\"\n\t\n"},
      {"a: b\n    \n", "replace  {\"c\":\"d\\ne\\n\"}", "c: \"d\\ne\\n\"\n    \n"},
      {"    a: b\n   # c\n", "replace  [\"c\\nd\\n\"]", "- \"c\\nd\\n\"\n   # c\n"},
      {"? >+\n a", "add /a 1", "? >-\n a\n: 1"},
      {"a: {b: c:}\n", "copy /a/b /d", "a: {b: c:}\nd: \"c:\"\n"},
      // No comma becomes a part of a name.
      {"a: { b:   \n }\n", "add /a/c null", "a: { b: , c: null   \n }\n"},
      {"a: [ b:  \n]\n", "copy /a/0/b /a/-", "a: [ b: , null  \n]\n"},
      {"a: { !!str }\n", "replace /a/ \"1\"", "a: { !!str : \"1\" }\n"},
      {"q: [ a : \n \t]\n", "add /q/- 1 ; replace /q/0/a \"b\"", "q: [ a : b, 1, \n \t]\n"},
      {"a: {\n  b\n ,\n c: d\t }\n", "remove /a/c", "a: {\n  b\n ,\t }\n"},
      {"a: [ -, b ]\n", "remove /a/1", "a: [ -, ]\n"},
      {"a: [ b: c\n,  d\t]\n", "remove /a/1", "a: [ b: c\n,\t]\n"},
      // Keys that were aliases.
      {"a: &x <<\n*x : 1\n", "replace /a 2", "a: 2\n\"<<\" : 1\n"},
      {"a: &x 9223372036854775808\n*x : 1\n", "replace /a 2",
       "parse, line 2: this is not valid YAML: an integer beyond 64 bits cannot be a key"},  // Go refuses it, too
      {"a: [ &x b, *x :c, *x :[d] ]\n", "remove /a/0", "a: [ b : c, b : [d] ]\n"},
      // A member stays itself where its name could mean another one, too.
      {"- 0x1F: 1\n  \"0x1F\": 2\n", "move /0/0x1F /-1/0x1F", "- 0x1F: 1\n  \"0x1F\": 2\n"},
      // Of merged members the one that is named so goes before one that is only spelled so.
      {"<<:\n- 0x1F: 1\n- \"0x1F\": 2\n", "test /0x1F 2 ; remove /0x1F", "<<:\n- 0x1F: 1\n- {}\n"},
      {"0x1F: 1\n<<: {\"0x1F\": 2}\n", "test /0x1F 2 ; replace /0x1F 3", "0x1F: 1\n<<: {\"0x1F\": 2}\n\"0x1F\": 3\n"},
      {"a: 1\n\xEF\xBB\xBF"
       "b: 2\n",
       "", "parse, line 2: this is not valid YAML: there is a byte order mark (U+FEFF) inside the text; remove it"},
  });
}

TEST(InnerYaml, AFailedMoveChangesNothing) {
  Result<InnerDocument> document = InnerDocument::Parse("a:\n- 1\n- 2\nb: 3\n", DataFormat::kYaml);
  EXPECT_FALSE(Apply(*document, "move /a/0 /c/d").ok());
  EXPECT_FALSE(Apply(*document, "move /b /a/9").ok());
  EXPECT_TRUE(Apply(*document, "test  {\"a\":[1,2],\"b\":3}").ok());
}

TEST(InnerYaml, AMoveMayReplaceAParent) {
  ExpectYaml({
      {"a:\n  b:\n    c: 1 # one\n", "move /a/b /a", "a:\n  c: 1\n"},
      {"a:\n- b: 1\n", "move /a  ; copy /0 /-", "- b: 1\n- b: 1\n"},
  });
}

TEST(InnerYaml, Merges) {
  ExpectYaml({
      {"a: 1 # one\nb: {c: 2, d: 3}\n", "merge {\"b\":{\"c\":null,\"e\":{\"f\":null,\"g\":4}},\"h\":[null]}",
       "a: 1 # one\nb: {d: 3, e: {g: 4}}\nh:\n- null\n"},
      {"# nothing yet\n", "merge {\"a\":{\"b\":null}}", "# nothing yet\na: {}\n"},
      {"a: 1\n", "merge {\"a\":1.0,\"b\":null}", "a: 1\n"},
  });
}

TEST(InnerYaml, HostileTextsAreRefused) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    bomb += StrCat("a", i, ": &a", i, " [");
    for (int j = 0; j < 10; ++j) bomb += StrCat("*a", i - 1, ", ");
    bomb += "]\n";
  }
  EXPECT_EQ(Yaml(bomb, ""),
            "parse, line 7: this is not valid YAML: the document is too large after its aliases are expanded");
  const std::string deep(200'000, '[');
  EXPECT_EQ(Yaml(deep, ""), "parse, line 1: this is not valid YAML: it is nested deeper than 1000 levels");
  EXPECT_EQ(Json(deep, ""), "parse, line 1: this is not valid JSON: it is nested deeper than 1000 levels");
  Result<InnerDocument> document = InnerDocument::Parse("a: [x]\n", DataFormat::kYaml);
  Status status = Ok();
  for (int i = 0; i < 100 && status.ok(); ++i) status = Apply(*document, "copy /a /a/-");
  EXPECT_FALSE(status.ok());
}

TEST(InnerJson, IsStrict) {
  EXPECT_EQ(Json("", ""), "parse, line 1: this is not valid JSON: the document is empty");
  EXPECT_EQ(Json("{\"a\":1,}", ""), "parse, line 1: this is not valid JSON: missing a name for object member");
  EXPECT_EQ(Json("{\n\"a\":1\n} x", ""), "parse, line 3: this is not valid JSON: unexpected text after the value");
  EXPECT_EQ(Json("null", "add /a 1"),
            "not-found, line 1: the document is empty or null, not a map or list, so \"/a\" cannot exist");
  EXPECT_EQ(Json("null\n", "replace  {\"a\":1}"), "{\"a\":1}\n");
}

TEST(InnerJson, NewMembersFollowTheirSiblings) {
  EXPECT_EQ(Json("{\n\t\"a\": {}\n}", "add /a/b [1] ; add /c \"x\\ny\""),
            "{\n\t\"a\": {\n\t\t\"b\": [\n\t\t\t1\n\t\t]\n\t},\n\t\"c\": \"x\\ny\"\n}");
  EXPECT_EQ(Json("[ 1, 2 ]", "add /- 3 ; remove /0"), "[ 2, 3 ]");
  EXPECT_EQ(Json("{\"a\": 1}", "add /b 2"), "{\"a\": 1, \"b\": 2}");
  EXPECT_EQ(Json("{\"a\":1,\"b\":2}", "remove /b"), "{\"a\":1}");
  EXPECT_EQ(Json("{\"a\":1}", "remove /a"), "{}");
  EXPECT_EQ(Json("{\"v\":1.10,\"s\":\"\\u00e9\"}", "copy /v /w ; move /s /t"),
            "{\"v\":1.10,\"w\":1.10,\"t\":\"\\u00e9\"}");
  EXPECT_EQ(Json("{\"a\":1,\"a\":2}", "replace /a 3"), "{\"a\":1,\"a\":3}");
}

TEST(InnerDocuments, SayWhatStandsAtAPath) {
  const Result<InnerDocument> document = InnerDocument::Parse("a: &x {b: yes}\nc: *x\n", DataFormat::kYaml);
  EXPECT_EQ(WriteJson(document->Find("/c")->root()), "{\"b\":true}");
  EXPECT_EQ(document->Find("/d").error().code, ErrorCode::kNotFound);
}

TEST(InnerDocuments, LongListsTakeManyOperations) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += StrCat("- ", i, "\n");
  Result<InnerDocument> document = InnerDocument::Parse(text, DataFormat::kYaml);
  for (int i = 0; i < 2000; ++i) {
    ASSERT_TRUE(Apply(*document, StrCat("remove /", i)).ok());
    ASSERT_TRUE(Apply(*document, StrCat("add /", i, " ", -i)).ok());
    ASSERT_TRUE(Apply(*document, "add /- true").ok());
    ASSERT_TRUE(Apply(*document, "remove /-1").ok());
  }
  std::string expected;
  for (int i = 0; i < 5000; ++i) expected += StrCat("- ", i < 2000 ? -i : i, "\n");
  EXPECT_EQ(*document->Write(), expected);
}

}  // namespace
}  // namespace smp::edit
