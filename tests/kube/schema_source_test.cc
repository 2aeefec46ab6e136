#include "kube/schema_source.h"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "net/fake_transport.h"

namespace smp::kube {
namespace {

const GroupVersionKind kWidget = {"example.com", "v1", "Widget"};

const char kDocument[] = R"({"openapi":"3.0.0","paths":{
  "/apis/example.com/v1/namespaces/{namespace}/widgets/{name}":{
    "get":{"x-kubernetes-group-version-kind":{"group":"example.com","kind":"Widget","version":"v1"}},
    "patch":{"x-kubernetes-action":"patch",
      "x-kubernetes-group-version-kind":{"group":"example.com","kind":"Widget","version":"v1"},
      "requestBody":{"content":{"application/merge-patch+json":{}}}}}},
  "components":{"schemas":{"com.example.v1.Widget":{"type":"object","properties":{"spec":{"type":"object"}},
    "x-kubernetes-group-version-kind":[{"group":"example.com","kind":"Widget","version":"v1"}]}}}})";

const char kSwagger[] = R"({"swagger":"2.0","paths":{
  "/apis/example.com/v1/namespaces/{namespace}/widgets/{name}":{"patch":{"consumes":["application/merge-patch+json"],
      "x-kubernetes-group-version-kind":{"group":"example.com","kind":"Widget","version":"v1"}}},
  "/api/v1/things/{name}":{"patch":{"consumes":["application/strategic-merge-patch+json"],
      "x-kubernetes-group-version-kind":{"group":"","kind":"Thing","version":"v1"}}}},
  "definitions":{"com.example.v1.Widget":{"type":"object","properties":{"spec":{"type":"object"}},
      "x-kubernetes-group-version-kind":[{"group":"example.com","kind":"Widget","version":"v1"}]},
    "io.k8s.Thing":{"type":"object","x-kubernetes-group-version-kind":[{"group":"","kind":"Thing","version":"v1"}]}}})";

std::string Index(const std::string& url) {
  return R"({"paths":{"apis/example.com/v1":{"serverRelativeURL":")" + url + R"("}}})";
}

class SchemaSourceTest : public testing::Test {
 protected:
  // What the tests do not script, the server does not have.
  void SetUp() override {
    for (const char* path : {"/apis/example.com/v1", "/apis/example.com/v2", "/apis/zzz.example.com/v1", "/api/v1"}) {
      script_.answers[StrCat("GET ", path)] = {net::Json(404, "{}")};
    }
  }

  net::FakeScript script_;
  Client client_{std::make_unique<net::FakeTransport>(&script_)};
  SchemaSource source_{&client_};
};

TEST_F(SchemaSourceTest, EachDocumentIsFetchedOnce) {
  script_.On("GET /openapi/v3", net::Json(200, Index("/openapi/v3/apis/example.com/v1?hash=AB")));
  script_.On("GET /openapi/v3/apis/example.com/v1?hash=AB", net::Json(200, kDocument));
  for (int i = 0; i < 2; ++i) {
    const Result<Resource> resource = source_.FindResource(kWidget);
    ASSERT_TRUE(resource.ok()) << resource.error().message;
    EXPECT_EQ(resource->plural, "widgets");
    EXPECT_TRUE(resource->namespaced);
    EXPECT_FALSE(resource->strategic);
  }
  EXPECT_EQ(script_.requests.size(), 2u);
}

// Answers to requests for documents only when two of them are in flight.
class TwoAtOnce : public net::Transport {
 public:
  explicit TwoAtOnce(net::FakeScript* script) : fake_(script) {}

  Result<net::HttpResponse> Send(const net::HttpRequest& request) override {
    std::unique_lock lock(mutex_);
    if (request.path.starts_with("/openapi/v3/")) {
      ++in_flight_;
      arrived_.notify_all();
      if (!arrived_.wait_for(lock, std::chrono::seconds(20), [this] { return in_flight_ >= 2; })) {
        return Error::Internal("the other document is not asked for at the same time");
      }
    }
    return fake_.Send(request);
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  int in_flight_ = 0;
  net::FakeTransport fake_;
};

TEST_F(SchemaSourceTest, GroupVersionsAreFetchedSideBySideAndEachOnce) {
  script_.On("GET /openapi/v3", net::Json(200, R"({"paths":{"api/v1":{"serverRelativeURL":"/openapi/v3/api/v1"},
      "apis/example.com/v1":{"serverRelativeURL":"/openapi/v3/apis/example.com/v1"}}})"));
  script_.On("GET /openapi/v3/api/v1", net::Json(200, R"({"paths":{"/api/v1/pods/{name}":{"get":{
      "x-kubernetes-group-version-kind":{"group":"","kind":"Pod","version":"v1"}}}}})"));
  script_.On("GET /openapi/v3/apis/example.com/v1", net::Json(200, kDocument));
  Client client(std::make_unique<TwoAtOnce>(&script_));
  SchemaSource source(&client);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&source, i] {
      const auto resource = source.FindResource(i % 2 == 0 ? kWidget : GroupVersionKind{"", "v1", "Pod"});
      EXPECT_TRUE(resource.ok()) << resource.error().message;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(script_.requests.size(), 3u);
}

TEST_F(SchemaSourceTest, AnErrorIsNotRemembered) {
  script_.On("GET /openapi/v3", net::Json(200, Index("/openapi/v3/apis/example.com/v1")));
  script_.On("GET /openapi/v3/apis/example.com/v1", net::Json(403, "{}"));
  script_.On("GET /openapi/v3/apis/example.com/v1", net::Json(200, kDocument));
  EXPECT_FALSE(source_.FindResource(kWidget).ok());
  EXPECT_TRUE(source_.FindResource(kWidget).ok());
}

TEST_F(SchemaSourceTest, UnknownKindIsToldInKubectlsWords) {
  script_.On("GET /openapi/v3", net::Json(200, Index("/openapi/v3/apis/example.com/v1")));
  script_.On("GET /openapi/v3/apis/example.com/v1", net::Json(200, kDocument));
  for (const GroupVersionKind& gvk :
       {GroupVersionKind{"example.com", "v1", "Gadget"}, GroupVersionKind{"", "v1", "Gadget"}}) {
    const Result<Resource> resource = source_.FindResource(gvk);
    ASSERT_FALSE(resource.ok());
    EXPECT_EQ(resource.error().code, ErrorCode::kNotFound);
    EXPECT_EQ(resource.error().message, "no matches for kind \"Gadget\" in version \"" + gvk.ApiVersion() +
                                            "\"\nensure CRDs are installed first");
  }
}

TEST_F(SchemaSourceTest, ForgettingAsksTheServerAgain) {
  script_.On("GET /openapi/v3", net::Json(200, R"({"paths":{}})"));
  script_.On("GET /openapi/v3", net::Json(200, Index("/openapi/v3/apis/example.com/v1")));
  script_.On("GET /openapi/v3/apis/example.com/v1", net::Json(200, kDocument));
  EXPECT_FALSE(source_.FindResource(kWidget).ok());
  EXPECT_FALSE(source_.FindResource(kWidget).ok());
  EXPECT_EQ(script_.Count("GET /openapi/v3"), 1u);
  EXPECT_EQ(script_.Count("GET /apis/example.com/v1"), 1u);
  source_.Forget("example.com/v1");
  EXPECT_TRUE(source_.FindResource(kWidget).ok());
}

const char kResourceList[] = R"({"kind":"APIResourceList","resources":[
  {"name":"widgets","kind":"Widget","namespaced":true,"verbs":["patch"]},
  {"name":"widgets/status","kind":"Widget","namespaced":true},
  {"name":"gadgets","kind":"Gadget","namespaced":false}]})";

TEST_F(SchemaSourceTest, KindThatNoDocumentKnowsIsLookedUpInItsGroupVersion) {
  script_.On("GET /openapi/v3", net::Json(200, R"({"paths":{}})"));
  script_.answers["GET /apis/example.com/v1"] = {net::Json(200, kResourceList)};
  const Result<Resource> resource = source_.FindResource(kWidget);
  ASSERT_TRUE(resource.ok()) << resource.error().message;
  EXPECT_EQ(resource->plural, "widgets");
  EXPECT_TRUE(resource->namespaced);
  EXPECT_FALSE(resource->strategic);
  EXPECT_FALSE(source_.FindResource({"example.com", "v1", "Gadget"})->namespaced);
  EXPECT_FALSE(source_.FindResource({"example.com", "v1", "Other"}).ok());
  EXPECT_EQ(script_.Count("GET /apis/example.com/v1"), 1u);
}

TEST_F(SchemaSourceTest, KindThatIsYoungerThanItsDocumentIsLookedUpToo) {
  script_.On("GET /openapi/v3", net::Json(200, Index("/openapi/v3/apis/example.com/v1")));
  script_.On("GET /openapi/v3/apis/example.com/v1", net::Json(200, kDocument));
  script_.answers["GET /apis/example.com/v1"] = {net::Json(200, kResourceList)};
  EXPECT_EQ(source_.FindResource({"example.com", "v1", "Gadget"})->plural, "gadgets");
  EXPECT_NE(source_.FindResource(kWidget)->type, kNoType);
}

TEST_F(SchemaSourceTest, DocumentThatChangedSinceTheIndexIsReadAsItIs) {
  script_.On("GET /openapi/v3", net::Json(200, Index("/openapi/v3/apis/example.com/v1?hash=OLD")));
  script_.On("GET /openapi/v3/apis/example.com/v1?hash=OLD", net::Json(301, "", {{"location", "https://elsewhere/"}}));
  script_.On("GET /openapi/v3/apis/example.com/v1", net::Json(200, kDocument));
  EXPECT_NE(source_.FindResource(kWidget)->type, kNoType);
}

TEST_F(SchemaSourceTest, DocumentOfAGroupThatWasRemovedSinceTheIndexIsAMissingKind) {
  for (const auto& [status, body] : {std::pair(200, ""), std::pair(404, "")}) {
    script_.On("GET /openapi/v3", net::Json(200, Index("/openapi/v3/apis/example.com/v1?hash=AB")));
    script_.On("GET /openapi/v3/apis/example.com/v1?hash=AB", net::Json(status, body));
    script_.On("GET /apis/example.com/v1", net::Json(404, ""));
    source_.Forget("example.com/v1");
    const Error error = source_.FindResource(kWidget).error();
    EXPECT_EQ(error.code, ErrorCode::kNotFound) << status;
    EXPECT_EQ(error.message.find("no matches for kind \"Widget\""), 0u) << error.message;
  }
}

TEST_F(SchemaSourceTest, HostileResourceListsGiveNoResource) {
  for (const char* list : {"{}", "[]", R"({"resources":1})", R"({"resources":[1,{"name":7,"kind":"Widget"},{}]})"}) {
    script_.On("GET /openapi/v3", net::Json(200, R"({"paths":{}})"));
    script_.answers["GET /apis/example.com/v1"] = {net::Json(200, list)};
    source_.Forget("example.com/v1");
    EXPECT_FALSE(source_.FindResource(kWidget).ok()) << list;
  }
}

TEST_F(SchemaSourceTest, RefusedDiscoveryIsNotAMissingKind) {
  script_.On("GET /openapi/v3", net::Json(200, R"({"paths":{}})"));
  script_.answers["GET /apis/example.com/v1"] = {
      net::Json(403, R"({"kind":"Status","status":"Failure","reason":"Forbidden","message":"no"})")};
  EXPECT_EQ(source_.FindResource(kWidget).error().code, ErrorCode::kForbidden);
}

TEST_F(SchemaSourceTest, PrefixOfTheServerIsNotDoubled) {
  script_.On("GET /openapi/v3", net::Json(200, Index("/k8s/clusters/c-1/openapi/v3/apis/example.com/v1?hash=1")));
  script_.On("GET /openapi/v3/apis/example.com/v1?hash=1", net::Json(200, kDocument));
  EXPECT_TRUE(source_.FindResource(kWidget).ok());
}

TEST_F(SchemaSourceTest, ForeignUrlsAreNotFollowed) {
  for (const char* url : {"https://evil.example/x", "@evil.example/", "/api/v1/secrets", ""}) {
    script_ = {};
    SetUp();
    source_.Forget("example.com/v1");
    script_.On("GET /openapi/v3", net::Json(200, Index(url)));
    EXPECT_FALSE(source_.FindResource(kWidget).ok()) << url;
    EXPECT_EQ(script_.Count("GET /openapi/v3"), 1u) << url;
    EXPECT_EQ(script_.requests.size(), 2u) << url;  // and /apis/example.com/v1
  }
}

TEST_F(SchemaSourceTest, ServerWithoutV3IsAskedForV2Once) {
  script_.On("GET /openapi/v3", net::Json(404, "{}"));
  script_.On("GET /openapi/v2", net::Json(200, kSwagger));
  for (int i = 0; i < 2; ++i) {
    for (const GroupVersionKind& gvk : {kWidget, GroupVersionKind{"", "v1", "Thing"}}) {
      const Result<Resource> resource = source_.FindResource(gvk);
      ASSERT_TRUE(resource.ok()) << resource.error().message;
      EXPECT_EQ(resource->strategic, gvk.kind == "Thing");
    }
  }
  EXPECT_EQ(script_.Count("GET /openapi/v3"), 1u);
  EXPECT_EQ(script_.Count("GET /openapi/v2"), 1u);
}

TEST_F(SchemaSourceTest, UnknownKindIsToldInKubectlsWordsWithV2Too) {
  script_.On("GET /openapi/v3", net::Json(404, "{}"));
  script_.On("GET /openapi/v2", net::Json(200, kSwagger));
  for (const GroupVersionKind& gvk : {GroupVersionKind{"example.com", "v1", "Gadget"},
                                      {"example.com", "v2", "Widget"},
                                      {"zzz.example.com", "v1", "Widget"}}) {
    const Result<Resource> resource = source_.FindResource(gvk);
    ASSERT_FALSE(resource.ok());
    EXPECT_EQ(resource.error().code, ErrorCode::kNotFound);
    EXPECT_EQ(source_.Get(gvk).ok(), gvk.kind == "Gadget");
  }
}

TEST_F(SchemaSourceTest, ForgettingReadsV2Again) {
  script_.On("GET /openapi/v3", net::Json(404, "{}"));
  script_.On("GET /openapi/v2", net::Json(200, "{}"));
  script_.On("GET /openapi/v2", net::Json(200, kSwagger));
  EXPECT_FALSE(source_.FindResource(kWidget).ok());
  source_.Forget("example.com/v1");
  EXPECT_TRUE(source_.FindResource(kWidget).ok());
}

TEST_F(SchemaSourceTest, ServerWithoutAnyOpenApiIsNotAMissingKind) {
  script_.On("GET /openapi/v3", net::Json(404, "{}"));
  script_.On("GET /openapi/v2", net::Json(404, "{}"));
  const Result<Resource> resource = source_.FindResource(kWidget);
  ASSERT_FALSE(resource.ok());
  EXPECT_EQ(resource.error().code, ErrorCode::kServer);
  EXPECT_NE(resource.error().message.find("neither at /openapi/v3 nor at /openapi/v2"), std::string::npos);
}

TEST_F(SchemaSourceTest, OnlyAMissingV3LeadsToV2) {
  script_.On("GET /openapi/v3", net::Json(403, R"({"kind":"Status","status":"Failure","reason":"Forbidden"})"));
  EXPECT_EQ(source_.FindResource(kWidget).error().code, ErrorCode::kForbidden);
  EXPECT_EQ(script_.Count("GET /openapi/v2"), 0u);
}

TEST_F(SchemaSourceTest, ErrorsOfTheServerPassThrough) {
  script_.On("GET /openapi/v3",
             net::Json(403, R"({"kind":"Status","status":"Failure","reason":"Forbidden","message":"no path"})"));
  EXPECT_EQ(source_.FindResource(kWidget).error().message, "Error from server (Forbidden): no path");
}

constexpr char kCrd[] = "GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com";

std::string Crd(const std::string& field) {
  return R"({"kind":"CustomResourceDefinition","spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"widgets","kind":"Widget"},"versions":[
    {"name":"v1","served":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{")" +
         field + R"(":{"type":"string"}}}}}]}})";
}

TEST_F(SchemaSourceTest, ReadsACrdOnceAndAgainWhenItWasWritten) {
  script_.On(kCrd, net::Json(200, Crd("a")));
  script_.On(kCrd, net::Json(200, Crd("b")));
  const Resource widgets = {.gvk = kWidget, .plural = "widgets"};
  for (const char* field : {"a", "a", "b"}) {
    if (*field == 'b') source_.Forget("example.com/v1");
    const auto defined = source_.Defined(widgets);
    ASSERT_TRUE(defined.ok()) << defined.error().message;
    EXPECT_NE((*defined)->Find((*defined)->FindType(kWidget), field), nullptr) << field;
  }
  EXPECT_EQ(script_.Count(kCrd), 2u);
}

TEST_F(SchemaSourceTest, ACrdThatIsNotThereDefinesNothingAndOneThatMayNotBeReadIsAnError) {
  for (const int status : {403, 404}) {
    script_ = {};
    source_.Forget("");
    script_.On(kCrd, net::Json(status, "{}"));
    for (int i = 0; i < 2; ++i) {
      const auto defined = source_.Defined({.gvk = kWidget, .plural = "widgets"});
      ASSERT_EQ(defined.ok(), status == 404);
      if (defined.ok()) {
        EXPECT_EQ((*defined)->FindResource(kWidget), nullptr);
      } else {
        EXPECT_EQ(defined.error().code, ErrorCode::kForbidden);
      }
    }
    EXPECT_EQ(script_.Count(kCrd), status == 403 ? 2u : 1u) << "asked once, if it may not be listed also by GET";
  }
}

TEST_F(SchemaSourceTest, IndexThatIsNoneIsAnError) {
  for (const char* body : {"{}", "[]", R"({"paths":[]})", R"({"paths":{"api/v1":7}})"}) {
    script_ = {};
    source_.Forget("");
    script_.On("GET /openapi/v3", net::Json(200, body));
    EXPECT_FALSE(source_.FindResource({"", "v1", "Pod"}).ok()) << body;
  }
}

}  // namespace
}  // namespace smp::kube
