#include "schema/openapi.h"

#include <gtest/gtest.h>

#include <random>

#include "schema/testing.h"

namespace smp {
namespace {

// The field x of a component that has no other.
Field OnlyField(std::string_view node, std::string_view others = "") {
  const auto schema =
      CompiledComponents(StrCat(R"({"T": {"type": "object", "properties": {"x": )", node, "}}", others, "}"));
  return FieldAt(*schema, schema->FindTypeByName("T"), "x");
}

TEST(OpenApiKinds, AreThoseOfTheNode) {
  const struct {
    const char* node;
    TypeKind kind;
  } kRows[] = {
      {R"({"type": "string"})", TypeKind::kString},
      {R"({"type": "integer", "format": "int32"})", TypeKind::kInteger},
      {R"({"type": "number"})", TypeKind::kNumber},
      {R"({"type": "boolean"})", TypeKind::kBoolean},
      {R"({"type": "object"})", TypeKind::kObject},
      {R"({"properties": {}})", TypeKind::kObject},
      {R"({"additionalProperties": true})", TypeKind::kObject},
      {R"({"type": "array"})", TypeKind::kArray},
      {R"({"type": "array", "items": {"type": "string"}})", TypeKind::kArray},
      {R"({})", TypeKind::kAny},
      {R"({"type": "strange"})", TypeKind::kAny},
      {R"({"x-kubernetes-preserve-unknown-fields": true, "properties": {"a": {}}})", TypeKind::kAny},
      {R"({"x-kubernetes-preserve-unknown-fields": true, "items": {}})", TypeKind::kAny},
      {R"({"type": "object", "x-kubernetes-preserve-unknown-fields": true})", TypeKind::kObject},
      {R"({"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]})",
       TypeKind::kIntOrString},
      {R"({"type": "string", "format": "int-or-string"})", TypeKind::kIntOrString},
      {R"({"$ref": "#/components/schemas/k8s.util.intstr.IntOrString"})", TypeKind::kIntOrString},
      {R"({"allOf": [{"$ref": "#/components/schemas/k8s.api.resource.Quantity"}]})", TypeKind::kQuantity},
      {R"({"$ref": "#/components/schemas/k8s.Time"})", TypeKind::kString},
  };
  for (const auto& row : kRows) {
    const Field field =
        OnlyField(row.node, R"(, "k8s.util.intstr.IntOrString": {"oneOf": [{"type": "integer"}, {"type": "string"}]},
        "k8s.api.resource.Quantity": {"oneOf": [{"type": "string"}, {"type": "number"}]},
          "k8s.Time": {"type": "string"})");
    EXPECT_EQ(field.kind, row.kind) << row.node;
  }
}

TEST(OpenApiFields, ArraysAreListsOfWhatTheirItemsAre) {
  const auto schema = CompiledComponents(R"({
    "T": {"type": "object", "properties": {
      "inline": {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string"}}}},
      "ref": {"type": "array", "items": {"allOf": [{"$ref": "#/components/schemas/U"}], "default": {}}},
      "strings": {"type": "array", "items": {"type": "string"}},
      "unknown": {"type": "array"}}},
    "U": {"type": "object", "properties": {"b": {"type": "string"}}}})");
  const TypeId type = schema->FindTypeByName("T");
  for (const char* name : {"inline", "ref", "strings", "unknown"})
    EXPECT_TRUE(FieldAt(*schema, type, name).is_list) << name;
  EXPECT_EQ(FieldAt(*schema, type, "inline.a").kind, TypeKind::kString);
  EXPECT_EQ(FieldAt(*schema, type, "ref").type, schema->FindTypeByName("U"));
  EXPECT_EQ(schema->type(FieldAt(*schema, type, "strings").type).kind, TypeKind::kString);
  EXPECT_EQ(FieldAt(*schema, type, "unknown").type, kNoType);
}

TEST(OpenApiFields, AListOfListsHasATypeWithElements) {
  const auto schema = CompiledComponents(R"({"T": {"properties": {"x": {
    "type": "array", "items": {"type": "array", "items": {"type": "object",
      "properties": {"a": {"type": "integer"}}}}}}}})");
  const Type& inner = schema->type(FieldAt(*schema, schema->FindTypeByName("T"), "x").type);
  EXPECT_EQ(inner.kind, TypeKind::kArray);
  EXPECT_FALSE(inner.has_additional);
  EXPECT_EQ(FieldAt(*schema, inner.additional, "a").kind, TypeKind::kInteger);
}

TEST(OpenApiFields, AreSortedByName) {
  const auto schema = CompiledComponents(R"({"T": {"properties": {"b": {}, "a": {}, "$ref": {}, "B": {}}}})");
  Words names;
  for (const Field& field : schema->type(schema->FindTypeByName("T")).fields) names.push_back(field.name);
  EXPECT_EQ(names, (Words{"$ref", "B", "a", "b"}));
}

TEST(OpenApiStrategy, WordsAreFlags) {
  const struct {
    const char* text;
    bool merge, replace, retain_keys;
  } kRows[] = {
      {"merge", true, false, false},
      {"replace", false, true, false},
      {"retainKeys", false, false, true},
      {"merge,retainKeys", true, false, true},
      {"retainKeys, replace", false, true, true},
      {"merge|retainKeys", true, false, true},
      {"unheard", false, false, false},
      {"", false, false, false},
  };
  for (const auto& row : kRows) {
    const Field field = OnlyField(StrCat(R"({"type": "object", "x-kubernetes-patch-strategy": ")", row.text, "\"}"));
    EXPECT_EQ(field.patch.list != ListMerge::kAtomic, row.merge) << row.text;
    EXPECT_EQ(field.patch.replace, row.replace) << row.text;
    EXPECT_EQ(field.patch.retain_keys, row.retain_keys) << row.text;
  }
}

TEST(OpenApiStrategy, WordsThatContradictEachOtherAreAnErrorThatNamesTheField) {
  for (const char* text : {"merge,replace", "merge,retainKeys,replace", "merge|other"}) {
    const auto schema =
        Compile(StrCat(R"({"components": {"schemas": {"my.T": {"properties": {"list": {"type": "array", "items":
        {"properties": {"x": {"x-kubernetes-patch-strategy": ")",
                       text, R"("}}}}}}}}})"));
    ASSERT_FALSE(schema.ok()) << text;
    EXPECT_EQ(schema.error().code, ErrorCode::kSchema);
    EXPECT_NE(schema.error().message.find("my.T.list.x: "), std::string::npos) << schema.error().message;
  }
}

TEST(OpenApiKeys, AreSplitAtCommas) {
  const Field one = OnlyField(R"({"type": "array", "x-kubernetes-patch-merge-key": "name"})");
  const Field two = OnlyField(R"({"type": "array", "x-kubernetes-patch-merge-key": "port, protocol"})");
  EXPECT_EQ(one.patch_keys, (Words{"name"}));
  EXPECT_EQ(two.patch_keys, (Words{"port", "protocol"}));
  EXPECT_EQ(one.identity_keys, one.patch_keys);
}

TEST(OpenApiKeys, IdentityIsApartFromWhatTheServerMergesBy) {
  const Field field =
      OnlyField(R"({"type": "array", "x-kubernetes-patch-merge-key": "port", "x-kubernetes-list-type": "map",
                                    "x-kubernetes-list-map-keys": ["port", "protocol"]})");
  EXPECT_EQ(field.patch_keys, (Words{"port"}));
  EXPECT_EQ(field.identity_keys, (Words{"port", "protocol"}));
  EXPECT_EQ(field.list_type, ListMerge::kKeyed);
}

TEST(OpenApiExtensions, TypesOfLists) {
  const struct {
    const char* node;
    ListMerge list_type;
  } kRows[] = {
      {R"({"type": "array"})", ListMerge::kAtomic},
      {R"({"type": "array", "x-kubernetes-list-type": "atomic"})", ListMerge::kAtomic},
      {R"({"type": "array", "x-kubernetes-list-type": "set"})", ListMerge::kSet},
      {R"({"type": "array", "x-kubernetes-list-type": "other"})", ListMerge::kAtomic},
  };
  for (const auto& row : kRows) EXPECT_EQ(OnlyField(row.node).list_type, row.list_type) << row.node;
}

// Field managers own a value of such a component as a whole. A patch does not replace it as a whole.
TEST(OpenApiExtensions, AComponentMayBeAtomicToFieldManagersAlone) {
  Type type = {.storage = Storage::kAsWritten, .name = "U", .atomic = true};
  EXPECT_FALSE(type.is_atomic_map());
  type.name = {};
  EXPECT_TRUE(type.is_atomic_map());
}

TEST(OpenApiExtensions, MapsAreAtomicWhereTheirNodeOrItsTargetSaysSo) {
  const struct {
    const char* node;
    bool atomic;
  } kRows[] = {
      {R"({"type": "object"})", false},
      {R"({"type": "object", "x-kubernetes-map-type": "granular"})", false},
      {R"({"type": "object", "x-kubernetes-map-type": "atomic"})", true},
      {R"({"type": "object", "x-kubernetes-map-type": "atomic", "properties": {"a": {}}})", true},
      {R"({"type": "array", "items": {"type": "object", "x-kubernetes-map-type": "atomic"}})", true},
      {R"({"$ref": "#/components/schemas/U"})", true},
  };
  for (const auto& row : kRows) {
    const auto schema =
        CompiledComponents(StrCat(R"({"T": {"properties": {"x": )", row.node,
                                  R"(}}, "U": {"type": "object", "x-kubernetes-map-type": "atomic"}})"));
    const Field& field = FieldAt(*schema, schema->FindTypeByName("T"), "x");
    EXPECT_EQ(schema->type(field.type).atomic, row.atomic) << row.node;
    EXPECT_FALSE(field.granular);
  }
}

TEST(OpenApiExtensions, AFieldMayBeGranularThoughItsTypeIsAtomic) {
  const auto schema = CompiledComponents(
      R"({"T": {"properties": {"x": {"allOf": [{"$ref": "#/components/schemas/U"}], "x-kubernetes-map-type": "granular"}}},)"
      R"("U": {"type": "object", "x-kubernetes-map-type": "atomic"}})");
  EXPECT_TRUE(FieldAt(*schema, schema->FindTypeByName("T"), "x").granular);
}

TEST(OpenApiExtensions, ARuleMayFixAField) {
  const auto words = [](const std::string& rules) {
    const auto schema = CompiledComponents(
        R"({"T": {"properties": {"x": {"type": "string", "x-kubernetes-validations": [)" + rules + "]}}}}");
    const Value* fixed = FieldAt(*schema, schema->FindTypeByName("T"), "x").fixed_words;
    return fixed == nullptr ? "" : std::string(fixed->AsString());
  };
  EXPECT_EQ(words(R"({"rule": "self == oldSelf"})"), "failed rule: self == oldSelf");
  EXPECT_EQ(words(R"({"rule": "self != ''"}, {"rule": " self == oldSelf ", "message": " x is immutable"})"),
            "x is immutable");
  EXPECT_EQ(words(R"({"rule": "self == oldSelf", "optionalOldSelf": true})"), "");
  EXPECT_EQ(words(R"({"rule": "self.a == oldSelf.a"})"), "");
  EXPECT_EQ(words(R"({"rule": "self == oldSelf", "messageExpression": "'x is ' + 'immutable'", "message": "no"})"),
            "refused by the rule self == oldSelf");
  EXPECT_EQ(words(R"({"rule": 1}, "x")"), "");
}

TEST(OpenApiExtensions, ARuleOfAMapMayFixAField) {
  const auto words = [](const std::string& rule) {
    const auto schema =
        CompiledComponents(StrCat(R"({"T": {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}, )",
                                  R"("x-kubernetes-validations": [{"rule": ")", rule, R"(", "message": "no"}]}})"));
    const TypeId type = schema->FindTypeByName("T");
    EXPECT_EQ(FieldAt(*schema, type, "b").fixed_words, nullptr);
    const Value* fixed = FieldAt(*schema, type, "a").fixed_words;
    return fixed == nullptr ? "" : std::string(fixed->AsString());
  };
  EXPECT_EQ(words("self.a == oldSelf.a"), "no");
  EXPECT_EQ(words("!has(oldSelf.a) || self.a == oldSelf.a"), "no");
  EXPECT_EQ(words("self.a == oldSelf.a || self.b == 'x'"), "");
}

TEST(OpenApiExtensions, ARuleFarAboveMayFixAField) {
  const auto schema = CompiledComponents(
      R"({"T": {"properties": {"spec": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}},
          "x-kubernetes-validations": [{"rule": "self.spec.a == oldSelf.spec.a", "message": "no"}]}})");
  const Field& spec = FieldAt(*schema, schema->FindTypeByName("T"), "spec");
  EXPECT_EQ(spec.fixed_words, nullptr);
  EXPECT_NE(FieldAt(*schema, spec.type, "a").fixed_words, nullptr);
  EXPECT_EQ(FieldAt(*schema, spec.type, "b").fixed_words, nullptr);
}

TEST(OpenApiExtensions, ARuleMayFixItemsAndAdditionalProperties) {
  constexpr std::string_view kRule = R"("x-kubernetes-validations": [{"rule": "self == oldSelf"}])";
  const auto schema =
      CompiledComponents(StrCat(R"({"T": {"properties": {"a": {"type": "array", "items": {"type": "string", )", kRule,
                                R"(}}, "b": {"type": "object", "additionalProperties": {"type": "string", )", kRule,
                                R"(}}, "c": {"type": "string"}}}})"));
  const TypeId type = schema->FindTypeByName("T");
  const Field &a = FieldAt(*schema, type, "a"), &b = FieldAt(*schema, type, "b"), &c = FieldAt(*schema, type, "c");
  EXPECT_EQ(a.fixed_words, nullptr);
  EXPECT_NE(schema->type(a.type).fixed_words, nullptr);
  EXPECT_EQ(schema->type(b.type).fixed_words, nullptr);
  EXPECT_NE(schema->type(schema->type(b.type).additional).fixed_words, nullptr);
  EXPECT_EQ(schema->type(c.type).fixed_words, nullptr);
}

TEST(OpenApiExtensions, UnionsNameTheirMembersAndNotTheirDiscriminator) {
  const auto schema = CompiledComponents(
      R"({"T": {"type": "object", "x-kubernetes-unions": [
            {"discriminator": "type", "fields-to-discriminateBy": {"b": "B", "a": "A"}},
            {"fields-to-discriminateBy": {"c": "C"}}]}})");
  const std::vector<Union> expected = {{"", {{"a", "A"}, {"b", "B"}}}, {"", {{"c", "C"}}}};
  EXPECT_EQ(schema->type(schema->FindTypeByName("T")).unions, expected);
}

TEST(OpenApiExtensions, StandBesideTheReferenceAndAreNeverReadFromItsTarget) {
  constexpr const char* kTarget = R"(, "U": {"type": "object", "x-kubernetes-patch-strategy": "replace", "default": 1,
      "properties": {"a": {}}})";
  const Field bare = OnlyField(R"({"$ref": "#/components/schemas/U"})", kTarget);
  EXPECT_FALSE(bare.patch.replace);
  EXPECT_EQ(bare.default_value, nullptr);
  const Field beside = OnlyField(R"({"allOf": [{"$ref": "#/components/schemas/U"}], "description": "d", "default": {},
                                     "x-kubernetes-patch-strategy": "retainKeys"})",
                                 kTarget);
  EXPECT_TRUE(beside.patch.retain_keys);
  EXPECT_FALSE(beside.patch.replace);
  ASSERT_NE(beside.default_value, nullptr);
  EXPECT_EQ(beside.kind, TypeKind::kObject);
}

TEST(OpenApiDefaults, OutliveTheDocument) {
  const auto schema = CompiledComponents(R"({"T": {"properties": {
      "a": {"default": {"deep": ["x", {"y": null}], "n": 1.5}}, "b": {"default": null}, "c": {}}}})");
  const TypeId type = schema->FindTypeByName("T");
  EXPECT_EQ(WriteJson(*FieldAt(*schema, type, "a").default_value), R"({"deep":["x",{"y":null}],"n":1.5})");
  ASSERT_NE(FieldAt(*schema, type, "b").default_value, nullptr);
  EXPECT_TRUE(FieldAt(*schema, type, "b").default_value->is_null());
  EXPECT_EQ(FieldAt(*schema, type, "c").default_value, nullptr);
}

TEST(OpenApiMaps, SayWhatTheirValuesAre) {
  const struct {
    const char* node;
    bool has_additional;
    TypeKind value;
  } kRows[] = {
      {R"({"type": "object", "additionalProperties": {"type": "string", "default": ""}})", true, TypeKind::kString},
      {R"({"type": "object", "additionalProperties": true})", true, TypeKind::kAny},
      {R"({"type": "object", "additionalProperties": {}})", true, TypeKind::kAny},
      {R"({"type": "object", "additionalProperties": false, "properties": {}})", false, TypeKind::kAny},
      {R"({"type": "object", "additionalProperties": {"additionalProperties": true}})", true, TypeKind::kObject},
      {R"({"type": "object", "additionalProperties": {"type": "array", "items": {}}})", true, TypeKind::kArray},
  };
  for (const auto& row : kRows) {
    const auto schema = CompiledComponents(StrCat(R"({"T": {"properties": {"x": )", row.node, "}}}"));
    const Type& type = schema->type(FieldAt(*schema, schema->FindTypeByName("T"), "x").type);
    EXPECT_EQ(type.has_additional, row.has_additional) << row.node;
    EXPECT_EQ(schema->type(type.additional).kind, row.value) << row.node;
  }
}

TEST(OpenApiTypes, MayReferToThemselvesAndToEachOther) {
  const auto schema = CompiledComponents(R"({
    "Props": {"type": "object", "properties": {
      "not": {"$ref": "#/components/schemas/Props"},
      "properties": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Props"}},
      "allOf": {"type": "array", "items": {"$ref": "#/components/schemas/Props"}},
      "other": {"$ref": "#/components/schemas/Other"}}},
    "Other": {"type": "object", "properties": {"back": {"$ref": "#/components/schemas/Props"}}}})");
  const TypeId props = schema->FindTypeByName("Props");
  EXPECT_EQ(FieldAt(*schema, props, "not.not.not").type, props);
  EXPECT_EQ(FieldAt(*schema, props, "allOf.other.back").type, props);
  EXPECT_EQ(schema->type(FieldAt(*schema, props, "properties").type).additional, props);
  EXPECT_EQ(FieldAt(*schema, props, "not").kind, TypeKind::kObject);
}

TEST(OpenApiTypes, PropertiesNamedLikeExtensionsAreProperties) {
  const Field field = OnlyField(R"({"type": "object", "properties": {
      "x-kubernetes-preserve-unknown-fields": {"type": "boolean"}, "type": {"type": "string"}}})");
  EXPECT_EQ(field.kind, TypeKind::kObject);
  EXPECT_EQ(field.patch.list, ListMerge::kAtomic);
}

TEST(OpenApiTypes, AComponentThatIsOnlyAReferenceIsItsTarget) {
  const auto schema = CompiledComponents(R"({
    "Alias": {"$ref": "#/components/schemas/Again"}, "Again": {"allOf": [{"$ref": "#/components/schemas/U"}]},
    "T": {"properties": {"x": {"$ref": "#/components/schemas/Alias"}}},
    "U": {"properties": {"a": {"type": "string"}}}})");
  EXPECT_EQ(FieldAt(*schema, schema->FindTypeByName("T"), "x").type, schema->FindTypeByName("U"));
}

TEST(OpenApiTypes, CustomResourcesAreAllInline) {
  const auto schema = CompiledComponents(R"({"io.example.v1.Widget": {"type": "object",
    "x-kubernetes-group-version-kind": [{"group": "example.io", "kind": "Widget", "version": "v1"}],
    "properties": {"spec": {"type": "object", "properties": {
      "template": {"type": "object", "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true},
      "free": {"x-kubernetes-preserve-unknown-fields": true},
      "rules": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["host"],
        "items": {"type": "object", "properties": {"host": {"type": "string"},
          "port": {"x-kubernetes-int-or-string": true, "default": 80}}}}}}}}})");
  const TypeId type = schema->FindType({"example.io", "v1", "Widget"});
  ASSERT_NE(type, kNoType);
  const Type& embedded = schema->type(FieldAt(*schema, type, "spec.template").type);
  EXPECT_TRUE(embedded.embedded && embedded.preserve_unknown);
  const Type& free = schema->type(FieldAt(*schema, type, "spec.free").type);
  EXPECT_TRUE(free.preserve_unknown && !free.embedded);
  EXPECT_EQ(FieldAt(*schema, type, "spec.rules").identity_keys, (Words{"host"}));
  EXPECT_EQ(FieldAt(*schema, type, "spec.rules").patch.list, ListMerge::kAtomic);
  EXPECT_EQ(FieldAt(*schema, type, "spec.rules.port").kind, TypeKind::kIntOrString);
}

TEST(OpenApiTypes, AComponentMayBeSeveralKinds) {
  const auto schema = CompiledComponents(R"({"DeleteOptions": {"type": "object", "x-kubernetes-group-version-kind": [
      {"group": "", "kind": "DeleteOptions", "version": "v1"}, {"group": "apps", "kind": "DeleteOptions",
        "version": "v1"}]}})");
  EXPECT_EQ(schema->FindType({"", "v1", "DeleteOptions"}), schema->FindTypeByName("DeleteOptions"));
  EXPECT_EQ(schema->FindType({"apps", "v1", "DeleteOptions"}), schema->FindTypeByName("DeleteOptions"));
}

TEST(OpenApiTypes, DeepInlineNodesCostNoStack) {
  std::string node = R"({"type": "string"})";
  for (int i = 0; i < 450; ++i) node = StrCat(R"({"properties": {"x": )", node, "}}");
  const auto schema = CompiledComponents(StrCat(R"({"T": )", node, "}"));
  EXPECT_EQ(schema->type_count(), 452u);
}

TEST(OpenApiErrors, NameTheComponentAndTheField) {
  const struct {
    const char* components;
    const char* message;
  } kRows[] = {
      {R"([])", "components.schemas must be an object"},
      {R"({"a.T": 1})", "a.T: a component must be an object"},
      {R"({"a.T": {"properties": []}})", "a.T: properties must be an object"},
      {R"({"a.T": {"properties": {"x": {"properties": {"y": 1}}}}})", "a.T.x.y: a property must be an object"},
      {R"({"a.T": {"properties": {"x": {"$ref": "#/components/schemas/b.U"}}}})",
       "a.T.x: $ref \"#/components/schemas/b.U\""},
      {R"({"a.T": {"properties": {"x": {"$ref": "http://elsewhere"}}}})", "a.T.x: $ref \"http://elsewhere\""},
      {R"({"a.T": {"additionalProperties": {"$ref": "x"}}})", "a.T.additionalProperties: $ref \"x\""},
      {R"({"a.T": {"$ref": "#/components/schemas/a.T"}})", "a.T: the chain of $ref is too long or circular"},
      {R"({"a.T": {"$ref": "#/components/schemas/b.U"}})", "a.T: $ref \"#/components/schemas/b.U\""},
  };
  for (const auto& row : kRows) {
    const auto schema = Compile(StrCat(R"({"components": {"schemas": )", row.components, "}}"));
    ASSERT_FALSE(schema.ok()) << row.components;
    EXPECT_EQ(schema.error().code, ErrorCode::kSchema) << row.components;
    EXPECT_NE(schema.error().message.find(row.message), std::string::npos) << schema.error().message;
  }
}

TEST(OpenApiErrors, ADocumentMustBeAnObject) {
  EXPECT_FALSE(Compile("[]").ok());
  EXPECT_FALSE(Compile("null").ok());
}

TEST(OpenApiErrors, ADocumentWithoutComponentsOrPathsIsEmpty) {
  EXPECT_EQ(Compiled("{}")->type_count(), 1u);
  EXPECT_EQ(Compiled(R"({"components": {}, "paths": 1})")->resources().size(), 0u);
}

// A path of a document: what its GET is about.
std::string Path(std::string_view path, std::string_view group, std::string_view version, std::string_view kind) {
  return StrCat("\"", path, R"(": {"get": {"x-kubernetes-group-version-kind": {"group": ")", group,
                R"(", "version": ")", version, R"(", "kind": ")", kind, R"("}}})");
}

std::shared_ptr<const Schema> CompiledPaths(const std::vector<std::string>& paths) {
  return Compiled(StrCat(R"({"paths": {)", Join(paths, ", "), "}}"));
}

TEST(OpenApiResources, ComeFromThePathsOfOneObject) {
  const auto schema = CompiledPaths({
      Path("/api/v1/namespaces/{namespace}/pods/{name}", "", "v1", "Pod"),
      Path("/api/v1/nodes/{name}", "", "v1", "Node"),
      Path("/api/v1/namespaces/{name}", "", "v1", "Namespace"),
      Path("/apis/apps/v1/namespaces/{namespace}/deployments/{name}", "apps", "v1", "Deployment"),
      Path("/apis/g.io/v1/clusterthings/{name}", "g.io", "v1", "ClusterThing"),
  });
  const struct {
    GroupVersionKind gvk;
    const char* plural;
    bool namespaced;
  } kRows[] = {
      {{"", "v1", "Pod"}, "pods", true},
      {{"", "v1", "Node"}, "nodes", false},
      {{"", "v1", "Namespace"}, "namespaces", false},
      {{"apps", "v1", "Deployment"}, "deployments", true},
      {{"g.io", "v1", "ClusterThing"}, "clusterthings", false},
  };
  EXPECT_EQ(schema->resources().size(), std::size(kRows));
  for (const auto& row : kRows) {
    const Resource* resource = schema->FindResource(row.gvk);
    ASSERT_NE(resource, nullptr) << row.plural;
    EXPECT_EQ(resource->plural, row.plural);
    EXPECT_EQ(resource->namespaced, row.namespaced) << row.plural;
  }
}

TEST(OpenApiResources, OtherPathsMakeNone) {
  const auto schema = CompiledPaths({
      Path("/api/v1/pods", "", "v1", "Pod"),
      Path("/api/v1/namespaces/{namespace}/pods", "", "v1", "Pod"),
      Path("/api/v1/watch/nodes/{name}", "", "v1", "Node"),
      Path("/api/v1/watch/namespaces/{namespace}/pods/{name}", "", "v1", "Pod"),
      Path("/api/v1/", "", "v1", "X"),
      Path("/api", "", "v1", "X"),
      Path("/apis/apps/v1/namespaces", "", "v1", "X"),
      Path("/version/x/y/{name}", "", "v1", "X"),
      R"("/api/v1/secrets/{name}": {"get": {}})",
      R"("/api/v1/others/{name}": 1)",
  });
  EXPECT_EQ(schema->resources().size(), 0u);
}

TEST(OpenApiResources, SubresourcesBelongToTheirParentWhateverKindTheySpeak) {
  const auto schema = CompiledPaths({
      Path("/api/v1/namespaces/{namespace}/pods/{name}", "", "v1", "Pod"),
      Path("/api/v1/namespaces/{namespace}/pods/{name}/status", "", "v1", "Pod"),
      Path("/api/v1/namespaces/{namespace}/pods/{name}/eviction", "policy", "v1", "Eviction"),
      Path("/api/v1/namespaces/{namespace}/pods/{name}/proxy/{path}", "", "v1", "PodProxyOptions"),
      Path("/api/v1/namespaces/{name}", "", "v1", "Namespace"),
      Path("/api/v1/namespaces/{name}/finalize", "", "v1", "Namespace"),
      Path("/api/v1/orphans/{name}/scale", "autoscaling", "v1", "Scale"),
  });
  EXPECT_EQ(schema->resources().size(), 2u);
  EXPECT_EQ(schema->FindResource({"", "v1", "Pod"})->subresources, (Words{"eviction", "status"}));
  EXPECT_EQ(schema->FindResource({"", "v1", "Namespace"})->subresources, (Words{"finalize"}));
}

TEST(OpenApiResources, AreStrategicIfPatchTakesIt) {
  const auto schema = Compiled(R"({"paths": {
    "/api/v1/as/{name}": {"patch": {"x-kubernetes-group-version-kind": {"group": "", "version": "v1", "kind": "A"},
      "requestBody": {"content": {"application/json-patch+json": {}, "application/strategic-merge-patch+json": {}}}}},
    "/api/v1/bs/{name}": {"patch": {"x-kubernetes-group-version-kind": {"group": "", "version": "v1", "kind": "B"},
      "requestBody": {"content": {"application/merge-patch+json": {}}}}}}})");
  EXPECT_TRUE(schema->FindResource({"", "v1", "A"})->strategic);
  EXPECT_FALSE(schema->FindResource({"", "v1", "B"})->strategic);
}

// The server may merge lists by keys that its document does not state.
TEST(OpenApiResources, AreNotStrategicInADocumentThatHidesHowListsAreMerged) {
  const auto strategic = [](const std::string& rule) {
    const auto schema = Compiled(StrCat(R"({"components": {"schemas": {
      "com.Fork": {"type": "object", "properties": {"items": {"type": "array", )",
                                        rule, R"( "items": {"$ref": "#/components/schemas/com.Item"}}}},
      "com.Item": {"type": "object", "properties": {"name": {"type": "string"}}}}}, "paths": {
      "/apis/e.com/v1/forks/{name}": {"patch": {"x-kubernetes-group-version-kind":
        {"group": "e.com", "version": "v1", "kind": "Fork"},
        "requestBody": {"content": {"application/strategic-merge-patch+json": {}}}}}}})"));
    return schema->FindResource({"e.com", "v1", "Fork"})->strategic;
  };
  EXPECT_FALSE(strategic(""));
  EXPECT_TRUE(strategic(R"("x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name",)"));
}

TEST(OpenApiResources, HaveTheTypeOfTheirKind) {
  const auto schema = Compiled(StrCat(R"({"components": {"schemas": {"io.Pod": {"type": "object",
      "x-kubernetes-group-version-kind": [{"group": "", "version": "v1", "kind": "Pod"}]}}}, "paths": {)",
                                      Path("/api/v1/namespaces/{namespace}/pods/{name}", "", "v1", "Pod"), "}}"));
  EXPECT_EQ(schema->FindResource({"", "v1", "Pod"})->type, schema->FindTypeByName("io.Pod"));
}

// Puts some part of a document, or a value that fits nowhere, in the place of every hundredth value.
class Mutator {
 public:
  Mutator(const Document& document, uint32_t seed) : random_(seed) {
    arena_.Retain(document);
    for (const char* odd : {"null", "[]", "{}", "1", "true", "\"x\"", R"({"$ref": "#/components/schemas/A"})"}) {
      odd_.push_back(Json(odd));
      pool_.push_back(odd_.back().root());
    }
    Collect(document.root());
  }

  Document Mutated(const Value& root) {
    const Value copy = Copy(root);
    return Document(std::move(arena_), copy);
  }

 private:
  void Collect(const Value& value) {
    pool_.push_back(value);
    if (value.is_array()) {
      for (const Value& item : value.Items()) Collect(item);
    } else if (value.is_object()) {
      for (const Member& member : value.Members()) Collect(member.value);
    }
  }

  Value Copy(const Value& value) {
    if (random_() % 100 == 0) return pool_[random_() % pool_.size()];
    std::vector<Value> items;
    std::vector<Member> members;
    if (value.is_array()) {
      for (const Value& item : value.Items()) items.push_back(Copy(item));
      return arena_.Array(items);
    }
    if (!value.is_object()) return value;
    for (const Member& member : value.Members()) members.push_back({member.name, Copy(member.value)});
    return arena_.Object(members);
  }

  std::mt19937 random_;
  Arena arena_;
  std::vector<Document> odd_;
  std::vector<Value> pool_;
};

TEST(OpenApi, GivesASoundSchemaOrAnErrorForAnyDocument) {
  const Document document = Json(R"({
    "components": {"schemas": {
      "A": {"type": "object", "required": ["b"], "properties": {
        "b": {"allOf": [{"$ref": "#/components/schemas/B"}], "default": {"x": [1]},
          "x-kubernetes-patch-strategy": "retainKeys"},
        "list": {"type": "array", "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "a",
          "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"],
          "items": {"type": "object", "properties": {"a": {"type": "string"},
            "self": {"$ref": "#/components/schemas/A"}}}},
        "map": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "integer"}}}},
        "x-kubernetes-group-version-kind": [{"group": "g", "kind": "A", "version": "v1"}]},
      "B": {"additionalProperties": true, "x-kubernetes-preserve-unknown-fields": true},
      "C": {"$ref": "#/components/schemas/B"}}},
    "paths": {"/apis/g/v1/as/{name}": {"get": {"x-kubernetes-group-version-kind": {"group": "g", "kind": "A",
      "version": "v1"}},
      "patch": {"requestBody": {"content": {"application/strategic-merge-patch+json": {}}}}},
      "/apis/g/v1/as/{name}/status": {"get": {}}}})");
  int accepted = 0;
  for (uint32_t seed = 1; seed <= 5'000; ++seed) {
    const auto schema = CompileOpenApiV3(Mutator(document, seed).Mutated(document.root()).root());
    if (!schema.ok()) continue;
    ++accepted;
    ExpectSound(**schema);
  }
  EXPECT_GT(accepted, 500);
  EXPECT_LT(accepted, 4'900);
}

}  // namespace
}  // namespace smp
