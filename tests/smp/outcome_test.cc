// Live as it shall be, of plans by a schema with every shape. The order of lists is what the server makes of it.
#include "smp/outcome.h"

#include <gtest/gtest.h>

#include "schema/openapi.h"
#include "schema/reading.h"
#include "smp/diff.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp {
namespace {

constexpr const char* kSchema = R"(
components:
  schemas:
    T:
      type: object
      properties:
        a: {type: string}
        b: {type: string}
        maybe: {type: string, nullable: true}
        map: {type: object, properties: {a: {type: string}, b: {type: string}}}
        atomic: {type: array, items: {type: string}}
        items:
          type: array
          x-kubernetes-patch-strategy: merge
          x-kubernetes-patch-merge-key: k
          x-kubernetes-list-type: map
          x-kubernetes-list-map-keys: [k]
          items: {type: object, properties: {k: {type: string}, v: {type: string}}}
        set:
          type: array
          x-kubernetes-patch-strategy: merge
          x-kubernetes-list-type: set
          items: {type: string}
)";

struct Row {
  const char* behaviour;
  const char* original;  // YAML; nullptr: none
  const char* modified;
  const char* live;
  const char* outcome;  // JSON
};

const Row kRows[] = {
    {"what is set", nullptr, "{a: x}", "{a: o}", R"({"a":"x"})"},
    {"what is added, in order", nullptr, "{b: x}", "{a: o}", R"({"a":"o","b":"x"})"},
    {"what is removed", "{a: x}", "{}", "{a: x, b: o}", R"({"b":"o"})"},
    {"what only live has", nullptr, "{}", "{a: x, map: {a: x}}", R"({"a":"x","map":{"a":"x"}})"},
    {"below a map", "{map: {a: x}}", "{map: {}}", "{map: {a: x, b: o}}", R"({"map":{"b":"o"}})"},
    {"a new map without its nulls", nullptr, "{map: {a: x, b: null}}", "{}", R"({"map":{"a":"x"}})"},
    {"an atomic list", nullptr, "{atomic: [b]}", "{atomic: [a, b]}", R"({"atomic":["b"]})"},
    {"an item that is changed", nullptr, "{items: [{k: a, v: x}]}", "{items: [{k: a, v: o}]}",
     R"({"items":[{"k":"a","v":"x"}]})"},
    {"an item of somebody stays", nullptr, "{items: [{k: a, v: x}]}", "{items: [{k: z}, {k: a}]}",
     R"({"items":[{"k":"z"},{"k":"a","v":"x"}]})"},
    {"an item that is removed", "{items: [{k: a}, {k: b}]}", "{items: [{k: a}]}", "{items: [{k: a}, {k: b}, {k: z}]}",
     R"({"items":[{"k":"a"},{"k":"z"}]})"},
    {"a new item goes first", nullptr, "{items: [{k: b}, {k: a}]}", "{items: [{k: a}]}",
     R"({"items":[{"k":"b"},{"k":"a"}]})"},
    {"a new item takes the room of a removed one", "{items: [{k: b}]}", "{items: [{k: c}]}",
     "{items: [{k: a}, {k: b}]}", R"({"items":[{"k":"a"},{"k":"c"}]})"},
    {"items in the manifest's order", nullptr, "{items: [{k: b}, {k: a}]}", "{items: [{k: a}, {k: z}, {k: b}]}",
     R"({"items":[{"k":"z"},{"k":"b"},{"k":"a"}]})"},
    {"an element that is added", nullptr, "{set: [b]}", "{set: [a]}", R"({"set":["b","a"]})"},
    {"an element that is removed", "{set: [a, b]}", "{set: [b]}", "{set: [a, b, z]}", R"({"set":["b","z"]})"},
    {"a set that is added to has no duplicates", nullptr, "{set: [b]}", "{set: [a, a]}", R"({"set":["b","a"]})"},
    {"a set that is not changed keeps its order", nullptr, "{set: [b, a]}", "{set: [a, b]}", R"({"set":["a","b"]})"},
};

std::string OutcomeOf(const Row& row, Storage storage) {
  const auto compiled = *CompileOpenApiV3(yaml::ParseYaml(kSchema)->root());
  const TypeId type = compiled->FindTypeByName("T");
  const auto schema = WithReading(*compiled, type, storage);
  const Document original = row.original == nullptr ? Document() : *yaml::ParseYaml(row.original);
  const Document modified = *yaml::ParseYaml(row.modified), live = *yaml::ParseYaml(row.live);
  const auto plan =
      Diff({row.original == nullptr ? nullptr : &original.root(), &modified.root(), &live.root(), schema.get(), type});
  if (!plan.ok()) return ToString(plan.error());
  Arena arena;
  return WriteJson(Outcome(*plan, arena));
}

TEST(Outcome, FollowsTheTable) {
  for (const Row& row : kRows) {
    EXPECT_EQ(OutcomeOf(row, Storage::kGoTypes), row.outcome) << row.behaviour;
    EXPECT_EQ(OutcomeOf(row, Storage::kAsWritten), row.outcome) << row.behaviour << ", as a custom resource";
  }
}

TEST(Outcome, StoresANullOfACustomResourceOnly) {
  const Row row = {"", nullptr, "{maybe: null}", "{maybe: x}", ""};
  EXPECT_EQ(OutcomeOf(row, Storage::kGoTypes), "{}");
  EXPECT_EQ(OutcomeOf(row, Storage::kAsWritten), R"({"maybe":null})");
}

}  // namespace
}  // namespace smp
