#include "smp/merge.h"

#include <gtest/gtest.h>

#include "schema/openapi.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp {
namespace {

constexpr std::string_view kSchema = R"(
components:
  schemas:
    Type:
      properties:
        list:
          type: array
          x-kubernetes-patch-strategy: merge
          x-kubernetes-patch-merge-key: name
          items: {type: object, properties: {name: {type: string}, value: {type: string}}}
        set: {type: array, x-kubernetes-patch-strategy: merge, items: {type: string}}
        atomic: {type: array, items: {type: string}}
        map: {type: object, properties: {a: {type: string}, b: {type: string}}}
        union: {type: object, x-kubernetes-patch-strategy: retainKeys, properties: {a: {type: string}, b: {type: string}}}
        replaced: {type: object, x-kubernetes-patch-strategy: replace, properties: {a: {type: string}}}
)";

std::string Merged(std::string_view live, std::string_view patch) {
  static const auto schema = *CompileOpenApiV3(yaml::ParseYaml(kSchema)->root());
  const Document l = *yaml::ParseYaml(live), p = *yaml::ParseYaml(patch);
  Arena arena;
  const auto merged = Merge(l.root(), p.root(), *schema, schema->FindTypeByName("Type"), arena);
  return merged.ok() ? WriteJson(*merged) : "error: " + ToString(merged.error());
}

struct Row {
  const char* live;
  const char* patch;
  const char* result;
};

// Each expected result was checked against k8s.io/apimachinery's StrategicMergePatch.
TEST(Merge, FollowsTheServersRules) {
  const Row rows[] = {
      {"map: {a: '1', b: '2'}", "map: {a: null}", R"({"map":{"b":"2"}})"},
      {"map: {a: '1'}", "map: {$patch: delete}", R"({"map":{}})"},
      {"map: {a: '1'}", "map: {$patch: replace, b: '2'}", R"({"map":{"b":"2"}})"},
      {"{}", "map: {a: null, b: '1'}", R"({"map":{"b":"1"}})"},
      {"replaced: {a: '1'}", "replaced: {}", R"({"replaced":{}})"},
      {"atomic: [a, b]", "atomic: [c]", R"({"atomic":["c"]})"},
      {"set: [a, b]", "set: [c]", R"({"set":["c","a","b"]})"},
      {"set: [a, b, a]", "$deleteFromPrimitiveList/set: [a]", R"({"set":["b"]})"},
      {"set: [a, b, c]", "$setElementOrder/set: [b, c, a]", R"({"set":["b","c","a"]})"},
      {"list: [{name: a}, {name: b}]", "list: [{name: b, value: x}]",
       R"({"list":[{"name":"a"},{"name":"b","value":"x"}]})"},
      {"list: [{name: a}, {name: b}, {name: a}]", "list: [{name: a, $patch: delete}]", R"({"list":[{"name":"b"}]})"},
      {"list: [{name: a}]", "list: [{name: b}, {$patch: replace}]", R"({"list":[{"name":"b"}]})"},
      {"list: [{name: a}, {name: b}]", "$setElementOrder/list: [{name: b}, {name: a}]",
       R"({"list":[{"name":"b"},{"name":"a"}]})"},
      {"union: {a: '1'}", "union: {$retainKeys: [b], b: '2'}", R"({"union":{"b":"2"}})"},
      {"union: {a: '1'}", "union: {$retainKeys: [a, b], b: '2'}", R"({"union":{"a":"1","b":"2"}})"},
  };
  for (const Row& row : rows) EXPECT_EQ(Merged(row.live, row.patch), row.result) << row.live << "  +  " << row.patch;
}

TEST(Merge, RefusesWhatTheServerRefuses) {
  const Row rows[] = {
      {"union: {a: '1'}", "union: {$retainKeys: [a], b: '2'}",
       "error: union: $retainKeys does not name `b`, which the patch sets"},
      {"list: [{name: a}]", "list: [{value: x}]", "error: list[0]: needs `name`, the merge key of this list"},
      {"map: {a: '1'}", "map: {$patch: merge}", R"(error: map: $patch must be "replace" or "delete" in an object)"},
      {"list: [{name: a}, {name: b}]", "{$setElementOrder/list: [{name: a}, {name: b}], list: [{name: b}, {name: a}]}",
       "error: list: the items in the patch are not in the order of $setElementOrder"},
      {"other: {a: '1'}", "other: {b: '2'}",
       "error: other: the schema has no such field, so the server cannot merge it"},
      {"set: [a]", "set: [1]", "error: set: the list has items of different kinds"},
      {"{}", "{$setElementOrder/list: [], list: [1]}", "error: list: expected an object as list item, found integer"},
      {"set: [a]", "$setElementOrderset: [a]",
       "error: \"$setElementOrderset\" is not a directive; use $setElementOrder/<list>"},
  };
  for (const Row& row : rows) EXPECT_EQ(Merged(row.live, row.patch), row.result) << row.live << "  +  " << row.patch;
}

}  // namespace
}  // namespace smp
