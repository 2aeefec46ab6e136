#include "schema/openapi_v2.h"

#include <gtest/gtest.h>

#include "schema/testing.h"

namespace smp {
namespace {

Result<std::shared_ptr<const Schema>> CompileV2(std::string_view swagger) {
  const Document parsed = Json(swagger);
  return CompileOpenApiV2(parsed.root());
}

std::shared_ptr<const Schema> CompiledV2(std::string_view swagger) {
  const auto schema = CompileV2(swagger);
  EXPECT_TRUE(schema.ok()) << ToString(schema.error());
  return schema.ok() ? *schema : std::make_shared<const Schema>();
}

std::shared_ptr<const Schema> CompiledDefinitions(std::string_view definitions) {
  return CompiledV2(StrCat(R"({"swagger": "2.0", "definitions": )", definitions, "}"));
}

TEST(OpenApiV2Types, AreTheDefinitions) {
  const auto schema = CompiledDefinitions(R"({
    "io.k8s.api.core.v1.Pod": {"type": "object",
      "x-kubernetes-group-version-kind": [{"group": "", "kind": "Pod", "version": "v1"}],
      "properties": {"spec": {"$ref": "#/definitions/io.k8s.api.core.v1.PodSpec"}}},
    "io.k8s.api.core.v1.PodSpec": {"type": "object", "properties": {
      "containers": {"type": "array", "items": {"$ref": "#/definitions/io.k8s.api.core.v1.Container"},
        "x-kubernetes-patch-merge-key": "name", "x-kubernetes-patch-strategy": "merge"}}},
    "io.k8s.api.core.v1.Container": {"type": "object", "properties": {"name": {"type": "string"}}}})");
  const TypeId pod = schema->FindType({"", "v1", "Pod"});
  ASSERT_NE(pod, kNoType);
  const Field containers = FieldAt(*schema, pod, "spec.containers");
  EXPECT_TRUE(containers.is_list && containers.patch.list == ListMerge::kKeyed);
  EXPECT_EQ(containers.patch_keys, (Words{"name"}));
  EXPECT_EQ(FieldAt(*schema, pod, "spec.containers.name").kind, TypeKind::kString);
}

TEST(OpenApiV2Types, IntOrStringAndQuantityAreWrittenAsStrings) {
  const auto schema = CompiledDefinitions(R"({
    "T": {"properties": {"port": {"$ref": "#/definitions/io.k8s.apimachinery.pkg.util.intstr.IntOrString"},
      "inline": {"type": "string", "format": "int-or-string"},
      "custom": {"x-kubernetes-int-or-string": true},
      "memory": {"$ref": "#/definitions/io.k8s.apimachinery.pkg.api.resource.Quantity"}}},
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": {"type": "string", "format": "int-or-string"},
    "io.k8s.apimachinery.pkg.api.resource.Quantity": {"type": "string"}})");
  const TypeId type = schema->FindTypeByName("T");
  for (const char* name : {"port", "inline", "custom"}) {
    EXPECT_EQ(FieldAt(*schema, type, name).kind, TypeKind::kIntOrString) << name;
  }
  EXPECT_EQ(FieldAt(*schema, type, "memory").kind, TypeKind::kQuantity);
}

// apiextensions' ToStructuralOpenAPIV2 takes away what swagger cannot say.
TEST(OpenApiV2Types, CustomResourcesMayLackTheirProperties) {
  const auto schema = CompiledDefinitions(R"({"io.example.v1.Widget": {"type": "object",
    "x-kubernetes-group-version-kind": [{"group": "example.io", "kind": "Widget", "version": "v1"}],
    "properties": {"spec": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}, "nullable": {}}}})");
  const TypeId type = schema->FindType({"example.io", "v1", "Widget"});
  const Field spec = FieldAt(*schema, type, "spec");
  EXPECT_TRUE(schema->type(spec.type).preserve_unknown);
  EXPECT_EQ(schema->Find(spec.type, "anything"), nullptr);
  EXPECT_EQ(FieldAt(*schema, type, "nullable").type, kNoType);
}

// Without it, a port that leaves its protocol out could not be told from others and a Service would be refused.
TEST(OpenApiV2Defaults, OfBuiltInTypesAreKnownAlthoughTheDocumentHasNone) {
  constexpr std::string_view kPort = R"({"io.k8s.api.core.v1.ServicePort": {"type": "object", "properties": {
    "port": {"type": "integer"}, "protocol": {"type": )";
  const auto defaulted = [](const Schema& schema) {
    return FieldAt(schema, schema.FindTypeByName("io.k8s.api.core.v1.ServicePort"), "protocol").default_value;
  };
  const auto bare = CompiledDefinitions(StrCat(kPort, R"("string"}}}})"));
  ASSERT_NE(defaulted(*bare), nullptr);
  EXPECT_EQ(defaulted(*bare)->AsString(), "TCP");
  const auto stated = CompiledDefinitions(StrCat(kPort, R"("string", "default": "UDP"}}}})"));
  EXPECT_EQ(defaulted(*stated)->AsString(), "UDP");
  const auto of_another_kind = CompiledDefinitions(StrCat(kPort, R"("integer"}}}})"));
  EXPECT_EQ(defaulted(*of_another_kind), nullptr);
}

TEST(OpenApiV2Defaults, AreNotLentToTypesOfOtherNames) {
  const auto schema = CompiledDefinitions(R"({"Mine": {"properties": {"protocol": {"type": "string"}}},
    "T": {"properties": {"inline": {"properties": {"protocol": {"type": "string"}}}}}})");
  EXPECT_EQ(FieldAt(*schema, schema->FindTypeByName("Mine"), "protocol").default_value, nullptr);
  EXPECT_EQ(FieldAt(*schema, schema->FindTypeByName("T"), "inline.protocol").default_value, nullptr);
}

std::string PatchPath(std::string_view plural, std::string_view kind, std::string_view consumes) {
  return StrCat("\"/api/v1/namespaces/{namespace}/", plural, R"(/{name}": {"parameters": [], "patch": {)", consumes,
                R"("x-kubernetes-group-version-kind": {"group": "", "version": "v1", "kind": ")", kind, "\"}}}");
}

TEST(OpenApiV2Resources, AreStrategicIfPatchConsumesIt) {
  const std::string paths = Join(
      Words{
          PatchPath("as", "A", R"("consumes": ["application/merge-patch+json",
                                               "application/strategic-merge-patch+json"], )"),
          PatchPath("bs", "B", R"("consumes": ["application/merge-patch+json"], )"),
          PatchPath("cs", "C", ""),
          PatchPath("ds", "D", R"("consumes": [], )"),
          PatchPath("es", "E", R"("consumes": "application/strategic-merge-patch+json", )"),
      },
      ", ");
  const auto schema = CompiledV2(StrCat(R"({"paths": {)", paths, "}}"));
  const auto with_global =
      CompiledV2(StrCat(R"({"consumes": [1, "application/strategic-merge-patch+json"], "paths": {)", paths, "}}"));
  const struct {
    const char* kind;
    bool alone, with_global;
  } kRows[] = {{"A", true, true}, {"B", false, false}, {"C", false, true}, {"D", false, false}, {"E", false, false}};
  for (const auto& row : kRows) {
    EXPECT_EQ(schema->FindResource({"", "v1", row.kind})->strategic, row.alone) << row.kind;
    EXPECT_EQ(with_global->FindResource({"", "v1", row.kind})->strategic, row.with_global) << row.kind;
  }
  EXPECT_EQ(schema->FindResource({"", "v1", "A"})->plural, "as");
  EXPECT_TRUE(schema->FindResource({"", "v1", "A"})->namespaced);
}

// Kinds of POST and PATCH without the parameter would store what explain-diff only asks about.
TEST(OpenApiV2Resources, OfferDryRunsIfPostAndPatchDo) {
  constexpr std::string_view kNone = "{}", kInline = R"({"parameters": [{"name": "dryRun", "in": "query"}]})",
                             kShared = R"({"parameters": [{"$ref": "#/parameters/dryRun-x1"}, 7]})",
                             kOther = R"({"parameters": [{"name": "force"}]})";
  const struct {
    std::string_view post, patch;
    bool offers;
  } kRows[] = {{kInline, kInline, true}, {kShared, kShared, true}, {kInline, kNone, false}, {kOther, kInline, false}};
  for (const auto& row : kRows) {
    const auto schema = CompiledV2(
        StrCat(R"({"paths": {"/api/v1/as": {"post": )", row.post, R"(}, "/api/v1/as/{name}": {"patch": )", row.patch,
               R"(, "get": {"x-kubernetes-group-version-kind": {"group": "", "version": "v1", "kind": "A"}}}}})"));
    EXPECT_EQ(schema->FindResource({"", "v1", "A"})->dry_run, row.offers) << row.post << row.patch;
  }
}

TEST(OpenApiV2Errors, NameTheDefinitionAndTheField) {
  const struct {
    const char* document;
    const char* message;
  } kRows[] = {
      {"[]", "it must be a JSON object"},
      {R"({"definitions": []})", "definitions must be an object"},
      {R"({"definitions": {"a.T": 1}})", "a.T: a component must be an object"},
      {R"({"definitions": {"a.T": {"properties": {"x": {"$ref": "#/components/schemas/a.T"}}}}})",
       "a.T.x: $ref \"#/components/schemas/a.T\""},
  };
  for (const auto& row : kRows) {
    const auto schema = CompileV2(row.document);
    ASSERT_FALSE(schema.ok()) << row.document;
    EXPECT_EQ(schema.error().code, ErrorCode::kSchema) << row.document;
    EXPECT_NE(schema.error().message.find(row.message), std::string::npos) << schema.error().message;
  }
}

TEST(OpenApiV2Errors, ADocumentWithoutDefinitionsOrPathsIsEmpty) {
  EXPECT_EQ(CompiledV2("{}")->type_count(), 1u);
  EXPECT_EQ(CompiledV2(R"({"definitions": {}, "paths": 1})")->resources().size(), 0u);
}

}  // namespace
}  // namespace smp
