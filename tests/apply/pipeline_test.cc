#include "apply/pipeline.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>

#include "base/fake_clock.h"
#include "net/fake_transport.h"

namespace smp::apply {
namespace {

using Fate = ObjectResult::Fate;

constexpr char kWrite[] = "?fieldManager=kubectl-client-side-apply&fieldValidation=Strict";

std::string ConfigMap(const std::string& name) {
  return "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", namespace: shop}\n";
}

net::HttpResponse StatusAnswer(int code, const std::string& reason, const std::string& message = "no") {
  return net::Json(code, R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":")" + message +
                             R"(","reason":")" + reason + R"(","code":)" + std::to_string(code) + "}");
}

// A server that has discovery and no OpenAPI for v1, which is enough for merge patches.
class Applying : public testing::Test {
 protected:
  Applying() {
    script_.On("GET /openapi/v3", net::Json(200, R"({"paths":{}})"));
    script_.On("GET /api/v1",
               net::Json(200, R"({"resources":[{"name":"configmaps","kind":"ConfigMap","namespaced":true}]})"));
  }

  // GETs find nothing, and each POST is answered by the next of `answers`.
  void Absent(const std::string& name) {
    script_.On("GET /api/v1/namespaces/shop/configmaps/" + name, StatusAnswer(404, "NotFound"));
  }

  std::vector<ObjectResult> Run(const std::string& text, PipelineOptions options = {}) {
    const Manifests manifests = ParseManifests(text, "f.yaml");
    options.submit.clock = &clock_;
    options.parallel = 1;
    std::vector<ObjectResult> results(manifests.items.size());
    std::vector<bool> seen(manifests.items.size());
    ApplyAll(manifests, {.client = &client_, .schemas = &schemas_, .name_space = "shop", .planning = planning_},
             options, {.on_result = [&](ObjectResult result) {
               EXPECT_FALSE(seen[result.index]) << "told twice";
               seen[result.index] = true;
               order_.push_back(result.index);
               clock_.now_ms += milliseconds_each_;
               results[result.index] = std::move(result);
             }});
    EXPECT_EQ(order_.size(), manifests.items.size());
    return results;
  }

  const std::string post_ = std::string("POST /api/v1/namespaces/shop/configmaps") + kWrite;
  net::FakeScript script_;
  kube::Client client_{std::make_unique<net::FakeTransport>(&script_)};
  kube::SchemaSource schemas_{&client_};
  FakeClock clock_;
  std::vector<size_t> order_;
  Planning planning_;
  int64_t milliseconds_each_ = 0;  // that pass after an object
};

// What an apply of `kMany` ConfigMaps sends that are all listed at once: GETs of single objects, and guarded patches.
class ApplyingMany : public Applying {
 protected:
  static constexpr size_t kMany = LiveObjects::kFewest;

  void Send() {
    std::string manifests, items;
    for (size_t i = 0; i < kMany; ++i) {
      const std::string name = "c" + std::to_string(i);
      const std::string live = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + name +
                               R"(","namespace":"shop","resourceVersion":"7"}})";
      manifests += ConfigMap(name);
      items += (i > 0 ? "," : "") + live;
      script_.On("GET /api/v1/namespaces/shop/configmaps/" + name, net::Json(200, live));
      script_.On("PATCH /api/v1/namespaces/shop/configmaps/" + name + kWrite, net::Json(200, live));
    }
    script_.On("GET /api/v1/namespaces/shop/configmaps?limit=100",
               net::Json(200, R"({"kind":"ConfigMapList","apiVersion":"v1","metadata":{},"items":[)" + items + "]}"));
    for (const ObjectResult& result : Run(manifests)) EXPECT_EQ(result.fate, Fate::kDone);
    for (const net::HttpRequest& request : script_.requests) {
      reads_ += request.method == "GET" && request.path.find("configmaps/") != std::string::npos ? 1 : 0;
      guarded_ += request.body.find(R"("resourceVersion":"7")") != std::string::npos ? 1 : 0;
    }
  }

  size_t reads_ = 0, guarded_ = 0;
};

TEST_F(ApplyingMany, WhatWasJustListedIsPatched) {
  Send();
  EXPECT_EQ(reads_, 0U);
  EXPECT_EQ(guarded_, 0U);
}

TEST_F(ApplyingMany, WhatWasListedAWhileAgoIsPatchedGuarded) {
  milliseconds_each_ = LiveObjects::kFreshMs / 10;
  Send();
  EXPECT_EQ(reads_, 0U);
  EXPECT_EQ(guarded_, kMany - 11);
}

TEST_F(ApplyingMany, KubectlsPatchIsNotGuarded) {
  milliseconds_each_ = LiveObjects::kFreshMs / 10;
  planning_.dialect = compat::Dialect::kKubectl;
  Send();
  EXPECT_EQ(reads_, kMany - 11);
  EXPECT_EQ(guarded_, 0U);
}

TEST_F(ApplyingMany, WhatWasListedLongAgoIsReadAgain) {
  milliseconds_each_ = LiveObjects::kUsableMs / 10;
  Send();
  EXPECT_EQ(reads_, kMany - 11);
  EXPECT_EQ(guarded_, 10U);
}

TEST_F(Applying, AFailureStopsNoOtherObject) {
  for (const char* name : {"a", "b"}) Absent(name);
  script_.On(post_, StatusAnswer(422, "Invalid"));
  script_.On(post_, net::Json(201, R"({"kind":"ConfigMap"})"));
  const auto results = Run("a: [\n" + ConfigMap("a") + ConfigMap("b"));
  EXPECT_EQ(results[0].fate, Fate::kFailed);  // cannot be read
  EXPECT_EQ(results[1].fate, Fate::kFailed);
  EXPECT_EQ(results[1].error->source.line, 3);
  EXPECT_EQ(results[2].fate, Fate::kDone);
  EXPECT_EQ(results[2].tries, 1);
}

// The namespace of the first object comes with another one, as far as the server is concerned.
TEST_F(Applying, WhatALaterObjectMayCureIsTriedOnceMore) {
  for (const char* name : {"a", "b"}) Absent(name);
  script_.On(post_, StatusAnswer(404, "NotFound", "namespaces not found"));
  script_.On(post_, net::Json(201, R"({"kind":"ConfigMap"})"));
  script_.On(post_, net::Json(201, R"({"kind":"ConfigMap"})"));
  const auto results = Run(ConfigMap("a") + ConfigMap("b"));
  EXPECT_EQ(results[0].fate, Fate::kDone);
  EXPECT_EQ(results[1].fate, Fate::kDone);
  EXPECT_EQ(order_, (std::vector<size_t>{1, 0}));
}

TEST_F(Applying, WhereNothingCameLaterThereIsNoSecondTry) {
  for (const char* name : {"a", "b"}) Absent(name);
  script_.On(post_, net::Json(201, R"({"kind":"ConfigMap"})"));
  script_.On(post_, StatusAnswer(404, "NotFound", "namespaces not found"));
  const auto results = Run(ConfigMap("a") + ConfigMap("b"));
  EXPECT_EQ(results[1].fate, Fate::kFailed);
  EXPECT_EQ(script_.Count(post_), 2u);
}

TEST_F(Applying, AnInvalidObjectIsNotTriedAgain) {
  for (const char* name : {"a", "b"}) Absent(name);
  script_.On(post_, StatusAnswer(422, "Invalid"));
  script_.On(post_, net::Json(201, R"({"kind":"ConfigMap"})"));
  (void)Run(ConfigMap("a") + ConfigMap("b"));
  EXPECT_EQ(script_.Count(post_), 2u);
}

TEST_F(Applying, WhenInterruptedNothingNewIsBegun) {
  clock_.interrupted_at_ms = 0;
  const auto results = Run(ConfigMap("a") + ConfigMap("b"));
  for (const ObjectResult& result : results) EXPECT_EQ(result.fate, Fate::kNotTried);
  EXPECT_TRUE(script_.requests.empty());
}

TEST_F(Applying, AServerThatCannotBeReachedIsToldOnce) {
  script_.answers.clear();
  script_.On("GET /openapi/v3", Error::Transport("Unable to connect to the server: refused"));
  const auto results = Run(ConfigMap("a") + ConfigMap("b") + ConfigMap("c"));
  EXPECT_EQ(results[0].fate, Fate::kFailed);
  EXPECT_EQ(results[1].fate, Fate::kNotTried);
  EXPECT_EQ(results[2].fate, Fate::kNotTried);
}

// It went away in the middle: thousands of objects would each only say the same.
TEST_F(Applying, AServerThatIsGoneIsNotAskedForTheRest) {
  std::string text;
  for (int i = 0; i < 30; ++i) {
    const std::string name = "c" + std::to_string(i);
    text += ConfigMap(name);
    if (i == 0) Absent(name);
    if (i > 0) script_.On("GET /api/v1/namespaces/shop/configmaps/" + name, Error::Transport("refused"));
  }
  script_.On(post_, net::Json(201, R"({"kind":"ConfigMap"})"));
  const auto results = Run(text);
  EXPECT_EQ(results[0].fate, Fate::kDone);
  for (int i = 1; i <= 20; ++i) EXPECT_EQ(results[i].fate, Fate::kFailed) << i;
  for (int i = 21; i < 30; ++i) EXPECT_EQ(results[i].fate, Fate::kNotTried) << i;
}

TEST_F(Applying, AServerThatIsGoneIsNotReadForTheRestOfAPlan) {
  std::string text;
  for (int i = 0; i < 30; ++i) {
    const std::string name = "c" + std::to_string(i);
    text += ConfigMap(name);
    script_.On("GET /api/v1/namespaces/shop/configmaps/" + name, Error::Transport("refused"));
  }
  const Manifests manifests = ParseManifests(text, "f.yaml");
  std::vector<Error> errors;
  const Status status =
      PrepareAll(manifests, {.client = &client_, .schemas = &schemas_, .name_space = "shop"},
                 {.parallel = 1, .clock = &clock_}, [&](const Result<Manifest>&, const Result<Prepared>& prepared) {
                   ASSERT_FALSE(prepared.ok());
                   errors.push_back(prepared.error());
                 });
  EXPECT_TRUE(status.ok());
  ASSERT_EQ(errors.size(), 30u);
  EXPECT_EQ(errors[29].message, "refused");
  EXPECT_EQ(errors[29].source.line, manifests.items[29]->source().line);
  EXPECT_EQ(script_.Count("GET /api/v1/namespaces/shop/configmaps/c19"), 1u);
  EXPECT_EQ(script_.Count("GET /api/v1/namespaces/shop/configmaps/c20"), 0u);
}

TEST_F(Applying, AServerSideApplyThatChangesNothingSaysSo) {
  const std::string get = "GET /api/v1/namespaces/shop/configmaps/a";
  const std::string patch = "PATCH /api/v1/namespaces/shop/configmaps/a?fieldManager=kubectl&fieldValidation=Strict";
  const auto object = [](const std::string& version) {
    return net::Json(200, R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","resourceVersion":")" +
                              version + R"("},"data":{"v":")" + version + R"("}})");
  };
  const auto done = [&](const net::HttpResponse& before, const net::HttpResponse& after) {
    script_.answers.erase(get);
    script_.answers.erase(patch);
    script_.On(get, before);
    script_.On(patch, after);
    order_.clear();
    return Run(ConfigMap("a"), {.server_side = ServerSideOptions{}})[0].submitted.done;
  };
  EXPECT_EQ(done(object("7"), object("7")), Done::kUnchanged);
  EXPECT_EQ(done(object("7"), object("8")), Done::kServerSide);
  EXPECT_EQ(done(StatusAnswer(404, "NotFound"), object("8")), Done::kServerSide);
  EXPECT_EQ(done(StatusAnswer(403, "Forbidden"), object("8")), Done::kServerSide);
}

// Each answer, be it an error, shows that the server is there.
TEST_F(Applying, AConnectionThatBreaksNowAndThenStopsNothing) {
  std::string text;
  for (int i = 0; i < 50; ++i) {
    const std::string name = "c" + std::to_string(i);
    text += ConfigMap(name);
    if (i % 2 == 0) script_.On("GET /api/v1/namespaces/shop/configmaps/" + name, StatusAnswer(403, "Forbidden"));
    if (i % 2 == 1) script_.On("GET /api/v1/namespaces/shop/configmaps/" + name, Error::Transport("refused"));
  }
  for (const ObjectResult& result : Run(text)) EXPECT_EQ(result.fate, Fate::kFailed);
}

std::string NewKind(const std::string& group) {
  return "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets." + group +
         "}\nspec: {group: " + group +
         ", scope: Namespaced, names: {kind: Widget, plural: widgets}, versions: [{name: v1, schema: {openAPIV3Schema: "
         "{type: object, properties: {size: {type: integer}}}}}]}\n";
}

std::string Widget(const std::string& group, const std::string& field) {
  return "---\napiVersion: " + group + "/v1\nkind: Widget\nmetadata: {name: w}\n" + field + ": 1\n";
}

// A server that takes CRDs and widgets of a.example and b.example.
class ApplyingWidgets : public Applying {
 protected:
  ApplyingWidgets() {
    script_.On(
        "GET /apis/apiextensions.k8s.io/v1",
        net::Json(200, R"({"resources":[{"name":"customresourcedefinitions","kind":"CustomResourceDefinition"}]})"));
    for (const std::string group : {"a.example", "b.example"}) {
      script_.On("GET " + crds_ + "/widgets." + group, StatusAnswer(404, "NotFound"));
      script_.On("GET /apis/" + group + "/v1",
                 net::Json(200, R"({"resources":[{"name":"widgets","kind":"Widget","namespaced":true}]})"));
      script_.On("GET " + WidgetsOf(group) + "/w", StatusAnswer(404, "NotFound"));
      script_.On("POST " + WidgetsOf(group) + kWrite, net::Json(201, R"({"kind":"Widget"})"));
    }
    script_.On("POST " + crds_ + kWrite, net::Json(201, R"({"kind":"CustomResourceDefinition"})"));
  }

  static std::string WidgetsOf(const std::string& group) { return "/apis/" + group + "/v1/namespaces/shop/widgets"; }

  const std::string crds_ = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
};

// All objects of new kinds waited until the last of these kinds was served.
TEST_F(ApplyingWidgets, ANewKindThatIsNotServedYetHoldsUpOnlyItsOwnObjects) {
  std::promise<void> sent_b;
  auto sent = sent_b.get_future().share();
  script_.before_answer = [&](const net::HttpRequest& request) {
    if (request.method == "POST" && request.path.starts_with(WidgetsOf("b.example"))) sent_b.set_value();
    if (request.path != "/apis/a.example/v1") return;
    EXPECT_EQ(sent.wait_for(std::chrono::seconds(10)), std::future_status::ready) << "the widget of b.example waits";
  };
  const auto results =
      Run(Widget("a.example", "size") + Widget("b.example", "size") + NewKind("a.example") + NewKind("b.example"));
  for (const ObjectResult& result : results) EXPECT_EQ(result.fate, Fate::kDone);
  EXPECT_EQ(order_, (std::vector<size_t>{2, 3, 1, 0}));
}

// The server publishes the schema only later, and the CRD may have a megabyte.
TEST_F(ApplyingWidgets, ObjectsOfANewKindAreCheckedByItsCrdInTheInput) {
  const auto results = Run(Widget("a.example", "sise") + NewKind("a.example"));
  ASSERT_EQ(results[0].fate, Fate::kFailed);
  EXPECT_NE(results[0].error->message.find("did you mean \"size\"?"), std::string::npos) << results[0].error->message;
  EXPECT_EQ(script_.Count("GET " + crds_ + "/widgets.a.example"), 1u);
  EXPECT_EQ(script_.Count("GET /openapi/v3"), 1u);
}

class DryRunOfWidgets : public Applying {
 protected:
  // A server that has no widgets and answers the dry run of their CRD.
  DryRunOfWidgets() {
    script_.On(
        "GET /apis/apiextensions.k8s.io/v1",
        net::Json(200, R"({"resources":[{"name":"customresourcedefinitions","kind":"CustomResourceDefinition"}]})"));
    script_.On("GET " + path_ + "/widgets.example.com", StatusAnswer(404, "NotFound"));
    script_.On("GET /apis/example.com/v1", StatusAnswer(404, "NotFound"));
  }

  // `version`: what else is said of the CRD's only version.
  std::vector<ObjectResult> RunWidget(const net::HttpResponse& answer, const std::string& version = "",
                                      DryRun dry_run = DryRun::kServer) {
    script_.On("POST " + path_ + "?dryRun=All&" + std::string(kWrite).substr(1), answer);
    return Run(
        "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {sise: 1}\n---\n"
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.example.com}\n"
        "spec: {group: example.com, scope: Namespaced, names: {kind: Widget, plural: widgets}, versions: [{name: v1" +
            version + "}]}\n",
        {.submit = {.dry_run = dry_run}});
  }

  const std::string path_ = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
};

// It said "created" of an object whose CRD the server had just refused.
TEST_F(DryRunOfWidgets, FailsIfTheCrdIsRefused) {
  const auto results = RunWidget(StatusAnswer(422, "Invalid"));
  EXPECT_EQ(results[1].fate, Fate::kFailed);
  EXPECT_EQ(results[0].fate, Fate::kFailed);
  EXPECT_NE(results[0].error->message.find("its definition failed above"), std::string::npos)
      << results[0].error->message;
}

TEST_F(DryRunOfWidgets, AVersionThatTheCrdDoesNotServeIsAnError) {
  const auto results = RunWidget(net::Json(201, R"({"kind":"CustomResourceDefinition"})"), ", served: false");
  EXPECT_EQ(results[1].fate, Fate::kDone);
  EXPECT_NE(results[0].error->message.find("does not serve it (served: false)"), std::string::npos);
}

TEST_F(DryRunOfWidgets, ChecksFieldsByTheCrd) {
  const std::string schema =
      ", schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {}}}}}}";
  for (const DryRun dry_run : {DryRun::kServer, DryRun::kClient}) {
    order_.clear();
    const auto results = RunWidget(net::Json(201, R"({"kind":"CustomResourceDefinition"})"), schema, dry_run);
    ASSERT_EQ(results[0].fate, Fate::kFailed);
    EXPECT_EQ(ToString(*results[0].error), "f.yaml:4: spec.sise: unknown field \"sise\"; did you mean \"size\"?");
  }
}

// A dry run creates neither a namespace nor a kind, and says so of what needs one.
TEST_F(DryRunOfWidgets, SaysWhatTheServerCouldNotCheck) {
  const auto results = RunWidget(net::Json(201, R"({"kind":"CustomResourceDefinition"})"));
  EXPECT_EQ(results[0].fate, Fate::kDone);
  EXPECT_EQ(results[0].submitted.done, Done::kCreated);
  EXPECT_NE(results[0].submitted.unasked, "");
  EXPECT_EQ(results[1].submitted.unasked, "");
}

}  // namespace
}  // namespace smp::apply
