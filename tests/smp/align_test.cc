#include "smp/align.h"

#include <gtest/gtest.h>

#include <string>

#include "base/strings.h"
#include "value/json.h"

namespace smp {
namespace {

const std::vector<std::string> kPortAndProtocol = {"port", "protocol"};
const Value kTcp = Value::UnownedString("TCP");

// "0,-,2": the partner of each item; "-" for none.
std::string Partners(const Document& wanted, const Document& side, const KeyRule& rule) {
  const auto items = Identities::Of(wanted.root().Items(), rule, Keyless::kUnique);
  const auto others = Identities::Of(side.root().Items(), rule, Keyless::kUnique);
  if (!items.ok() || !others.ok()) return "error";
  PositionIndex index(*others);
  std::vector<std::string> out;
  for (const size_t at : PairUp(*items, index)) out.push_back(at == kNoPlace ? "-" : std::to_string(at));
  return Join(out, ",");
}

struct Row {
  const char* behaviour;
  const char* wanted;
  const char* side;
  KeyRule rule;
  const char* partners;
};

const KeyRule kScalars = {};
const KeyRule kScalarsByValue = {.numbers = Numbers::kByValue};
const KeyRule kPorts = {.fields = &kPortAndProtocol, .numbers = Numbers::kByValue};
const KeyRule kPortsOfTcp = {
    .fields = &kPortAndProtocol, .defaults = {nullptr, &kTcp}, .numbers = Numbers::kByValue, .empty_is_absent = true};

const Row kRows[] = {
    {"by value, wherever it is", R"(["a","b","c"])", R"(["c","a"])", kScalars, "1,-,0"},
    {"kinds differ", R"([1,true])", R"(["1","true"])", kScalars, "-,-"},
    {"1 is not 1.0 to the server", "[1]", "[1.0]", kScalars, "-"},
    {"1 is 1.0 to a person", "[1]", "[1.0]", kScalarsByValue, "0"},
    {"1.5 is not 1", "[1]", "[1.5]", kScalarsByValue, "-"},
    {"null is a value to Go", "[null]", "[null]", kScalars, "0"},
    {"null identifies nothing", "[null]", "[null]", kScalarsByValue, "-"},
    {"of equal items the last pairs with the last", R"(["a","a"])", R"(["a","b","a","a"])", kScalars, "2,3"},
    {"each item has one partner", R"(["a","a"])", R"(["a"])", kScalars, "-,0"},
    {"all key fields count", R"([{"port":53,"protocol":"UDP"}])",
     R"([{"port":53,"protocol":"TCP"},{"port":53,"protocol":"UDP"}])", kPorts, "1"},
    {"other fields do not", R"([{"port":1,"protocol":"TCP","name":"a"}])", R"([{"port":1,"protocol":"TCP"}])", kPorts,
     "0"},
    {"an item without its key is alone", R"([{"port":1}])", R"([{"port":1}])", kPorts, "-"},
    {"what is no object is alone", R"([1])", R"([1])", kPorts, "-"},
    {"a list identifies nothing", R"([["a"]])", R"([["a"]])", kScalars, "-"},
    {"an absent field has its default", R"([{"port":1}])", R"([{"port":1,"protocol":"TCP"}])", kPortsOfTcp, "0"},
    {"so has null", R"([{"port":1,"protocol":null}])", R"([{"port":1,"protocol":"TCP"}])", kPortsOfTcp, "0"},
    {"so has an empty text", R"([{"port":1,"protocol":""}])", R"([{"port":1,"protocol":"TCP"}])", kPortsOfTcp, "0"},
    {"another value is not the default", R"([{"port":1}])", R"([{"port":1,"protocol":"UDP"}])", kPortsOfTcp, "-"},
};

TEST(PairUp, FollowsTheTable) {
  for (const Row& row : kRows) {
    EXPECT_EQ(Partners(*ParseJson(row.wanted), *ParseJson(row.side), row.rule), row.partners) << row.behaviour;
  }
}

// Long lists are hashed, short ones searched; the answers are the same.
TEST(PairUp, FollowsTheTableInLongLists) {
  const std::string many = R"(,"x1","x2","x3","x4","x5","x6","x7","x8","x9")";
  const auto longer = [&](const std::string& list) { return list.substr(0, list.size() - 1) + many + "]"; };
  for (const Row& row : kRows) {
    EXPECT_EQ(Partners(*ParseJson(row.wanted), *ParseJson(longer(row.side)), row.rule), row.partners) << row.behaviour;
  }
}

TEST(PositionIndex, FindsTheFirstOfEqualItemsAndTakesTheLast) {
  for (const size_t size : {4, 40}) {
    std::vector<Value> items(size, Value::Int(7));
    items[1] = Value::Int(8);
    const auto ids = *Identities::Of(items, {}, Keyless::kRefuse);
    PositionIndex index(ids);
    EXPECT_TRUE(index.has_duplicates());
    EXPECT_EQ(index.First(ids, size - 1), 0u);
    EXPECT_EQ(index.TakeLast(ids, 0), size - 1);
    EXPECT_EQ(index.TakeLast(ids, 0), size - 2);
    EXPECT_EQ(index.TakeLast(ids, 1), 1u);
    EXPECT_EQ(index.TakeLast(ids, 1), kNoPlace);
  }
}

// Their hashes shared a chain, and this took minutes.
TEST(PositionIndex, NumbersThatDifferInTheirUpperHalfAndItemsWithoutAKeyTakeLinearTime) {
  std::string numbers, keyless;
  for (int64_t i = 0; i < 300'000; ++i) {
    numbers += StrCat(numbers.empty() ? "[" : ",", i << 32);
    keyless += keyless.empty() ? "[{}" : ",{}";
  }
  const Document ports = *ParseJson(numbers + "]"), items = *ParseJson(keyless + "]");
  EXPECT_TRUE(Partners(ports, ports, kScalars).starts_with("0,1,2,3,"));
  EXPECT_TRUE(Partners(items, items, kPorts).starts_with("-,-,-,"));
}

TEST(Identities, OfAManifestNameTheItemWithoutItsKey) {
  const Document list = *ParseJson(R"([{"port":1,"protocol":"TCP"},{"port":2}])");
  const auto ids = Identities::Of(list.root().Items(), kPorts, Keyless::kRefuse);
  ASSERT_FALSE(ids.ok());
  EXPECT_EQ(ToString(ids.error()), "[1]: needs `protocol`, the merge key of this list");
}

}  // namespace
}  // namespace smp
