// -o jsonpath, an example of each thing that it can do. All of it against client-go:
// tests/differential/jsonpath_test.cc.
#include "cmd/jsonpath.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "value/json.h"

namespace smp::cmd {
namespace {

constexpr char kObject[] = R"({"kind":"List","none":null,"float":1e7,"list":[1,"a",{"b":true}],"items":[
  {"name":"web","port":80,"tags":["x","y"]},{"name":"dns","port":53}]})";

std::string Print(std::string_view text, const JsonPath::Options& options = {}, const char* object = kObject) {
  const Result<JsonPath> path = JsonPath::Parse(text);
  if (!path.ok()) return "cannot be read: " + path.error().message;
  const Document document = *ParseJson(object);
  const Result<std::string> printed = path->Print(document.root(), options);
  return printed.ok() ? *printed : "error: " + printed.error().message;
}

struct Row {
  std::string_view text, printed;
};

TEST(JsonPath, SelectsAndPrints) {
  const Row rows[] = {
      {"kind is {.kind}!", "kind is List!"},
      {"{.items[*].name}", "web dns"},
      {"{.items[-1:].name}{.items[0]['name','port']}", "dnsweb 80"},
      {"{.list} {.float} {.none} {.missing}", R"([1,"a",{"b":true}] 1e+07 null )"},
      {"{..port}", "80 53"},
      {"{.items[?(@.port<80)].name}", "dns"},
      {"{.items[?(@.name==\"web\")].port}", "80"},
      {"{.items[?(@.tags)].name}", "web"},
      {R"({range .items[*]}{.name}{"\t"}{range .tags[*]}<{@}>{end}{"\n"}{end}.)", "web\t<x><y>\ndns\t\n."},
      {R"({'\u00e9'}{"{}"})", "é{}"},
  };
  for (const auto& [text, printed] : rows) EXPECT_EQ(Print(text), printed) << text;
}

TEST(JsonPath, SaysInGosWordsWhatIsWrong) {
  const Row rows[] = {
      {"{.a", "cannot be read: unclosed action"},
      {"{.a[0}", "cannot be read: unterminated array"},
      {"{.a[x]}", "cannot be read: invalid array index x"},
      {"{(}", "cannot be read: unrecognized character in action: U+0028 '('"},
      {"{.items[5]}", "error: array index out of bounds: index 5, length 2"},
      {"{.items[0].name[0]}", "error: string is not array or slice"},
      {"{.items[?(@.port>\"a\")]}", "error: incompatible types for comparison"},
      {"{foo}", "error: unrecognized identifier foo"},
      {"{end}", "error: not in range, nothing to end"},
  };
  for (const auto& [text, printed] : rows) EXPECT_EQ(Print(text), printed) << text;
  EXPECT_EQ(Print("{.missing}", {.missing = JsonPath::Missing::kError}), "error: missing is not found");
}

TEST(JsonPath, PrintsJsonLists) {
  EXPECT_EQ(Print("{.items[*].port}", {.form = JsonPath::Form::kJson}), "[\n    80,\n    53\n]\n");
}

TEST(JsonPath, SurvivesWhatGoPanicsOn) {
  EXPECT_EQ(Print("{range .none}{@}{end}"), "<no value>");
  EXPECT_EQ(Print("{range .none}{@[0]}{end}"), "error: null is not array or slice");
  EXPECT_EQ(Print("{range .none}{range @}{@}{end}{end}"), "<no value>");
}

std::string Repeated(std::string_view piece, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) out += piece;
  return out;
}

TEST(JsonPath, HasLimits) {
  EXPECT_EQ(Print(Repeated("{range .items[*]}", 200)), "error: ranges are nested too deeply");
  const std::string nested = Repeated("{\"a\":", 40) + "1" + Repeated("}", 40);
  EXPECT_EQ(Print("{" + Repeated("['a','a']", 40) + "}", {}, nested.c_str()),
            "error: the template finds more than 1000000 values");
  EXPECT_EQ(Print(Repeated("{.kind}", 20000)).size(), 80000u);
  const std::string deep = Repeated("[?(", 5000);
  EXPECT_EQ(Print("{.a" + deep + "}"), "cannot be read: unterminated filter");
}

}  // namespace
}  // namespace smp::cmd
