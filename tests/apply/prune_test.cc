// Which objects --prune chooses, and that it deletes exactly these. Faults and odd answers; what a real server does is
// tested against one (tests/e2e/prune.py).
#include "apply/prune.h"

#include <gtest/gtest.h>

#include "apply/last_applied.h"
#include "base/fake_clock.h"
#include "net/fake_transport.h"
#include "value/json.h"

namespace smp::apply {
namespace {

const std::string kMaps = "GET /api/v1/namespaces/ns/configmaps?labelSelector=app%3Dx&limit=500";
const kube::ObjectRef kMap = {{"", "v1", "ConfigMap"}, "configmaps", "ns", "a"};

const char kGone[] = R"({"kind":"Status","status":"Success"})";

std::string Item(const std::string& name, const std::string& uid, const std::string& more = "") {
  return R"({"metadata":{"name":")" + name + R"(","uid":")" + uid + R"(","labels":{"app":"x"},"annotations":{")" +
         std::string(kLastAppliedAnnotation) + R"(":"{}"})" + more + "}}";
}

net::HttpResponse List(const std::string& items) {
  return net::Json(200, R"({"items":[)" + items + R"(],"metadata":{}})");
}

net::HttpResponse Refusal(int code, const std::string& reason) {
  return net::Json(code, R"({"kind":"Status","status":"Failure","message":"no","reason":")" + reason + R"("})");
}

Manifest AManifest(const GroupVersionKind& gvk, const std::string& name_space, const std::string& name) {
  return {Document(), gvk, name, name_space};
}

class Pruning : public testing::Test {
 protected:
  Pruning() {
    scope_.selector = "app=x";
    scope_.allowlist = {{"", "v1", "ConfigMap"}};
    script_.On("GET /openapi/v3", net::Json(200, R"({"paths":{}})"));
    script_.On("GET /api/v1", net::Json(200, kResources));
    applied_.AddObject(kMap, ParseJson(Item("a", "u-a"))->root());
  }

  Result<std::vector<Stale>> Plan() { return PlanPrune(client_, schemas_, scope_, applied_); }

  std::vector<std::string> Names() {
    const auto plan = Plan();
    EXPECT_TRUE(plan.ok()) << plan.error().message;
    std::vector<std::string> out;
    if (!plan.ok()) return out;
    for (const Stale& stale : *plan)
      out.push_back(stale.ref.plural + " " + stale.ref.name_space + "/" + stale.ref.name);
    return out;
  }

  const std::string kResources =
      R"({"resources":[{"name":"configmaps","namespaced":true,"kind":"ConfigMap","verbs":["patch"]},)"
      R"({"name":"namespaces","namespaced":false,"kind":"Namespace","verbs":["patch"]}]})";
  net::FakeScript script_;
  kube::Client client_{std::make_unique<net::FakeTransport>(&script_)};
  kube::SchemaSource schemas_{&client_};
  PruneScope scope_;
  Applied applied_;
};

using Strings = std::vector<std::string>;

TEST_F(Pruning, ChoosesWhatWasAppliedOnceAndNotNow) {
  script_.On(kMaps, List(Item("a", "u-a") + "," + Item("b", "u-b") + "," + Item("c", "u-c")));
  EXPECT_EQ(Names(), (Strings{"configmaps ns/b", "configmaps ns/c"}));
}

TEST_F(Pruning, LeavesWhatWasNeverApplied) {
  script_.On(kMaps, List(R"({"metadata":{"name":"b","uid":"u-b","annotations":{"x":"y"}}},{"metadata":{"name":"c"}})"));
  EXPECT_EQ(Names(), Strings{});
}

TEST_F(Pruning, LeavesWhatIsOnItsWayOut) {
  script_.On(kMaps, List(Item("b", "u-b", R"(,"deletionTimestamp":"2026-01-01T00:00:00Z")")));
  EXPECT_EQ(Names(), Strings{});
}

// The same uid under another name of the kind; and the same name with a uid that a dry run could not know.
TEST_F(Pruning, LeavesWhatWasApplied) {
  script_.On(kMaps, List(Item("z", "u-a") + "," + Item("a", "u-other")));
  EXPECT_EQ(Names(), Strings{});
}

// Its status, say, is no reason to keep an object; that it belongs to somebody else now, or has other contents, is.
TEST_F(Pruning, ChoosesAgainWhatChangedMeanwhile) {
  const auto version = [](const std::string& text) {
    return StrCat(R"(,"generation":3,"resourceVersion":")", text, "\"");
  };
  script_.On(kMaps, List(Item("b", "u-b", version("1")) + "," + Item("c", "u-c", version("2")) + "," +
                         Item("d", "u-d", R"(,"resourceVersion":"3")")));
  const auto plan = Plan();
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  const std::string b = "/api/v1/namespaces/ns/configmaps/b", c = "/api/v1/namespaces/ns/configmaps/c";
  script_.On("DELETE " + b, Refusal(409, "Conflict"));
  script_.On("DELETE " + b, net::Json(200, kGone));
  script_.On("GET " + b, net::Json(200, Item("b", "u-b", version("7"))));
  script_.On("DELETE " + c, Refusal(409, "Conflict"));
  std::string others = Item("c", "u-c", version("8"));
  others.replace(others.find(R"({"app":"x"})"), 11, R"({"app":"y"})");
  script_.On("GET " + c, net::Json(200, others));
  const std::string d = "/api/v1/namespaces/ns/configmaps/d";
  script_.On("DELETE " + d, Refusal(409, "Conflict"));
  script_.On("GET " + d, net::Json(200, Item("d", "u-d", R"(,"resourceVersion":"9")")));
  Strings seen;
  const PruneReport report = {
      .pruned = [&](const Stale& object) { seen.push_back("pruned " + object.ref.name); },
      .failed = [&](const Stale& object,
                    const Error& error) { seen.push_back(StrCat("kept ", object.ref.name, ": ", error.message)); }};
  FakeClock clock;
  EXPECT_EQ(PruneAll(client_, clock, *plan, {.parallel = 1}, report), PruneEnd::kFailed);
  EXPECT_EQ(seen, (Strings{"pruned b",
                           "kept c: it was changed since it was chosen, and does not count as stale any "
                           "more; it is kept",
                           "kept d: somebody changed it since it was chosen, so it is kept"}));
  EXPECT_NE(script_.requests.at(script_.requests.size() - 5).body.find(R"("resourceVersion":"7")"), std::string::npos);
}

// A server, or a proxy, that ignored the selector must not cost the objects of others.
TEST_F(Pruning, LeavesWhatTheSelectorDoesNotMatch) {
  std::string other = Item("other", "u-o");
  other.replace(other.find(R"({"app":"x"})"), 11, R"({"app":"y"})");
  std::string bare = Item("bare", "u-bare");
  bare.replace(bare.find(R"("labels":{"app":"x"},)"), 21, "");
  script_.On(kMaps, List(other + "," + bare + "," + Item("b", "u-b")));
  EXPECT_EQ(Names(), Strings{"configmaps ns/b"});
}

TEST_F(Pruning, LeavesWhatTheSelectorLeftOutOfTheInput) {
  applied_.AddLeftOut(AManifest({"", "v1", "ConfigMap"}, "", "b"), "ns");
  applied_.AddLeftOut(AManifest({"", "v1", "ConfigMap"}, "elsewhere", "c"), "ns");
  script_.On(kMaps, List(Item("b", "u-b") + "," + Item("c", "u-c")));
  EXPECT_EQ(Names(), Strings{"configmaps ns/c"}) << "c of the manifests is in another namespace";
}

// A deletion without these could hit another object, or all.
TEST_F(Pruning, LeavesWhatHasNoNameOrUid) {
  script_.On(kMaps, List(Item("", "u-b") + "," + Item("c", "") + R"(,7,null,{"metadata":7})"));
  EXPECT_EQ(Names(), Strings{});
}

TEST_F(Pruning, LooksIntoEachNamespaceAndClusterScopedKindsLast) {
  scope_.allowlist = {{"", "v1", "Namespace"}, {"", "v1", "ConfigMap"}};
  applied_.AddNamespace("more");
  applied_.AddNamespace("");
  script_.On(kMaps, List(Item("b", "u-1")));
  script_.On("GET /api/v1/namespaces/more/configmaps?labelSelector=app%3Dx&limit=500", List(Item("b", "u-2")));
  script_.On("GET /api/v1/namespaces?labelSelector=app%3Dx&limit=500", List(Item("old", "u-3")));
  EXPECT_EQ(Names(), (Strings{"configmaps more/b", "configmaps ns/b", "namespaces /old"}));
}

TEST_F(Pruning, ByDefaultLooksAtKubectlsNamespacedKinds) {
  scope_.allowlist.clear();
  const auto plan = Plan();
  ASSERT_FALSE(plan.ok()) << "nothing is in the script";
  Strings paths;
  for (const net::HttpRequest& request : script_.requests)
    paths.push_back(request.path.substr(0, request.path.find('?')));
  EXPECT_EQ(paths,
            (Strings{"/api/v1/namespaces/ns/configmaps", "/api/v1/namespaces/ns/endpoints",
                     "/api/v1/namespaces/ns/persistentvolumeclaims", "/api/v1/namespaces/ns/pods",
                     "/api/v1/namespaces/ns/replicationcontrollers", "/api/v1/namespaces/ns/secrets",
                     "/api/v1/namespaces/ns/services", "/apis/batch/v1/namespaces/ns/jobs",
                     "/apis/batch/v1/namespaces/ns/cronjobs", "/apis/networking.k8s.io/v1/namespaces/ns/ingresses",
                     "/apis/apps/v1/namespaces/ns/daemonsets", "/apis/apps/v1/namespaces/ns/deployments",
                     "/apis/apps/v1/namespaces/ns/replicasets", "/apis/apps/v1/namespaces/ns/statefulsets"}));
}

TEST_F(Pruning, ADefaultKindThatTheServerHasNotIsLeftOut) {
  scope_.allowlist.clear();
  (void)Plan();
  const std::vector<net::HttpRequest> asked = script_.requests;
  for (const net::HttpRequest& request : asked) script_.On("GET " + request.path, Refusal(404, "NotFound"));
  script_.answers[kMaps] = {List(Item("b", "u-b"))};
  EXPECT_EQ(Names(), Strings{"configmaps ns/b"});
}

TEST_F(Pruning, AnAllowedKindThatTheServerHasNotIsAnError) {
  scope_.allowlist = {{"example.com", "v1", "Widget"}};
  script_.On("GET /apis/example.com/v1", Refusal(404, "NotFound"));
  const auto plan = Plan();
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().code, ErrorCode::kNotFound);
}

// What one list would have held is not known, so nothing is pruned.
TEST_F(Pruning, OneListThatFailsIsAnError) {
  scope_.allowlist = {{"", "v1", "ConfigMap"}, {"", "v1", "Namespace"}};
  script_.On(kMaps, List(Item("b", "u-b")));
  script_.On("GET /api/v1/namespaces?labelSelector=app%3Dx&limit=500", Refusal(403, "Forbidden"));
  const auto plan = Plan();
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().message,
            "error pruning nonNamespaced object v1, Kind=Namespace: Error from server (Forbidden): no");
}

// Of the other kinds, only those that can be deleted; what cannot be listed is left out.
TEST_F(Pruning, FindsWhatItLeavesBecauseOfItsKind) {
  script_.On("GET /api", net::Json(200, R"({"kind":"APIGroupDiscoveryList","items":[{"metadata":{},"versions":[
      {"version":"v1","resources":[
        {"resource":"configmaps","responseKind":{"kind":"ConfigMap"},"scope":"Namespaced","verbs":["list","delete"]},
        {"resource":"secrets","responseKind":{"kind":"Secret"},"scope":"Namespaced","verbs":["list","delete"]},
        {"resource":"bindings","responseKind":{"kind":"Binding"},"scope":"Namespaced","verbs":["create"]},
        {"resource":"nodes","responseKind":{"kind":"Node"},"scope":"Cluster","verbs":["list","delete"]}]}]}]})"));
  script_.On("GET /apis", net::Json(200, R"({"kind":"APIGroupDiscoveryList","items":[]})"));
  script_.On("GET /api/v1/namespaces/ns/secrets?labelSelector=app%3Dx&limit=500",
             List(Item("s", "u-s") + R"(,{"metadata":{"name":"foreign","uid":"u-f"}})"));
  script_.On("GET /api/v1/nodes?labelSelector=app%3Dx&limit=500", Refusal(403, "Forbidden"));
  kube::ResourceMapper mapper(&client_);
  const auto found = FindOtherKinds(client_, mapper, scope_, applied_);
  ASSERT_TRUE(found.ok()) << found.error().message;
  ASSERT_EQ(found->size(), 1u);
  EXPECT_EQ(found->front().ref.name, "s");
  EXPECT_EQ(script_.Count(kMaps), 0u) << "that kind is pruned";
}

TEST_F(Pruning, DeletesExactlyWhatWasSeen) {
  const std::string path = "DELETE /api/v1/namespaces/ns/configmaps/b";
  script_.On(path, net::Json(200, kGone));
  script_.On(path, Refusal(404, "NotFound"));
  script_.On(path, Refusal(409, "Conflict"));
  const std::vector<Stale> plan = {{{kMap.gvk, "configmaps", "ns", "b"}, "u-b"}};
  FakeClock clock;
  std::optional<Error> failure;
  const PruneReport report = {.pruned = [](const Stale&) {},
                              .failed = [&](const Stale&, const Error& error) { failure = error; },
                              .not_tried = [](const Stale&) {}};
  const auto prune = [&](const PruneRunOptions& options) { return PruneAll(client_, clock, plan, options, report); };
  EXPECT_EQ(prune({.deletion = {.propagation = "Orphan", .grace_period_seconds = 3}, .dry_run = DryRun::kServer}),
            PruneEnd::kDone);
  EXPECT_EQ(script_.requests.back().body,
            R"({"apiVersion":"v1","dryRun":["All"],"gracePeriodSeconds":3,"kind":"DeleteOptions",)"
            R"("preconditions":{"uid":"u-b"},"propagationPolicy":"Orphan"})");
  EXPECT_EQ(prune({}), PruneEnd::kDone) << "it is gone, which is what was wanted";
  EXPECT_EQ(prune({}), PruneEnd::kFailed);
  EXPECT_EQ(failure->code, ErrorCode::kConflict) << "it is another by now";
}

// The default timeout is a week.
TEST_F(Pruning, DoesNotWaitForAServerThatIsGone) {
  script_.On("DELETE /api/v1/namespaces/ns/configmaps/b", net::Json(200, kGone));
  script_.On("GET /api/v1/namespaces/ns/configmaps/b", Error::Transport("connection refused"));
  std::optional<Error> failure;
  const PruneReport report = {.pruned = [](const Stale&) {},
                              .failed = [&](const Stale&, const Error& error) { failure = error; },
                              .not_tried = [](const Stale&) {}};
  FakeClock clock;
  const std::vector<Stale> plan = {{{kMap.gvk, "configmaps", "ns", "b"}, "u-b"}};
  EXPECT_EQ(PruneAll(client_, clock, plan, {.wait = true}, report), PruneEnd::kFailed);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->message, "its deletion has begun; it is not known whether it is gone: connection refused");
  EXPECT_LT(clock.NowMs(), 100'000);
}

// One of three objects is held by a finalizer, and one may not be deleted.
TEST_F(Pruning, ReportsOneOutcomeForEachObject) {
  std::vector<Stale> plan;
  for (const std::string name : {"gone", "held", "denied"}) {
    plan.push_back({{kMap.gvk, "configmaps", "ns", name}, "u-" + name});
    script_.On("DELETE /api/v1/namespaces/ns/configmaps/" + name,
               name == "denied" ? Refusal(403, "Forbidden") : net::Json(200, kGone));
  }
  script_.On("GET /api/v1/namespaces/ns/configmaps/gone", Refusal(404, "NotFound"));
  script_.On("GET /api/v1/namespaces/ns/configmaps/held",
             net::Json(200, R"({"kind":"ConfigMap","metadata":{"uid":"u-held","finalizers":["example.com/hold"]}})"));
  Strings said;
  const PruneReport report = {
      .pruned = [&](const Stale& object) { said.push_back("pruned " + object.ref.name); },
      .failed = [&](const Stale& object,
                    const Error& error) { said.push_back(object.ref.name + ": " + error.message); },
      .not_tried = [&](const Stale& object) { said.push_back("not tried " + object.ref.name); }};
  FakeClock clock;
  PruneRunOptions options = {.deletion = {.timeout_ms = 5000}, .wait = true, .parallel = 1};
  EXPECT_EQ(PruneAll(client_, clock, plan, options, report), PruneEnd::kFailed);
  EXPECT_EQ(said, (Strings{"denied: Error from server (Forbidden): no", "pruned gone",
                           "held: timed out waiting for its deletion: it has finalizer example.com/hold"}));
  said.clear();
  options.wait = false;
  EXPECT_EQ(PruneAll(client_, clock, plan, options, report), PruneEnd::kFailed);
  EXPECT_EQ(said, (Strings{"pruned gone", "pruned held", "denied: Error from server (Forbidden): no"}));
}

TEST(PruneKind, IsGroupVersionKind) {
  EXPECT_EQ(*ParsePruneKind("apps/v1/Deployment"), (GroupVersionKind{"apps", "v1", "Deployment"}));
  EXPECT_EQ(*ParsePruneKind("core/v1/ConfigMap"), (GroupVersionKind{"", "v1", "ConfigMap"}));
  for (const char* text : {"", "v1/ConfigMap", "a/b/c/d"}) {
    EXPECT_EQ(ParsePruneKind(text).error().message,
              StrCat("invalid GroupVersionKind format: ", text, ", please follow <group/version/kind>"));
  }
}

}  // namespace
}  // namespace smp::apply
