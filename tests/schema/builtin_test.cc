#include "schema/builtin.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "schema/testing.h"

namespace smp {
namespace {

const GroupVersionKind kPod = {"", "v1", "Pod"};
const GroupVersionKind kService = {"", "v1", "Service"};
const GroupVersionKind kDeployment = {"apps", "v1", "Deployment"};
const GroupVersionKind kCrd = {"apiextensions.k8s.io", "v1", "CustomResourceDefinition"};

Field BuiltinField(const GroupVersionKind& gvk, std::string_view path) {
  const Schema& schema = *BuiltinSchema();
  return FieldAt(schema, schema.FindType(gvk), path);
}

TEST(BuiltinSchema, IsOfTheVersionItWasMadeFrom) { EXPECT_EQ(BuiltinSchemaVersion(), "v1.36.3"); }

TEST(BuiltinSchema, IsParsedOnce) { EXPECT_EQ(BuiltinSchema().get(), BuiltinSchema().get()); }

TEST(BuiltinSchema, MergesListsByTheServersKeysAndKnowsTheirIdentity) {
  const struct {
    GroupVersionKind gvk;
    const char* path;
    Words patch_keys;
    Words identity_keys;
  } kRows[] = {
      {kService, "spec.ports", {"port"}, {"port", "protocol"}},
      {kPod, "spec.containers", {"name"}, {"name"}},
      {kPod, "spec.containers.env", {"name"}, {"name"}},
      {kPod, "spec.containers.ports", {"containerPort"}, {"containerPort", "protocol"}},
      {kPod, "spec.ephemeralContainers.ports", {"containerPort"}, {"containerPort", "protocol"}},
      {kPod, "spec.containers.volumeMounts", {"mountPath"}, {"mountPath"}},
      {kPod, "spec.topologySpreadConstraints", {"topologyKey"}, {"topologyKey", "whenUnsatisfiable"}},
      {kPod, "status.conditions", {"type"}, {"type"}},
      {kPod, "metadata.ownerReferences", {"uid"}, {"uid"}},
      {kDeployment, "spec.template.spec.containers", {"name"}, {"name"}},
      {kDeployment, "status.conditions", {"type"}, {"type"}},
      {{"batch", "v1", "CronJob"}, "spec.jobTemplate.spec.template.spec.initContainers", {"name"}, {"name"}},
  };
  for (const auto& row : kRows) {
    const Field field = BuiltinField(row.gvk, row.path);
    EXPECT_EQ(field.patch.list, ListMerge::kKeyed) << row.path;
    EXPECT_EQ(field.patch_keys, row.patch_keys) << row.path;
    EXPECT_EQ(field.identity_keys, row.identity_keys) << row.path;
    EXPECT_EQ(field.list_type, ListMerge::kKeyed) << row.path;
  }
}

TEST(BuiltinSchema, RetainsKeysOfUnions) {
  EXPECT_EQ(BuiltinField(kPod, "spec.volumes").patch.list, ListMerge::kKeyed);
  EXPECT_TRUE(BuiltinField(kPod, "spec.volumes").patch.retain_keys);
  EXPECT_EQ(BuiltinField(kPod, "spec.volumes").patch_keys, (Words{"name"}));
  EXPECT_TRUE(BuiltinField(kDeployment, "spec.strategy").patch.retain_keys);
  EXPECT_EQ(BuiltinField(kDeployment, "spec.strategy").patch.list, ListMerge::kAtomic);
  EXPECT_FALSE(BuiltinField(kDeployment, "spec.strategy").is_list);
}

TEST(BuiltinSchema, KnowsFieldsThatExcludeEachOther) {
  const auto schema = BuiltinSchema();
  const auto unions = [&](const char* type) { return schema->type(schema->FindTypeByName(type)).unions; };
  EXPECT_EQ(unions("io.k8s.api.core.v1.SeccompProfile"),
            (std::vector<Union>{{"type", {{"localhostProfile", "Localhost"}}}}));
  EXPECT_EQ(unions("io.k8s.api.networking.v1.NetworkPolicyPeer"),
            (std::vector<Union>{
                {"", {{"ipBlock", "ipBlock"}, {"namespaceSelector", "selectors"}, {"podSelector", "selectors"}}}}));
}

TEST(BuiltinSchema, FinalizersAreASet) {
  const Field field = BuiltinField(kPod, "metadata.finalizers");
  EXPECT_EQ(field.patch.list, ListMerge::kSet);
  EXPECT_TRUE(field.patch_keys.empty());
  EXPECT_EQ(field.list_type, ListMerge::kSet);
  EXPECT_EQ(BuiltinSchema()->type(field.type).kind, TypeKind::kString);
}

TEST(BuiltinSchema, TolerationsAreAtomic) {
  const Field field = BuiltinField(kPod, "spec.tolerations");
  EXPECT_TRUE(field.is_list);
  EXPECT_EQ(field.patch.list, ListMerge::kAtomic);
  EXPECT_EQ(field.list_type, ListMerge::kAtomic);
}

TEST(BuiltinSchema, SomeListsHaveAnIdentityThatTheServerDoesNotMergeBy) {
  const Field field = BuiltinField({"networking.k8s.io", "v1", "ServiceCIDR"}, "status.conditions");
  EXPECT_EQ(field.patch.list, ListMerge::kKeyed);
  const Field crd = BuiltinField(kCrd, "status.conditions");
  EXPECT_EQ(crd.patch.list, ListMerge::kAtomic);
  EXPECT_EQ(crd.identity_keys, (Words{"type"}));
}

TEST(BuiltinSchema, KnowsDefaults) {
  EXPECT_EQ(*BuiltinField(kService, "spec.ports.protocol").default_value, Value::UnownedString("TCP"));
  EXPECT_EQ(*BuiltinField(kPod, "spec.containers.ports.protocol").default_value, Value::UnownedString("TCP"));
  EXPECT_EQ(BuiltinField(kPod, "spec.nodeName").default_value, nullptr);
}

TEST(BuiltinSchema, KnowsKindsOfValues) {
  const struct {
    GroupVersionKind gvk;
    const char* path;
    TypeKind kind;
  } kRows[] = {
      {kService, "spec.ports.targetPort", TypeKind::kIntOrString},
      {kService, "spec.ports.port", TypeKind::kInteger},
      {kService, "spec.ports", TypeKind::kArray},
      {kPod, "spec.hostNetwork", TypeKind::kBoolean},
      {kPod, "spec.nodeName", TypeKind::kString},
      {kPod, "spec.securityContext", TypeKind::kObject},
      {kPod, "metadata.creationTimestamp", TypeKind::kTime},
      {{"", "v1", "ResourceQuota"}, "spec.hard", TypeKind::kObject},
      {kPod, "spec.volumes.emptyDir.sizeLimit", TypeKind::kQuantity},
      {kCrd, "spec.versions.schema.openAPIV3Schema.default", TypeKind::kAny},
  };
  for (const auto& row : kRows) EXPECT_EQ(BuiltinField(row.gvk, row.path).kind, row.kind) << row.path;
}

TEST(BuiltinSchema, KnowsValuesOfMaps) {
  const Schema& schema = *BuiltinSchema();
  const Type& data = schema.type(BuiltinField({"", "v1", "ConfigMap"}, "data").type);
  EXPECT_TRUE(data.has_additional);
  EXPECT_EQ(schema.type(data.additional).kind, TypeKind::kString);
  const Type& limits = schema.type(BuiltinField(kPod, "spec.containers.resources.limits").type);
  EXPECT_EQ(schema.type(limits.additional).kind, TypeKind::kQuantity);
}

TEST(BuiltinSchema, SchemasOfCustomResourcesHoldSchemas) {
  const Field props = BuiltinField(kCrd, "spec.versions.schema.openAPIV3Schema");
  EXPECT_EQ(BuiltinField(kCrd, "spec.versions.schema.openAPIV3Schema.not.not").type, props.type);
  const Type& properties = BuiltinSchema()->type(FieldAt(*BuiltinSchema(), props.type, "properties").type);
  EXPECT_EQ(properties.additional, props.type);
}

TEST(BuiltinSchema, KnowsResources) {
  const struct {
    GroupVersionKind gvk;
    const char* plural;
    bool namespaced;
    const char* subresource;
  } kRows[] = {
      {kDeployment, "deployments", true, "scale"},
      {kPod, "pods", true, "status"},
      {kPod, "pods", true, "eviction"},
      {kService, "services", true, "status"},
      {{"", "v1", "Namespace"}, "namespaces", false, "finalize"},
      {kCrd, "customresourcedefinitions", false, "status"},
      {{"autoscaling", "v2", "HorizontalPodAutoscaler"}, "horizontalpodautoscalers", true, "status"},
      {{"rbac.authorization.k8s.io", "v1", "ClusterRole"}, "clusterroles", false, nullptr},
      {{"rbac.authorization.k8s.io", "v1", "Role"}, "roles", true, nullptr},
  };
  for (const auto& row : kRows) {
    const Resource* resource = BuiltinSchema()->FindResource(row.gvk);
    ASSERT_NE(resource, nullptr) << row.plural;
    EXPECT_EQ(resource->plural, row.plural);
    EXPECT_EQ(resource->namespaced, row.namespaced) << row.plural;
    EXPECT_TRUE(resource->strategic) << row.plural;
    EXPECT_EQ(resource->type, BuiltinSchema()->FindType(row.gvk)) << row.plural;
    const Words& subs = resource->subresources;
    if (row.subresource == nullptr) {
      EXPECT_TRUE(subs.empty()) << row.plural;
    } else {
      EXPECT_NE(std::find(subs.begin(), subs.end(), row.subresource), subs.end()) << row.plural;
    }
  }
}

TEST(BuiltinSchema, SubresourcesMakeNoResources) {
  EXPECT_EQ(BuiltinSchema()->FindResource({"autoscaling", "v1", "Scale"}), nullptr);
  EXPECT_EQ(BuiltinSchema()->FindResource({"policy", "v1", "Eviction"}), nullptr);
  EXPECT_NE(BuiltinSchema()->FindType({"autoscaling", "v1", "Scale"}), kNoType);
  EXPECT_NE(BuiltinSchema()->FindType({"", "v1", "PodList"}), kNoType);
}

TEST(BuiltinSchema, EveryResourceHasAType) {
  for (const auto& [gvk, resource] : BuiltinSchema()->resources()) EXPECT_NE(resource.type, kNoType) << gvk.kind;
}

// Fields by strategy, each component counted once, as a script counted them in the documents of v1.36.3, but PodSpec
// twice (a path of facts/defaults.txt leads through it). A difference after `generate` is a change of Kubernetes (or of
// the compiler).
TEST(BuiltinSchema, CountsOfStrategiesAreThoseOfTheDocuments) {
  const Schema& schema = *BuiltinSchema();
  std::map<std::string, int> counts;
  for (TypeId id = 1; id < schema.type_count(); ++id) {
    for (const Field& f : schema.type(id).fields) {
      if (f.strategy == PatchRule()) continue;
      ++counts[StrCat(f.strategy.list != ListMerge::kAtomic ? "merge " : "", f.strategy.replace ? "replace " : "",
                      f.strategy.retain_keys ? "retainKeys " : "", f.is_list ? "list " : "map ",
                      f.patch_keys.empty() ? "" : "keys ")];
    }
  }
  const std::map<std::string, int> expected = {
      {"merge list keys ", 58}, {"merge list ", 2},     {"merge retainKeys list keys ", 5},
      {"replace map ", 1},      {"retainKeys map ", 1},
  };
  EXPECT_EQ(counts, expected);
}

}  // namespace
}  // namespace smp
