#include "apply/secret_data.h"

#include <gtest/gtest.h>

#include <string>

#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp::apply {
namespace {

std::string Stored(const std::string& object) { return WriteJson(WithStringDataStored(*ParseJson(object)).root()); }

TEST(StringData, IsMovedIntoDataWhereItWins) {
  EXPECT_EQ(
      Stored(R"({"apiVersion":"v1","kind":"Secret","data":{"a":"b2xk","b":"Yg=="},"stringData":{"a":"new","c":""}})"),
      R"({"apiVersion":"v1","data":{"a":"bmV3","b":"Yg==","c":""},"kind":"Secret"})");
  EXPECT_EQ(Stored(R"({"apiVersion":"v1","kind":"Secret","stringData":{"a":"x"}})"),
            R"({"apiVersion":"v1","data":{"a":"eA=="},"kind":"Secret"})");
}

TEST(StringData, GivesItsLinesToTheData) {
  const Document stored = WithStringDataStored(*yaml::ParseYaml(
      "apiVersion: v1\nkind: Secret\ndata:\n  a: b2xk\n  b: Yg==\nstringData:\n  a: new\n  c: x\n", "s.yaml"));
  const auto source = [&](std::string_view key) {
    const Source at = stored.SourceOf(stored.root().FindPath({"data", key}));
    return at.file + ":" + std::to_string(at.line);
  };
  EXPECT_EQ(source("a"), "s.yaml:7");
  EXPECT_EQ(source("b"), "s.yaml:5");
  EXPECT_EQ(source("c"), "s.yaml:8");
  EXPECT_EQ(stored.LineOf(&stored.root()), 1);
}

TEST(StringData, ThatIsEmptyOrNullIsNothing) {
  for (const char* none : {"{}", "null"}) {
    EXPECT_EQ(Stored(std::string(R"({"apiVersion":"v1","kind":"Secret","stringData":)") + none + "}"),
              R"({"apiVersion":"v1","kind":"Secret"})");
  }
}

// kubectl neither creates such a key nor changes one that is there. A server-side apply stores "".
TEST(StringData, WithoutValueChangesNothing) {
  const std::string secret =
      R"({"apiVersion":"v1","data":{"a":"YQ=="},"kind":"Secret","stringData":{"a":null,"b":null,"c":"c"}})";
  EXPECT_EQ(Stored(secret), R"({"apiVersion":"v1","data":{"a":"YQ==","c":"Yw=="},"kind":"Secret"})");
  EXPECT_EQ(WriteJson(WithStringDataStored(WithNullStringDataEmpty(*ParseJson(secret))).root()),
            R"({"apiVersion":"v1","data":{"a":"","b":"","c":"Yw=="},"kind":"Secret"})");
}

TEST(StringData, OfOtherKindsAndOtherShapesIsLeftAlone) {
  for (const char* object : {R"({"apiVersion":"v1","kind":"ConfigMap","stringData":{"a":"x"}})",
                             R"({"apiVersion":"example.com/v1","kind":"Secret","stringData":{"a":"x"}})",
                             R"({"apiVersion":"v1","kind":"Secret","stringData":{"a":1}})",
                             R"({"apiVersion":"v1","kind":"Secret","stringData":[]})"}) {
    EXPECT_EQ(Stored(object), object);
  }
}

}  // namespace
}  // namespace smp::apply
