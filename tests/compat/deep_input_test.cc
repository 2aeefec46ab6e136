// The parser lets 1000 levels pass; the engine recurses, so its frames must be small enough for that many.
#include <gtest/gtest.h>

#include "base/strings.h"
#include "compat/compat.h"
#include "schema/openapi.h"
#include "schema/reading.h"
#include "smp/compose.h"
#include "smp/conflicts.h"
#include "smp/json_merge.h"
#include "smp/json_patch.h"
#include "smp/meaning.h"
#include "smp/merge.h"
#include "smp/smp.h"
#include "value/json.h"

namespace smp::compat {
namespace {

Document Json(std::string_view text) {
  const Result<Document> document = ParseJson(text);
  EXPECT_TRUE(document.ok()) << ToString(document.error());
  return document.ok() ? *document : Document();
}

// Every way down is a type of its own again: a map, a list merged by key, an atomic list, anything.
std::shared_ptr<const Schema> Recursive() {
  return *CompileOpenApiV3(Json(R"({"components": {"schemas": {"T": {"type": "object", "properties": {
    "key": {"type": "string"},
    "leaf": {"type": "string"},
    "map": {"$ref": "#/components/schemas/T"},
    "retained": {"$ref": "#/components/schemas/T", "x-kubernetes-patch-strategy": "retainKeys"},
    "list": {"type": "array", "items": {"$ref": "#/components/schemas/T"}, "x-kubernetes-patch-strategy": "merge",
      "x-kubernetes-patch-merge-key": "key", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["key"]},
    "atomic": {"type": "array", "items": {"$ref": "#/components/schemas/T"}},
    "free": {"type": "object", "additionalProperties": true}}}}}})")
                               .root());
}

struct Way {
  const char* name;
  std::string open, close;
  size_t levels;  // that one turn takes
};

const Way kWays[] = {
    {"map", R"({"map":)", "}", 1},
    {"retained", R"({"retained":)", "}", 1},
    {"list", R"({"key":"k","list":[)", "]}", 2},
    {"atomic", R"({"atomic":[)", "]}", 2},
    {"unknown", R"({"free":{"x":)", "}}", 2},
    {"nulls", R"({"map":null,"free":)", "}", 1},
};

// 1000 levels, with `leaf` at the end.
Document Deep(const Way& way, std::string_view leaf) {
  std::string text = leaf.empty() ? R"({"key":"k"})" : StrCat(R"({"key":"k","leaf":")", leaf, "\"}");
  const size_t turns = (kMaxDepth - 1) / way.levels;
  std::string open, close;
  for (size_t i = 0; i < turns; ++i) {
    open += way.open;
    close += way.close;
  }
  return Json(StrCat(open, text, close));
}

class DeepInput : public testing::TestWithParam<Way> {
 protected:
  const std::shared_ptr<const Schema> schema_ = Recursive();
  const TypeId type_ = schema_->FindTypeByName("T");
  const Document one_ = Deep(GetParam(), "1"), two_ = Deep(GetParam(), "2"), three_ = Deep(GetParam(), "3"),
                 none_ = Deep(GetParam(), ""), empty_ = Json("{}");

  std::vector<std::array<const Value*, 3>> Triples() const {
    return {{&one_.root(), &two_.root(), &three_.root()}, {&one_.root(), &none_.root(), &one_.root()},
            {nullptr, &two_.root(), &empty_.root()},      {&one_.root(), &empty_.root(), &one_.root()},
            {&one_.root(), &two_.root(), &empty_.root()}, {nullptr, &two_.root(), &two_.root()}};
  }
};

TEST_P(DeepInput, IsPlannedAndTheMergeOfThePatchIsTheOutcome) {
  for (const auto& [original, modified, live] : Triples()) {
    for (const auto& schema : {schema_, WithReading(*schema_, type_, Storage::kAsWritten)}) {
      const auto patch = PlanPatch({original, modified, live, schema.get(), type_});
      ASSERT_TRUE(patch.ok()) << patch.error().message.substr(0, 200);
      (void)OverwrittenFields(patch->plan, *live, *schema);
      Arena arena;
      const Result<Value> merged = patch->format == PatchFormat::kStrategic
                                       ? Merge(*live, patch->body.root(), *schema_, type_, arena)
                                       : Result<Value>(ApplyJsonMergePatch(*live, patch->body.root(), arena));
      ASSERT_TRUE(merged.ok()) << merged.error().message.substr(0, 200);
      EXPECT_TRUE(SameMeaning(*merged, patch->outcome.root()));
    }
  }
}

TEST_P(DeepInput, IsNoCrashForKubectlsPatches) {
  for (const auto& [original, modified, live] : Triples()) {
    const DiffInput input = {original, modified, live, schema_.get(), type_};
    Arena arena;
    (void)KubectlThreeWayPatch(input, Overwrite::kYes, arena).ok();
    (void)KubectlThreeWayPatch(input, Overwrite::kNo, arena).ok();
    (void)KubectlJsonMergePatch(input, arena).ok();
    if (original != nullptr) (void)KubectlTwoWayPatch(input, arena).ok();
  }
}

TEST_P(DeepInput, IsMergedComposedAndPatched) {
  Arena arena;
  for (const Document* live : {&one_, &empty_}) {
    (void)Merge(live->root(), two_.root(), *schema_, type_, arena).ok();
    (void)Compose(live->root(), two_.root(), *schema_, type_, arena).ok();
    EXPECT_EQ(WriteJson(ApplyJsonMergePatch(live->root(), one_.root(), arena)).empty(), false);
    const Value operations = arena.Array(std::vector<Value>{
        arena.Object({{"op", Value::UnownedString("add")}, {"path", Value::UnownedString("")}, {"value", two_.root()}}),
        arena.Object(
            {{"op", Value::UnownedString("test")}, {"path", Value::UnownedString("")}, {"value", two_.root()}})});
    const Result<Value> patched = ApplyJsonPatch(live->root(), operations, arena);
    ASSERT_TRUE(patched.ok()) << patched.error().message.substr(0, 200);
    EXPECT_TRUE(*patched == two_.root());
  }
}

INSTANTIATE_TEST_SUITE_P(EveryWayDown, DeepInput, testing::ValuesIn(kWays),
                         [](const auto& way) { return std::string(way.param.name); });

}  // namespace
}  // namespace smp::compat
