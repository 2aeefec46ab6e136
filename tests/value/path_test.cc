#include "value/path.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "value/json.h"
#include "value/parse_path.h"

namespace smp {
namespace {

Document Parsed(std::string_view json) {
  Result<Document> document = ParseJson(json);
  EXPECT_TRUE(document.ok()) << json;
  return document.ok() ? *std::move(document) : Document();
}

TEST(Path, PrintsEveryKindOfStep) {
  const std::pair<FieldPath, std::string_view> rows[] = {
      {{}, ""},
      {{PathStep::Field("spec"), PathStep::Field("a-b_C9")}, "spec.a-b_C9"},
      {{PathStep::Field("metadata"), PathStep::Field("a.b/c")}, "metadata[\"a.b/c\"]"},
      {{PathStep::Field("a.b"), PathStep::Field("c")}, "[\"a.b\"].c"},
      {{PathStep::Field("")}, "[\"\"]"},
      {{PathStep::Field("c"), PathStep::Key({{"name", "\"web\""}}), PathStep::Field("image")}, "c[name=web].image"},
      {{PathStep::Key({{"containerPort", "80"}, {"protocol", "\"TCP\""}})}, "[containerPort=80,protocol=TCP]"},
      {{PathStep::Key({{"port", "\"80\""}})}, "[port=\"80\"]"},
      {{PathStep::Key({{"a", "\"true\""}, {"b", "true"}, {"c", "null"}})}, "[a=\"true\",b=true,c=null]"},
      {{PathStep::Key({{"ip", "\"10.0.0.1\""}})}, "[ip=\"10.0.0.1\"]"},
      {{PathStep::Key({{"a.b", "1"}})}, "[\"a.b\"=1]"},
      {{PathStep::Element(Value::UnownedString("a.io/x"))}, "[\"a.io/x\"]"},
      {{PathStep::Element(Value::Int(8080))}, "[=8080]"},
      {{PathStep::Field("args"), PathStep::Index(2)}, "args[2]"},
  };
  for (const auto& [path, text] : rows) EXPECT_EQ(ToString(path), text);
}

TEST(Path, ReadsWhatItPrints) {
  for (const std::string_view text :
       {"", "spec.a-b_C9", "metadata[\"a.b/c\"]", "[\"a.b\"].c", "[\"\"]", "c[name=web].image", "[port=\"80\"]",
        "[=8080]", "[containerPort=80,protocol=TCP]", "args[2]", "a[-1]", "finalizers[\"web\"]", "[\"a.b\"=1]",
        "[=[1,{\"a\":\"]\"}]].b", "[]", "a[80=x]", "a[b=\"x]y\\\"\",c=1.5]", "a[x=null]"}) {
    const Result<FieldPath> path = ParsePath(text);
    ASSERT_TRUE(path.ok()) << text << ": " << ToString(path.error());
    EXPECT_EQ(ToString(*path), text);
  }
}

TEST(Path, BareWordsThatAreNoJsonAreStrings) {
  const Result<FieldPath> path = ParsePath("a[ip=10.0.0.1,port=80,q=\"80\"]");
  ASSERT_TRUE(path.ok());
  const std::vector<std::pair<std::string, std::string>> keys = {
      {"ip", "\"10.0.0.1\""}, {"port", "80"}, {"q", "\"80\""}};
  EXPECT_EQ((*path)[1].keys, keys);
}

TEST(Path, QuotedPlainNamesAreElementsAndOthersFields) {
  EXPECT_EQ((*ParsePath("[\"web\"]"))[0].kind, PathStep::Kind::kElement);
  EXPECT_EQ((*ParsePath("[\"a.io/x\"]"))[0], PathStep::Field("a.io/x"));
}

TEST(Path, RefusesWhatItCannotRead) {
  for (const std::string_view text :
       {".",      "a.",      ".a",       "a..b", "a b",        "a[",           "a]",    "a[1",
        "a[\"x]", "a[name]", "a[name=]", "a[=]", "a[name=web", "a[name=web,]", "a.[b]", "a[*]",
        "a.*",    "*",       "a[1]b",    "é",    "a[\"\\x\"]", "a[b={]",       "\x01"}) {
    SCOPED_TRACE(text);
    EXPECT_FALSE(ParsePath(text).ok());
  }
  EXPECT_EQ(ParsePath("a[name=]").error().message, "the path \"a[name=]\" is invalid at character 8: expected a value");
}

std::string RandomText(std::mt19937& random) {
  constexpr std::string_view kCharacters = "ab-_09.=,[]\"\\/ *\n{}:";
  std::string text;
  for (size_t length = random() % 6; length > 0; --length) text += kCharacters[random() % kCharacters.size()];
  return text;
}

std::string RandomJson(std::mt19937& random) {
  switch (random() % 4) {
    case 0: return WriteJson(Value::Int(static_cast<int64_t>(random()) - 1'000'000'000));
    case 1: return WriteJson(Value::Bool(random() % 2 == 0));
    case 2: return WriteJson(Value::Double(static_cast<double>(random() % 1000) / 8 + 0.0625));
    default: return WriteJson(Value::UnownedString(RandomText(random)));
  }
}

PathStep RandomStep(std::mt19937& random) {
  switch (random() % 4) {
    case 0: return PathStep::Field(RandomText(random));
    case 1: return PathStep::Index(static_cast<int64_t>(random() % 100));
    case 2: {
      PathStep step = PathStep::Element(Value());
      step.element = RandomJson(random);
      return step;
    }
    default: {
      std::vector<std::pair<std::string, std::string>> keys;
      for (size_t count = random() % 3 + 1; count > 0; --count)
        keys.emplace_back(RandomText(random), RandomJson(random));
      return PathStep::Key(std::move(keys));
    }
  }
}

// ["x"] may change its kind, never its text.
TEST(Path, RandomPathsRoundTrip) {
  for (const unsigned seed : {1U, 2U, 3U, 4U, 5U}) {
    std::mt19937 random(seed);
    for (int i = 0; i < 2000; ++i) {
      FieldPath path;
      for (size_t steps = random() % 5; steps > 0; --steps) path.push_back(RandomStep(random));
      const std::string text = ToString(path);
      const Result<FieldPath> again = ParsePath(text);
      ASSERT_TRUE(again.ok()) << text << ": " << ToString(again.error());
      ASSERT_EQ(ToString(*again), text);
      ASSERT_EQ(again->size(), path.size()) << text;
    }
  }
}

TEST(Path, KeyStepLeavesOutAbsentKeys) {
  const Document item = Parsed(R"({"name":"web","port":80,"x":null})");
  EXPECT_EQ(ToString(KeyStep(item.root(), {"port", "name"})), "[port=80,name=web]");
  EXPECT_EQ(ToString(KeyStep(item.root(), {"port", "protocol"})), "[port=80]");
  EXPECT_EQ(ToString(KeyStep(item.root(), {"x"})), "[x=null]");
}

TEST(Path, UnderPutsStepsInFront) {
  Error error = Error::Parse("no");
  error = Under(PathStep::Field("image"), error);
  error = Under(PathStep::Key({{"name", "\"web\""}}), error);
  error = Under(PathStep::Field("containers"), error);
  EXPECT_EQ(error.path, "containers[name=web].image");
}

TEST(PathPattern, WildcardsStandForOneStep) {
  const Result<PathPattern> pattern = ParsePathPattern("a.*[*][name=web]");
  ASSERT_TRUE(pattern.ok());
  const PathPattern steps = {PathStep::Field("a"), std::nullopt, std::nullopt, PathStep::Key({{"name", "\"web\""}})};
  EXPECT_EQ(*pattern, steps);
  EXPECT_FALSE(ParsePathPattern("a.**").ok());
}

// Found by fuzzing: the first printing wrote \ufffd, the second the character itself.
TEST(ParsePath, InvalidUtf8IsPrintedTheSameWayAgain) {
  for (const char* text : {"[key=a\xFF]", "[=\xC3(]", "[\"\xFF b\"=x]"}) {
    const Result<FieldPath> path = ParsePath(text);
    ASSERT_TRUE(path.ok()) << ToString(path.error());
    const std::string printed = ToString(*path);
    EXPECT_EQ(ToString(*ParsePath(printed)), printed);
  }
}

}  // namespace
}  // namespace smp
