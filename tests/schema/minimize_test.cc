#include "schema/minimize.h"

#include <gtest/gtest.h>

#include "schema/serial.h"
#include "schema/testing.h"

namespace smp {
namespace {

constexpr const char* kMeta = R"({"type": "object", "properties": {
  "labels": {"type": "object", "additionalProperties": {"type": "string"}},
    "owner": {"$ref": "#/components/schemas/Meta"}}})";

std::shared_ptr<const Schema> WithMeta(std::string_view kind, std::string_view meta) {
  return Compiled(StrCat(R"({"components": {"schemas": {"Meta": )", meta, R"(, ")", kind, R"(": {"type": "object",
      "x-kubernetes-group-version-kind": [{"group": "g", "version": "v1", "kind": ")",
                         kind, R"("}],
      "properties": {"metadata": {"default": {"a": 1}, "allOf": [{"$ref": "#/components/schemas/Meta"}]}}}}}, "paths": {
      "/apis/g/v1/)",
                         ToLower(kind), R"(s/{name}": {"get": {"x-kubernetes-group-version-kind":
      {"group": "g", "version": "v1", "kind": ")",
                         kind, R"("}}}}})"));
}

Schema Merged(const Schema& a, const Schema& b) {
  Schema both;
  both.Merge(a);
  both.Merge(b);
  return both;
}

TEST(Minimized, MakesEqualTypesOneAlsoWhenTheyReferToThemselves) {
  const Schema both = Merged(*WithMeta("A", kMeta), *WithMeta("B", kMeta));
  const Schema small = Minimized(both);
  EXPECT_EQ(both.type_count(), 11u);
  EXPECT_EQ(small.type_count(), 7u);  // none, Meta, A, B, the map, string, any value of a custom resource
  const Field a = FieldAt(small, small.FindType({"g", "v1", "A"}), "metadata");
  const Field b = FieldAt(small, small.FindType({"g", "v1", "B"}), "metadata");
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(FieldAt(small, a.type, "owner").type, a.type);
  EXPECT_EQ(small.type(small.type(FieldAt(small, a.type, "labels").type).additional).kind, TypeKind::kString);
}

TEST(Minimized, KeepsTypesOfOneNameThatDiffer) {
  const Schema small = Minimized(Merged(*WithMeta("A", kMeta), *WithMeta("B", R"({"type": "object"})")));
  const Field a = FieldAt(small, small.FindType({"g", "v1", "A"}), "metadata");
  const Field b = FieldAt(small, small.FindType({"g", "v1", "B"}), "metadata");
  EXPECT_NE(a.type, b.type);
  EXPECT_EQ(small.type(a.type).fields.size(), 2u);
  EXPECT_EQ(small.type(b.type).fields.size(), 0u);
}

TEST(Minimized, KeepsTypesThatDifferOnlyFurtherDown) {
  constexpr const char* kDocument = R"({"components": {"schemas": {"T": {"properties": {
    "a": {"properties": {"x": {"properties": {"y": {"type": "string"}}}}},
    "b": {"properties": {"x": {"properties": {"y": {"type": "integer"}}}}},
    "c": {"properties": {"x": {"properties": {"y": {"type": "string"}}}}}}}}}})";
  const Schema small = Minimized(*Compiled(kDocument));
  const TypeId type = small.FindTypeByName("T");
  EXPECT_NE(FieldAt(small, type, "a").type, FieldAt(small, type, "b").type);
  EXPECT_EQ(FieldAt(small, type, "a").type, FieldAt(small, type, "c").type);
  EXPECT_EQ(FieldAt(small, type, "b.x.y").kind, TypeKind::kInteger);
}

TEST(Minimized, KeepsResourcesAndOwnsItsDefaults) {
  Schema small = Minimized(*WithMeta("A", kMeta));
  const Resource* resource = small.FindResource({"g", "v1", "A"});
  ASSERT_NE(resource, nullptr);
  EXPECT_EQ(resource->type, small.FindType({"g", "v1", "A"}));
  EXPECT_EQ(WriteJson(*FieldAt(small, resource->type, "metadata").default_value), R"({"a":1})");
}

TEST(Minimized, ChangesNothingTheSecondTime) {
  const Schema once = Minimized(Merged(*WithMeta("A", kMeta), *WithMeta("B", kMeta)));
  EXPECT_EQ(SerializeSchema(Minimized(once)), SerializeSchema(once));
}

}  // namespace
}  // namespace smp
