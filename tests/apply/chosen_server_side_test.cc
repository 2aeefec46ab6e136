// The requests of a server-side apply that apply chose by itself, where others are faster or the server refuses. The rest
// is tested on a real server: tests/e2e/apply_mode.py.
#include "apply/chosen_server_side.h"

#include <gtest/gtest.h>

#include "apply/prepared_config_map.h"
#include "apply/submit.h"
#include "base/fake_clock.h"
#include "base/strings.h"
#include "net/fake_transport.h"
#include "value/json.h"

namespace smp::apply {
namespace {

const std::string kObject = " /api/v1/namespaces/default/configmaps/cfg";
const std::string kGet = "GET" + kObject;
const std::string kRehearse = "PATCH" + kObject + "?dryRun=All&fieldManager=kubectl&fieldValidation=Strict";
const std::string kWrite = "PATCH" + kObject + "?fieldManager=kubectl&fieldValidation=Strict";
const std::string kForce = kWrite + "&force=true";

const std::string kManifest =
    StrCat("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg, namespace: default}\ndata: {a: new, big: ",
           std::string(300'000, 'x'), "}\n");

constexpr char kClientSide[] =
    R"({"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"v1","fieldsV1":{"f:data":{"f:a":{}},
       "f:metadata":{"f:annotations":{"f:kubectl.kubernetes.io/last-applied-configuration":{}}}}})";
constexpr char kOurs[] =
    R"({"manager":"kubectl","operation":"Apply","apiVersion":"v1","fieldsV1":{"f:data":{"f:a":{}}}})";
constexpr char kTheirs[] =
    R"({"manager":"other","operation":"Update","apiVersion":"v1","fieldsV1":{"f:data":{"f:a":{}}}})";

std::string Live(int version, const std::string& value, const std::string& entries, bool recorded = false) {
  const std::string record =
      R"({"kubectl.kubernetes.io/last-applied-configuration":"{\"metadata\":{\"annotations\":{}},\"data\":{\"a\":\"old\"}}"})";
  return StrCat(
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"cfg","namespace":"default","resourceVersion":")",
      version, R"(","annotations":)", recorded ? record : "{}", R"(,"managedFields":[)", entries, R"(]},"data":{"a":")",
      value, R"(","big":")", std::string(300'000, 'x'), R"("}})");
}

net::HttpResponse Refusal(int code, const std::string& reason, const std::string& message) {
  return net::Json(code, StrCat(R"({"kind":"Status","status":"Failure","reason":")", reason, R"(","message":")",
                                message, R"(","code":)", code, "}"));
}

class PlannedServerSide : public testing::Test {
 protected:
  // Reads and plans, as apply does, and submits.
  Result<Submitted> Run(const Planning& planning = {}) {
    const Target target = {.client = &client_, .planning = planning};
    prepared_ = PreparedConfigMap(kManifest, "");
    if (const Status read = PrepareAgain(prepared_, target); !read.ok()) return read.error();
    return Submit(prepared_, target, {.clock = &clock_});
  }

  std::string BodyOf(size_t request) const { return script_.requests.at(request).body; }

  net::FakeScript script_;
  kube::Client client_{std::make_unique<net::FakeTransport>(&script_)};
  FakeClock clock_;
  Prepared prepared_;
};

TEST_F(PlannedServerSide, IsUnchangedWhereTheAnswerHasTheVersionThatWasRead) {
  script_.On(kGet, net::Json(200, Live(7, "new", kOurs)));
  script_.On(kWrite, net::Json(200, Live(7, "new", kOurs)));
  const auto done = Run();
  ASSERT_TRUE(done.ok()) << ToString(done.error());
  EXPECT_EQ(done->done, Done::kUnchanged);
  EXPECT_FALSE(done->too_large);
  EXPECT_EQ(prepared_.tries, 1);
}

TEST_F(PlannedServerSide, MigratesInOneGuardedRequest) {
  script_.On(kGet, net::Json(200, Live(7, "old", kClientSide, true)));
  script_.On(kRehearse, net::Json(200, Live(7, "new", kOurs)));
  script_.On(kWrite, net::Json(200, Live(8, "old", kOurs)));
  script_.On(kWrite, net::Json(200, Live(9, "new", kOurs)));
  const auto done = Run();
  ASSERT_TRUE(done.ok()) << ToString(done.error());
  EXPECT_EQ(done->done, Done::kServerSide);
  EXPECT_TRUE(done->too_large);
  EXPECT_EQ(prepared_.tries, 2);
  ASSERT_EQ(script_.requests.size(), 4u);
  const Document migration = *ParseJson(BodyOf(2));
  ASSERT_EQ(migration.root().size(), 3u) << BodyOf(2);
  EXPECT_EQ(WriteJson(migration.root().Items()[0]),
            R"({"op":"replace","path":"/metadata/resourceVersion","value":"7"})");
  EXPECT_EQ(migration.root().Items()[1].StringOr("op"), "remove");
  EXPECT_EQ(migration.root().Items()[2].StringOr("path"), "/metadata/managedFields");
}

// What was read after the conflict looks as if nothing was left to do.
TEST_F(PlannedServerSide, CountsAMigrationBeforeAConflict) {
  script_.On(kGet, net::Json(200, Live(7, "new", kClientSide, true)));
  script_.On(kGet, net::Json(200, Live(9, "new", kOurs)));
  script_.On(kRehearse, net::Json(200, Live(7, "new", kOurs)));
  script_.On(kWrite, net::Json(200, Live(8, "new", kOurs)));
  script_.On(kWrite, Refusal(409, "Conflict", "the object has been modified"));
  script_.On(kWrite, net::Json(200, Live(9, "new", kOurs)));
  const auto done = Run();
  ASSERT_TRUE(done.ok()) << ToString(done.error());
  EXPECT_EQ(done->done, Done::kServerSide);
  EXPECT_EQ(script_.Count(kGet), 2u);
}

TEST_F(PlannedServerSide, DoesNotMigrateWhatTheServerRefuses) {
  script_.On(kGet, net::Json(200, Live(7, "old", kClientSide, true)));
  script_.On(kRehearse, Refusal(422, "Invalid", "no"));
  EXPECT_FALSE(Run().ok());
  EXPECT_EQ(script_.requests.size(), 2u);
  EXPECT_EQ(prepared_.tries, 0);
}

TEST_F(PlannedServerSide, MigratesWhereAWebhookTakesNoDryRuns) {
  script_.On(kGet, net::Json(200, Live(7, "old", kClientSide, true)));
  script_.On(kRehearse, Refusal(400, "BadRequest", "admission webhook x does not support dry run"));
  script_.On(kWrite, net::Json(200, Live(8, "old", kOurs)));
  script_.On(kWrite, net::Json(200, Live(9, "new", kOurs)));
  EXPECT_TRUE(Run().ok());
}

TEST_F(PlannedServerSide, ForcesOnlyTheConflictsThatItSaw) {
  script_.On(kGet, net::Json(200, Live(7, "theirs", StrCat(kOurs, ",", kTheirs))));
  script_.On(kForce, net::Json(200, Live(8, "new", kOurs)));
  ASSERT_TRUE(Run().ok());
  const Document applied = *ParseJson(BodyOf(1));
  EXPECT_EQ(applied.root().FindPath({"metadata", "resourceVersion"})->AsString(), "7");
  EXPECT_NE(TakeoverWarning(prepared_).find(R"(data.a: "kubectl" applies "new"; live has "theirs", owned by other)"),
            std::string::npos);
}

// The server names a conflict that came after our GET; the second plan sees it.
TEST_F(PlannedServerSide, PlansAgainAfterAConflictOfManagers) {
  script_.On(kGet, net::Json(200, Live(7, "old", kOurs)));
  script_.On(kGet, net::Json(200, Live(8, "theirs", StrCat(kOurs, ",", kTheirs))));
  script_.On(kWrite, Refusal(409, "Conflict", "Apply failed with 1 conflict"));
  script_.On(kForce, net::Json(200, Live(9, "new", kOurs)));
  const auto done = Run();
  ASSERT_TRUE(done.ok()) << ToString(done.error());
  EXPECT_EQ(script_.Count(kForce), 1u);
}

// explain-diff --ask-server takes another version in the answer to a dry run for a write.
TEST_F(PlannedServerSide, GuardsEveryRequestOnDemand) {
  script_.On(kGet, net::Json(200, Live(7, "old", kOurs)));
  script_.On(kRehearse, net::Json(200, Live(7, "new", kOurs)));
  const Target target = {.client = &client_};
  prepared_ = PreparedConfigMap(kManifest, "");
  ASSERT_TRUE(PrepareAgain(prepared_, target).ok());
  ASSERT_TRUE(Submit(prepared_, target, {.dry_run = DryRun::kServer, .guarded = true, .clock = &clock_}).ok());
  EXPECT_EQ(ParseJson(BodyOf(1))->root().FindPath({"metadata", "resourceVersion"})->AsString(), "7");
}

TEST_F(PlannedServerSide, RefusesWithoutAWordToTheServer) {
  const std::string applied =
      R"({"manager":"other","operation":"Apply","apiVersion":"v1","fieldsV1":{"f:data":{"f:a":{}}}})";
  script_.On(kGet, net::Json(200, Live(7, "theirs", StrCat(kOurs, ",", applied))));
  const auto done = Run();
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code, ErrorCode::kRefused);
  EXPECT_EQ(script_.requests.size(), 1u);
  script_.On(kForce, net::Json(200, Live(8, "new", kOurs)));
  EXPECT_TRUE(Run({.force_conflicts = true}).ok());
  EXPECT_EQ(Run({.overwrite = compat::Overwrite::kNo, .force_conflicts = true}).error().code, ErrorCode::kConflict);
}

TEST_F(PlannedServerSide, SaysThatAnotherApiVersionIsNotKnown) {
  const std::string older =
      R"({"manager":"kubectl","operation":"Apply","apiVersion":"v1beta1","fieldsV1":{"f:data":{"f:b":{}}}})";
  script_.On(kGet, net::Json(200, Live(7, "old", older)));
  script_.On(kWrite, net::Json(200, Live(8, "new", older)));
  ASSERT_TRUE(Run().ok());
  ASSERT_EQ(prepared_.notes.size(), 1u);
  EXPECT_NE(prepared_.notes[0].find("kubectl applied the object as v1beta1"), std::string::npos);
}

}  // namespace
}  // namespace smp::apply
