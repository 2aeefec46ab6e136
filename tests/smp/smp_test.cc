#include "smp/smp.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "schema/builtin.h"
#include "schema/openapi.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp {
namespace {

Document Yaml(std::string_view text) { return *yaml::ParseYaml(text); }

constexpr std::string_view kListSchema = R"(
components:
  schemas:
    Type:
      properties:
        list:
          type: array
          x-kubernetes-patch-strategy: merge
          x-kubernetes-patch-merge-key: name
          items: {type: object, properties: {name: {type: string}, value: {type: string}}}
)";

// Found by printing a patch after its schema was gone: the names of key fields pointed into the schema.
TEST(PlanPatch, BodyAndOutcomeOutliveTheSchema) {
  const Document modified = Yaml("list: [{name: a, value: new}]"), live = Yaml("list: [{name: a, value: old}]");
  std::optional<VerifiedPatch> patch;
  {
    const auto schema = *CompileOpenApiV3(Yaml(kListSchema).root());
    patch = *PlanPatch({.modified = &modified.root(),
                        .live = &live.root(),
                        .schema = schema.get(),
                        .type = schema->FindTypeByName("Type")});
  }
  EXPECT_EQ(WriteJson(patch->body.root()),
            R"({"$setElementOrder/list":[{"name":"a"}],"list":[{"name":"a","value":"new"}]})");
  EXPECT_EQ(WriteJson(patch->outcome.root()), R"({"list":[{"name":"a","value":"new"}]})");
}

TEST(PlanPatch, IsEmptyWhenNothingChanges) {
  const Document object = Yaml("apiVersion: v1\nkind: ConfigMap\ndata: {a: '1'}");
  const auto schema = BuiltinSchema();
  const auto patch = PlanPatch({.modified = &object.root(),
                                .live = &object.root(),
                                .schema = schema.get(),
                                .type = schema->FindType({"", "v1", "ConfigMap"})});
  ASSERT_TRUE(patch.ok());
  EXPECT_TRUE(patch->empty());
  EXPECT_EQ(WriteJson(patch->body.root()), "{}");
}

// `original`: nullptr: there is none.
Result<VerifiedPatch> PlanService(const Document* original, const Document& modified, const Document& live) {
  const auto schema = BuiltinSchema();
  return PlanPatch({.original = original == nullptr ? nullptr : &original->root(),
                    .modified = &modified.root(),
                    .live = &live.root(),
                    .schema = schema.get(),
                    .type = schema->FindType({"", "v1", "Service"})});
}

// A stale guard of the user's own must not be made current.
TEST(PlanPatch, KeepsAResourceVersionThatTheManifestStates) {
  const Document modified =
      Yaml("metadata: {resourceVersion: '3'}\nspec: {ports: [{port: 53, protocol: TCP}, {port: 53, protocol: UDP}]}");
  const Document live = Yaml("metadata: {resourceVersion: '7'}\nspec: {ports: [{port: 53, protocol: TCP}]}");
  const auto patch = PlanService(nullptr, modified, live);
  ASSERT_TRUE(patch.ok());
  EXPECT_TRUE(patch->guarded);
  EXPECT_EQ(WriteJson(*patch->body.root().Find("metadata")), R"({"resourceVersion":"3"})");
}

// The server takes both to stand for any version.
TEST(PlanPatch, GuardsWhereTheManifestStatesNoRealResourceVersion) {
  for (const char* stated : {"''", "'0'"}) {
    const Document modified = Yaml(StrCat("metadata: {resourceVersion: ", stated,
                                          "}\nspec: {ports: [{port: 53, protocol: TCP}, {port: 53, protocol: UDP}]}"));
    const Document live = Yaml("metadata: {resourceVersion: '7'}\nspec: {ports: [{port: 53, protocol: TCP}]}");
    const auto patch = PlanService(nullptr, modified, live);
    ASSERT_TRUE(patch.ok());
    EXPECT_EQ(WriteJson(*patch->body.root().Find("metadata")), R"({"resourceVersion":"7"})") << stated;
  }
}

// The last-applied of an exported object names a version; the null that takes it away would switch the guard off.
TEST(PlanPatch, GuardsWhereTheManifestNoLongerStatesAResourceVersion) {
  const Document original = Yaml("metadata: {name: a, resourceVersion: '3'}");
  const Document modified =
      Yaml("metadata: {name: a}\nspec: {ports: [{port: 53, protocol: TCP}, {port: 53, protocol: UDP}]}");
  const Document live = Yaml("metadata: {name: a, resourceVersion: '7'}\nspec: {ports: [{port: 53, protocol: TCP}]}");
  const auto patch = PlanService(&original, modified, live);
  ASSERT_TRUE(patch.ok());
  EXPECT_TRUE(patch->guarded);
  EXPECT_EQ(WriteJson(*patch->body.root().Find("metadata")), R"({"resourceVersion":"7"})");
}

// Found by fuzzing: a guard that was an object could not be merged.
TEST(PlanPatch, GuardsByNothingButAString) {
  const Document modified = Yaml("metadata: {name: a}\nspec: {ports: [{port: 53, protocol: TCP}]}");
  const Document live = Yaml(
      "metadata: {name: a, resourceVersion: {x: y}}\n"
      "spec: {ports: [{port: 53, protocol: TCP, name: dns}, {port: 53, protocol: UDP}]}");
  const Document original = Yaml("spec: {ports: [{port: 53, protocol: UDP}]}");
  const auto patch = PlanService(&original, modified, live);
  ASSERT_TRUE(patch.ok());
  EXPECT_FALSE(patch->empty());
  EXPECT_FALSE(patch->guarded);
}

// Found by fuzzing: the guard was written over the null that takes metadata away.
TEST(PlanPatch, RefusesToGuardAPatchThatTakesMetadataAway) {
  const Document original = Yaml("metadata: {name: a}");
  const Document modified = Yaml("spec: {ports: [{port: 53, protocol: TCP}, {port: 53, protocol: UDP}]}");
  const Document live = Yaml("metadata: {name: a, resourceVersion: '7'}\nspec: {ports: [{port: 53, protocol: TCP}]}");
  const auto patch = PlanService(&original, modified, live);
  ASSERT_FALSE(patch.ok());
  EXPECT_EQ(patch.error().code, ErrorCode::kRefused);
}

}  // namespace
}  // namespace smp
