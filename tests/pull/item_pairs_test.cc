#include "pull/item_pairs.h"

#include <gtest/gtest.h>

#include <string>

#include "value/json.h"

namespace smp::pull {
namespace {

// Returns for each item of `after` the number of its partner in `before`, "-" if it has none.
std::string Pairs(std::string_view before, std::string_view after) {
  const Result<Document> from = ParseJson(before), to = ParseJson(after);
  EXPECT_TRUE(from.ok() && to.ok());
  std::string out;
  for (const auto& pair : PairItems(from->root().Items(), to->root().Items())) {
    out += pair ? std::to_string(*pair) : "-";
  }
  return out;
}

TEST(PairItems, EqualItemsStayOrMove) {
  EXPECT_EQ(Pairs(R"(["a", "b", "c"])", R"(["b", "c", "d", "a"])"), "12-0");
  EXPECT_EQ(Pairs(R"(["a", "a"])", R"(["a", "a", "a"])"), "01-");
  EXPECT_EQ(Pairs("[]", R"([1])"), "-");
  EXPECT_EQ(Pairs(R"([1])", "[]"), "");
}

TEST(PairItems, AnotherScalarTakesThePlace) {
  EXPECT_EQ(Pairs(R"(["a", "b", "c"])", R"(["a", "x", "c"])"), "012");
  EXPECT_EQ(Pairs(R"(["a", "b"])", R"(["x", "y", "z"])"), "01-");
}

TEST(PairItems, AnArgumentIsKnownByItsName) {
  EXPECT_EQ(Pairs(R"(["--a=1", "--b=2"])", R"(["--b=3"])"), "1");
  EXPECT_EQ(Pairs(R"(["--b=2"])", R"(["--a=1", "--b=3"])"), "-0");
}

TEST(PairItems, AnItemThatChangedBesideOneThatWent) {
  constexpr std::string_view kRules =
      R"([{"groups": [""], "verbs": ["get"]}, {"groups": ["apps"], "kinds": ["x"], "verbs": ["get"]}])";
  EXPECT_EQ(Pairs(kRules, R"([{"groups": ["apps"], "kinds": ["x"], "verbs": ["get", "list"]}])"), "1");
  EXPECT_EQ(Pairs(kRules, R"([{"groups": ["apps"], "kinds": ["x"], "verbs": ["get", "list"]}, {"groups": ["new"]}])"),
            "1-");
}

TEST(PairItems, AnItemThatChangedBesideOneThatCame) {
  constexpr std::string_view kHosts = R"([{"host": "a", "paths": [{"path": "/", "port": 1}]}, {"host": "b"}])";
  EXPECT_EQ(Pairs(kHosts, R"([{"host": "new"}, {"host": "a", "paths": [{"path": "/", "port": 2}]}, {"host": "b"}])"),
            "-01");
}

TEST(PairItems, MapsWithNothingInCommonAreNoPairIfSomeWentOrCame) {
  EXPECT_EQ(Pairs(R"([{"a": 1}])", R"([{"a": 2}])"), "0");
  EXPECT_EQ(Pairs(R"([{"a": 1}, {"a": 2}])", R"([{"a": 3}])"), "-");
  EXPECT_EQ(Pairs(R"([{"a": 1, "b": 1, "c": 1}])", R"([{"a": 2, "b": 2, "c": 1}])"), "0");
}

TEST(PairItems, LongListsArePairedInOrder) {
  std::string before = "[0", after = "[1";
  for (int i = 0; i < 2'000; ++i) {
    before += ", {\"a\": " + std::to_string(i) + "}";
    after += ", {\"b\": " + std::to_string(i) + "}";
  }
  const Result<Document> from = ParseJson(before + "]"), to = ParseJson(after + "]");
  const auto pairs = PairItems(from->root().Items(), to->root().Items());
  for (size_t i = 0; i < pairs.size(); ++i) ASSERT_EQ(pairs[i], i);
}

}  // namespace
}  // namespace smp::pull
