// ApplySets: odd parents, and answers that must never make an object look like a member. What kubectl and a real server
// make of a set is tested in tests/e2e/applyset.py.
#include "apply/apply_set.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "net/fake_transport.h"
#include "value/at.h"
#include "value/json.h"

namespace smp::apply {
namespace {

// What kubectl 1.37 writes for the Secret x in the namespace e1.
const std::string kId = "applyset-itREF8BLbJEHvsxJbYlgOUS5n-M-xbfpdNWO_YoN-uM-v1";
const std::string kParent = "/api/v1/namespaces/e1/secrets/x";
const std::string kMaps =
    "GET /api/v1/namespaces/e1/configmaps?labelSelector=applyset.kubernetes.io%2Fpart-of%3D" + kId + "&limit=500";

net::HttpResponse NotThere() {
  return net::Json(404, R"({"kind":"Status","status":"Failure","message":"no","reason":"NotFound"})");
}

std::string Member(const std::string& name, const std::string& id) {
  return R"({"metadata":{"name":")" + name + R"(","uid":"u-)" + name +
         R"(","labels":{"applyset.kubernetes.io/part-of":")" + id + R"("}}})";
}

class ApplySets : public testing::Test {
 protected:
  ApplySets() {
    script_.On("GET /api", net::Json(200, R"({"kind":"APIGroupDiscoveryList","items":[{"metadata":{},"versions":[
        {"version":"v1","resources":[
          {"resource":"configmaps","responseKind":{"kind":"ConfigMap"},"scope":"Namespaced"},
          {"resource":"namespaces","responseKind":{"kind":"Namespace"},"scope":"Cluster"},
          {"resource":"secrets","responseKind":{"kind":"Secret"},"scope":"Namespaced"}]}]}]})"));
    script_.On("GET /apis", net::Json(200, R"({"kind":"APIGroupDiscoveryList","items":[]})"));
    options_ = {.parent = "x", .name_space = "e1", .tooling = "kubectl-smp/v1"};
  }

  void HasParent(const std::string& annotations, const std::string& tooling = "kubectl/v1") {
    script_.On("GET " + kParent, net::Json(200, R"({"metadata":{"name":"x","namespace":"e1","labels":{
        "applyset.kubernetes.io/id":")" + kId + R"("},"annotations":{"applyset.kubernetes.io/tooling":")" +
                                                    tooling + R"(")" + annotations + "}}}"));
  }

  static std::string Kinds(const std::string& kinds) {
    return R"(,"applyset.kubernetes.io/contains-group-kinds":")" + kinds + R"(")";
  }

  std::string OpenError() {
    const auto set = ApplySet::Open(client_, options_);
    return set.ok() ? "" : set.error().message;
  }

  std::vector<std::string> Pruned() {
    const auto set = ApplySet::Open(client_, options_);
    EXPECT_TRUE(set.ok()) << set.error().message;
    const auto plan = set->PlanPrune(Applied());
    EXPECT_TRUE(plan.ok()) << plan.error().message;
    std::vector<std::string> out;
    for (const Stale& stale : *plan) out.push_back(stale.ref.plural + "/" + stale.ref.name);
    return out;
  }

  // Returns the body of the PATCH that writes the parent, with the sets of the parent's kinds as they were and are.
  std::string Written() {
    script_.On("PATCH " + kParent + "?fieldManager=kubectl-applyset&fieldValidation=Strict",
               net::Json(200, R"({"kind":"Secret"})"));
    auto set = ApplySet::Open(client_, options_);
    EXPECT_TRUE(set.ok()) << set.error().message;
    const Status written = set->WriteSuperset();
    EXPECT_TRUE(written.ok()) << written.error().message;
    return script_.requests.back().body;
  }

  using Strings = std::vector<std::string>;
  net::FakeScript script_;
  kube::Client client_{std::make_unique<net::FakeTransport>(&script_)};
  ApplySetOptions options_;
};

TEST_F(ApplySets, ANewSetHasKubectlsIdAndNoMembers) {
  script_.On("GET " + kParent, NotThere());
  EXPECT_EQ(Pruned(), Strings{});
  EXPECT_EQ(Written(),
            R"({"apiVersion":"v1","kind":"Secret","metadata":{"annotations":{)"
            R"("applyset.kubernetes.io/additional-namespaces":"","applyset.kubernetes.io/contains-group-kinds":"",)"
            R"("applyset.kubernetes.io/tooling":"kubectl-smp/v1"},"labels":{"applyset.kubernetes.io/id":")" +
                kId + R"("},"name":"x","namespace":"e1"}})");
}

// A server that ignored the selector must not cost the objects of others.
TEST_F(ApplySets, OnlyWhatHasTheLabelIsPruned) {
  HasParent(Kinds("ConfigMap"));
  script_.On(kMaps, net::Json(200, R"({"metadata":{},"items":[)" + Member("mine", kId) + "," + Member("other", "x") +
                                       R"(,{"metadata":{"name":"plain","uid":"u"}}]})"));
  EXPECT_EQ(Pruned(), Strings{"configmaps/mine"});
}

TEST_F(ApplySets, TheParentIsNeverPruned) {
  HasParent(Kinds("Secret"));
  script_.On("GET /api/v1/namespaces/e1/secrets?labelSelector=applyset.kubernetes.io%2Fpart-of%3D" + kId + "&limit=500",
             net::Json(200, R"({"metadata":{},"items":[)" + Member("x", kId) + "," + Member("y", kId) + "]}"));
  EXPECT_EQ(Pruned(), Strings{"secrets/y"});
}

TEST_F(ApplySets, ANamespaceWithTheParentIsNotPruned) {
  HasParent(Kinds("Namespace"));
  script_.On("GET /api/v1/namespaces?labelSelector=applyset.kubernetes.io%2Fpart-of%3D" + kId + "&limit=500",
             net::Json(200, R"({"metadata":{},"items":[)" + Member("e1", kId) + "]}"));
  const auto set = ApplySet::Open(client_, options_);
  const auto plan = set->PlanPrune(Applied());
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().code, ErrorCode::kRefused);
}

TEST_F(ApplySets, WhatAControllerMadeOfAMemberIsNotPruned) {
  HasParent(Kinds("ConfigMap"));
  const std::string made = R"({"metadata":{"name":"made","uid":"u-made","labels":{"applyset.kubernetes.io/part-of":")" +
                           kId + R"("},"ownerReferences":[{"uid":"x","controller":true}]}})";
  script_.On(kMaps, net::Json(200, R"({"metadata":{},"items":[)" + Member("mine", kId) + "," + made + "]}"));
  EXPECT_EQ(Pruned(), Strings{"configmaps/mine"});
}

// A label that stays as live has it would be that of another set, or none.
TEST_F(ApplySets, TheLabelCannotBeKeptAsLiveHasIt) {
  script_.On("GET " + kParent, NotThere());
  const auto added = [&](const std::string& annotation) {
    Manifests input =
        ParseManifests("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  annotations: {smp.io/keep-live: '" +
                           annotation + "'}\n",
                       "a.yaml");
    return ApplySet::Open(client_, options_)->AddLabels(input);
  };
  EXPECT_TRUE(added("metadata.labels.app, data.a").ok());
  for (const std::string path :
       {"metadata.labels", "metadata.labels.*", "metadata.labels[\"applyset.kubernetes.io/part-of\"]"}) {
    EXPECT_FALSE(added(path).ok()) << path;
    options_.keep_live = {KeepPath{*ParsePathPattern(path), "--keep-live", path}};
    EXPECT_FALSE(added("data.a").ok()) << path;
    options_.keep_live.clear();
  }
}

// An empty namespace in a path would mean all namespaces.
TEST_F(ApplySets, AnEmptyNamespaceIsAnError) {
  HasParent(Kinds("ConfigMap") + R"(,"applyset.kubernetes.io/additional-namespaces":"a,,b")");
  EXPECT_EQ(OpenError(),
            "parsing ApplySet annotation on \"secrets./x\": empty namespace in "
            "\"applyset.kubernetes.io/additional-namespaces\"");
}

TEST_F(ApplySets, TheAnnotationBeforeGroupKindsIsRead) {
  HasParent(R"(,"applyset.kubernetes.io/contains-group-resources":"configmaps")");
  script_.On(kMaps, net::Json(200, R"({"metadata":{},"items":[)" + Member("mine", kId) + "]}"));
  EXPECT_EQ(Pruned(), Strings{"configmaps/mine"});
}

// The kind is forgotten only if the server says that it does not have it.
TEST_F(ApplySets, AKindOfAServerThatIsDownIsNotForgotten) {
  HasParent(Kinds("ConfigMap,Metric.down.example.com"));
  script_.On("GET /apis/down.example.com", net::Json(503, "{}"));
  EXPECT_EQ(OpenError(),
            "parsing ApplySet annotation on \"secrets./x\": could not find mapping for kind in "
            "\"applyset.kubernetes.io/contains-group-kinds\" annotation: no matches for kind \"Metric\" in group "
            "\"down.example.com\"");
}

TEST_F(ApplySets, AKindThatIsGoneStaysInTheSuperset) {
  HasParent(Kinds("Widget.example.com"));
  script_.On("GET /apis/example.com", NotThere());
  script_.On("GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit=500",
             net::Json(200, R"({"metadata":{},"items":[{"metadata":{"name":"widgets.other.example.com"}}]})"));
  std::string warned;
  options_.warn = [&](const std::string& text) { warned = text; };
  EXPECT_NE(Written().find(R"(contains-group-kinds":"Widget.example.com")"), std::string::npos);
  EXPECT_EQ(
      warned,
      "the server does not have the kind Widget.example.com of the ApplySet any more; its objects count as gone, as "
      "those of a deleted CRD are; if it was of an aggregated API that was removed, the ApplySet forgets its objects");
}

// The parent is written before any object, so this must not be left to the first write.
TEST_F(ApplySets, ANewParentNeedsItsNamespace) {
  script_.On("GET " + kParent, NotThere());
  script_.On("GET /api/v1/namespaces/e1", NotThere());
  EXPECT_EQ(OpenError(),
            "the parent of the ApplySet, secrets./x, cannot be created, because the namespace \"e1\" does not exist; "
            "create it first (the parent is written before any object of the manifests)");
  script_.answers.erase("GET /api/v1/namespaces/e1");
  script_.On("GET /api/v1/namespaces/e1", net::Json(403, "{}"));
  EXPECT_EQ(OpenError(), "");
}

TEST(SetLeftBy, IsTheSetWhoseLabelGoes) {
  const auto left = [](std::string_view before, std::string_view after) {
    const auto labelled = [](std::string_view labels) {
      return *ParseJson(StrCat(R"({"metadata":{"labels":)", labels, "}}"));
    };
    return SetLeftBy(labelled(before).root(), labelled(after).root());
  };
  constexpr std::string_view kOne = R"({"applyset.kubernetes.io/part-of":"one"})";
  EXPECT_EQ(left(kOne, "{}"), "one");
  EXPECT_EQ(left(kOne, "null"), "one");
  EXPECT_EQ(left(kOne, kOne), "");
  EXPECT_EQ(left(kOne, R"({"applyset.kubernetes.io/part-of":"two"})"), "one");
  EXPECT_EQ(left("{}", kOne), "");
  EXPECT_EQ(left(R"({"a":"b"})", "{}"), "");
}

TEST_F(ApplySets, KubectlsToolingStaysAndOursIsRenewed) {
  HasParent(Kinds(""), "kubectl/v1.30");
  EXPECT_NE(Written().find(R"(tooling":"kubectl/v1.30")"), std::string::npos);
  script_.answers.erase("GET " + kParent);
  HasParent(Kinds(""), "kubectl-smp/v0");
  EXPECT_NE(Written().find(R"(tooling":"kubectl-smp/v1")"), std::string::npos);
}

TEST_F(ApplySets, AClientDryRunWritesNothing) {
  script_.On("GET " + kParent, NotThere());
  options_.dry_run = DryRun::kClient;
  auto set = ApplySet::Open(client_, options_);
  EXPECT_TRUE(set->WriteSuperset().ok());
  EXPECT_TRUE(set->WriteExact().ok());
  for (const net::HttpRequest& request : script_.requests) EXPECT_EQ(request.method, "GET");
}

TEST_F(ApplySets, LabelsAreAddedAndNeverReplaced) {
  script_.On("GET " + kParent, NotThere());
  const auto set = ApplySet::Open(client_, options_);
  const auto labelled = [&](const std::string& labels) {
    Manifests out =
        ParseManifests("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels: " + labels, "a.yaml");
    const Status added = set->AddLabels(out);
    if (!added.ok()) return ToString(added.error());
    if (!out.items[0].ok()) return ToString(out.items[0].error());
    return WriteJson(*out.items[0]->document.root().FindPath({"metadata", "labels"}));
  };
  const std::string label = R"("applyset.kubernetes.io/part-of":")" + kId + R"(")";
  EXPECT_EQ(labelled("null"), "{" + label + "}");
  EXPECT_EQ(labelled("{app: web}"), R"({"app":"web",)" + label + "}");
  EXPECT_EQ(labelled("{app: null}"), R"({"app":"",)" + label + "}");
  EXPECT_EQ(labelled("[a]"), "a.yaml:1: metadata.labels: must be a map");
  EXPECT_EQ(labelled("{applyset.kubernetes.io/part-of: x}"),
            "a.yaml:1: configmap/a: ApplySet label \"applyset.kubernetes.io/part-of\" already set in input data");
}

}  // namespace
}  // namespace smp::apply
