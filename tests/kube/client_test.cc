#include "kube/client.h"

#include <gtest/gtest.h>

#include "base/fake_clock.h"
#include "net/fake_transport.h"
#include "value/json.h"
#include "value/redact.h"

namespace smp::kube {
namespace {

const ObjectRef kMap = {{"", "v1", "ConfigMap"}, "configmaps", "default", "c"};
const std::string kMapPath = "/api/v1/namespaces/default/configmaps/c";
const std::string kMaps = "/api/v1/namespaces/default/configmaps";
const char kObject[] = R"({"kind":"ConfigMap"})";

class RecordingClock : public FakeClock {
 public:
  bool SleepMs(int64_t ms) override {
    slept_ms.push_back(ms);
    return FakeClock::SleepMs(ms);
  }

  std::vector<int64_t> slept_ms;
};

class ClientTest : public testing::Test {
 protected:
  static Client::Hooks Recording(ClientTest* test) {
    return {.warn = [test](const std::string& text, const ObjectRef&) { test->warnings_.push_back(text); },
            .notice = [test](const std::string& text) { test->warnings_.push_back(text); },
            .clock = &test->clock_};
  }

  net::FakeScript script_;
  std::vector<std::string> warnings_;
  RecordingClock clock_;
  Client client_{std::make_unique<net::FakeTransport>(&script_), Recording(this)};
};

net::HttpResponse Busy(int status, const std::string& retry_after) {
  return net::Json(status, R"({"kind":"Status","status":"Failure","reason":"TooManyRequests","message":"later"})",
                   {{"retry-after", retry_after}});
}

TEST_F(ClientTest, GetAsksForJsonAndDecodesIt) {
  script_.On("GET " + kMapPath, net::Json(200, R"({"kind":"ConfigMap","data":{"a":"1"}})"));
  const Result<Document> got = client_.Get(kMap);
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got->root().Find("data")->StringOr("a"), "1");
  EXPECT_EQ(script_.requests[0].headers, (net::Headers{{"Accept", "application/json"}}));
}

constexpr char kCrds[] = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

TEST_F(ClientTest, ACrdIsTheItemOfAListOfItsName) {
  const std::string list = StrCat("GET ", kCrds, "/w.example.com");
  script_.On(list, net::Json(200, R"({"metadata":{"name":"w.example.com"}})"));
  script_.On(list, net::Json(404, "{}"));
  script_.On(list, net::Json(200, R"({"metadata":{"name":"another"}})"));
  const Result<Document> found = client_.Get(DefinitionRef("w.example.com"));
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found->root().StringOr("kind"), "CustomResourceDefinition");
  EXPECT_EQ(script_.requests[0].path, StrCat(kCrds, "?fieldSelector=metadata.name%3Dw.example.com"));
  const Result<Document> absent = client_.Get(DefinitionRef("w.example.com"));
  EXPECT_EQ(absent.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(absent.error().message, "customresourcedefinitions.apiextensions.k8s.io \"w.example.com\" not found");
  EXPECT_EQ(client_.Get(DefinitionRef("w.example.com")).error().code, ErrorCode::kServer) << "another CRD";
}

TEST_F(ClientTest, CrdsThatAreNotListedAreReadByGet) {
  const Result<net::HttpResponse> crd = net::Json(200, R"({"kind":"CustomResourceDefinition"})");
  script_.On(StrCat("GET ", kCrds, "/a"), net::Json(403, "{}"));
  script_.On(StrCat("GET ", kCrds, "/b"), net::Json(400, "{}"));
  script_.On(StrCat("GET ", kCrds, "/c"), net::Json(405, "{}"));
  for (const std::string name : {"a", "b", "c"}) script_.On(StrCat("GET ", kCrds, "/", name), crd);
  script_.On("GET " + kMapPath, net::Json(200, kObject));
  for (const auto& got : client_.GetAll({DefinitionRef("a"), kMap, DefinitionRef("b")})) EXPECT_TRUE(got.ok());
  EXPECT_TRUE(client_.Get(DefinitionRef("c")).ok());
  EXPECT_EQ(script_.requests.size(), 7u) << "each CRD first by LIST";
}

TEST_F(ClientTest, CreatePostsToTheCollectionWithItsParameters) {
  const std::string path = kMaps + "?dryRun=All&fieldManager=a%20b%26c&fieldValidation=Strict";
  script_.On("POST " + path, net::Json(201, kObject));
  const Document object = *ParseJson(R"({"kind":"ConfigMap","metadata":{"name":"c"},"data":{"x":"<"}})");
  ASSERT_TRUE(client_.Create(kMap, object.root(), {true, "a b&c", "Strict"}).ok());
  EXPECT_EQ(script_.requests[0].body, R"({"data":{"x":"\u003c"},"kind":"ConfigMap","metadata":{"name":"c"}})");
  EXPECT_EQ(script_.requests[0].headers[1], (std::pair<std::string, std::string>("Content-Type", "application/json")));
}

TEST_F(ClientTest, PatchNamesItsType) {
  const struct {
    PatchType type;
    const char* content_type;
  } kCases[] = {{PatchType::kStrategic, "application/strategic-merge-patch+json"},
                {PatchType::kMerge, "application/merge-patch+json"},
                {PatchType::kJson, "application/json-patch+json"},
                {PatchType::kApply, "application/apply-patch+yaml"}};
  script_.On("PATCH " + kMapPath, net::Json(200, kObject));
  const Document patch = *ParseJson("{}");
  for (const auto& c : kCases) {
    ASSERT_TRUE(client_.Patch(kMap, c.type, patch.root(), {}).ok());
    EXPECT_EQ(script_.requests.back().headers[1].second, c.content_type);
  }
}

TEST_F(ClientTest, ForceIsAParameterOfThePatch) {
  script_.On("PATCH " + kMapPath + "?fieldManager=m&force=true", net::Json(200, kObject));
  EXPECT_TRUE(client_.Patch(kMap, PatchType::kApply, Value(), {.field_manager = "m", .force = true}).ok());
}

TEST_F(ClientTest, DeleteSaysHow) {
  script_.On("DELETE " + kMapPath, net::Json(200, R"({"kind":"Status","status":"Success"})"));
  ASSERT_TRUE(client_.Delete(kMap, {true, "Foreground", 0}).ok());
  EXPECT_EQ(script_.requests[0].body,
            R"({"apiVersion":"v1","dryRun":["All"],"gracePeriodSeconds":0,"kind":"DeleteOptions",)"
            R"("propagationPolicy":"Foreground"})");
  ASSERT_TRUE(client_.Delete(kMap, {}).ok());
  EXPECT_EQ(script_.requests[1].body, R"({"apiVersion":"v1","kind":"DeleteOptions","propagationPolicy":"Background"})");
}

TEST_F(ClientTest, DeleteIsOfExactlyThatObject) {
  script_.On("DELETE " + kMapPath, net::Json(200, kObject));
  ASSERT_TRUE(client_.Delete(kMap, {.uid = "u1", .resource_version = "7"}).ok());
  EXPECT_EQ(script_.requests[0].body,
            R"({"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"resourceVersion":"7","uid":"u1"},)"
            R"("propagationPolicy":"Background"})");
}

// From a proxy, or the login page of a network.
TEST_F(ClientTest, AnswersOfSomebodyElseAreErrors) {
  for (const char* body : {"{}", "<html>", R"({"kind":"ConfigMap","metadata":{"name":"another"}})"}) {
    script_.answers.clear();
    for (const char* method : {"GET ", "PATCH ", "DELETE "}) script_.On(method + kMapPath, net::Json(200, body));
    script_.On("GET " + kMaps + "?limit=500", net::Json(200, body));
    const auto changed = client_.Patch(kMap, PatchType::kMerge, Value(), {});
    ASSERT_FALSE(changed.ok()) << body;
    EXPECT_TRUE(net::IsAnswerLost(changed.error())) << body;
    EXPECT_NE(changed.error().message.find("may have processed"), std::string::npos) << changed.error().message;
    EXPECT_FALSE(client_.Delete(kMap, {}).ok()) << body;
    const auto read = client_.Get(kMap);
    ASSERT_FALSE(read.ok()) << body;
    EXPECT_EQ(read.error().message.find("may have processed"), std::string::npos) << read.error().message;
    ObjectRef collection = kMap;
    collection.name.clear();
    EXPECT_FALSE(client_.List(collection, "").ok()) << body;
  }
}

// The first copy of the request may have created the object, which the second then meets.
TEST_F(ClientTest, ConflictOfARequestThatWasSentTwiceTellsNothing) {
  const std::string exists = R"({"kind":"Status","status":"Failure","reason":"AlreadyExists","message":"exists"})";
  script_.On("POST " + kMaps, Busy(503, "1"));
  script_.On("POST " + kMaps, net::Json(409, exists));
  const auto again = client_.Create(kMap, Value(), {});
  ASSERT_FALSE(again.ok());
  EXPECT_TRUE(net::IsAnswerLost(again.error())) << again.error().message;
  const auto first = client_.Create(kMap, Value(), {});
  ASSERT_FALSE(first.ok());
  EXPECT_FALSE(net::IsAnswerLost(first.error())) << first.error().message;
}

TEST_F(ClientTest, DeleteWithoutANameIsNotSent) {
  ObjectRef collection = kMap;
  collection.name.clear();
  EXPECT_FALSE(client_.Delete(collection, {}).ok());
  EXPECT_TRUE(script_.requests.empty());
}

TEST_F(ClientTest, NameThatWouldChangeThePathIsNotSent) {
  ObjectRef ref = kMap;
  ref.name = "..";
  EXPECT_EQ(client_.Get(ref).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(client_.GetAll({ref})[0].error().code, ErrorCode::kInvalidArgument);
  EXPECT_TRUE(script_.requests.empty());
}

TEST_F(ClientTest, WritesAreSentAgainAfterRetryAfter) {
  for (const int status : {429, 503, 500, 504}) {
    script_.answers.clear();
    clock_.slept_ms.clear();
    script_.On("PATCH " + kMapPath, Busy(status, "3"));
    script_.On("PATCH " + kMapPath, net::Json(200, kObject));
    EXPECT_TRUE(client_.Patch(kMap, PatchType::kMerge, Value(), {}).ok()) << status;
    EXPECT_EQ(clock_.slept_ms, std::vector<int64_t>{3000}) << status;
  }
}

TEST_F(ClientTest, RetryingEndsAfterTenTimes) {
  script_.On("GET " + kMapPath, Busy(429, "1"));
  const Result<Document> got = client_.Get(kMap);
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().message, "Error from server (TooManyRequests): later");
  EXPECT_EQ(script_.requests.size(), 11u);
}

TEST_F(ClientTest, LongWaitIsToldOnce) {
  script_.On("GET " + kMapPath, Busy(429, "5"));
  script_.On("GET " + kMapPath, Busy(503, "30"));
  script_.On("GET " + kMapPath, Busy(503, "31"));
  script_.On("GET " + kMapPath, net::Json(200, kObject));
  EXPECT_TRUE(client_.Get(kMap).ok());
  EXPECT_EQ(warnings_, std::vector<std::string>{"the server is busy (503) and asked to wait 30 s"});
}

TEST_F(ClientTest, NoticesHaveAHookOfTheirOwn) {
  Client::Hooks hooks = Recording(this);
  std::vector<std::string> notices;
  hooks.notice = [&](const std::string& text) { notices.push_back(text); };
  Client client(std::make_unique<net::FakeTransport>(&script_), hooks);
  script_.On("GET " + kMapPath, Busy(503, "30"));
  script_.On("GET " + kMapPath, net::Json(200, kObject));
  EXPECT_TRUE(client.Get(kMap).ok());
  EXPECT_EQ(notices.size(), 1u);
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(ClientTest, NoRequestWaitsForMoreThanTenMinutes) {
  script_.On("GET " + kMapPath, Busy(503, "300"));
  EXPECT_EQ(client_.Get(kMap).error().http_status, 503);
  EXPECT_EQ(clock_.slept_ms, (std::vector<int64_t>{300'000, 300'000}));
}

TEST_F(ClientTest, NothingElseIsSentAgain) {
  const Result<net::HttpResponse> kAnswers[] = {net::Json(503, "{}"), Busy(503, "soon"), Busy(503, "-1"),
                                                Busy(503, "999999"),  Busy(409, "1"),    Busy(404, "1")};
  for (const Result<net::HttpResponse>& answer : kAnswers) {
    script_ = {};
    script_.On("GET " + kMapPath, answer);
    EXPECT_FALSE(client_.Get(kMap).ok());
    EXPECT_EQ(script_.requests.size(), 1u);
  }
  EXPECT_TRUE(clock_.slept_ms.empty());
}

TEST_F(ClientTest, ReadsAreRepeatedTwiceWhenTheConnectionBreaks) {
  script_.On("GET " + kMapPath, net::ResetError());
  EXPECT_EQ(client_.Get(kMap).error().code, ErrorCode::kTransport);
  EXPECT_EQ(script_.requests.size(), 3u);
}

TEST_F(ClientTest, WritesAreNotRepeatedWhenTheConnectionBreaks) {
  script_.On("POST " + kMaps, net::ResetError());
  EXPECT_FALSE(client_.Create(kMap, Value(), {}).ok());
  EXPECT_EQ(script_.requests.size(), 1u);
}

TEST_F(ClientTest, ReadsAreNotRepeatedWhenThereIsNoServer) {
  script_.On("GET " + kMapPath, Error::Transport("refused"));
  EXPECT_FALSE(client_.Get(kMap).ok());
  EXPECT_EQ(script_.requests.size(), 1u);
}

TEST_F(ClientTest, GetAllRepeatsOnlyThoseThatNeedItAndKeepsTheOrder) {
  std::vector<ObjectRef> refs(3, kMap);
  refs[0].name = "a";
  refs[1].name = "b";
  refs[2].name = "..";
  refs.push_back(kMap);
  script_.On("GET " + kMaps + "/a", net::Json(200, R"({"id":"a","metadata":{"name":"a"}})"));
  script_.On("GET " + kMaps + "/b", Busy(429, "2"));
  script_.On("GET " + kMaps + "/b", net::Json(200, R"({"id":"b","metadata":{"name":"b"}})"));
  script_.On("GET " + kMapPath,
             net::Json(404, R"({"kind":"Status","status":"Failure","reason":"NotFound","message":"m"})"));
  const std::vector<Result<Document>> got = client_.GetAll(refs);
  ASSERT_EQ(got.size(), 4u);
  EXPECT_EQ(got[0]->root().StringOr("id"), "a");
  EXPECT_EQ(got[1]->root().StringOr("id"), "b");
  EXPECT_EQ(got[2].error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(got[3].error().code, ErrorCode::kNotFound);
  EXPECT_EQ(script_.Count("GET " + kMaps + "/a"), 1u);
  EXPECT_EQ(script_.Count("GET " + kMaps + "/b"), 2u);
  EXPECT_EQ(clock_.slept_ms, std::vector<int64_t>{2000});
}

TEST_F(ClientTest, EachWarningIsReportedOnceForAnObject) {
  script_.On("GET " + kMapPath,
             net::Json(200, kObject, {{"warning", R"(299 - "one", 299 - "two")"}, {"warning", R"(299 - "one")"}}));
  ASSERT_TRUE(client_.Get(kMap).ok());
  ASSERT_TRUE(client_.Get(kMap).ok());
  EXPECT_EQ(warnings_, (std::vector<std::string>{"one", "two"}));
  script_.On("GET " + kMaps + "/other", net::Json(200, kObject, {{"warning", R"(299 - "one")"}}));
  ObjectRef other = kMap;
  other.name = "other";
  ASSERT_TRUE(client_.Get(other).ok());
  EXPECT_EQ(warnings_.size(), 3u);
}

TEST_F(ClientTest, WarningsAboutASecretLoseItsValues) {
  SecretRegistry::Instance().Remember(
      ParseJson(R"({"kind":"Secret","metadata":{"name":"w"},"stringData":{"a":"falcon"}})")->root());
  const net::Headers warning = {{"warning", R"(299 - "a falcon")"}};
  script_.On("GET /api/v1/namespaces/x/secrets/w", net::Json(200, R"({"kind":"Secret"})", warning));
  script_.On("GET " + kMapPath, net::Json(200, kObject, warning));
  EXPECT_TRUE(client_.Get({{"", "v1", "Secret"}, "secrets", "x", "w"}).ok());
  EXPECT_TRUE(client_.Get(kMap).ok());
  EXPECT_EQ(warnings_, (std::vector<std::string>{"a ***", "a falcon"}));
}

TEST_F(ClientTest, WarningsOfRefusalsAreReportedToo) {
  script_.On("GET " + kMapPath, net::Json(404, "{}", {{"warning", R"(299 - "w")"}}));
  EXPECT_FALSE(client_.Get(kMap).ok());
  EXPECT_EQ(warnings_, std::vector<std::string>{"w"});
}

TEST_F(ClientTest, ListFollowsContinue) {
  const std::string path = "GET " + kMaps + "?labelSelector=a%3Db&limit=500";
  script_.On(
      path,
      net::Json(200, R"({"items":[{"metadata":{"name":"1"}}],"metadata":{"continue":"t+/","resourceVersion":"7"}})"));
  script_.On(path + "&continue=t%2B%2F",
             net::Json(200, R"({"items":[{"apiVersion":"x/v1","kind":"X"}],"metadata":{"resourceVersion":"7"}})"));
  ObjectRef collection = kMap;
  collection.name.clear();
  const Result<Document> list = client_.List(collection, "a=b");
  ASSERT_TRUE(list.ok()) << list.error().message;
  EXPECT_EQ(WriteJson(list->root()),
            R"({"apiVersion":"v1","items":[{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"1"}},)"
            R"({"apiVersion":"x/v1","kind":"X"}],"kind":"ConfigMapList","metadata":{"resourceVersion":"7"}})");
}

TEST_F(ClientTest, ListWithoutAnEndIsAnError) {
  const std::string path = "GET " + kMaps + "?limit=500";
  script_.On(path, net::Json(200, R"({"items":[],"metadata":{"continue":"a"}})"));
  script_.On(path + "&continue=a", net::Json(200, R"({"items":[],"metadata":{"continue":"b"}})"));
  script_.On(path + "&continue=b", net::Json(200, R"({"items":[],"metadata":{"continue":"a"}})"));
  ObjectRef collection = kMap;
  collection.name.clear();
  const Result<Document> list = client_.List(collection, "");
  ASSERT_FALSE(list.ok());
  EXPECT_EQ(list.error().message, "the server's list of ConfigMap has no end");
  const auto lists = client_.ListMetadata({collection}, "");
  ASSERT_FALSE(lists[0].ok());
  EXPECT_EQ(lists[0].error().message, list.error().message);
}

TEST_F(ClientTest, PageThatIsTooLargeIsAskedForInHalves) {
  Error too_large = Error::Transport("the response has a body of more than 64 MiB");
  too_large.reason = net::kAnswerTooLarge;
  script_.On("GET " + kMaps + "?limit=500", too_large);
  script_.On("GET " + kMaps + "?limit=250", too_large);
  script_.On("GET " + kMaps + "?limit=125", net::Json(200, R"({"items":[{"kind":"X"}],"metadata":{"continue":"t"}})"));
  script_.On("GET " + kMaps + "?limit=125&continue=t", net::Json(200, R"({"items":[{"kind":"Y"}],"metadata":{}})"));
  ObjectRef collection = kMap;
  collection.name.clear();
  for (const auto& list : {client_.List(collection, ""), client_.ListMetadata({collection}, "")[0]}) {
    ASSERT_TRUE(list.ok()) << list.error().message;
    EXPECT_EQ(WriteJson(*list->root().Find("items")), R"([{"kind":"X"},{"kind":"Y"}])");
  }
}

TEST_F(ClientTest, ListStartsAgainWithoutLimitWhenTheTokenExpires) {
  script_.On("GET " + kMaps + "?limit=500", net::Json(200, R"({"items":[{"id":"old"}],"metadata":{"continue":"t"}})"));
  script_.On("GET " + kMaps + "?limit=500&continue=t",
             net::Json(410, R"({"kind":"Status","status":"Failure","reason":"Expired","message":"old"})"));
  script_.On("GET " + kMaps, net::Json(200, R"({"items":[{"id":"new"}],"metadata":{}})"));
  ObjectRef collection = kMap;
  collection.name.clear();
  const Result<Document> list = client_.List(collection, "");
  ASSERT_TRUE(list.ok()) << list.error().message;
  ASSERT_EQ(list->root().Find("items")->Items().size(), 1u);
  EXPECT_EQ(list->root().Find("items")->Items()[0].StringOr("id"), "new");
}

TEST_F(ClientTest, ListsOfMetadataAreReadTogetherPageByPage) {
  const std::string maps = "GET " + kMaps + "?labelSelector=a&limit=500";
  const std::string pods = "GET /api/v1/pods?labelSelector=a&limit=500";
  script_.On(maps, net::Json(200, R"({"items":[{"kind":"X","id":1}],"metadata":{"continue":"t"}})"));
  script_.On(maps + "&continue=t",
             net::Json(200, R"({"items":[{"kind":"X","id":2}],"metadata":{}})", {{"warning", R"(299 - "w")"}}));
  script_.On(pods, net::Json(403, R"({"kind":"Status","status":"Failure","reason":"Forbidden","message":"no"})"));
  ObjectRef collection = kMap;
  collection.name.clear();
  const auto lists = client_.ListMetadata(
      {collection, {{"", "v1", "Pod"}, "pods", "", ""}, {{"", "v1", "Pod"}, "pods", "..", ""}}, "a");
  ASSERT_EQ(lists.size(), 3u);
  ASSERT_TRUE(lists[0].ok());
  EXPECT_EQ(WriteJson(*lists[0]->root().Find("items")), R"([{"id":1,"kind":"X"},{"id":2,"kind":"X"}])");
  EXPECT_EQ(lists[1].error().code, ErrorCode::kForbidden);
  EXPECT_EQ(lists[2].error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(script_.requests[0].headers[0].second.find("PartialObjectMetadataList"), std::string::npos);
  EXPECT_TRUE(warnings_.empty()) << "nobody asked for these kinds by name";
}

TEST_F(ClientTest, ListOfMetadataStartsAgainWithoutLimitWhenTheTokenExpires) {
  script_.On("GET " + kMaps + "?limit=500", net::Json(200, R"({"items":[{"kind":"X"}],"metadata":{"continue":"t"}})"));
  script_.On("GET " + kMaps + "?limit=500&continue=t",
             net::Json(410, R"({"kind":"Status","status":"Failure","reason":"Expired","message":"old"})"));
  script_.On("GET " + kMaps, net::Json(200, R"({"items":[{"kind":"Y"}],"metadata":{}})"));
  ObjectRef collection = kMap;
  collection.name.clear();
  const auto lists = client_.ListMetadata({collection}, "");
  ASSERT_TRUE(lists[0].ok()) << lists[0].error().message;
  EXPECT_EQ(WriteJson(*lists[0]->root().Find("items")), R"([{"kind":"Y"}])");
}

TEST_F(ClientTest, AnswerThatIsNoObjectIsAnError) {
  for (const char* body : {"", "<html>", "[1]", "null", "7"}) {
    script_.answers.clear();
    script_.On("GET " + kMapPath, net::Json(200, body));
    const Result<Document> got = client_.Get(kMap);
    ASSERT_FALSE(got.ok()) << body;
    EXPECT_EQ(got.error().code, ErrorCode::kServer) << body;
    EXPECT_NE(got.error().message.find(kMapPath), std::string::npos) << body;
  }
}

}  // namespace
}  // namespace smp::kube
