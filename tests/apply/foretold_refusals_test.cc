// That the server refuses what is foretold is tested against one (tests/e2e/fixed.py).
#include "apply/foretold_refusals.h"

#include <gtest/gtest.h>

#include <sstream>

#include "apply/manifests.h"
#include "net/fake_transport.h"
#include "schema/builtin.h"
#include "yaml/read_yaml.h"

namespace smp::apply {
namespace {

Prepared PrepareFor(const std::string& modified, const std::string& live) {
  std::istringstream in(modified);
  const Manifests input = *ReadManifests({.files = {"-"}, .standard_input = &in});
  std::optional<Document> document;
  if (!live.empty()) document = *yaml::ParseYaml(live);
  return *PrepareOffline(*input.items[0], {.live = document}, BuiltinSchema());
}

std::string Foretold(const std::string& modified, const std::string& live) {
  const auto refusal = ForetellRefusal(PrepareFor(modified, live));
  return refusal ? ToString(refusal->error) : "";
}

std::string Map(const std::string& metadata, const std::string& rest = "") {
  return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a" + metadata + "}\n" + rest;
}

TEST(Foretold, AreChangesOfFixedFields) {
  const std::string live = Map("", "immutable: true\ndata: {k: '1'}\n");
  EXPECT_EQ(Foretold(Map("", "immutable: true\ndata: {k: '2'}\n"), live),
            "STDIN:1: data: foretold: field is immutable when `immutable` is set");
  EXPECT_EQ(Foretold(Map(", labels: {a: b}", "immutable: true\ndata: {k: '1'}\n"), live), "");
  EXPECT_EQ(Foretold(Map("", "immutable: true\ndata: {k: '2'}\n"), Map("", "data: {k: '1'}\n")), "");
}

std::string Set(const std::string& spec) {
  return "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: a}\nspec: {" + spec + "}\n";
}

TEST(Foretold, AreChangesOfTheRestOfAMap) {
  EXPECT_EQ(Foretold(Set("replicas: 2"), Set("replicas: 1, podManagementPolicy: OrderedReady")), "");
  EXPECT_EQ(Foretold(Set("podManagementPolicy: OrderedReady, replicas: 2"), Set("replicas: 1")), "");
  EXPECT_NE(Foretold(Set("podManagementPolicy: Parallel"), Set("replicas: 1"))
                .find("STDIN:1: spec.podManagementPolicy: "
                      "foretold: updates to statefulset"),
            std::string::npos);
}

TEST(Foretold, AreAllFieldsThatAreRefusedInTheSameWords) {
  const auto others = [](const std::string& manifest, const std::string& live) {
    return ForetellRefusal(PrepareFor(manifest, live))->other_paths;
  };
  EXPECT_EQ(others(Set("podManagementPolicy: Parallel, serviceName: b"), Set("serviceName: a")),
            std::vector<std::string>{"spec.serviceName"});
  EXPECT_EQ(others(Set("serviceName: b"), Set("serviceName: a")), std::vector<std::string>());
  EXPECT_EQ(others(Set("serviceName: b, selector: {matchLabels: {a: b}}"), Set("serviceName: a")),
            std::vector<std::string>{"spec.serviceName"});
}

TEST(Foretold, NamesAnImageWithoutTheTemplateThatItIsIn) {
  const auto job = [](const std::string& image) {
    return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec: {template: {spec: {restartPolicy: Never, "
           "containers: "
           "[{name: a, image: " +
           image + "}]}}}\n";
  };
  EXPECT_EQ(ForetellRefusal(PrepareFor(job("b"), job("a")))->other_paths, std::vector<std::string>());
}

std::string Pod(const std::string& container, const std::string& spec = "") {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: web, " + container + "}]" + spec +
         "}\n";
}

TEST(Foretold, AreChangesOfItemsAndTheirNumber) {
  EXPECT_EQ(Foretold(Pod("image: b"), Pod("image: a")), "");
  EXPECT_TRUE(Foretold(Pod("image: b, args: [b]"), Pod("image: a, args: [a]"))
                  .starts_with("STDIN:1: spec.containers[name=web].args: foretold: pod updates may not change"));
  EXPECT_EQ(Foretold(Pod("image: a}, {name: b, image: b"), Pod("image: a")),
            "STDIN:1: spec.containers: foretold: pod updates may not add or remove containers");
}

TEST(Foretold, DependsOnAFieldThatMayBeAbsent) {
  EXPECT_NE(Foretold(Pod("image: a", ", nodeSelector: {a: b}"), Pod("image: a")), "");
  const std::string gated = ", schedulingGates: [{name: x}]";
  EXPECT_EQ(Foretold(Pod("image: a", ", nodeSelector: {a: b}" + gated), Pod("image: a", gated)), "");
}

std::string Quota(const std::string& scopes) {
  return "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: a}\nspec: {scopes: [" + scopes + "]}\n";
}

TEST(Foretold, IsNoOtherOrderOfASet) {
  EXPECT_EQ(Foretold(Quota("BestEffort, Terminating"), Quota("Terminating, BestEffort")), "");
  EXPECT_NE(Foretold(Quota("BestEffort"), Quota("Terminating, BestEffort")), "");
}

TEST(Foretold, OnlyAnImmutableFieldCanBeRecreated) {
  const std::string live = Map(", uid: u", "immutable: true\ndata: {k: '1'}\n");
  const auto is_recreatable = [&](const std::string& manifest) {
    return ForetellRefusal(PrepareFor(manifest, live))->recreatable;
  };
  EXPECT_TRUE(is_recreatable(Map("", "immutable: true\ndata: {k: '2'}\n")));
  EXPECT_FALSE(is_recreatable(Map(", uid: w", "immutable: true\ndata: {k: '2'}\n")));
}

TEST(Foretold, IsMetadataThatDoesNotFit) {
  const std::string live = Map(", uid: u, resourceVersion: '7'");
  EXPECT_EQ(Foretold(Map(", uid: u, resourceVersion: '7', labels: {a: b}"), live), "");
  EXPECT_EQ(Foretold(Map(", resourceVersion: '0', labels: {a: b}"), live), "");
  EXPECT_EQ(Foretold(Map(", uid: w"), live), "STDIN:1: metadata.uid: foretold: field is immutable");
  EXPECT_EQ(Foretold(Map(", resourceVersion: '6'"), live).substr(0, 43), "STDIN:1: metadata.resourceVersion: foretold");
  EXPECT_EQ(Foretold(Map(", deletionTimestamp: '2026-01-01T00:00:00Z'"), live),
            "STDIN:1: metadata.deletionTimestamp: foretold: field is immutable");
  EXPECT_EQ(Foretold(Map(", uid: w"), ""), "");
  EXPECT_EQ(Foretold(Map(", resourceVersion: '6'"), ""),
            "STDIN:1: metadata.resourceVersion: foretold: resourceVersion should not be set on objects to be created");
}

TEST(Foretold, WarnsOfMetadataThatFitsToday) {
  EXPECT_EQ(MetadataWarnings(PrepareFor(Map(""), "")).size(), 0u);
  EXPECT_EQ(MetadataWarnings(PrepareFor(Map(", uid: u, resourceVersion: '7'"), "")).size(), 2u);
}

std::string Service(const std::string& ports) {
  return "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {ports: [" + ports + "]}\n";
}

TEST(Foretold, ArePortsWithTheSameName) {
  const std::string duplicate = "STDIN:1: spec.ports[1].name: foretold: Duplicate value: \"http\"";
  EXPECT_EQ(Foretold(Service("{name: http, port: 9091}"), Service("{name: http, port: 80}")), duplicate)
      << "somebody changed the port in live";
  EXPECT_EQ(Foretold(Service("{name: web, port: 9091}"), Service("{name: http, port: 80}")), "");
  EXPECT_EQ(Foretold(Service("{name: http, port: 1}, {name: http, port: 2}"), ""), duplicate);
}

TEST(Foretold, ArePortsWithoutNames) {
  EXPECT_EQ(Foretold(Service("{name: web, port: 2}"), Service("{port: 1}")),
            "STDIN:1: spec.ports[1].name: foretold: Required value");
  EXPECT_EQ(Foretold(Service("{port: 1, targetPort: 2}"), Service("{port: 1}")), "");
  EXPECT_EQ(Foretold(Service("{port: 1}, {name: '', port: 2}"), ""),
            "STDIN:1: spec.ports[0].name: foretold: Required value");
}

class Namespaces : public testing::Test {
 protected:
  // Returns what is foretold of a new object in the namespace "team", for this answer to the question about it.
  std::string Foretold(const net::HttpResponse& answer, const InputDefinitions& definitions = {}) {
    script_.On("GET /api/v1/namespaces/team", answer);
    NamespaceCheck check(client_, definitions);
    const Prepared prepared = PrepareFor(Map(", namespace: team"), "");
    (void)check.RefusalIn(prepared);
    const auto error = check.RefusalIn(prepared);
    return error ? ToString(*error) : "";
  }

  net::FakeScript script_;
  kube::Client client_{std::make_unique<net::FakeTransport>(&script_)};
};

TEST_F(Namespaces, ThatAreNowhereAreForetoldAndAskedForOnce) {
  EXPECT_EQ(Foretold(net::Json(404, R"({"kind":"Status","code":404,"reason":"NotFound"})")),
            "STDIN:1: metadata.namespace: foretold: namespaces \"team\" not found");
  EXPECT_EQ(script_.Count("GET /api/v1/namespaces/team"), 1u);
}

TEST_F(Namespaces, ThatAreBeingDeletedAreForetold) {
  const std::string team = R"({"kind":"Namespace","apiVersion":"v1","metadata":{"name":"team"},"status":{"phase":")";
  EXPECT_EQ(Foretold(net::Json(200, team + "Terminating\"}}")),
            "STDIN:1: metadata.namespace: foretold: configmaps \"a\" is forbidden: unable to create new content in "
            "namespace team because it is being terminated");
  EXPECT_EQ(script_.Count("GET /api/v1/namespaces/team"), 1u);
}

TEST_F(Namespaces, ThatAreActiveAreNot) {
  EXPECT_EQ(Foretold(net::Json(200, R"({"kind":"Namespace","metadata":{"name":"team"},"status":{"phase":"Active"}})")),
            "");
}

TEST_F(Namespaces, ThatMayNotBeReadCountAsThere) {
  EXPECT_EQ(Foretold(net::Json(403, R"({"kind":"Status","code":403,"reason":"Forbidden"})")), "");
}

TEST_F(Namespaces, OfTheInputAreNotAskedFor) {
  InputDefinitions definitions;
  definitions.namespaces.insert("team");
  EXPECT_EQ(Foretold(net::Json(404, "{}"), definitions), "");
  EXPECT_EQ(script_.Count("GET /api/v1/namespaces/team"), 0u);
}

TEST(Foretold, AreClaimsThatShrink) {
  const auto claim = [](std::string_view size, std::string_view status) {
    return StrCat(
        "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: c}\nspec: {resources: {requests: {storage: ",
        size, "}}}\n", status);
  };
  const std::string has = "status: {phase: Bound, capacity: {storage: 10Gi}}\n";
  EXPECT_NE(Foretold(claim("5Gi", ""), claim("20Gi", has)).find("less than status.capacity"), std::string::npos);
  EXPECT_NE(Foretold(claim("10Gi", ""), claim("20Gi", has)).find("less than status.capacity"), std::string::npos);
  EXPECT_EQ(Foretold(claim("15Gi", ""), claim("20Gi", has)), "") << "it was enlarged in vain";
  EXPECT_EQ(Foretold(claim("30Gi", ""), claim("20Gi", has)), "");
  EXPECT_EQ(Foretold(claim("20480Mi", ""), claim("20Gi", has)), "");
}

}  // namespace
}  // namespace smp::apply
