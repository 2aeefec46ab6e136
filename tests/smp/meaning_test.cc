#include "smp/meaning.h"

#include <gtest/gtest.h>

#include "schema/builtin.h"
#include "schema/openapi.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp {
namespace {

constexpr const char* kSchema = R"(
components:
  schemas:
    k8s.api.resource.Quantity: {type: string}
    T:
      type: object
      properties:
        cpu: {$ref: '#/components/schemas/k8s.api.resource.Quantity'}
        time: {type: string, format: date-time}
        bytes: {type: string, format: byte}
        text: {type: string}
        list: {type: array, items: {$ref: '#/components/schemas/T'}}
        map: {type: object, additionalProperties: {type: string}}
        fields: {type: object, properties: {a: {type: string}}}
        mode: {type: string, default: fast}
        maybe: {type: string, nullable: true}
)";

std::shared_ptr<const Schema> TestSchema() {
  static const auto schema = *CompileOpenApiV3(yaml::ParseYaml(kSchema)->root());
  return schema;
}

Place PlaceOfT(const Schema& schema, Storage storage) {
  return PlaceOf(schema, nullptr, schema.FindTypeByName("T"), storage);
}

constexpr int kNowhere = 0, kGo = 1, kWritten = 2;  // in neither storage, in Go types, as it is written

struct Row {
  const char* behaviour;
  const char* a;
  const char* b;
  int same_in;  // the sum of the storages in which they mean the same
};

const Row kRows[] = {
    {"members have no order", R"({"text":"a","map":{}})", R"({"map":{},"text":"a"})", kGo + kWritten},
    {"lists have", R"({"list":[{"text":"a"},{"text":"b"}]})", R"({"list":[{"text":"b"},{"text":"a"}]})", kNowhere},
    {"a list has a length", R"({"list":[{"text":"a"}]})", R"({"list":[{"text":"a"},{"text":"a"}]})", kNowhere},
    {"texts are texts", R"({"text":"1"})", R"({"text":1})", kNowhere},
    {"numbers are compared by value", R"({"x":1})", R"({"x":1.0})", kGo + kWritten},
    {"beyond 2^53 too", R"({"x":9007199254740993})", R"({"x":9007199254740992.0})", kNowhere},
    {"null is absent", R"({"text":null})", "{}", kGo + kWritten},
    {"unless null is stored", R"({"maybe":null})", "{}", kGo},
    {"quantities", R"({"cpu":"500m"})", R"({"cpu":0.5})", kGo},
    {"other quantities", R"({"cpu":"500m"})", R"({"cpu":"501m"})", kNowhere},
    {"times", R"({"time":"2026-01-01T00:00:00Z"})", R"({"time":"2026-01-01T01:00:00+01:00"})", kGo},
    {"base64", R"({"bytes":"YQ=="})", R"({"bytes":"Y\nQ=="})", kGo},
    {"other texts are spelt one way", R"({"text":"500m"})", R"({"text":"0.5"})", kNowhere},
    {"an empty list is none", R"({"list":[]})", "{}", kGo},
    {"an empty free-form map is none", R"({"map":{}})", "{}", kGo},
    {"an empty map with fields is one", R"({"fields":{}})", "{}", kNowhere},
    {"a default is absent", R"({"mode":"fast"})", "{}", kGo + kWritten},
    {"another value is not", R"({"mode":"slow"})", "{}", kNowhere},
    {"null and a default are both absent", R"({"mode":null})", R"({"mode":"fast"})", kGo + kWritten},
    {"inside lists too", R"({"list":[{"mode":"fast","cpu":"1"}]})", R"({"list":[{"cpu":"1000m"}]})", kGo},
};

TEST(SameMeaning, FollowsTheTable) {
  const auto schema = TestSchema();
  for (const Row& row : kRows) {
    const Document a = *ParseJson(row.a), b = *ParseJson(row.b);
    int same_in = kNowhere;
    if (SameMeaning(a.root(), b.root(), PlaceOfT(*schema, Storage::kGoTypes))) same_in += kGo;
    if (SameMeaning(a.root(), b.root(), PlaceOfT(*schema, Storage::kAsWritten))) same_in += kWritten;
    EXPECT_EQ(same_in, row.same_in) << row.behaviour;
    EXPECT_EQ(SameMeaning(b.root(), a.root(), PlaceOfT(*schema, Storage::kGoTypes)), (row.same_in & kGo) != 0)
        << row.behaviour << ", the other way round";
  }
}

TEST(SameMeaning, KnowsZerosThatTheServerDoesNotKeep) {
  const auto schema = BuiltinSchema();
  const TypeId type = schema->FindTypeByName("io.k8s.api.core.v1.PodSpec");
  ASSERT_NE(type, kNoType);
  const Place place = PlaceOf(*schema, nullptr, type, Storage::kGoTypes);
  const auto same = [&](const char* a, const char* b) {
    return SameMeaning(ParseJson(a)->root(), ParseJson(b)->root(), place);
  };
  EXPECT_TRUE(same(R"({"hostNetwork":false})", "{}"));
  EXPECT_FALSE(same(R"({"hostNetwork":true})", "{}"));
  EXPECT_FALSE(same(R"({"terminationGracePeriodSeconds":0})", "{}"));
}

TEST(SameButForSpelling, WantsTheSamePaths) {
  const struct {
    const char* a;
    const char* b;
    bool same;
  } rows[] = {
      {R"({"cpu":"500m"})", R"({"cpu":0.5})", true},
      {R"({"text":null})", "{}", false},
      {R"({"list":[]})", "{}", false},
      {R"({"mode":"fast"})", "{}", false},
      {R"({"list":[{"cpu":1}]})", R"({"list":[{"cpu":"1"}]})", true},
  };
  const auto schema = TestSchema();
  for (const auto& row : rows) {
    const Document a = *ParseJson(row.a), b = *ParseJson(row.b);
    EXPECT_EQ(SameButForSpelling(a.root(), b.root(), PlaceOfT(*schema, Storage::kGoTypes)), row.same) << row.a;
  }
}

TEST(WithoutNulls, DropsThemButWhereTheyAreStored) {
  const Document value = *ParseJson(R"({"maybe":null,"text":null,"list":[{"maybe":null,"text":null},null]})");
  const auto schema = TestSchema();
  const auto written = [&](Storage storage) {
    Arena arena;
    return WriteJson(WithoutNulls(value.root(), arena, PlaceOfT(*schema, storage)));
  };
  EXPECT_EQ(written(Storage::kGoTypes), R"({"list":[{},null]})");
  EXPECT_EQ(written(Storage::kAsWritten), R"({"list":[{"maybe":null},null],"maybe":null})");
}

}  // namespace
}  // namespace smp
