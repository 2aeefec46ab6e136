#include "explain/inner_changes.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "value/json.h"

namespace smp::explain {
namespace {

// Returns "path: before → after" for each change; "-" if the lines are to be compared.
std::string Print(const std::string& before, const std::string& after) {
  const auto inside = ChangesInside(Value::UnownedString(before), Value::UnownedString(after));
  if (!inside) return "-";
  std::string out;
  for (const NestedChange& change : inside->changes) {
    out += ToString(change.path) + ": " + (change.before == nullptr ? "" : WriteJson(*change.before)) + " → " +
           (change.after == nullptr ? "" : WriteJson(*change.after)) + "\n";
  }
  return out;
}

TEST(ChangesInside, ReadsJson) {
  EXPECT_EQ(Print(R"({"a":1})", R"({"a":2})"), "a: 1 → 2\n");
  EXPECT_EQ(Print(R"({"a":1})", R"({ "a": 1 })"), "") << "the same in another layout, of a text without lines";
  EXPECT_EQ(Print("{\"a\":1,\n\"b\":2}\n", "{\n  \"a\": 1,\n  \"b\": 3\n}\n"), "b: 2 → 3\n");
  EXPECT_EQ(Print("{\"a\":1,\n\"b\":2}\n", "{\n  \"a\": 1,\n  \"b\": 2\n}\n"), "-") << "only the lines differ";
  EXPECT_EQ(Print("{a", "{b"), "-");
  EXPECT_EQ(Print("1", "2"), "-");
}

std::string Layout(const std::string& before, const std::string& after) {
  const auto inside = ChangesInside(Value::UnownedString(before), Value::UnownedString(after));
  return !inside ? "-" : inside->layout ? "differs" : "same";
}

// Found by hand: beside a changed value, a layout that changes was not told.
TEST(ChangesInside, TellsThatTheLayoutOfJsonChangesBesideAValue) {
  EXPECT_EQ(Layout(R"({"a":1,"b":2})", R"({"a": 2,"b": 2})"), "differs");
  EXPECT_EQ(Layout(R"({"a":1})", "{\"a\":2}\n"), "differs");
  EXPECT_EQ(Layout("{\n  \"a\": 1,\n  \"b\": [1]\n}\n", "{\n    \"a\": 2,\n    \"b\": [1]\n}\n"), "differs");
  EXPECT_EQ(Layout(R"({"a":1,"b":2})", R"({"a":2,"b":2})"), "same");
  EXPECT_EQ(Layout(R"({"a": " x ", "b": 1})", R"({"a": "  y", "b": 1})"), "same") << "in a string";
  EXPECT_EQ(Layout("{\n  \"a\": 1\n}\n", "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": 2\n  }\n}\n"), "same");
  EXPECT_EQ(Layout("{\n  \"a\": {\n    \"c\": {}\n  }\n}\n", "{\n  \"c\": {}\n}\n"), "same");
}

// Otherwise they would seem to be the same.
TEST(ChangesInside, LeavesJsonThatItCannotReadInFullToTheLines) {
  EXPECT_EQ(Print(R"({"id":18446744073709551615})", R"({"id":18446744073709551614})"), "-");
  EXPECT_EQ(Print(R"({"a":[0.1]})", R"({"a":[0.10000000000000001]})"), "-");
  EXPECT_EQ(Print(R"({"a":1.0,"b":1})", R"({"a":1,"b":2})"), "-");
  EXPECT_EQ(Print(R"({"a":"\ud800"})", R"({"a":"\ud801"})"), "-");
  EXPECT_NE(Print(R"({"a\"1.0":"1.0 \\","b":-12,"c":0.5})", R"({"a\"1.0":"1.0 \\","b":-13,"c":0.5})"), "-");
}

TEST(ChangesInside, ReadsYaml) {
  EXPECT_EQ(Print("a: 1\nb: {c: 2}\n", "a: 1\nb: {c: 3}\n"), "b.c: 2 → 3\n");
  EXPECT_EQ(Print("a: 1\nb:\n  c: 2\n", "a: 1\n"), "b: {\"c\":2} → \n");
  EXPECT_EQ(Print("a:\n- name: x\n  v: 1\n- name: z\n", "a:\n- name: x\n  v: 2\n- name: z\n"), "a[name=x].v: 1 → 2\n");
  EXPECT_EQ(Print("a: |\n  x\n  y\nb: 1\n", "a: |-\n  x\n  z\nb: 1\n"), "a: \"x\\ny\\n\" → \"x\\nz\"\n");
  EXPECT_EQ(Print("a: 1\n\nb: 2\n", "a: 1\n\nb: 3\n\nc: 4\n"), "b: 2 → 3\nc:  → 4\n") << "with a blank line";
}

// What the reader makes of numbers and booleans is not what people wrote.
TEST(ChangesInside, LeavesYamlThatItWouldWriteInAnotherWayToTheLines) {
  EXPECT_EQ(Print("a: 1\nmode: 0644\n", "a: 1\nmode: 0755\n"), "-");
  EXPECT_EQ(Print("a: 1\nversion: 1.10\n", "a: 1\nversion: 1.20\n"), "-");
  EXPECT_EQ(Print("a: 1\ndebug: yes\n", "a: 1\ndebug: no\n"), "-");
  EXPECT_EQ(Print("a: 1\non: {b: 1}\n", "a: 1\non: {b: 2}\n"), "-");
  EXPECT_EQ(Print("a: 1\ndebug: true\nb: 1.5\n", "a: 1\ndebug: false\nb: -2.5\n"),
            "b: 1.5 → -2.5\ndebug: true → false\n");
}

// What the values would not tell of.
TEST(ChangesInside, LeavesCommentsAndLayoutOfYamlToTheLines) {
  EXPECT_EQ(Print("a: 1\nb: 2\n", "a: 1\nb: 3 # three\n"), "-");
  EXPECT_EQ(Print("# one\na: 1\nb: 2\n", "# two\na: 1\nb: 3\n"), "-");
  EXPECT_EQ(Print("# of:\na: 1\nb: 2\n", "# by:\na: 2\nb: 2\n"), "-");
  EXPECT_EQ(Print("a: x\nb: 2\n", "a: \"x\"\nb: 3\n"), "-");
  EXPECT_EQ(Print("a: 1\nb: 2\n", "b: 2\na: 1\n"), "-");
  EXPECT_EQ(Print("a:\n  b: 1\nc: 1\n", "a:\n    b: 1\nc: 2\n"), "-");
  EXPECT_EQ(Print("a: 1\nb: 2\n", "a: 1\nb: 3"), "-") << "no newline at the end";
  EXPECT_EQ(Print("a: 1\nb: 2\n", "a: 1\r\nb: 3\r\n"), "-");
  EXPECT_EQ(Print("a: 1\nb: 2\n", "a: 1\n\nb: 2\n"), "-");
  EXPECT_EQ(Print("a: 1\na: 2\nb: 1\n", "a: 3\na: 2\nb: 2\n"), "-") << "a duplicate key";
  EXPECT_EQ(Print("a: 1\nb: 1\n---\nc: 1\n", "a: 2\nb: 1\n---\nc: 2\n"), "-") << "two documents";
}

TEST(ChangesInside, ReadsKeysAndValues) {
  EXPECT_EQ(Print("server.port=8080\nserver.host=a\n", "server.port=9090\nserver.host=b\n"),
            "server.host: \"a\" → \"b\"\nserver.port: 8080 → 9090\n");
  EXPECT_EQ(Print("# x\nA=1\n\nB=\n", "# x\nA=1\n\nB=2 \nC=01\n"), "B: \"\" → \"2 \"\nC:  → \"01\"\n");
  EXPECT_EQ(Print("[a]\nx = 1\n[b]\nx = 1\n", "[a]\nx = 1\n[b]\nx = 2\n"), "b.x: 1 → 2\n");
  EXPECT_EQ(Print("[a]\nx = 1\n", "[a]\nx = 1\n\n[b]\nx = 2\n"), "b.x:  → 2\n");
  EXPECT_EQ(Print("[a]\nx = 1\n", "[b]\nx = 1\n"), "-") << "the line of the key is the same";
  EXPECT_EQ(Print("url=http://a: b\nx=1\n", "url=http://a: c\nx=1\n"), "url: \"http://a: b\" → \"http://a: c\"\n");
}

TEST(ChangesInside, LeavesCommentsAndLayoutOfKeysToTheLines) {
  EXPECT_EQ(Print("# x\nA=1\n", "# y\nA=2\n"), "-");
  EXPECT_EQ(Print("A=1\nB=2\n", "B=2\nA=1\n"), "-");
  EXPECT_EQ(Print("A=1\nB=2\n", "A = 1\nB=2\n"), "-");
  EXPECT_EQ(Print("A=1\nA=2\n", "A=3\nA=2\n"), "-") << "a duplicate key";
  EXPECT_EQ(Print("A=1 \\\n B=2\n", "A=1 \\\n B=3\n"), "-") << "a line that continues";
  EXPECT_EQ(Print("A=1\necho $A\n", "A=2\necho $A\n"), "-") << "a script";
}

// Whatever the texts are: linear, without crash. Each is 1 MiB, so that quadratic time exceeds the time limit of unit tests.
TEST(ChangesInside, IsNotSlowForHostileTexts) {
  constexpr size_t kSize = 1 << 20;
  const auto repeat = [](std::string_view unit) {
    std::string text;
    while (text.size() < kSize) text += unit;
    return text;
  };
  std::string laughs = "a: &a [x, x]\n";
  for (char c = 'b'; c < 'z'; ++c)
    laughs += std::string(1, c) + ": &" + c + " [*" + char(c - 1) + ", *" + char(c - 1) + "]\n";
  std::string stairs;
  for (size_t i = 0; stairs.size() < kSize; ++i) stairs += std::string(i, ' ') + "a:\n";
  const std::string texts[] = {repeat("a"),
                               repeat("a: "),
                               repeat("[\n"),
                               repeat("{\n"),
                               repeat("- "),
                               repeat("a: 1\n"),
                               repeat("a=1\n"),
                               repeat("# \n"),
                               repeat("\n"),
                               repeat("a: |\n\n"),
                               repeat("---\n"),
                               repeat("&a *a\n"),
                               repeat("? \n: \n"),
                               repeat("\"\n"),
                               repeat("[x]\n"),
                               laughs,
                               stairs,
                               repeat("- a: b\n"),
                               repeat("!!t \n")};
  for (const std::string& text : texts) {
    std::string other = text;
    other[other.size() / 2] = other[other.size() / 2] == 'a' ? 'b' : 'a';
    Print(text, other);
    Print(text, text + "z: 1\n");
  }
}

}  // namespace
}  // namespace smp::explain
