#include "explain/nested_changes.h"

#include <gtest/gtest.h>

#include <string>

#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp::explain {
namespace {

// Returns "path: before → after" for each change; "-" if they do not tell all.
std::string Print(const std::string& before, const std::string& after) {
  const Document old = *yaml::ParseYaml(before, ""), now = *yaml::ParseYaml(after, "");
  const auto changes = NestedChanges(old.root(), now.root());
  if (!changes) return "-";
  std::string out;
  for (const NestedChange& change : *changes) {
    out += ToString(change.path) + ": " + (change.before == nullptr ? "" : WriteJson(*change.before)) + " → " +
           (change.after == nullptr ? "" : WriteJson(*change.after)) + "\n";
  }
  return out;
}

TEST(NestedChanges, AreTheMembersThatDiffer) {
  EXPECT_EQ(Print("{a: 1, b: {c: 2, d: 3}, e: [x]}", "{b: {c: 2, d: 4}, e: [z], f: 5}"),
            "a: 1 → \nb.d: 3 → 4\ne: [\"x\"] → [\"z\"]\nf:  → 5\n");
  EXPECT_EQ(Print("{a: 1}", "{a: 1}"), "");
}

TEST(NestedChanges, PairItemsByName) {
  EXPECT_EQ(Print("[{name: v1, served: true}, {name: v2}]", "[{name: v0}, {name: v1, served: false}]"),
            "[name=v0]:  → {\"name\":\"v0\"}\n[name=v1].served: true → false\n[name=v2]: {\"name\":\"v2\"} → \n");
}

// In an atomic list the order is part of the value.
TEST(NestedChanges, DoNotTellAllOfANewOrder) {
  EXPECT_EQ(Print("[{name: a}, {name: b}]", "[{name: b}, {name: a}]"), "-");
  EXPECT_EQ(Print("{x: [{name: a}, {name: b}], z: 1}", "{x: [{name: b}, {name: a}], z: 2}"),
            "x: [{\"name\":\"a\"},{\"name\":\"b\"}] → [{\"name\":\"b\"},{\"name\":\"a\"}]\nz: 1 → 2\n");
}

TEST(NestedChanges, OfItemsWhoseOrderMeansNothing) {
  const Document old = *yaml::ParseYaml("[{name: a}, {name: b, x: [{name: c}, {name: d}]}]", ""),
                 now = *yaml::ParseYaml("[{name: b, x: [{name: d}, {name: c}]}, {name: a}]", "");
  const auto changes = NestedChanges(old.root(), now.root(), OrderOfNamed::kMeansNothing);
  ASSERT_TRUE(changes);
  ASSERT_EQ(changes->size(), 1u);
  EXPECT_EQ(ToString(changes->front().path), "[name=b].x") << "the order of other lists matters";
}

TEST(NestedChanges, AlignItemsWithoutNames) {
  EXPECT_EQ(Print("[{a: 1}, {a: 2}, {a: 3}]", "[{a: 1}, {a: 4}, {a: 3}]"), "[1].a: 2 → 4\n");
  EXPECT_EQ(Print("[{a: 1}, {a: 2}]", "[{a: 2}]"), "[0]: {\"a\":1} → \n");
  EXPECT_EQ(Print("[{name: a, x: 1}, {name: a, x: 2}]", "[{name: a, x: 1}, {name: a, x: 3}]"), "[1].x: 2 → 3\n")
      << "the same name twice names nothing";
}

TEST(NestedChanges, AreOfMapsAndListsOfMapsOnly) {
  EXPECT_EQ(Print("[a]", "[b]"), "-");
  EXPECT_EQ(Print("{a: 1}", "[{a: 1}]"), "-");
  EXPECT_EQ(Print("a", "b"), "-");
}

// Each change has a path of its own: deep maps with many changes would take the memory of their product.
TEST(NestedChanges, AreBounded) {
  const auto deep = [](const std::string& value) {
    std::string text;
    for (int i = 0; i < 900; ++i) text += "{a: ";
    text += "{";
    for (int i = 0; i < 2000; ++i) text += "k" + std::to_string(i) + ": " + value + ", ";
    return text + "}" + std::string(900, '}');
  };
  EXPECT_EQ(Print(deep("1"), deep("2")), "-");
}

TEST(NestedChanges, CompareListsInListsAsWholesFromSomeDepth) {
  const auto deep = [](const std::string& value) {
    std::string text = value;
    for (int i = 0; i < 20; ++i) text = "[{a: " + text + "}]";
    return text;
  };
  EXPECT_NE(Print(deep("1"), deep("2")).find("[{\"a\":1}]"), std::string::npos);
}

}  // namespace
}  // namespace smp::explain
