#include "cmd/missing_needs.h"

#include <gtest/gtest.h>

#include <memory>
#include <sstream>

#include "net/fake_transport.h"

namespace smp::cmd {
namespace {

using Names = std::vector<std::string>;

class MissingNeedsTest : public testing::Test {
 protected:
  MissingNeedsTest() {
    std::istringstream in("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: in-the-input}\n");
    input_ = *apply::ReadManifests({.files = {"-"}, .standard_input = &in});
    Answer("secrets/gone", net::Json(404, R"({"kind":"Status","code":404,"reason":"NotFound"})"));
    Answer("secrets/there", net::Json(200, R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1"})"));
    Answer("secrets/hidden", net::Json(403, R"({"kind":"Status","code":403,"reason":"Forbidden"})"));
  }

  void Answer(const std::string& name, const net::HttpResponse& answer) {
    script_.On("GET /api/v1/namespaces/team/" + name, answer);
  }

  // Returns what is missing for new Pods that need these objects.
  Names Missing(MissingNeeds& needs, std::vector<explain::NeededObject> needed, bool new_pods = true,
                std::vector<explain::NeededObject> keys = {}) {
    explain::ObjectReport object;
    object.name_space = "team";
    object.new_pods = new_pods;
    object.pods.needs = std::move(needed);
    object.keys_needed = std::move(keys);
    needs.AddTo(object);
    Names out;
    for (const auto& [kind, name, key, as_file] : object.pods.missing) {
      out.push_back(StrCat(kind, " ", name, key.empty() ? "" : " ", key));
    }
    return out;
  }

  apply::Manifests input_;
  net::FakeScript script_;
  kube::Client client_{std::make_unique<net::FakeTransport>(&script_)};
};

TEST_F(MissingNeedsTest, AreNeitherInTheInputNorOnTheServer) {
  MissingNeeds needs(client_, input_, "team");
  EXPECT_EQ(Missing(needs, {{"ConfigMap", "in-the-input"}, {"Secret", "gone"}, {"Secret", "there"}}),
            Names{"Secret gone"});
  EXPECT_EQ(Missing(needs, {{"Secret", "gone"}}), Names{"Secret gone"});
  EXPECT_EQ(script_.Count("GET /api/v1/namespaces/team/secrets/gone"), 1u);
}

TEST_F(MissingNeedsTest, SomeAreInNoNamespace) {
  script_.On("GET /apis/scheduling.k8s.io/v1/priorityclasses/high",
             net::Json(404, R"({"kind":"Status","code":404,"reason":"NotFound"})"));
  script_.On("GET /apis/node.k8s.io/v1/runtimeclasses/gvisor",
             net::Json(404, R"({"kind":"Status","code":404,"reason":"NotFound"})"));
  MissingNeeds needs(client_, input_, "team");
  EXPECT_EQ(Missing(needs, {{"PriorityClass", "high"}, {"RuntimeClass", "gvisor"}}),
            (Names{"PriorityClass high", "RuntimeClass gvisor"}));
}

TEST_F(MissingNeedsTest, WhatIsInNoNamespaceMayBeInTheInput) {
  std::istringstream in("apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: 1\n");
  const apply::Manifests classes = *apply::ReadManifests({.files = {"-"}, .standard_input = &in});
  MissingNeeds needs(client_, classes, "team");
  EXPECT_EQ(Missing(needs, {{"PriorityClass", "high"}}), Names());
}

TEST_F(MissingNeedsTest, TheirDataIsNotRead) {
  MissingNeeds needs(client_, input_, "team");
  (void)Missing(needs, {{"Secret", "there"}});
  const net::HttpRequest& request = script_.requests.front();
  EXPECT_TRUE(request.headers.front().second.starts_with("application/json;as=PartialObjectMetadata;"));
}

TEST_F(MissingNeedsTest, KeysAreKnownFromManagedFields) {
  Answer("secrets/db", net::Json(200, R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{
    "managedFields":[{"manager":"a","fieldsV1":{"f:data":{".":{},"f:password":{}}}},
                     {"manager":"b","fieldsV1":{"f:data":{"f:user":{}}}}]}})"));
  MissingNeeds needs(client_, input_, "team");
  const std::vector<explain::NeededObject> keys = {
      {"Secret", "db", "host"}, {"Secret", "db", "password"}, {"Secret", "db", "user"}, {"Secret", "there", "unknown"}};
  EXPECT_EQ(Missing(needs, {{"Secret", "db"}, {"Secret", "there"}}, true, keys), Names{"Secret db host"});
}

TEST_F(MissingNeedsTest, WhatMayNotBeReadCountsAsExisting) {
  MissingNeeds needs(client_, input_, "team");
  EXPECT_EQ(Missing(needs, {{"Secret", "hidden"}, {"Secret", "a/b"}}), Names());
}

TEST_F(MissingNeedsTest, NobodyIsAskedWithoutNewPods) {
  MissingNeeds needs(client_, input_, "team");
  EXPECT_EQ(Missing(needs, {{"Secret", "gone"}}, false), Names());
  EXPECT_TRUE(script_.requests.empty());
}

}  // namespace
}  // namespace smp::cmd
