// A text that a broken writer could have made is refused, with the place; every way to write the same data is accepted.
#include "edit/proof.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "value/json.h"

namespace smp::edit {
namespace {

std::string Proved(std::string_view text, std::string_view wanted, DataFormat format = DataFormat::kYaml) {
  const Result<Document> value = ParseJson(wanted);
  const Status status = ProveText(text, format, value->root());
  return status.ok() ? "proved" : status.error().message;
}

TEST(Proof, TextsOfABrokenWriterAreRefused) {
  constexpr std::string_view kRefused = "the edited text does not read back as the requested value at ";
  struct Row {
    std::string_view text, wanted, place;
  };
  for (const Row& row : std::initializer_list<Row>{
           {"a: 1\n", R"({"a":2})", "\"/a\""},
           {"a: 1\n", R"({"a":"1"})", "\"/a\""},
           {"a: yes\n", R"({"a":"yes"})", "\"/a\""},
           {"a: {b: 1}\n", R"({"a":{"b":1,"c":2}})", "\"/a/c\""},
           {"a: {b: 1, c: 2}\n", R"({"a":{"b":1}})", "\"/a/c\""},
           {"a: [1, 2]\n", R"({"a":[1]})", "\"/a/1\""},
           {"a: [1]\n", R"({"a":[1,2]})", "\"/a/1\""},
           {"a: [2, 1]\n", R"({"a":[1,2]})", "\"/a/0\""},
           {"a: |\n  x\n  # meant as a comment\n", R"({"a":"x\n"})", "\"/a\""},
           {"a/b: {c~d: 1}\n", R"({"a/b":{"c~d":2}})", "\"/a~1b/c~0d\""},
           {"a: 1\na: 2\n", R"({"a":1})", "\"/a\""},
           {"- 1\n", R"({"a":1})", "its root"},
           {"# nothing\n", R"({"a":1})", "its root"},
           {"---\n--- \na: 1\n", R"({"a":1})", "its root"},
           {"a: &x 2\nb: *x\n", R"({"a":2,"b":1})", "\"/b\""},
           {"d: &d {x: 2}\na: {<<: *d}\n", R"({"d":{"x":2},"a":{"x":1}})", "\"/a/x\""},
           {"a: 9007199254740993\n", R"({"a":9007199254740992})", "\"/a\""},
           {"a: 2001-12-14\n", R"({"a":"2001-12-15"})", "\"/a\""},
           {"a: !!binary aGk=\n", R"({"a":"aGk="})", "\"/a\""},
       }) {
    EXPECT_EQ(Proved(row.text, row.wanted), std::string(kRefused) + std::string(row.place) + "; nothing was written")
        << row.text;
  }
  EXPECT_EQ(Proved(R"({"a":1})", R"({"a":2})", DataFormat::kJson),
            std::string(kRefused) + "\"/a\"; nothing was written");
}

TEST(Proof, TextsThatCannotBeReadAreRefused) {
  EXPECT_EQ(Proved("a: 1\nb: [\n", R"({"a":1})"),
            "the edited text cannot be read, line 3: this is not valid YAML: the [ of a list is not closed by ]; "
            "nothing was written");
  EXPECT_EQ(Proved("a: 1\nb: \x01\n", R"({"a":1})").substr(0, 38), "the edited text cannot be read, line 2");
  EXPECT_EQ(Proved("a: 1\n]\n", R"({"a":1})").substr(0, 38), "the edited text cannot be read, line 2");
  EXPECT_EQ(Proved("{\"a\":1\n,}", R"({"a":1})", DataFormat::kJson).substr(0, 38),
            "the edited text cannot be read, line 2");
}

TEST(Proof, TheSameDataWrittenInAnotherWayIsAccepted) {
  struct Row {
    std::string_view text, wanted;
  };
  for (const Row& row : std::initializer_list<Row>{
           {"b: 1\na: 2\n", R"({"a":2,"b":1})"},
           {"a: 1.0\nb: 0x10\nc: 1e3\n", R"({"a":1,"b":16,"c":1000.0})"},
           {"{a: 1.0}\n", R"({"a":1})"},
           {"a: 1\na: 2\n", R"({"a":2})"},
           {"", "null"},
           {"# only a comment\n", "null"},
           {"---\n...\n", "null"},
           {"a: 1\n--- \nb: [\n", R"({"a":1})"},
           {"a: 1\n...\nany: [\n", R"({"a":1})"},
           {"---\n--- \na: 1\n", "null"},
           {"\xEF\xBB\xBF"
            "a: 1\n",
            R"({"a":1})"},
           {"a: 1\r\n \t\r\nb: 2\r\n", R"({"a":1,"b":2})"},
           {"d: &d {x: 1, z: 1}\na:\n  x: 2\n  <<: *d\n", R"({"d":{"x":1,"z":1},"a":{"x":2,"z":1}})"},
           {"a: {<<: [{x: 1}, {x: 2, v: 2}], <<: {z: 3}}\n", R"({"a":{"x":1,"v":2,"z":3}})"},
           {"a: &x {b: [1]}\nc: [*x, *x]\n", R"({"a":{"b":[1]},"c":[{"b":[1]},{"b":[1]}]})"},
           {"a: 9223372036854775808\nb: 2001-12-14\nc: !!binary aGk=\n",
            R"({"a":9223372036854775808,"b":"2001-12-14","c":"hi"})"},
       }) {
    EXPECT_EQ(Proved(row.text, row.wanted), "proved") << row.text;
  }
  EXPECT_EQ(Proved(" {\"b\":1.0,\n\"a\":\"\\u00e9\"} ", R"({"a":"é","b":1})", DataFormat::kJson), "proved");
}

}  // namespace
}  // namespace smp::edit
