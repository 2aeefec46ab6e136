#include "schema/schema.h"

#include <gtest/gtest.h>

#include "schema/testing.h"

namespace smp {
namespace {

Schema OneKind(const std::string& type_name, const std::string& field, const std::string& kind) {
  Schema schema;
  const TypeId text = schema.Add({.kind = TypeKind::kString});
  const Value* value = schema.Own(Json(R"({"a": ["x", 1, null]})").root());
  const Field only = {.name = field, .type = text, .kind = TypeKind::kString, .default_value = value};
  const TypeId type = schema.Add({.kind = TypeKind::kObject, .name = type_name, .fields = {only}, .additional = text});
  schema.AddKind({"g", "v1", kind}, type);
  schema.AddResource({.gvk = {"g", "v1", kind}, .plural = field + "s", .type = type});
  return schema;
}

TEST(Schema, FindsFieldsByName) {
  Schema schema;
  const TypeId type = schema.Add({.fields = {{.name = "a"}, {.name = "c"}, {.name = "e"}}});
  for (const char* name : {"a", "c", "e"}) {
    ASSERT_NE(schema.Find(type, name), nullptr) << name;
    EXPECT_EQ(schema.Find(type, name)->name, name);
  }
  for (const char* name : {"", "b", "f"}) EXPECT_EQ(schema.Find(type, name), nullptr) << name;
}

TEST(Schema, KnowsNoFieldOfTheUnknownType) { EXPECT_EQ(Schema().Find(kNoType, "a"), nullptr); }

TEST(Schema, KnowsNothingItWasNotTold) {
  const Schema schema;
  EXPECT_EQ(schema.FindResource({"", "v1", "Pod"}), nullptr);
  EXPECT_EQ(schema.FindType({"", "v1", "Pod"}), kNoType);
  EXPECT_EQ(schema.FindTypeByName("Pod"), kNoType);
  EXPECT_EQ(schema.FindTypeByName(""), kNoType);
}

TEST(Schema, TheFirstOfAKindWins) {
  Schema schema = OneKind("first", "a", "K");
  schema.AddKind({"g", "v1", "K"}, kNoType);
  schema.AddResource({.gvk = {"g", "v1", "K"}, .plural = "others"});
  EXPECT_EQ(schema.type(schema.FindType({"g", "v1", "K"})).name, "first");
  EXPECT_EQ(schema.FindResource({"g", "v1", "K"})->plural, "as");
}

TEST(Schema, MergeBringsTypesResourcesAndDefaultsOfTheOther) {
  Schema schema = OneKind("first", "a", "K");
  {
    const Schema other = OneKind("second", "b", "L");
    schema.Merge(other);
  }
  EXPECT_EQ(schema.type_count(), 5u);
  const Resource* resource = schema.FindResource({"g", "v1", "L"});
  ASSERT_NE(resource, nullptr);
  EXPECT_EQ(resource->type, schema.FindType({"g", "v1", "L"}));
  EXPECT_EQ(schema.type(resource->type).name, "second");
  const Field field = FieldAt(schema, resource->type, "b");
  EXPECT_EQ(schema.type(field.type).kind, TypeKind::kString);
  EXPECT_EQ(schema.type(resource->type).additional, field.type);
  EXPECT_EQ(WriteJson(*field.default_value), R"({"a":["x",1,null]})");
}

TEST(Schema, MergeKeepsWhatIsThere) {
  Schema schema = OneKind("first", "a", "K");
  schema.Merge(OneKind("second", "b", "K"));
  EXPECT_EQ(schema.type(schema.FindType({"g", "v1", "K"})).name, "first");
  EXPECT_EQ(schema.FindResource({"g", "v1", "K"})->plural, "as");
  EXPECT_NE(schema.FindTypeByName("second"), kNoType);
}

TEST(Schema, MergeKeepsDefaultsOfTheMergedAlive) {
  Schema schema;
  {
    Schema middle;
    middle.Merge(OneKind("inner", "a", "K"));
    schema.Merge(middle);
  }
  EXPECT_EQ(WriteJson(*FieldAt(schema, schema.FindTypeByName("inner"), "a").default_value), R"({"a":["x",1,null]})");
}

TEST(Gvk, IsReadFromText) {
  const struct {
    const char* text;
    GroupVersionKind gvk;
  } kRows[] = {
      {"apps/v1/Deployment", {"apps", "v1", "Deployment"}},
      {"v1/Pod", {"", "v1", "Pod"}},
      {"a.b.io/v1beta1/X", {"a.b.io", "v1beta1", "X"}},
  };
  for (const auto& row : kRows) {
    const Result<GroupVersionKind> gvk = ParseGvk(row.text);
    ASSERT_TRUE(gvk.ok()) << row.text;
    EXPECT_EQ(*gvk, row.gvk) << row.text;
  }
}

TEST(Gvk, OtherTextIsRefused) {
  for (const char* text : {"", "Pod", "/", "v1/", "/Pod", "/v1/Pod", "a//Pod", "a/v1/Pod/x", "a/v1/"}) {
    const Result<GroupVersionKind> gvk = ParseGvk(text);
    ASSERT_FALSE(gvk.ok()) << text;
    EXPECT_EQ(gvk.error().code, ErrorCode::kParse) << text;
  }
}

TEST(Gvk, IsReadFromAnObject) {
  const Document pod = Json(R"({"apiVersion": "v1", "kind": "Pod"})");
  const Document deployment = Json(R"({"apiVersion": "apps/v1", "kind": "Deployment"})");
  EXPECT_EQ(GvkOf(pod.root()).value(), (GroupVersionKind{"", "v1", "Pod"}));
  EXPECT_EQ(GvkOf(deployment.root()).value(), (GroupVersionKind{"apps", "v1", "Deployment"}));
  EXPECT_EQ(GvkOf(deployment.root())->ApiVersion(), "apps/v1");
  EXPECT_EQ(GvkOf(pod.root())->ApiVersion(), "v1");
}

TEST(Gvk, AnObjectWithoutOneNamesTheFieldAtFault) {
  const struct {
    const char* object;
    const char* path;
  } kRows[] = {
      {R"({"kind": "Pod"})", "apiVersion"},
      {R"({"apiVersion": "v1"})", "kind"},
      {R"({"apiVersion": 1, "kind": "Pod"})", "apiVersion"},
      {R"({"apiVersion": "v1", "kind": ""})", "kind"},
      {R"({"apiVersion": "a/b/c", "kind": "Pod"})", "apiVersion"},
      {R"({"apiVersion": "a/", "kind": "Pod"})", "apiVersion"},
      {R"({"apiVersion": "v1", "kind": "b/Pod"})", "apiVersion"},
      {R"({"apiVersion": "../v1", "kind": "Pod"})", "apiVersion"},
      {R"({"apiVersion": "foo/v1?x=y#", "kind": "Pod"})", "apiVersion"},
      {R"({"apiVersion": "a b/v1", "kind": "Pod"})", "apiVersion"},
      {R"({"apiVersion": "a\r\nX: 1/v1", "kind": "Pod"})", "apiVersion"},
      {R"({"apiVersion": "a%2f..", "kind": "Pod"})", "apiVersion"},
      {R"(["v1", "Pod"])", "apiVersion"},
  };
  for (const auto& row : kRows) {
    const Document object = Json(row.object);
    const Result<GroupVersionKind> gvk = GvkOf(object.root());
    ASSERT_FALSE(gvk.ok()) << row.object;
    EXPECT_EQ(gvk.error().code, ErrorCode::kParse) << row.object;
    EXPECT_EQ(gvk.error().path, row.path) << row.object;
  }
}

}  // namespace
}  // namespace smp
