#include "apply/kind_hints.h"

#include <gtest/gtest.h>

#include "kube/schema_source.h"
#include "net/fake_transport.h"

namespace smp::apply {
namespace {

const std::vector<GroupVersionKind> kServed = {{"", "v1", "Pod"},
                                               {"", "v1", "ConfigMap"},
                                               {"apps", "v1", "Deployment"},
                                               {"autoscaling", "v2", "HorizontalPodAutoscaler"},
                                               {"autoscaling", "v1", "HorizontalPodAutoscaler"}};

TEST(KindHints, NamesTheVersionThatHasTheKind) {
  EXPECT_EQ(HintForKind({"extensions", "v1beta1", "Deployment"}, kServed), "Deployment is in apps/v1");
  EXPECT_EQ(HintForKind({"autoscaling", "v2beta2", "HorizontalPodAutoscaler"}, kServed),
            "HorizontalPodAutoscaler is in autoscaling/v2, autoscaling/v1");
}

TEST(KindHints, NamesAKindThatIsSpelledAlike) {
  EXPECT_EQ(HintForKind({"apps", "v1", "Deploymnt"}, kServed), "did you mean \"Deployment\"?");
  EXPECT_EQ(HintForKind({"app", "v1", "deployment"}, kServed), "did you mean \"Deployment\" of apps/v1?");
  EXPECT_EQ(HintForKind({"apps", "v1", "Widget"}, kServed), "");
  EXPECT_EQ(HintForKind({"apps", "v1", "Deploymnt"}, {}), "");
}

Error Unknown() { return Error::NotFound("no matches for kind \"X\"" + std::string(kube::kEnsureCrds)); }

TEST(KindHints, SaysThatTheDefinitionFailed) {
  net::FakeScript script;
  kube::Client client{std::make_unique<net::FakeTransport>(&script)};
  KindHints hints(client);
  const Manifests input = ParseManifests(
      "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: ws.a.io}\n"
      "spec: {group: a.io, names: {kind: W, plural: ws}, versions: [{name: v1}]}\n",
      "f.yaml");
  hints.AddFailed(*input.items.front());
  const Error error = hints.Explained(Unknown(), {"a.io", "v1", "W"});
  EXPECT_EQ(
      error.message,
      "no matches for kind \"X\"\nits definition failed above: customresourcedefinition.apiextensions.k8s.io/ws.a.io");
  EXPECT_EQ(error.code, ErrorCode::kNotFound);
  EXPECT_TRUE(script.requests.empty());
}

TEST(KindHints, AsksTheServerOnce) {
  net::FakeScript script;
  script.On("GET /api",
            net::Json(200, R"({"kind":"APIGroupDiscoveryList","items":[{"metadata":{"name":""},"versions":[)"
                           R"({"version":"v1","resources":[{"resource":"pods","responseKind":{"kind":"Pod"}}]}]}]})"));
  script.On("GET /apis", net::Json(200, R"({"kind":"APIGroupDiscoveryList","items":[]})"));
  kube::Client client{std::make_unique<net::FakeTransport>(&script)};
  KindHints hints(client);
  EXPECT_EQ(hints.Explained(Unknown(), {"", "v1", "Pdo"}).message, "no matches for kind \"X\"\ndid you mean \"Pod\"?");
  EXPECT_EQ(hints.Explained(Unknown(), {"", "v1", "Pdo"}).code, ErrorCode::kSchema);
  EXPECT_EQ(hints.Explained(Unknown(), {"", "v1", "Nothing"}).message, Unknown().message);
  EXPECT_EQ(hints.Explained(Error::NotFound("other"), {"", "v1", "Pdo"}).message, "other");
  EXPECT_EQ(hints.Explained(Unknown(), {"policy", "v1beta1", "PodSecurityPolicy"}).message,
            "no matches for kind \"X\"\nKubernetes 1.25 removed it");
  EXPECT_EQ(script.requests.size(), 2u);
}

}  // namespace
}  // namespace smp::apply
