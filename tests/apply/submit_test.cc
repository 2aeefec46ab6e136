// What apply does when others are faster. A fake transport injects the faults; the rest is tested on a real server.
#include "apply/submit.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "apply/prepared_config_map.h"
#include "base/fake_clock.h"
#include "base/strings.h"
#include "net/fake_transport.h"
#include "value/at.h"

namespace smp::apply {
namespace {

constexpr char kObject[] = "/api/v1/namespaces/default/configmaps/cfg";
constexpr char kWriteFlags[] = "fieldManager=kubectl-client-side-apply&fieldValidation=Strict";
const std::string kPatch = StrCat("PATCH ", kObject, "?", kWriteFlags);
const std::string kCreate = StrCat("POST /api/v1/namespaces/default/configmaps?", kWriteFlags);

std::string Live(const std::string& version, const std::string& value) {
  return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"cfg","namespace":"default","uid":"u","resourceVersion":")" +
         version + R"("},"data":{"k":")" + value + R"("}})";
}

net::HttpResponse StatusAnswer(int code, const std::string& reason) {
  return net::Json(code, R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":"no","reason":")" + reason +
                             R"(","code":)" + std::to_string(code) + "}");
}

// The planned outcome, as the server answers when it has stored it.
std::string Stored(const Prepared& prepared) {
  Arena arena;
  const Value& outcome = prepared.patch->outcome.root();
  return WriteJson(WithAt(outcome, {"metadata", "resourceVersion"}, Value::UnownedString("8"), arena));
}

class Submitting : public testing::Test {
 protected:
  Result<Submitted> Run(Prepared& prepared) {
    return smp::apply::Submit(prepared, {.client = &client_}, {.clock = &clock_});
  }

  const std::string manifest_ =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg, namespace: default}\ndata: {k: new}\n";
  net::FakeScript script_;
  kube::Client client_{std::make_unique<net::FakeTransport>(&script_)};
  FakeClock clock_;
};

TEST_F(Submitting, PlansAgainAfterAConflict) {
  script_.On(kPatch, StatusAnswer(409, "Conflict"));
  script_.On(kPatch, net::Json(200, Live("9", "new")));
  script_.On(std::string("GET ") + kObject, net::Json(200, Live("8", "theirs")));
  Prepared prepared = PreparedConfigMap(manifest_, Live("7", "old"));
  const auto done = Run(prepared);
  ASSERT_TRUE(done.ok()) << ToString(done.error());
  EXPECT_EQ(done->done, Done::kConfigured);
  EXPECT_EQ(script_.Count(kPatch), 2u);
  EXPECT_EQ(script_.Count(std::string("GET ") + kObject), 1u);
}

// What was listed a while ago is patched only if it is still that; what was read again is as fresh as usual.
TEST_F(Submitting, AnAgedObjectIsGuarded) {
  script_.On(kPatch, StatusAnswer(409, "Conflict"));
  script_.On(kPatch, net::Json(200, Live("9", "new")));
  script_.On(std::string("GET ") + kObject, net::Json(200, Live("8", "theirs")));
  Prepared prepared = PreparedConfigMap(manifest_, Live("7", "old"));
  prepared.aged = true;
  const auto done = Run(prepared);
  ASSERT_TRUE(done.ok()) << ToString(done.error());
  ASSERT_EQ(script_.requests.size(), 3U);
  EXPECT_NE(script_.requests[0].body.find(R"("resourceVersion":"7")"), std::string::npos);
  EXPECT_EQ(script_.requests[2].body.find("resourceVersion"), std::string::npos);
}

// kubectl says "configured", as if the object had changed.
TEST_F(Submitting, SaysWhereOnlyTheLastAppliedAnnotationChanges) {
  for (const bool only : {true, false}) {
    Prepared prepared = PreparedConfigMap(manifest_, Live("7", only ? "new" : "old"));
    script_.On(kPatch, net::Json(200, Stored(prepared)));
    const auto done = Run(prepared);
    ASSERT_TRUE(done.ok()) << ToString(done.error());
    EXPECT_EQ(done->done, Done::kConfigured);
    EXPECT_EQ(done->last_applied_only, only);
    EXPECT_TRUE(done->not_kept.empty());
  }
  Prepared prepared = PreparedConfigMap(manifest_, Live("7", "new"));
  const Target as_kubectl = {.client = &client_, .planning = {.dialect = compat::Dialect::kKubectl}};
  const auto done = smp::apply::Submit(prepared, as_kubectl, {.clock = &clock_});
  ASSERT_TRUE(done.ok()) << ToString(done.error());
  EXPECT_FALSE(done->last_applied_only);
}

// An answer has the annotation, or none if admission removed it.
TEST_F(Submitting, SaysWhereTheServerDoesNotKeepTheLastAppliedAnnotation) {
  struct Row {
    const char* before;
    bool kept;
    const char* version;  // of the answer
    Done done;
  };
  for (const Row& row : {Row{"new", false, "7", Done::kUnchanged}, Row{"old", false, "8", Done::kConfigured},
                         Row{"old", true, "8", Done::kConfigured}}) {
    script_.answers.clear();
    Prepared prepared = PreparedConfigMap(manifest_, Live("7", row.before));
    script_.On(kPatch, net::Json(200, row.kept ? Stored(prepared) : Live(row.version, "new")));
    const auto done = Run(prepared);
    ASSERT_TRUE(done.ok()) << ToString(done.error());
    EXPECT_EQ(done->done, row.done) << row.before;
    EXPECT_EQ(done->last_applied_lost, !row.kept);
    EXPECT_FALSE(done->last_applied_only);
  }
  script_.On(kCreate, net::Json(201, Live("1", "new")));
  Prepared prepared = PreparedConfigMap(manifest_, "");
  EXPECT_TRUE(Run(prepared)->last_applied_lost);
}

// kubectl says "configured", at every run.
TEST_F(Submitting, SaysUnchangedWhereTheServerKeepsNothingOfThePatch) {
  for (const DryRun dry_run : {DryRun::kNone, DryRun::kServer}) {
    script_.answers.clear();
    Prepared prepared = PreparedConfigMap(manifest_, Live("7", "old"));
    const std::string asks = dry_run == DryRun::kNone ? "" : "dryRun=All&";
    script_.On(StrCat("PATCH ", kObject, "?", asks, kWriteFlags), net::Json(200, Live("7", "old")));
    const auto done = smp::apply::Submit(prepared, {.client = &client_}, {.dry_run = dry_run, .clock = &clock_});
    ASSERT_TRUE(done.ok()) << ToString(done.error());
    EXPECT_EQ(done->done, Done::kUnchanged);
    ASSERT_EQ(done->not_kept.size(), 1u);
    EXPECT_EQ(ToString(done->not_kept[0]), "data.k");
  }
}

TEST_F(Submitting, GivesUpAfterFiveMoreTries) {
  script_.On(kPatch, StatusAnswer(409, "Conflict"));
  script_.On(std::string("GET ") + kObject, net::Json(200, Live("8", "theirs")));
  Prepared prepared = PreparedConfigMap(manifest_, Live("7", "old"));
  const auto done = Run(prepared);
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code, ErrorCode::kConflict);
  EXPECT_EQ(script_.Count(kPatch), 6u);
  EXPECT_EQ(clock_.now_ms, 4000);  // the first retry is immediate, as kubectl's
}

TEST_F(Submitting, DoesNotInsistOnAStaleResourceVersionOfTheManifest) {
  script_.On(kPatch, StatusAnswer(409, "Conflict"));
  Prepared prepared = PreparedConfigMap(
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg, namespace: default, resourceVersion: '3'}\ndata: {k: "
      "new}\n",
      Live("7", "old"));
  EXPECT_FALSE(Run(prepared).ok());
  EXPECT_EQ(script_.Count(kPatch), 1u);
}

// Somebody created it between our GET and our POST; or our POST was carried out and its answer lost.
TEST_F(Submitting, PatchesWhatAppearedMeanwhile) {
  script_.On(kCreate, StatusAnswer(409, "AlreadyExists"));
  script_.On(std::string("GET ") + kObject, net::Json(200, Live("8", "theirs")));
  script_.On(kPatch, net::Json(200, Live("9", "new")));
  Prepared prepared = PreparedConfigMap(manifest_, "");
  const auto done = Run(prepared);
  ASSERT_TRUE(done.ok()) << ToString(done.error());
  EXPECT_EQ(done->done, Done::kConfigured);
}

TEST_F(Submitting, CreatesWhatWasDeletedMeanwhile) {
  script_.On(kPatch, StatusAnswer(404, "NotFound"));
  script_.On(std::string("GET ") + kObject, StatusAnswer(404, "NotFound"));
  script_.On(kCreate, net::Json(201, Live("1", "new")));
  Prepared prepared = PreparedConfigMap(manifest_, Live("7", "old"));
  const auto done = Run(prepared);
  ASSERT_TRUE(done.ok()) << ToString(done.error());
  EXPECT_EQ(done->done, Done::kCreated);
}

TEST_F(Submitting, SendsNothingInAClientDryRun) {
  Prepared prepared = PreparedConfigMap(manifest_, Live("7", "old"));
  const auto done = smp::apply::Submit(prepared, {.client = &client_}, {.dry_run = DryRun::kClient});
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(WriteJson(*done->object.root().Find("data")), R"({"k":"new"})");
  EXPECT_TRUE(script_.requests.empty());
}

// Found by apply --dry-run=client -o json printing garbage: the outcome pointed into live, which was gone.
TEST_F(Submitting, AnswersWithAnObjectThatOwnsItsMemory) {
  const auto done = [&] {
    Prepared prepared = PreparedConfigMap(manifest_, Live("7", "old"));
    // Names may be those of what was last applied.
    prepared.original =
        *ParseJson(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"cfg"},"data":{"k":"old"}})");
    prepared.patch = *PlanPatch({.original = &prepared.original->root(),
                                 .modified = &prepared.desired.root(),
                                 .live = &prepared.live->root(),
                                 .schema = prepared.schema.get(),
                                 .type = prepared.resource.type});
    return *smp::apply::Submit(prepared, {.client = &client_}, {.dry_run = DryRun::kClient});
  }();
  EXPECT_EQ(WriteJson(*done.object.root().FindPath({"metadata", "resourceVersion"})), R"("7")");
  EXPECT_EQ(WriteJson(*done.object.root().Find("data")), R"({"k":"new"})");
}

net::HttpResponse WithAnnotation(const Document& modified) { return net::Json(200, WriteJson(modified.root())); }

// libcurl repeats a POST by itself when a reused connection dies before a byte of the answer came.
TEST_F(Submitting, FindsItsOwnObjectWhenTheAnswerToACreateWasLost) {
  net::HttpResponse second_copy = StatusAnswer(409, "AlreadyExists");
  second_copy.resent = true;
  for (const Result<net::HttpResponse>& answer :
       {Result<net::HttpResponse>(second_copy), Result<net::HttpResponse>(net::ResetError()),
        Result<net::HttpResponse>(net::Json(201, "{half"))}) {
    script_ = {};
    Prepared prepared = PreparedConfigMap(manifest_, "");
    script_.On(kCreate, answer);
    script_.On(std::string("GET ") + kObject, WithAnnotation(prepared.modified));
    const auto done = Run(prepared);
    ASSERT_TRUE(done.ok()) << ToString(done.error());
    EXPECT_EQ(done->done, Done::kCreated);
    EXPECT_EQ(prepared.tries, 1);
  }
}

TEST_F(Submitting, DoesNotClaimWhatSomebodyElseCreatedMeanwhile) {
  Prepared prepared = PreparedConfigMap(manifest_, "");
  script_.On(kCreate, StatusAnswer(409, "AlreadyExists"));
  script_.On(std::string("GET ") + kObject, WithAnnotation(prepared.modified));
  const auto done = Run(prepared);
  ASSERT_TRUE(done.ok()) << ToString(done.error());
  EXPECT_EQ(done->done, Done::kUnchanged);
}

TEST_F(Submitting, ReadsAgainWhenTheAnswerToAPatchWasLost) {
  script_.On(kPatch, net::ResetError());
  script_.On(kPatch, net::Json(200, Live("9", "new")));
  script_.On(std::string("GET ") + kObject, net::Json(200, Live("7", "old")));
  Prepared prepared = PreparedConfigMap(manifest_, Live("7", "old"));
  const auto done = Run(prepared);
  ASSERT_TRUE(done.ok()) << ToString(done.error());
  EXPECT_EQ(done->done, Done::kConfigured);
  EXPECT_EQ(prepared.tries, 2);
}

// A controller that writes the status all the time must not use up the tries.
TEST_F(Submitting, AStatusThatMovesCountsAsNoTry) {
  for (int i = 0; i < 8; ++i) script_.On(kPatch, StatusAnswer(409, "Conflict"));
  script_.On(kPatch, net::Json(200, Live("19", "new")));
  for (int i = 0; i < 8; ++i)
    script_.On(std::string("GET ") + kObject, net::Json(200, Live(std::to_string(8 + i), "old")));
  Prepared prepared = PreparedConfigMap(manifest_, Live("7", "old"));
  const auto done = Run(prepared);
  ASSERT_TRUE(done.ok()) << ToString(done.error());
  EXPECT_EQ(script_.Count(kPatch), 9u);
  EXPECT_EQ(clock_.now_ms, 0);
}

TEST_F(Submitting, StopsTryingWhenInterrupted) {
  clock_.interrupted_at_ms = 0;
  script_.On(kPatch, StatusAnswer(409, "Conflict"));
  for (const char* value : {"a", "b", "c"}) script_.On(std::string("GET ") + kObject, net::Json(200, Live("8", value)));
  Prepared prepared = PreparedConfigMap(manifest_, Live("7", "old"));
  EXPECT_FALSE(Run(prepared).ok());
  EXPECT_EQ(script_.Count(kPatch), 2u);  // the first retry needs no pause
}

net::HttpResponse Immutable() {
  return net::Json(
      422, R"({"kind":"Status","status":"Failure","reason":"Invalid","details":{"kind":"ConfigMap","name":"cfg",)"
           R"("causes":[{"field":"data","message":"Forbidden: field is immutable when `immutable` is set"}]}})");
}

TEST_F(Submitting, ForceCreatesAnewWhatIsImmutable) {
  const std::string dry_run =
      "POST /api/v1/namespaces/default/configmaps?dryRun=All&fieldManager=kubectl-client-side-apply"
      "&fieldValidation=Strict";
  script_.On(kPatch, Immutable());
  script_.On(dry_run, StatusAnswer(409, "AlreadyExists"));
  script_.On(std::string("DELETE ") + kObject, net::Json(200, "{}"));
  script_.On(std::string("GET ") + kObject, StatusAnswer(404, "NotFound"));
  script_.On(kCreate, net::Json(201, Live("9", "new")));
  Prepared prepared = PreparedConfigMap(manifest_, Live("7", "old"));
  const auto done = smp::apply::Submit(prepared, {.client = &client_},
                                       {.clock = &clock_, .force = RecreateOptions{.folder = testing::TempDir()}});
  ASSERT_TRUE(done.ok()) << ToString(done.error());
  EXPECT_EQ(done->done, Done::kRecreated);
  EXPECT_EQ(script_.Count(kCreate), 1u);
}

const std::string kDryPatch =
    std::string("PATCH ") + kObject + "?dryRun=All&fieldManager=kubectl-client-side-apply&fieldValidation=Strict";
const std::string kDryCreate =
    "POST /api/v1/namespaces/default/configmaps?dryRun=All&fieldManager=kubectl-client-side-apply"
    "&fieldValidation=Strict";

// Nobody has reviewed what somebody else created meanwhile: it is changed if the server allows that, but not deleted.
TEST_F(Submitting, ForceDeletesNothingThatOthersCreatedMeanwhile) {
  const std::string folder = StrCat(testing::TempDir(), "/created-by-others");
  std::filesystem::create_directories(folder);
  script_.On(kPatch, Immutable());
  script_.On(kDryCreate, StatusAnswer(409, "AlreadyExists"));
  script_.On(std::string("DELETE ") + kObject, net::Json(200, "{}"));
  script_.On(std::string("GET ") + kObject, StatusAnswer(404, "NotFound"));
  std::string theirs = Live("9", "theirs");
  theirs.replace(theirs.find(R"("uid":"u")"), 9, R"("uid":"t")");
  script_.On(std::string("GET ") + kObject, net::Json(200, theirs));
  script_.On(kCreate, StatusAnswer(409, "AlreadyExists"));
  Prepared prepared = PreparedConfigMap(manifest_, Live("7", "old"));
  const auto done = smp::apply::Submit(prepared, {.client = &client_},
                                       {.clock = &clock_, .force = RecreateOptions{.folder = folder}});
  ASSERT_FALSE(done.ok());
  EXPECT_NE(done.error().message.find("someone else has created another one"), std::string::npos);
  EXPECT_NE(done.error().message.find("the old object is saved in "), std::string::npos);
  EXPECT_EQ(script_.Count(std::string("DELETE ") + kObject), 1u);
  std::filesystem::remove_all(folder);
}

// The server's own refusal shows it.
TEST_F(Submitting, ForceInAServerDryRunDeletesNothing) {
  for (const auto dialect : {compat::Dialect::kVerified, compat::Dialect::kKubectl}) {
    script_ = {};
    script_.On(kDryPatch, Immutable());
    script_.On(kDryCreate, StatusAnswer(409, "AlreadyExists"));
    Prepared prepared = PreparedConfigMap(manifest_, Live("7", "old"));
    const auto done = smp::apply::Submit(prepared, {.client = &client_, .planning = {.dialect = dialect}},
                                         {.dry_run = DryRun::kServer, .clock = &clock_, .force = RecreateOptions()});
    ASSERT_TRUE(done.ok()) << ToString(done.error());
    EXPECT_EQ(done->done, dialect == compat::Dialect::kKubectl ? Done::kConfigured : Done::kRecreated);
    EXPECT_EQ(TextAt(done->object.root(), {"data", "k"}), "new");
    EXPECT_EQ(script_.requests.size(), 2u);
  }
}

// Reading shows it: nothing is sent.
TEST_F(Submitting, ForceInAClientDryRunIsForetold) {
  const auto run = [&](const std::string& live) {
    Prepared prepared = PreparedConfigMap(manifest_ + "immutable: true\n", live);
    return smp::apply::Submit(prepared, {.client = &client_},
                              {.dry_run = DryRun::kClient, .clock = &clock_, .force = RecreateOptions()});
  };
  EXPECT_EQ(run(Live("7", "old"))->done, Done::kConfigured);  // it becomes immutable with the new value
  std::string immutable = Live("7", "old");
  immutable.insert(immutable.size() - 1, R"(,"immutable":true)");
  EXPECT_EQ(run(immutable)->done, Done::kRecreated);
  EXPECT_TRUE(script_.requests.empty());
}

TEST_F(Submitting, WithoutForceAnImmutableChangeIsAnError) {
  script_.On(kPatch, Immutable());
  Prepared prepared = PreparedConfigMap(manifest_, Live("7", "old"));
  EXPECT_FALSE(Run(prepared).ok());
  EXPECT_EQ(script_.requests.size(), 1u);
}

TEST_F(Submitting, ForceIsForNothingElse) {
  for (const net::HttpResponse& answer : {StatusAnswer(422, "Invalid"), StatusAnswer(403, "Forbidden")}) {
    script_ = {};
    script_.On(kPatch, answer);
    Prepared prepared = PreparedConfigMap(manifest_, Live("7", "old"));
    EXPECT_FALSE(
        smp::apply::Submit(prepared, {.client = &client_}, {.clock = &clock_, .force = RecreateOptions()}).ok());
    EXPECT_EQ(script_.requests.size(), 1u);
  }
}

// kubectl sends them, and says "configured".
TEST_F(Submitting, SendsAPatchOfKubectlsThatChangesNothing) {
  const Target as_kubectl = {.client = &client_, .planning = {.dialect = compat::Dialect::kKubectl}};
  Prepared prepared = PreparedConfigMap(manifest_, Live("7", "new"));
  prepared.patch = VerifiedPatch();
  prepared.patch->body = *ParseJson(R"({"data":{"gone":null}})");
  ASSERT_TRUE(prepared.patch->empty());
  script_.On(kPatch, net::Json(200, Live("7", "new")));
  const auto done = smp::apply::Submit(prepared, as_kubectl, {.clock = &clock_});
  ASSERT_TRUE(done.ok()) << ToString(done.error());
  EXPECT_EQ(done->done, Done::kConfigured);
}

}  // namespace
}  // namespace smp::apply
