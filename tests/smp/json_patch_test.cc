#include "smp/json_patch.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "value/json.h"

namespace smp {
namespace {

Document Json(std::string_view text) {
  auto document = ParseJson(text);
  EXPECT_TRUE(document.ok()) << text;
  return document.ok() ? *document : Document();
}

Result<std::string> Apply(std::string_view target_text, std::string_view patch_text) {
  const Document target = Json(target_text), patch = Json(patch_text);
  Arena arena;
  SMP_ASSIGN(const Value result, ApplyJsonPatch(target.root(), patch.root(), arena));
  return WriteJson(result);
}

struct GoodCase {
  std::string name;
  std::string target;
  std::string patch;
  std::string result;
};
void PrintTo(const GoodCase& c, std::ostream* out) { *out << c.name; }

class JsonPatchGives : public testing::TestWithParam<GoodCase> {};

TEST_P(JsonPatchGives, TheResult) {
  const auto result = Apply(GetParam().target, GetParam().patch);
  ASSERT_TRUE(result.ok()) << ToString(result.error());
  EXPECT_EQ(*result, WriteJson(Json(GetParam().result).root()));
}

// RFC 6902, appendix A, by number.
INSTANTIATE_TEST_SUITE_P(
    Rfc, JsonPatchGives,
    testing::Values(GoodCase{"A1AddsAMember", R"({"foo":"bar"})", R"([{"op":"add","path":"/baz","value":"qux"}])",
                             R"({"baz":"qux","foo":"bar"})"},
                    GoodCase{"A2AddsAnItem", R"({"foo":["bar","baz"]})",
                             R"([{"op":"add","path":"/foo/1","value":"qux"}])", R"({"foo":["bar","qux","baz"]})"},
                    GoodCase{"A3RemovesAMember", R"({"baz":"qux","foo":"bar"})", R"([{"op":"remove","path":"/baz"}])",
                             R"({"foo":"bar"})"},
                    GoodCase{"A4RemovesAnItem", R"({"foo":["bar","qux","baz"]})",
                             R"([{"op":"remove","path":"/foo/1"}])", R"({"foo":["bar","baz"]})"},
                    GoodCase{"A5Replaces", R"({"baz":"qux","foo":"bar"})",
                             R"([{"op":"replace","path":"/baz","value":"boo"}])", R"({"baz":"boo","foo":"bar"})"},
                    GoodCase{"A6MovesAMember", R"({"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}})",
                             R"([{"op":"move","from":"/foo/waldo","path":"/qux/thud"}])",
                             R"({"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}})"},
                    GoodCase{"A7MovesAnItem", R"({"foo":["all","grass","cows","eat"]})",
                             R"([{"op":"move","from":"/foo/1","path":"/foo/3"}])",
                             R"({"foo":["all","cows","eat","grass"]})"},
                    GoodCase{"A8TestsAValue", R"({"baz":"qux","foo":["a",2,"c"]})",
                             R"([{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}])",
                             R"({"baz":"qux","foo":["a",2,"c"]})"},
                    GoodCase{"A10AddsANestedMember", R"({"foo":"bar"})",
                             R"([{"op":"add","path":"/child","value":{"grandchild":{}}}])",
                             R"({"foo":"bar","child":{"grandchild":{}}})"},
                    GoodCase{"A11IgnoresUnknownMembers", R"({"foo":"bar"})",
                             R"([{"op":"add","path":"/baz","value":"qux","xyz":123}])", R"({"foo":"bar","baz":"qux"})"},
                    GoodCase{"A14OrdersEscapes", R"({"/":9,"~1":10})", R"([{"op":"test","path":"/~01","value":10}])",
                             R"({"/":9,"~1":10})"},
                    GoodCase{"A16AddsAListToAList", R"({"foo":["bar"]})",
                             R"([{"op":"add","path":"/foo/-","value":["abc","def"]}])",
                             R"({"foo":["bar",["abc","def"]]})"}),
    [](const auto& tested) { return tested.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Own, JsonPatchGives,
    testing::Values(
        GoodCase{"AnEmptyPatchChangesNothing", R"({"a":1})", "[]", R"({"a":1})"},
        GoodCase{"AddOverwritesAMember", R"({"a":1})", R"([{"op":"add","path":"/a","value":null}])", R"({"a":null})"},
        GoodCase{"AddAtTheEndByIndex", "[1,2]", R"([{"op":"add","path":"/2","value":3}])", "[1,2,3]"},
        GoodCase{"AddReplacesTheWholeDocument", R"({"a":1})", R"([{"op":"add","path":"","value":[1]}])", "[1]"},
        GoodCase{"ReplacesTheWholeDocument", R"({"a":1})", R"([{"op":"replace","path":"","value":7}])", "7"},
        GoodCase{"EmptyNamesAreNames", R"({"":{"":1}})", R"([{"op":"remove","path":"//"}])", R"({"":{}})"},
        GoodCase{"SlashesInNames", R"({"a/b":1})", R"([{"op":"replace","path":"/a~1b","value":2}])", R"({"a/b":2})"},
        GoodCase{"DigitsNameMembersOfObjects", R"({"01":1})", R"([{"op":"remove","path":"/01"}])", "{}"},
        GoodCase{"CopyIsNoAlias", R"({"a":{"x":1}})",
                 R"([{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/x","value":2}])",
                 R"({"a":{"x":1},"b":{"x":2}})"},
        GoodCase{"CopyTakesWhatWasChangedBefore", R"({"a":{"x":1}})",
                 R"([{"op":"add","path":"/a/y","value":2},{"op":"copy","from":"/a","path":"/a/z"}])",
                 R"({"a":{"x":1,"y":2,"z":{"x":1,"y":2}}})"},
        GoodCase{"MoveToItself", R"({"a":1})", R"([{"op":"move","from":"/a","path":"/a"}])", R"({"a":1})"},
        GoodCase{"MoveUpReplacesTheParent", R"({"a":{"b":1}})", R"([{"op":"move","from":"/a/b","path":"/a"}])",
                 R"({"a":1})"},
        GoodCase{
            "LaterOperationsSeeEarlierOnes", "[]",
            R"([{"op":"add","path":"/-","value":{}},{"op":"add","path":"/0/a","value":1},{"op":"test","path":"","value":[{"a":1}]},{"op":"add","path":"/0/b","value":2}])",
            R"([{"a":1,"b":2}])"},
        GoodCase{"TestComparesNumbersByValue", R"({"a":[1,{"b":2.0}]})",
                 R"([{"op":"test","path":"/a","value":[1.0,{"b":2}]}])", R"({"a":[1,{"b":2.0}]})"},
        GoodCase{"TestIgnoresTheOrderOfMembers", R"({"a":1,"b":2})",
                 R"([{"op":"test","path":"","value":{"b":2,"a":1}}])", R"({"a":1,"b":2})"}),
    [](const auto& tested) { return tested.param.name; });

struct BadCase {
  std::string name;
  std::string target;
  std::string patch;
  ErrorCode code;
  std::string message;
};
void PrintTo(const BadCase& c, std::ostream* out) { *out << c.name; }

class JsonPatchRefuses : public testing::TestWithParam<BadCase> {};

TEST_P(JsonPatchRefuses, WithTheOperationAndItsPath) {
  const auto result = Apply(GetParam().target, GetParam().patch);
  ASSERT_FALSE(result.ok()) << *result;
  EXPECT_EQ(ErrorCodeName(result.error().code), ErrorCodeName(GetParam().code));
  EXPECT_EQ(result.error().message, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Rfc, JsonPatchRefuses,
    testing::Values(
        BadCase{"A9FailedTest", R"({"baz":"qux"})", R"([{"op":"test","path":"/baz","value":"bar"}])",
                ErrorCode::kConflict, R"(operation 1 (test "/baz"): the value differs from the expected value)"},
        BadCase{"A12MissingParent", R"({"foo":"bar"})", R"([{"op":"add","path":"/baz/bat","value":"qux"}])",
                ErrorCode::kPatchFormat, R"(operation 1 (add "/baz/bat"): there is no /baz)"},
        // Of two members `op` the last wins, as in Go.
        BadCase{"A13TwoOps", R"({"foo":"bar"})", R"([{"op":"add","path":"/baz","value":"qux","op":"remove"}])",
                ErrorCode::kPatchFormat, R"(operation 1 (remove "/baz"): there is no /baz)"},
        BadCase{"A15StringsAreNoNumbers", R"({"/":9,"~1":10})", R"([{"op":"test","path":"/~01","value":"10"}])",
                ErrorCode::kConflict, R"(operation 1 (test "/~01"): the value differs from the expected value)"}),
    [](const auto& tested) { return tested.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Own, JsonPatchRefuses,
    testing::Values(
        BadCase{"ByNumber", R"({"a":1})", R"([{"op":"remove","path":"/a"},{"op":"remove","path":"/a"}])",
                ErrorCode::kPatchFormat, R"(operation 2 (remove "/a"): there is no /a)"},
        BadCase{"NoList", "{}", "{}", ErrorCode::kPatchFormat, "a JSON patch must be a list of operations"},
        BadCase{"NoObject", "{}", "[1]", ErrorCode::kPatchFormat, R"(operation 1 (? ""): needs "op", a string)"},
        BadCase{"NoPath", "{}", R"([{"op":"remove"}])", ErrorCode::kPatchFormat,
                R"(operation 1 (remove ""): needs "path", a string)"},
        BadCase{"NoValue", "{}", R"([{"op":"add","path":"/a"}])", ErrorCode::kPatchFormat,
                R"(operation 1 (add "/a"): needs "value")"},
        BadCase{"NoFrom", "{}", R"([{"op":"copy","path":"/a"}])", ErrorCode::kPatchFormat,
                R"(operation 1 (copy "/a"): needs "from", a string)"},
        BadCase{"UnknownOp", "{}", R"([{"op":"merge","path":"/a"}])", ErrorCode::kPatchFormat,
                R"(operation 1 (merge "/a"): unknown op "merge"; it must be add, remove, replace, move, copy or test)"},
        BadCase{"PointerWithoutSlash", "{}", R"([{"op":"remove","path":"a"}])", ErrorCode::kPatchFormat,
                R"(operation 1 (remove "a"): the path "a" must begin with / (or be empty, for the document))"},
        BadCase{"UnknownEscape", "{}", R"([{"op":"remove","path":"/~2"}])", ErrorCode::kPatchFormat,
                R"(operation 1 (remove "/~2"): in the path "/~2" a ~ must be followed by 0 or 1; write ~0 for ~)"},
        BadCase{"EscapeCutShort", "{}", R"([{"op":"remove","path":"/a~"}])", ErrorCode::kPatchFormat,
                R"(operation 1 (remove "/a~"): in the path "/a~" a ~ must be followed by 0 or 1; write ~0 for ~)"},
        BadCase{"LeadingZero", "[1,2]", R"([{"op":"remove","path":"/01"}])", ErrorCode::kPatchFormat,
                R"(operation 1 (remove "/01"): "01" is not an index of the document, which has 2 items)"},
        BadCase{"NegativeIndex", "[1,2]", R"([{"op":"remove","path":"/-1"}])", ErrorCode::kPatchFormat,
                R"(operation 1 (remove "/-1"): "-1" is not an index of the document, which has 2 items)"},
        BadCase{
            "IndexBeyondAnyList", "[1]", R"([{"op":"remove","path":"/99999999999999999999"}])", ErrorCode::kPatchFormat,
            R"(operation 1 (remove "/99999999999999999999"): "99999999999999999999" is not an index of the document, which has 1 item)"},
        BadCase{"DashIsOnlyForAdding", "[1]", R"([{"op":"replace","path":"/-","value":2}])", ErrorCode::kPatchFormat,
                R"(operation 1 (replace "/-"): "-" is not an index of the document, which has 1 item)"},
        BadCase{"AddBehindTheEnd", "[1]", R"([{"op":"add","path":"/2","value":2}])", ErrorCode::kPatchFormat,
                R"(operation 1 (add "/2"): there is no /2: the list has 1 item)"},
        BadCase{"RemoveBehindTheEnd", "[1]", R"([{"op":"remove","path":"/1"}])", ErrorCode::kPatchFormat,
                R"(operation 1 (remove "/1"): there is no /1: the list has 1 item)"},
        BadCase{"ReplaceOfNothing", "{}", R"([{"op":"replace","path":"/a","value":1}])", ErrorCode::kPatchFormat,
                R"(operation 1 (replace "/a"): there is no /a)"},
        BadCase{"BelowAScalar", R"({"a":"x"})", R"([{"op":"add","path":"/a/b","value":1}])", ErrorCode::kPatchFormat,
                R"(operation 1 (add "/a/b"): there is no /a/b: /a is a value of type string)"},
        BadCase{"RemoveOfEverything", "{}", R"([{"op":"remove","path":""}])", ErrorCode::kPatchFormat,
                R"(operation 1 (remove ""): the whole document cannot be removed)"},
        BadCase{"MoveIntoItself", R"({"a":{"b":1}})", R"([{"op":"move","from":"/a","path":"/a/b"}])",
                ErrorCode::kPatchFormat, R"(operation 1 (move "/a/b"): a value cannot be moved into itself)"},
        BadCase{"MoveOfNothing", "{}", R"([{"op":"move","from":"/a","path":"/a"}])", ErrorCode::kPatchFormat,
                R"(operation 1 (move "/a"): there is no /a)"},
        // The doubles next to 2^63-1 and 2^53 are other numbers.
        BadCase{"IntegersAreComparedExactly", "9223372036854775807",
                R"([{"op":"test","path":"","value":9223372036854775808}])", ErrorCode::kConflict,
                R"(operation 1 (test ""): the value differs from the expected value)"},
        BadCase{"NullIsNotAbsent", R"({"a":null})", R"([{"op":"test","path":"","value":{}}])", ErrorCode::kConflict,
                R"(operation 1 (test ""): the value differs from the expected value)"}),
    [](const auto& tested) { return tested.param.name; });

std::string Repeated(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

// A list of `count` operations.
std::string Operations(int count, const std::string& operation) {
  return StrCat("[", Repeated(operation + ",", count - 1), operation, "]");
}

struct LimitCase {
  std::string name;
  std::string patch;
  std::string message;
};
void PrintTo(const LimitCase& c, std::ostream* out) { *out << c.name; }

class JsonPatchIsLimited : public testing::TestWithParam<LimitCase> {};

TEST_P(JsonPatchIsLimited, ByAnError) {
  const auto result = Apply(R"({"a":["a text of some length"]})", GetParam().patch);
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message.find(GetParam().message), std::string::npos) << result.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    Own, JsonPatchIsLimited,
    testing::Values(LimitCase{"Operations", Operations(10'001, R"({"op":"test","path":"/a/0","value":1})"),
                              "may have 10000 operations; this one has 10001"},
                    LimitCase{"CopiesThatDouble", Operations(100, R"({"op":"copy","from":"/a","path":"/a/-"})"),
                              "the copy operations copy more than 64 MiB"},
                    LimitCase{"DepthByMoving",
                              Operations(600, R"({"op":"add","path":"/b","value":{"b":{}}},)"
                                              R"({"op":"move","from":"/a","path":"/b/b/a"},)"
                                              R"({"op":"move","from":"/b","path":"/a"})"),
                              "the result would be nested deeper than 1000 levels"},
                    LimitCase{"DepthByAdding",
                              StrCat(R"([{"op":"add","path":"/a/0","value":)", Repeated("[", 997), Repeated("]", 997),
                                     R"(},{"op":"copy","from":"/a","path":"/a/0/0"}])"),
                              "the result would be nested deeper than 1000 levels"}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace smp
