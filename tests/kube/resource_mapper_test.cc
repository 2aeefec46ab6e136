// Names of resources, as kubectl takes them. Against a real server: tests/e2e/last_applied.py.
#include "kube/resource_mapper.h"

#include <gtest/gtest.h>

#include "net/fake_transport.h"

namespace smp::kube {
namespace {

std::string Entry(const std::string& plural, const std::string& kind, const std::string& singular,
                  const std::string& short_names, const std::string& scope = "Namespaced") {
  return StrCat(R"({"resource":")", plural, R"(","responseKind":{"kind":")", kind, R"("},"scope":")", scope,
                R"(","singularResource":")", singular, R"(","verbs":["get","list"],"shortNames":[)", short_names, "]}");
}

std::string Group(const std::string& name, const std::string& version, const std::string& entries) {
  return StrCat(R"({"metadata":{"name":")", name, R"("},"versions":[{"version":")", version, R"(","resources":[)",
                entries, "]}]}");
}

std::string List(const std::string& groups) {
  return StrCat(R"({"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[)", groups, "]}");
}

class Mapper : public testing::Test {
 protected:
  void Aggregated() {
    script_.On("GET /api", net::Json(200, List(Group("", "v1",
                                                     Entry("events", "Event", "event", R"("ev")") + "," +
                                                         Entry("nodes", "Node", "node", R"("no")", "Cluster")))));
    script_.On(
        "GET /apis",
        net::Json(200, List(Group("apps", "v1", Entry("deployments", "Deployment", "deployment", R"("deploy")")) + "," +
                            Group("events.k8s.io", "v1", Entry("events", "Event", "event", R"("ev")")) + "," +
                            Group("example.com", "v2", Entry("pods", "Deploy", "deploy", "")))));
  }

  // "apps/v1 deployments", or the error.
  std::string Found(const std::string& text) {
    const Result<ServedResource> found = mapper_.Find(text);
    if (!found.ok()) return found.error().message;
    return StrCat(found->resource.gvk.ApiVersion(), " ", found->resource.plural);
  }

  net::FakeScript script_;
  Client client_{std::make_unique<net::FakeTransport>(&script_)};
  ResourceMapper mapper_{&client_};
};

TEST_F(Mapper, KnowsShortNamesPluralsSingularsAndKinds) {
  Aggregated();
  for (const char* name : {"deploy", "deployments", "deployment", "Deployment", "DEPLOYMENTS", "deployments.apps",
                           "deploy.apps", "deployments.v1.apps", "Deployment.v1.apps", "deployments.ap"}) {
    EXPECT_EQ(Found(name), "apps/v1 deployments") << name;
  }
  EXPECT_EQ(script_.requests.size(), 2u) << "asked once";
}

TEST_F(Mapper, TakesTheFirstGroupOfSeveral) {
  Aggregated();
  EXPECT_EQ(Found("events"), "v1 events");
  EXPECT_EQ(Found("events.events.k8s.io"), "events.k8s.io/v1 events");
  EXPECT_EQ(Found("ev.events.k8s.io"), "events.k8s.io/v1 events");
  EXPECT_FALSE(mapper_.Find("no")->resource.namespaced);
}

TEST_F(Mapper, SaysWhatTheServerLacks) {
  Aggregated();
  EXPECT_EQ(Found("foo"), "the server doesn't have a resource type \"foo\"");
  EXPECT_EQ(Found("Deploy.apps"), "the server doesn't have a resource type \"Deploy\" in group \"apps\"");
  EXPECT_EQ(Found(""), "the server doesn't have a resource type \"\"");
}

TEST_F(Mapper, AsksServersBefore126GroupByGroup) {
  script_.On("GET /api", net::Json(200, R"({"kind":"APIVersions","versions":["v1"]})"));
  script_.On("GET /api/v1",
             net::Json(200, R"({"resources":[{"name":"pods","singularName":"","kind":"Pod","namespaced":true,
      "shortNames":["po"]},{"name":"pods/status","kind":"Pod","namespaced":true}]})"));
  script_.On("GET /apis", net::Json(200, R"({"kind":"APIGroupList","groups":[{"name":"apps","versions":[
      {"groupVersion":"apps/v1beta1"},{"groupVersion":"apps/v1"}],"preferredVersion":{"groupVersion":"apps/v1"}},
      {"name":"gone","versions":[{"groupVersion":"gone/v1"}],"preferredVersion":{"groupVersion":"gone/v1"}}]})"));
  const char kApps[] = R"({"resources":[{"name":"deployments","kind":"Deployment","namespaced":true}]})";
  script_.On("GET /apis/apps/v1", net::Json(200, kApps));
  script_.On("GET /apis/apps/v1beta1", net::Json(200, kApps));
  script_.On("GET /apis/gone/v1", net::Json(503, "{}"));
  EXPECT_EQ(Found("po"), "v1 pods");
  EXPECT_EQ(Found("deployment"), "apps/v1 deployments");
  EXPECT_EQ(Found("deployments.v1beta1.apps"), "apps/v1beta1 deployments");
  EXPECT_EQ(mapper_.All()->size(), 3u);
}

TEST_F(Mapper, TakesAnyAnswer) {
  for (const char* path : {"GET /api", "GET /apis"}) {
    script_.On(
        path, net::Json(200, R"({"kind":"APIGroupDiscoveryList","items":[null,{"versions":[{"resources":[7,{}]}]}]})"));
  }
  EXPECT_FALSE(mapper_.Find("pods").ok());
}

}  // namespace
}  // namespace smp::kube
