// --force, and everything that can go wrong between the deletion and the creation. A fake transport injects it; that it
// works on a real server is tested there (tests/e2e/force.py).
#include "apply/recreate.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "apply/last_applied.h"
#include "base/fake_clock.h"
#include "net/fake_transport.h"
#include "value/json.h"

namespace smp::apply {
namespace {

const std::string kObjectPath = "/apis/apps/v1/namespaces/ns/deployments/web";
const std::string kGet = "GET " + kObjectPath;
const std::string kDelete = "DELETE " + kObjectPath;
const char kGone[] = R"({"kind":"Status","status":"Success"})";
const std::string kDryRun =
    "POST /apis/apps/v1/namespaces/ns/deployments?dryRun=All&fieldManager=m&fieldValidation=Strict";
const std::string kCreate = "POST /apis/apps/v1/namespaces/ns/deployments?fieldManager=m&fieldValidation=Strict";
const std::string kPutBack = "POST /apis/apps/v1/namespaces/ns/deployments?fieldManager=m";

const std::string kLive =
    R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"ns","uid":"u1",)"
    R"("resourceVersion":"7","generation":3,"creationTimestamp":"x","managedFields":[],"labels":{"a":"b"}},)"
    R"("spec":{"selector":"old"},"status":{"replicas":1}})";
const std::string kNew =
    R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"annotations":)"
    R"({"kubectl.kubernetes.io/last-applied-configuration":"mine"},"name":"web","namespace":"ns"},)"
    R"("spec":{"selector":"new"}})";
const std::string kCreated =
    R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"annotations":)"
    R"({"kubectl.kubernetes.io/last-applied-configuration":"mine"},"name":"web","namespace":"ns","uid":"u2"},)"
    R"("spec":{"selector":"new"}})";
const std::string kOldAsPutBack =
    R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"labels":{"a":"b"},"name":"web","namespace":"ns"},)"
    R"("spec":{"selector":"old"}})";

net::HttpResponse Refusal(int code, const std::string& reason, const std::string& message = "no") {
  return net::Json(code, R"({"kind":"Status","status":"Failure","message":")" + message + R"(","reason":")" + reason +
                             R"(","code":)" + std::to_string(code) + "}");
}

std::string Terminating(const std::string& uid, const std::string& finalizer) {
  return R"({"metadata":{"name":"web","uid":")" + uid + R"(","deletionTimestamp":"x","finalizers":[")" + finalizer +
         R"("]}})";
}

bool Says(const Error& error, const std::string& text) { return error.message.find(text) != std::string::npos; }

class Recreating : public testing::Test {
 protected:
  Recreating() {
    folder_ = std::filesystem::temp_directory_path() / ("smp-recreate-" + std::to_string(getpid()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    refusal_.http_status = 422;
    script_.On(kDryRun, Refusal(409, "AlreadyExists"));
  }
  ~Recreating() override { std::filesystem::remove_all(folder_); }

  Result<Document> Run() {
    RecreateOptions options;
    options.deletion = deletion_;
    options.dangerous = dangerous_;
    options.write = {.field_manager = "m", .field_validation = "Strict"};
    options.clock = &clock_;
    options.folder = folder_.string();
    options.notice = [this](const kube::ObjectRef&, const std::string& text) { notices_.push_back(text); };
    return Recreate(client_, {ref_, *ParseJson(kLive), *ParseJson(kNew)}, refusal_, options);
  }

  // What was sent to the server after the dry run.
  std::vector<std::string> Writes() const {
    std::vector<std::string> out;
    for (const net::HttpRequest& request : script_.requests) {
      const bool write = request.method != "GET" && request.path.find("dryRun") == std::string::npos;
      if (write) out.push_back(request.method + " " + request.path);
    }
    return out;
  }

  std::vector<std::filesystem::path> Files() const {
    return {std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator()};
  }

  // Compact, and empty where it is not the JSON that "kubectl create --raw" needs.
  static std::string ReadFile(const std::filesystem::path& path) {
    std::ifstream in(path);
    const auto object = ParseJson(std::string(std::istreambuf_iterator<char>(in), {}));
    return object.ok() ? WriteJson(object->root()) : "";
  }

  void ExpectOldObjectInAFile(const Error& error) const {
    ASSERT_EQ(Files().size(), 1u);
    const std::string path = Files()[0].string();
    EXPECT_TRUE(Says(error, path)) << error.message;
    struct stat info = {};
    ASSERT_EQ(stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600u);
    EXPECT_EQ(ReadFile(path), kOldAsPutBack);
    EXPECT_TRUE(Says(error, "kubectl create --raw /apis/apps/v1/namespaces/ns/deployments -f " + path))
        << error.message;
  }

  kube::ObjectRef ref_ = {{"apps", "v1", "Deployment"}, "deployments", "ns", "web"};
  net::FakeScript script_;
  kube::Client client_{std::make_unique<net::FakeTransport>(&script_)};
  FakeClock clock_;
  Deletion deletion_;
  Dangerous dangerous_ = Dangerous::kRefuse;
  Error refusal_{ErrorCode::kServer, "spec.selector: field is immutable"};
  std::filesystem::path folder_;
  std::vector<std::string> notices_;
};

TEST_F(Recreating, ChecksDeletesWaitsAndCreates) {
  script_.On(kDelete, net::Json(200, kGone));
  script_.On(kGet, net::Json(200, Terminating("u1", "a.io/hold")));
  script_.On(kGet, net::Json(200, Terminating("u1", "a.io/hold")));
  script_.On(kGet, Refusal(404, "NotFound"));
  script_.On(kCreate, net::Json(201, kCreated));
  const auto done = Run();
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(Writes(), (std::vector<std::string>{kDelete, kCreate}));
  EXPECT_EQ(script_.requests[0].body, kNew);  // the dry run
  EXPECT_EQ(script_.requests[1].body,
            R"({"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"resourceVersion":"7","uid":"u1"},)"
            R"("propagationPolicy":"Background"})");
  EXPECT_EQ(script_.requests.back().body, kNew);
  ASSERT_EQ(notices_.size(), 3u);
  EXPECT_TRUE(notices_[0].starts_with("deleting the object to recreate it; the old object is saved in "))
      << notices_[0];
  EXPECT_EQ(notices_[1], "waiting for the deletion of the object: it has finalizer a.io/hold");
  EXPECT_TRUE(Files().empty());
}

// The program may be killed, or the machine may stop, at any moment from the deletion on.
TEST_F(Recreating, TheOldObjectIsInAFileFromBeforeTheDeletionUntilAfterTheCreation) {
  script_.On(kDelete, net::Json(200, kGone));
  script_.On(kGet, Refusal(404, "NotFound"));
  script_.On(kCreate, net::Json(201, kCreated));
  std::vector<std::string> saved_at;
  script_.before_answer = [&](const net::HttpRequest& request) {
    const bool told = !notices_.empty() && notices_[0].find(folder_.string()) != std::string::npos;
    if (told && !Files().empty() && ReadFile(Files()[0]) == kOldAsPutBack) saved_at.push_back(request.method);
  };
  ASSERT_TRUE(Run().ok());
  EXPECT_EQ(saved_at, (std::vector<std::string>{"DELETE", "GET", "POST"}));
  EXPECT_TRUE(Files().empty());
}

TEST_F(Recreating, DeletesNothingWhenTheOldObjectCannotBeSaved) {
  folder_ /= "missing";
  const auto done = Run();
  ASSERT_FALSE(done.ok());
  EXPECT_TRUE(Says(done.error(), "nothing was deleted") && Says(done.error(), "No such file or directory") &&
              Says(done.error(), folder_.string()) && Says(done.error(), "TMPDIR"))
      << done.error().message;
  EXPECT_TRUE(Says(done.error(), "spec.selector: field is immutable")) << done.error().message;
  EXPECT_TRUE(Writes().empty());
}

TEST_F(Recreating, DeletesAsTheFlagsSay) {
  deletion_ = {.propagation = "Orphan", .grace_period_seconds = 0};
  script_.On(kDelete, net::Json(200, kGone));
  script_.On(kGet, Refusal(404, "NotFound"));
  script_.On(kCreate, net::Json(201, kCreated));
  ASSERT_TRUE(Run().ok());
  EXPECT_EQ(script_.requests[1].body,
            R"({"apiVersion":"v1","gracePeriodSeconds":0,"kind":"DeleteOptions",)"
            R"("preconditions":{"resourceVersion":"7","uid":"u1"},"propagationPolicy":"Orphan"})");
}

TEST_F(Recreating, DeletesNothingWhenTheNewObjectIsRefused) {
  script_.answers.clear();
  script_.On(kDryRun, Refusal(422, "Invalid", "spec.replicas: no"));
  const auto done = Run();
  ASSERT_FALSE(done.ok());
  EXPECT_TRUE(Says(done.error(), "nothing was deleted")) << done.error().message;
  EXPECT_TRUE(Says(done.error(), "spec.selector: field is immutable")) << "what it is about comes first";
  EXPECT_TRUE(Writes().empty());
}

// A conflict makes callers plan again; there is nothing new to plan here.
TEST_F(Recreating, AConflictInTheDryRunIsNoReasonToPlanAgain) {
  script_.answers.clear();
  script_.On(kDryRun, Refusal(409, "Conflict"));
  const auto done = Run();
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code, ErrorCode::kServer);
  EXPECT_TRUE(Writes().empty());
}

TEST_F(Recreating, RefusesKindsThatTakeMoreWithThem) {
  const GroupVersionKind kinds[] = {{"", "v1", "Namespace"},
                                    {"", "v1", "PersistentVolumeClaim"},
                                    {"", "v1", "PersistentVolume"},
                                    {"apiextensions.k8s.io", "v1", "CustomResourceDefinition"}};
  for (const GroupVersionKind& gvk : kinds) {
    ref_.gvk = gvk;
    const auto done = Run();
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().code, ErrorCode::kRefused);
    EXPECT_TRUE(Says(done.error(), "--force-dangerous")) << done.error().message;
  }
  EXPECT_TRUE(script_.requests.empty());
}

TEST_F(Recreating, AnotherGroupsNamespaceIsNoNamespace) {
  ref_.gvk = {"example.com", "v1", "Namespace"};
  ref_.plural = "deployments";
  script_.On("POST /apis/example.com/v1/namespaces/ns/deployments?dryRun=All&fieldManager=m&fieldValidation=Strict",
             Refusal(422, "Invalid"));
  const auto done = Run();
  ASSERT_FALSE(done.ok());
  EXPECT_NE(done.error().code, ErrorCode::kRefused);
}

TEST_F(Recreating, SaysWhatIsLost) {
  const auto loss = [](const GroupVersionKind& gvk, const std::string& live, const std::string& propagation) {
    return LossByRecreation({gvk, "", "", ""}, ParseJson(live)->root(), {.propagation = propagation});
  };
  const GroupVersionKind set = {"apps", "v1", "StatefulSet"}, claim = {"", "v1", "PersistentVolumeClaim"};
  EXPECT_EQ(loss(set, "{}", "Background"), "--force would delete the StatefulSet and with it its Pods");
  EXPECT_EQ(loss(set, R"({"spec":{"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Delete"}}})", "Foreground"),
            "--force would delete the StatefulSet and with it its Pods and PersistentVolumeClaims (whenDeleted is "
            "Delete)");
  EXPECT_EQ(loss(set, "{}", "Orphan"), "");
  EXPECT_EQ(loss(claim, "{}", "Orphan"),
            "--force would delete the PersistentVolumeClaim and with it possibly the data of its volume");
  EXPECT_EQ(loss({"", "v1", "ConfigMap"}, "{}", "Background"), "");
}

TEST_F(Recreating, AllowsDangerousKindsWhenTold) {
  dangerous_ = Dangerous::kAllow;
  ref_.gvk = {"", "v1", "PersistentVolumeClaim"};
  ref_.plural = "persistentvolumeclaims";
  const std::string path = "/api/v1/namespaces/ns/persistentvolumeclaims";
  script_.On("POST " + path + "?dryRun=All&fieldManager=m&fieldValidation=Strict", Refusal(409, "AlreadyExists"));
  script_.On("DELETE " + path + "/web", net::Json(200, kGone));
  script_.On("GET " + path + "/web", Refusal(404, "NotFound"));
  script_.On("POST " + path + "?fieldManager=m&fieldValidation=Strict",
             net::Json(201, R"({"kind":"PersistentVolumeClaim","metadata":{"name":"web","uid":"u2"}})"));
  EXPECT_TRUE(Run().ok());
}

// A gateway with a login page answered so, and the only copy of the object was removed.
TEST_F(Recreating, AnAnswerThatIsNotTheNewObjectCreatesNothing) {
  for (const char* answer :
       {R"({"metadata":{}})", R"({"kind":"LoginRequired"})", R"({"error":"login","metadata":null})",
        R"({"kind":"Deployment","metadata":{"name":"web"}})"}) {
    script_ = {};
    script_.On(kDryRun, Refusal(409, "AlreadyExists"));
    script_.On(kDelete, net::Json(200, kGone));
    script_.On(kGet, Refusal(404, "NotFound"));
    script_.On(kCreate, net::Json(201, answer));
    EXPECT_FALSE(Run().ok()) << answer;
    EXPECT_EQ(Files().size(), 1u) << answer;
    for (const std::filesystem::path& file : Files()) std::filesystem::remove(file);
  }
}

TEST_F(Recreating, AnObjectWithoutUidIsNotDeleted) {
  const Result<Document> done =
      Recreate(client_, {ref_, *ParseJson(R"({"kind":"Deployment","metadata":{"name":"web"}})"), *ParseJson(kNew)},
               refusal_, {});
  EXPECT_FALSE(done.ok());
  EXPECT_TRUE(Writes().empty());
}

// Planning again may fail, and then the file is the only copy.
TEST_F(Recreating, TheFileStaysIfSomebodyElseCreatesTheObject) {
  script_.On(kDelete, net::Json(200, kGone));
  script_.On(kGet, Refusal(404, "NotFound"));
  script_.On(kGet, net::Json(200, R"({"kind":"Deployment","metadata":{"name":"web","uid":"u9"}})"));
  script_.On(kCreate, Refusal(409, "AlreadyExists"));
  const auto done = Run();
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code, ErrorCode::kConflict);
  EXPECT_NE(done.error().message.find("the old object is saved in "), std::string::npos) << done.error().message;
  EXPECT_EQ(Files().size(), 1u);
}

TEST_F(Recreating, AChangedObjectIsPlannedAgain) {
  script_.On(kDelete, Refusal(409, "Conflict"));
  const auto done = Run();
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code, ErrorCode::kConflict);
  EXPECT_TRUE(Files().empty());
}

TEST_F(Recreating, AnObjectThatIsGoneAlreadyIsCreated) {
  script_.On(kDelete, Refusal(404, "NotFound"));
  script_.On(kGet, Refusal(404, "NotFound"));
  script_.On(kCreate, net::Json(201, kCreated));
  EXPECT_TRUE(Run().ok());
}

TEST_F(Recreating, SaysSoWhenItMayNotDelete) {
  script_.On(kDelete, Refusal(403, "Forbidden"));
  const auto done = Run();
  ASSERT_FALSE(done.ok());
  EXPECT_TRUE(Says(done.error(), "cannot delete the object")) << done.error().message;
  EXPECT_EQ(script_.Count(kCreate), 0u);
  EXPECT_TRUE(Files().empty());
}

// The answer to the deletion is lost: the server may or may not have got it.
TEST_F(Recreating, ALostAnswerToTheDeletionIsLookedUp) {
  script_.On(kDelete, net::ResetError());
  script_.On(kGet, Refusal(404, "NotFound"));
  script_.On(kCreate, net::Json(201, kCreated));
  EXPECT_TRUE(Run().ok());
}

// The server may execute it after we have looked.
TEST_F(Recreating, TheFileStaysIfADeletionSeemsNotToHaveArrived) {
  script_.On(kDelete, net::ResetError());
  script_.On(kGet, net::Json(200, kLive));
  const auto done = Run();
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(script_.Count(kCreate), 0u);
  EXPECT_TRUE(Says(done.error(), "exists now, but may be deleted later")) << done.error().message;
  ExpectOldObjectInAFile(done.error());
}

TEST_F(Recreating, WhatIsNotKnownIsSaidAndTheOldObjectKept) {
  script_.On(kDelete, net::ResetError());
  script_.On(kGet, Refusal(500, "InternalError"));
  const auto done = Run();
  ASSERT_FALSE(done.ok());
  EXPECT_TRUE(Says(done.error(), "it is not known")) << done.error().message;
  ExpectOldObjectInAFile(done.error());
}

TEST_F(Recreating, GivesUpAfterAMinute) {
  script_.On(kDelete, net::Json(200, kGone));
  script_.On(kGet, net::Json(200, Terminating("u1", "a.io/hold")));
  const auto done = Run();
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(clock_.now_ms, 60'000);
  EXPECT_TRUE(Says(done.error(), "after 60 s it still exists (it has finalizer a.io/hold)")) << done.error().message;
  EXPECT_EQ(script_.Count(kCreate), 0u);
  ExpectOldObjectInAFile(done.error());
}

TEST_F(Recreating, GivesUpWhenTheFlagSays) {
  deletion_.timeout_ms = 5000;
  script_.On(kDelete, net::Json(200, kGone));
  script_.On(kGet, net::Json(200, Terminating("u1", "a.io/hold")));
  ASSERT_FALSE(Run().ok());
  EXPECT_EQ(clock_.now_ms, 5000);
}

TEST_F(Recreating, WaitsLongerThanTheGracePeriod) {
  deletion_.grace_period_seconds = 90;
  script_.On(kDelete, net::Json(200, kGone));
  script_.On(kGet, net::Json(200, Terminating("u1", "a.io/hold")));
  ASSERT_FALSE(Run().ok());
  EXPECT_EQ(clock_.now_ms, 100'000);
}

// One bad answer is no reason to leave an object half deleted.
TEST_F(Recreating, KeepsLookingThroughErrors) {
  script_.On(kDelete, net::Json(200, kGone));
  script_.On(kGet, Refusal(500, "InternalError"));
  script_.On(kGet, Refusal(404, "NotFound"));
  script_.On(kCreate, net::Json(201, kCreated));
  EXPECT_TRUE(Run().ok());
}

TEST_F(Recreating, SaysWhatIsGoneWhenInterrupted) {
  clock_.interrupted_at_ms = 1000;
  script_.On(kDelete, net::Json(200, kGone));
  script_.On(kGet, net::Json(200, Terminating("u1", "a.io/hold")));
  const auto done = Run();
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().reason, kInterruptedReason);
  EXPECT_TRUE(Says(done.error(), "is being deleted and was interrupted")) << done.error().message;
  EXPECT_EQ(script_.Count(kCreate), 0u);
  ExpectOldObjectInAFile(done.error());
}

TEST_F(Recreating, FinishesWhenInterruptedAndNothingHoldsTheOldObject) {
  clock_.interrupted_at_ms = 1;  // in the first sleep
  script_.On(kDelete, net::Json(200, kGone));
  script_.On(kGet, net::Json(200, Terminating("u1", "a.io/hold")));
  script_.On(kGet, Refusal(404, "NotFound"));
  script_.On(kCreate, net::Json(201, kCreated));
  EXPECT_TRUE(Run().ok());
}

TEST_F(Recreating, DeletesNothingAfterAnInterruption) {
  clock_.interrupted_at_ms = 0;
  const auto done = Run();
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().reason, kInterruptedReason);
  EXPECT_TRUE(Writes().empty());
}

TEST_F(Recreating, AnotherObjectOfThatNameIsPlannedAgain) {
  script_.On(kDelete, net::Json(200, kGone));
  script_.On(kGet, net::Json(200, Terminating("u2", "a.io/hold")));
  const auto done = Run();
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code, ErrorCode::kConflict);
  EXPECT_EQ(script_.Count(kCreate), 0u);
}

TEST_F(Recreating, PutsTheOldObjectBackWhenTheNewOneIsRefused) {
  script_.On(kDelete, net::Json(200, kGone));
  script_.On(kGet, Refusal(404, "NotFound"));
  script_.On(kCreate, Refusal(403, "Forbidden", "exceeded quota"));
  script_.On(kPutBack, net::Json(201, kLive));
  const auto done = Run();
  ASSERT_FALSE(done.ok());
  EXPECT_TRUE(Says(done.error(), "exceeded quota") && Says(done.error(), "then restored")) << done.error().message;
  EXPECT_EQ(script_.requests.back().body, kOldAsPutBack);
  EXPECT_TRUE(Files().empty());
}

TEST_F(Recreating, KeepsTheOldObjectInAFileWhenNothingElseWorks) {
  script_.On(kDelete, net::Json(200, kGone));
  script_.On(kGet, Refusal(404, "NotFound"));
  script_.On(kCreate, Refusal(403, "Forbidden", "exceeded quota"));
  script_.On(kPutBack, Refusal(403, "Forbidden", "exceeded it again"));
  const auto done = Run();
  ASSERT_FALSE(done.ok());
  EXPECT_TRUE(Says(done.error(), "exceeded quota") && Says(done.error(), "exceeded it again") &&
              Says(done.error(), "the object is gone"))
      << done.error().message;
  ExpectOldObjectInAFile(done.error());
}

// libcurl may send a POST twice; the second copy is told of the first.
TEST_F(Recreating, TheCopyOfOurOwnCreationIsOurs) {
  script_.On(kDelete, net::Json(200, kGone));
  script_.On(kGet, Refusal(404, "NotFound"));
  script_.On(kGet, net::Json(200, kNew));
  script_.On(kCreate, Refusal(409, "AlreadyExists"));
  EXPECT_TRUE(Run().ok());
}

TEST_F(Recreating, WhatSomebodyElseCreatedIsPlannedAgain) {
  script_.On(kDelete, net::Json(200, kGone));
  script_.On(kGet, Refusal(404, "NotFound"));
  script_.On(kGet, net::Json(200, kLive));
  script_.On(kCreate, Refusal(409, "AlreadyExists"));
  const auto done = Run();
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code, ErrorCode::kConflict);
}

TEST_F(Recreating, ACreationThatDidNotArriveIsRepeated) {
  script_.On(kDelete, net::Json(200, kGone));
  script_.On(kGet, Refusal(404, "NotFound"));
  script_.On(kCreate, net::ResetError());
  script_.On(kCreate, net::Json(201, kCreated));
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(script_.Count(kCreate), 2u);
}

TEST_F(Recreating, ACreationOfWhichNothingIsKnown) {
  script_.On(kDelete, net::Json(200, kGone));
  script_.On(kGet, Refusal(404, "NotFound"));
  script_.On(kGet, Error::Transport("down"));
  script_.On(kCreate, net::ResetError());
  const auto done = Run();
  ASSERT_FALSE(done.ok());
  EXPECT_TRUE(Says(done.error(), "it is not known whether the new one was created")) << done.error().message;
  ExpectOldObjectInAFile(done.error());
}

// To a dry run the ports and addresses of a Service are taken, by the live object itself.
class RecreatingAService : public Recreating {
 protected:
  RecreatingAService() {
    ref_ = {{"", "v1", "Service"}, "services", "ns", "web"};
    script_.On(kDryRunService, Refusal(422, "Invalid", "spec.ports[0].nodePort: provided port is already allocated"));
  }

  Result<Document> RunService(const std::string& live_spec, const std::string& new_spec) {
    const auto service = [](const std::string& spec) {
      return *ParseJson(R"({"kind":"Service","metadata":{"name":"web","uid":"u1"},"spec":)" + spec + "}");
    };
    RecreateOptions options;
    options.clock = &clock_;
    options.folder = folder_.string();
    return Recreate(client_, {ref_, service(live_spec), service(new_spec)}, refusal_, options);
  }

  const std::string kDryRunService = "POST /api/v1/namespaces/ns/services?dryRun=All";
};

TEST_F(RecreatingAService, ChecksItWithoutWhatTheLiveOneHolds) {
  script_.On(kDryRunService, Refusal(409, "AlreadyExists"));
  script_.On("DELETE /api/v1/namespaces/ns/services/web", net::Json(200, R"({"kind":"Status"})"));
  script_.On("GET /api/v1/namespaces/ns/services/web", Refusal(404, "NotFound"));
  script_.On("POST /api/v1/namespaces/ns/services", net::Json(201, R"({"kind":"Service","metadata":{"uid":"u2"}})"));
  const auto done = RunService(R"({"clusterIP":"10.0.0.9","ports":[{"nodePort":30001,"port":1}]})",
                               R"({"clusterIP":"10.0.0.9","ports":[{"nodePort":30001,"port":2},{"nodePort":30002}]})");
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(
      script_.requests[1].body,
      R"({"kind":"Service","metadata":{"name":"web","uid":"u1"},"spec":{"ports":[{"port":2},{"nodePort":30002}]}})");
}

// A dry run does not see it (kube-apiserver 1.36).
TEST_F(RecreatingAService, AnAddressThatIsAnothersIsLookedUp) {
  script_.On(kDryRunService, Refusal(409, "AlreadyExists"));
  script_.On("GET /apis/networking.k8s.io/v1/ipaddresses/10.0.0.8",
             net::Json(200, R"({"metadata":{"name":"10.0.0.8"}})"));
  const auto done = RunService(R"({"clusterIP":"10.0.0.9"})", R"({"clusterIP":"10.0.0.8"})");
  ASSERT_FALSE(done.ok());
  EXPECT_TRUE(Says(done.error(), "10.0.0.8 is already allocated")) << done.error().message;
  EXPECT_TRUE(Writes().empty());
}

TEST_F(RecreatingAService, WhatAnotherServiceHoldsStaysTaken) {
  const auto done = RunService(R"({"clusterIP":"10.0.0.9"})", R"({"clusterIP":"10.0.0.8"})");
  ASSERT_FALSE(done.ok());
  EXPECT_TRUE(Says(done.error(), "already allocated")) << done.error().message;
  EXPECT_TRUE(Writes().empty());
}

}  // namespace
}  // namespace smp::apply
