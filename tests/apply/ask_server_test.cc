// What becomes of the server's answers to dry runs. A fake transport gives those that a real server does not; the rest is
// tested on a real server (tests/e2e/ask_server.py).
#include "apply/ask_server.h"

#include <gtest/gtest.h>

#include "apply/prepared_config_map.h"
#include "base/fake_clock.h"
#include "net/fake_transport.h"

namespace smp::apply {
namespace {

const std::string kObject = "/api/v1/namespaces/default/configmaps/cfg";
const std::string kQuery = "?dryRun=All&fieldManager=kubectl-client-side-apply&fieldValidation=Strict";
const std::string kPatch = "PATCH " + kObject + kQuery;
const std::string kCreate = "POST /api/v1/namespaces/default/configmaps" + kQuery;

std::string ConfigMap(const std::string& version) {
  const std::string stated = version.empty() ? "" : R"(,"resourceVersion":")" + version + "\"";
  return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"cfg","namespace":"default")" + stated +
         R"(},"data":{"k":"v"}})";
}

net::HttpResponse Failure(int code, const std::string& message) {
  return net::Json(code, R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":")" + message +
                             R"(","code":)" + std::to_string(code) + "}");
}

class Asking : public testing::Test {
 protected:
  // `live` empty: there is none.
  static Prepared Prepare(const std::string& live) {
    return PreparedConfigMap("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg}\ndata: {k: new}\n", live);
  }

  net::FakeScript script_;
  kube::Client client_{std::make_unique<net::FakeTransport>(&script_)};
  const Target target_ = {.client = &client_};
  FakeClock clock_;
  ServerQuestions questions_{target_, clock_};
};

TEST_F(Asking, GuardsThePatch) {
  script_.On(kPatch, net::Json(200, ConfigMap("7")));
  Prepared prepared = Prepare(ConfigMap("7"));
  questions_.Ask(prepared);
  EXPECT_TRUE(questions_.status().ok());
  EXPECT_TRUE(prepared.answer.has_value());
  ASSERT_EQ(script_.Count(kPatch), 1U);
  EXPECT_NE(script_.requests.back().body.find(R"("resourceVersion":"7")"), std::string::npos);
}

TEST_F(Asking, StopsAfterAPatchThatWasStored) {
  script_.On(kPatch, net::Json(200, ConfigMap("8")));
  Prepared first = Prepare(ConfigMap("7")), second = Prepare(ConfigMap("7"));
  questions_.Ask(first);
  questions_.Ask(second);
  EXPECT_EQ(questions_.status().error().code, ErrorCode::kInternal);
  EXPECT_EQ(script_.Count(kPatch), 1U);
  EXPECT_FALSE(first.answer || second.answer);
}

TEST_F(Asking, StopsAfterAnObjectThatWasCreated) {
  script_.On(kCreate, net::Json(201, ConfigMap("8")));
  Prepared prepared = Prepare("");
  questions_.Ask(prepared);
  EXPECT_FALSE(questions_.status().ok());
}

TEST_F(Asking, TakesANewObjectWithoutVersionForADryRun) {
  script_.On(kCreate, net::Json(201, ConfigMap("")));
  Prepared prepared = Prepare("");
  questions_.Ask(prepared);
  EXPECT_TRUE(questions_.status().ok());
  EXPECT_TRUE(prepared.answer.has_value());
}

TEST_F(Asking, SendsNothingToAnApiWithoutDryRuns) {
  Prepared prepared = Prepare(ConfigMap("7"));
  prepared.resource.dry_run = false;
  questions_.Ask(prepared);
  EXPECT_EQ(prepared.unasked, "its API does not say that it offers dry runs");
  EXPECT_EQ(script_.requests.size(), 0U);
}

TEST_F(Asking, TellsRefusalsFromFailures) {
  const struct {
    int code;
    const char* message;
    bool refusal;
  } kRows[] = {
      {400, "admission webhook denied the request: no", true},
      {400, "admission webhook w.example.com does not support dry run", false},
      {403, "configmaps cfg is forbidden: exceeded quota: q", true},
      {403, "configmaps cfg is forbidden: User u cannot patch resource configmaps in API group", false},
      {422, "data: Invalid value", true},
      {500, "Internal error occurred: failed calling webhook w.example.com", true},
      {500, "etcdserver: leader changed", false},
  };
  for (const auto& row : kRows) {
    script_.answers.clear();
    script_.On(kPatch, Failure(row.code, row.message));
    Prepared prepared = Prepare(ConfigMap("7"));
    questions_.Ask(prepared);
    EXPECT_EQ(prepared.server_refusal.has_value(), row.refusal) << row.message;
    EXPECT_EQ(prepared.unasked.empty(), row.refusal) << row.message;
    EXPECT_FALSE(prepared.answer.has_value());
  }
}

}  // namespace
}  // namespace smp::apply
