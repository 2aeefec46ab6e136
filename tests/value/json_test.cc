#include "value/json.h"

#include <gtest/gtest.h>

#include <string>

namespace smp {
namespace {

std::string Nested(size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

std::string Failure(std::string_view text, const JsonOptions& options = {}) {
  const Result<Document> document = ParseJson(text, options);
  return document.ok() ? "" : ToString(document.error());
}

TEST(Json, KeepsIntegersApartFromOtherNumbers) {
  const Result<Document> document = ParseJson("[1, 1.0, 1e0, 9223372036854775807, 9223372036854775808, -0]");
  ASSERT_TRUE(document.ok());
  const std::span<const Value> items = document->root().Items();
  const Kind expected[] = {Kind::kInt, Kind::kDouble, Kind::kDouble, Kind::kInt, Kind::kDouble, Kind::kInt};
  for (size_t i = 0; i < items.size(); ++i) EXPECT_EQ(items[i].kind(), expected[i]) << i;
}

TEST(Json, LastOfEqualNamesWinsAndMembersAreSorted) {
  const Result<Document> document = ParseJson(R"({"b":1,"a":2,"b":3})");
  ASSERT_TRUE(document.ok());
  EXPECT_EQ(WriteJson(document->root()), R"({"a":2,"b":3})");
}

TEST(Json, LimitsTheDepthAndSurvivesDeepInput) {
  EXPECT_TRUE(ParseJson(Nested(kMaxDepth)).ok());
  EXPECT_EQ(Failure(Nested(kMaxDepth + 1)), "this is not valid JSON: it is nested deeper than 1000 levels");
  EXPECT_FALSE(ParseJson(std::string(1'000'000, '[')).ok());
}

TEST(Json, RefusesControlCharactersWhereverTheyAre) {
  for (char c = 1; c < 0x20; ++c) {
    for (size_t i = 0; i < 40; ++i) {
      std::string text(40, 'x');
      text[i] = c;
      const std::string in_value = "[1,\n\"" + text + "\"]", in_key = "{\"" + text + "\":1}";
      EXPECT_FALSE(ParseJson(in_value).ok()) << int{c} << " at " << i;
      EXPECT_FALSE(ParseJson(in_key).ok()) << int{c} << " at " << i;
      EXPECT_FALSE(ParseJsonValues(in_value).front().ok()) << int{c} << " at " << i;
    }
  }
  EXPECT_EQ(ParseJson("[1,\n\"0123456789abcdef\x1E 0123456789abcdef\"]").error().source.line, 2);
}

TEST(Json, ErrorsNameFileAndLine) {
  EXPECT_EQ(Failure("{\n \"a\": 1\n \"b\": 2\n}", {"pod.json"}),
            "pod.json:3: this is not valid JSON: missing a comma or '}' after an object member");
  EXPECT_EQ(Failure("[\n1e999]", {"pod.json", false, 10}),
            "pod.json:11: this is not valid JSON: number too big to be "
            "stored in double");
  EXPECT_EQ(Failure("\n\n", {"pod.json"}), "pod.json:3: this is not valid JSON: the document is empty");
  EXPECT_EQ(Failure("{}\n{}", {"pod.json"}), "pod.json:2: this is not valid JSON: unexpected text after the value");
}

TEST(Json, ErrorsKeepTheirLineWhenSurrogatesWereReplaced) {
  EXPECT_EQ(Failure("[\"\\ud800\",\n\"\\udc00\",\nx]", {"f"}), "f:3: this is not valid JSON: invalid value");
}

TEST(Json, KnowsTheLineOfEveryValue) {
  const Result<Document> document = ParseJson("{\n\"b\": [1,\n  {\"c\": null}],\n\"a\":\n\"x\"}", {"f", true, 1});
  ASSERT_TRUE(document.ok());
  const Value& root = document->root();
  const Value* list = root.Find("b");
  EXPECT_EQ(document->LineOf(&root), 1);
  EXPECT_EQ(document->LineOf(list), 2);
  EXPECT_EQ(document->LineOf(&list->Items()[0]), 2);
  EXPECT_EQ(document->LineOf(&list->Items()[1]), 3);
  EXPECT_EQ(document->LineOf(list->Items()[1].Find("c")), 3);
  EXPECT_EQ(document->LineOf(root.Find("a")), 5);
  EXPECT_EQ(document->SourceOf(list).file, "f");
}

TEST(Json, LineOfADuplicateIsThatOfTheLast) {
  const Result<Document> document = ParseJson("{\"a\": 1,\n\"b\": 2,\n\"a\": 3}", {"f", true});
  ASSERT_TRUE(document.ok());
  EXPECT_EQ(document->LineOf(document->root().Find("a")), 3);
  EXPECT_EQ(document->LineOf(document->root().Find("b")), 2);
}

TEST(Json, WithoutLinesNoneIsKnown) {
  const Result<Document> document = ParseJson("[\n1]");
  ASSERT_TRUE(document.ok());
  EXPECT_EQ(document->LineOf(&document->root().Items()[0]), 0);
}

TEST(JsonStream, ReadsValuesOneBehindTheOther) {
  const std::vector<Result<Document>> values = ParseJsonValues("{\"a\":1}{\"a\":2}\n\n {\"a\":3}\n", {"f", true});
  ASSERT_EQ(values.size(), 3U);
  EXPECT_EQ(WriteJson(values[1]->root()), R"({"a":2})");
  EXPECT_EQ(values[2]->LineOf(&values[2]->root()), 3);
}

TEST(JsonStream, IsEmptyForWhiteSpace) { EXPECT_TRUE(ParseJsonValues(" \n").empty()); }

TEST(JsonStream, KeepsWhatIsBeforeAnInvalidValue) {
  const std::vector<Result<Document>> values = ParseJsonValues("{} {] {}");
  ASSERT_EQ(values.size(), 2U);
  EXPECT_TRUE(values[0].ok());
  EXPECT_FALSE(values[1].ok());
}

TEST(JsonStream, EveryValueMayHaveLoneSurrogates) {
  const std::vector<Result<Document>> values = ParseJsonValues("\"\\udc00\" \"\\\\ud800\" \"\\ud800\"");
  ASSERT_EQ(values.size(), 3U);
  EXPECT_EQ(values[0]->root().AsString(), "\xEF\xBF\xBD");
  EXPECT_EQ(values[1]->root().AsString(), "\\ud800");
  EXPECT_EQ(values[2]->root().AsString(), "\xEF\xBF\xBD");
}

TEST(WriteJson, IndentsAsMarshalIndent) {
  const Result<Document> document = ParseJson(R"({"a":[1,{"b":{}}],"c":[],"d":"<"})");
  ASSERT_TRUE(document.ok());
  EXPECT_EQ(WriteIndentedJson(document->root()),
            "{\n    \"a\": [\n        1,\n        {\n            \"b\": {}\n        }\n    ],\n    \"c\": [],\n"
            "    \"d\": \"\\u003c\"\n}");
  EXPECT_EQ(WriteIndentedJson(document->root().Find("a")->Items()[0], 2), "1");
}

TEST(WriteJson, InvalidUtf8IsReplaced) { EXPECT_EQ(WriteJson(Value::UnownedString("a\xFFz")), "\"a\\ufffdz\""); }

TEST(WriteNumber, FollowsGo) {
  const std::pair<double, std::string_view> rows[] = {
      {0, "0"},
      {-0.0, "-0"},
      {1, "1"},
      {1.5, "1.5"},
      {1e20, "100000000000000000000"},
      {1e21, "1e+21"},
      {1e-6, "0.000001"},
      {1e-7, "1e-7"},
      {1e-10, "1e-10"},
      {1.25e-9, "1.25e-9"},
      {1e300, "1e+300"},
      {5e-324, "5e-324"},
      {295147905179352825856.0, "295147905179352830000"},
  };
  for (const auto& [number, text] : rows) EXPECT_EQ(WriteNumber(number), text);
}

}  // namespace
}  // namespace smp
