// What kubectl -l understands (apimachinery, pkg/labels), and what it refuses.
#include "kube/label_selector.h"

#include <gtest/gtest.h>

#include "value/json.h"

namespace smp::kube {
namespace {

bool Chooses(const std::string& selector, const std::string& labels) {
  const auto parsed = ParseLabelSelector(selector);
  EXPECT_TRUE(parsed.ok()) << selector << ": " << parsed.error().message;
  const Document object = *ParseJson(R"({"metadata":{"labels":)" + labels + "}}");
  return parsed.ok() && Matches(*parsed, object.root());
}

struct Row {
  std::string selector;
  std::string labels;
  bool chosen;
};

TEST(LabelSelector, Chooses) {
  const Row rows[] = {
      {"", "{}", true},
      {"  ", R"({"a":"1"})", true},
      {"a=1", R"({"a":"1"})", true},
      {"a==1", R"({"a":"1"})", true},
      {" a = 1 ", R"({"a":"1"})", true},
      {"a=1", R"({"a":"2"})", false},
      {"a=1", "{}", false},
      {"a=1,b=2", R"({"a":"1","b":"2"})", true},
      {"a=1,b=2", R"({"a":"1","b":"3"})", false},
      {"a!=1", R"({"a":"2"})", true},
      {"a!=1", "{}", true},
      {"a!=1", R"({"a":"1"})", false},
      {"a=", R"({"a":""})", true},
      {"a=,b=1", R"({"a":"","b":"1"})", true},
      {"a=", "{}", false},
      {"a", R"({"a":""})", true},
      {"a", "{}", false},
      {"!a", "{}", true},
      {"! a", R"({"a":"1"})", false},
      {"a in (1,2)", R"({"a":"2"})", true},
      {"a in (1, 2),b notin (x)", R"({"a":"2"})", true},
      {"a in(1)", R"({"a":"1"})", true},
      {"a in (1,2)", R"({"a":"3"})", false},
      {"a in ()", R"({"a":""})", true},
      {"a in (1,)", R"({"a":""})", true},
      {"a in (,1)", R"({"a":"1"})", true},
      {"a notin (1,2)", R"({"a":"3"})", true},
      {"a notin (1,2)", "{}", true},
      {"a notin (1,2)", R"({"a":"1"})", false},
      {"in in (notin)", R"({"in":"notin"})", true},
      {"a>3", R"({"a":"4"})", true},
      {"a>3", R"({"a":"3"})", false},
      {"a<3", R"({"a":"-1"})", true},
      {"a<3", R"({"a":"x"})", false},
      {"a<3", "{}", false},
      {"app.kubernetes.io/name=web_1.2-x", R"({"app.kubernetes.io/name":"web_1.2-x"})", true},
  };
  for (const Row& row : rows) EXPECT_EQ(Chooses(row.selector, row.labels), row.chosen) << row.selector << row.labels;
}

TEST(LabelSelector, AnObjectWithoutLabelsOrMetadata) {
  const LabelSelector selector = *ParseLabelSelector("a");
  for (const char* text : {"{}", R"({"metadata":null})", R"({"metadata":{"labels":[]}})", "[]"}) {
    EXPECT_FALSE(Matches(selector, ParseJson(text)->root())) << text;
  }
}

TEST(LabelSelector, IsRefused) {
  for (const char* text :
       {",",    "a=1,", "a=1,,b=2", "a b", "a=1 b",   "a in 1", "a in (1", "a in (1 2)", "a in (=)", "=1",
        "a=!b", "!",    "a in",     "(a)", "a/b/c=1", "-a=1",   "a=-1",    "a>x",        "A.b/c=1",  "a=\xc3\xa4"}) {
    const auto parsed = ParseLabelSelector(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidArgument);
  }
  EXPECT_FALSE(ParseLabelSelector("a=" + std::string(64, 'x')).ok());
  EXPECT_FALSE(ParseLabelSelector(std::string(254, 'x') + "/a").ok());
}

TEST(LabelSelector, SaysWhatItFoundInKubectlsWords) {
  EXPECT_EQ(ParseLabelSelector("a=1,").error().message,
            "the provided selector \"a=1,\" is not valid: found '', expected: identifier after ','");
  EXPECT_EQ(ParseLabelSelector("a b").error().message,
            "the provided selector \"a b\" is not valid: found 'b', expected: in, notin, =, ==, !=, gt, lt");
}

}  // namespace
}  // namespace smp::kube
