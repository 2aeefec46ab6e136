#include "apply/waves.h"

#include <gtest/gtest.h>

namespace smp::apply {
namespace {

std::string Object(const std::string& api_version, const std::string& kind, const std::string& name) {
  return "---\napiVersion: " + api_version + "\nkind: " + kind + "\nmetadata: {name: " + name + "}\n";
}

TEST(Waves, WhatOthersNeedComesFirstWhateverItsPlace) {
  const Manifests manifests = ParseManifests(
      Object("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "hook") +
          Object("example.com/v1", "Widget", "w") + Object("rbac.authorization.k8s.io/v1", "RoleBinding", "b") +
          Object("v1", "ConfigMap", "c") + Object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "d") +
          Object("v1", "Namespace", "shop") + Object("apps/v1", "Deployment", "web"),
      "f");
  EXPECT_EQ(StepsOf(manifests, Order::kWaves, "default"), (std::vector<Step>{{4, 5}, {3}, {2}, {1, 6}, {0}}));
}

// So nothing else waits until the server serves them.
TEST(Waves, KindsThatTheInputBringsComeAfterEverythingElse) {
  const std::string crd =
      "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: d}\n"
      "spec: {group: example.com, names: {kind: Widget, plural: widgets}, versions: [{name: v1}]}\n";
  const std::string service =
      "---\napiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {name: s}\n"
      "spec: {group: metrics.example.com, version: v1}\n";
  const Manifests manifests = ParseManifests(
      Object("metrics.example.com/v1", "Meter", "m") + Object("example.com/v1", "Widget", "w") + service + crd +
          Object("apps/v1", "Deployment", "web") + Object("example.com/v2", "Widget", "other"),
      "f");
  EXPECT_EQ(StepsOf(manifests, Order::kWaves, "default", DefinitionsOf(manifests)),
            (std::vector<Step>{{3}, {4, 5}, {1}, {2}, {0}}));
}

TEST(Waves, InInputOrderEachObjectIsAStep) {
  const Manifests manifests =
      ParseManifests(Object("apps/v1", "Deployment", "web") + Object("v1", "Namespace", "shop"), "f");
  EXPECT_EQ(StepsOf(manifests, Order::kInput, "default"), (std::vector<Step>{{0}, {1}}));
}

TEST(Waves, AKindOfAnotherGroupIsAnotherKind) {
  EXPECT_EQ(WaveOf({"", "v1", "Secret"}), 1);
  EXPECT_EQ(WaveOf({"example.com", "v1", "Secret"}), 3);
}

// In parallel the last of them would win by chance.
TEST(Waves, AnObjectThatStandsThereTwiceIsAppliedTwiceInInputOrder) {
  const std::string twice = Object("v1", "ConfigMap", "c") +
                            "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: shop}\n" +
                            Object("v1", "ConfigMap", "other");
  const Manifests manifests = ParseManifests(twice, "f");
  EXPECT_EQ(StepsOf(manifests, Order::kWaves, "shop"), (std::vector<Step>{{0, 2}, {1}}));
  EXPECT_EQ(StepsOf(manifests, Order::kWaves, "default"), (std::vector<Step>{{0, 1, 2}}));
}

TEST(Waves, WhatCannotBeReadIsInNoStep) {
  const Manifests manifests = ParseManifests("a: [\n" + Object("v1", "ConfigMap", "c"), "f");
  EXPECT_EQ(StepsOf(manifests, Order::kWaves, "default"), (std::vector<Step>{{1}}));
}

}  // namespace
}  // namespace smp::apply
