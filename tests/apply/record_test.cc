// The one annotation is changed, for this version of the object only.
#include "apply/record.h"

#include <gtest/gtest.h>

#include "net/fake_transport.h"
#include "value/json.h"

namespace smp::apply {
namespace {

const kube::ObjectRef kRef = {{"", "v1", "ConfigMap"}, "configmaps", "default", "cfg"};
const std::string kGet = "GET /api/v1/namespaces/default/configmaps/cfg";
const std::string kPatch = "PATCH /api/v1/namespaces/default/configmaps/cfg";
const std::string kQuery = "?fieldManager=kubectl-client-side-apply";

std::string Object(const std::string& version) {
  return StrCat(R"({"kind":"ConfigMap","metadata":{"name":"cfg","resourceVersion":")", version, R"("}})");
}

net::HttpResponse Conflict() {
  return net::Json(409, R"({"kind":"Status","status":"Failure","reason":"Conflict","message":"no","code":409})");
}

class Recording : public testing::Test {
 protected:
  Result<std::optional<Document>> Change(const RecordOptions& options = {}) {
    const RecordChange change = [this](const Document& live) -> Result<std::optional<std::string>> {
      seen_.push_back(WriteJson(live.root()));
      return std::optional<std::string>("{}\n");
    };
    return ChangeRecord(client_, kRef, *ParseJson(Object("7")), change, options);
  }

  net::FakeScript script_;
  kube::Client client_{std::make_unique<net::FakeTransport>(&script_)};
  std::vector<std::string> seen_;
};

TEST_F(Recording, SendsTheAnnotationAndTheVersionAlone) {
  script_.On(kPatch + kQuery, net::Json(200, Object("8")));
  ASSERT_TRUE(Change().ok());
  EXPECT_EQ(script_.requests[0].body,
            R"({"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}\n"},)"
            R"("resourceVersion":"7"}})");
  EXPECT_EQ(script_.requests[0].headers[1].second, "application/merge-patch+json");
}

TEST_F(Recording, AsksAgainAfterAConflict) {
  script_.On(kPatch + kQuery, Conflict());
  script_.On(kPatch + kQuery, net::Json(200, Object("9")));
  script_.On(kGet, net::Json(200, Object("8")));
  ASSERT_TRUE(Change().ok());
  EXPECT_EQ(seen_.size(), 2u);
  EXPECT_NE(script_.requests.back().body.find(R"("resourceVersion":"8")"), std::string::npos);
}

TEST_F(Recording, GivesUpAfterFiveConflicts) {
  script_.On(kPatch + kQuery, Conflict());
  script_.On(kGet, net::Json(200, Object("8")));
  EXPECT_FALSE(Change().ok());
  EXPECT_EQ(script_.Count(kPatch + kQuery), 6u);
}

TEST_F(Recording, SendsNothingWhenNothingShallBeSent) {
  const auto changed = Change({.dry_run = DryRun::kClient});
  ASSERT_TRUE(changed.ok());
  EXPECT_TRUE(script_.requests.empty());
  EXPECT_NE(WriteJson((*changed)->root()).find("last-applied-configuration"), std::string::npos);
}

TEST(SameRecord, LooksAtWhatItSays) {
  EXPECT_TRUE(SameRecord(R"({"kind":"A","metadata":{"name":"a"}})",
                         "{\"metadata\":{\"annotations\":{},\"name\":\"a\"},\"kind\":\"A\"}\n"));
  EXPECT_FALSE(SameRecord(R"({"kind":"A"})", R"({"kind":"B"})"));
  EXPECT_TRUE(SameRecord("broken", "broken"));
  EXPECT_FALSE(SameRecord("broken", "{}"));
}

}  // namespace
}  // namespace smp::apply
