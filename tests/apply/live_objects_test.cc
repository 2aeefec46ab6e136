#include "apply/live_objects.h"

#include <gtest/gtest.h>

#include "base/fake_clock.h"
#include "net/fake_transport.h"
#include "value/json.h"

namespace smp::apply {
namespace {

constexpr char kPath[] = "GET /api/v1/namespaces/shop/configmaps";

kube::ObjectRef Ref(const std::string& name, const std::string& kind = "ConfigMap",
                    const std::string& plural = "configmaps") {
  return {{"", "v1", kind}, plural, "shop", name};
}

std::vector<kube::ObjectRef> Wanted(size_t n) {
  std::vector<kube::ObjectRef> out;
  for (size_t i = 0; i < n; ++i) out.push_back(Ref("c" + std::to_string(i)));
  return out;
}

std::string Item(const std::string& name) { return R"({"metadata":{"name":")" + name + R"("}})"; }

net::HttpResponse Page(const std::vector<std::string>& names, const std::string& token = "", int64_t remaining = 0) {
  std::string items;
  for (const std::string& name : names) items += (items.empty() ? "" : ",") + Item(name);
  return net::Json(200, R"({"kind":"ConfigMapList","apiVersion":"v1","metadata":{"continue":")" + token +
                            R"(","remainingItemCount":)" + std::to_string(remaining) + R"(},"items":[)" + items + "]}");
}

class ReadingAhead : public testing::Test {
 protected:
  net::FakeScript script_;
  kube::Client client_{std::make_unique<net::FakeTransport>(&script_)};
  FakeClock clock_;
  LiveObjects live_{client_, clock_};
};

TEST_F(ReadingAhead, ManyObjectsTakeOneRequest) {
  script_.On(std::string(kPath) + "?limit=100", Page({"c0", "c7", "theirs"}));
  live_.ReadAhead(Wanted(20), 1);
  const auto found = live_.Take(Ref("c7"));
  ASSERT_TRUE(found.has_value() && found->live.ok());
  EXPECT_EQ(WriteJson(found->live->root()), R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c7"}})");
  const auto absent = live_.Take(Ref("c1"));
  ASSERT_TRUE(absent.has_value() && !absent->live.ok());
  EXPECT_EQ(absent->live.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(script_.requests.size(), 1u);
}

TEST_F(ReadingAhead, FewObjectsAreNotListed) {
  live_.ReadAhead(Wanted(19), 1);
  EXPECT_FALSE(live_.Take(Ref("c7")).has_value());
  EXPECT_TRUE(script_.requests.empty());
}

TEST_F(ReadingAhead, SecretsAreNeverListed) {
  std::vector<kube::ObjectRef> secrets;
  for (int i = 0; i < 100; ++i) secrets.push_back(Ref("s" + std::to_string(i), "Secret", "secrets"));
  live_.ReadAhead(secrets, 1);
  EXPECT_TRUE(script_.requests.empty());
}

// A list of them took as long as all other requests of a project with 60 of them.
TEST_F(ReadingAhead, LargeDefinitionsAreNotListed) {
  std::vector<kube::ObjectRef> crds;
  for (int i = 0; i < 100; ++i) {
    crds.push_back({{"apiextensions.k8s.io", "v1", "CustomResourceDefinition"},
                    "customresourcedefinitions",
                    "",
                    "w" + std::to_string(i) + ".example.com"});
  }
  live_.ReadAhead(crds, 1);
  EXPECT_TRUE(script_.requests.empty());
}

// What was written since is not what was listed.
TEST_F(ReadingAhead, AnObjectIsGivenOnce) {
  script_.On(std::string(kPath) + "?limit=100", Page({"c0"}));
  live_.ReadAhead(Wanted(20), 1);
  for (const char* name : {"c0", "c1"}) {
    EXPECT_TRUE(live_.Take(Ref(name)).has_value()) << name;
    EXPECT_FALSE(live_.Take(Ref(name)).has_value()) << name;
  }
}

TEST_F(ReadingAhead, WhatIsOlderIsAged) {
  script_.On(std::string(kPath) + "?limit=100", Page({"c0", "c1"}));
  live_.ReadAhead(Wanted(20), 1);
  EXPECT_FALSE(live_.Take(Ref("c0"))->aged);
  EXPECT_FALSE(live_.Take(Ref("c2"))->aged);
  clock_.now_ms += LiveObjects::kFreshMs + 1;
  EXPECT_TRUE(live_.Take(Ref("c1"))->aged);
  EXPECT_TRUE(live_.Take(Ref("c3"))->aged);
}

TEST_F(ReadingAhead, WhatIsOldIsReadAgain) {
  script_.On(std::string(kPath) + "?limit=100", Page({"c0"}));
  live_.ReadAhead(Wanted(20), 1);
  clock_.now_ms += LiveObjects::kUsableMs + 1;
  EXPECT_FALSE(live_.Take(Ref("c0")).has_value());
  EXPECT_FALSE(live_.Take(Ref("c1")).has_value());
}

TEST_F(ReadingAhead, PagesAreFollowed) {
  script_.On(std::string(kPath) + "?limit=100", Page({"c0"}, "next", 10));
  script_.On(std::string(kPath) + "?limit=100&continue=next", Page({"c1"}));
  live_.ReadAhead(Wanted(20), 1);
  EXPECT_TRUE(live_.Take(Ref("c1")).has_value());
  EXPECT_TRUE(live_.Take(Ref("c2")).has_value());  // known to be absent
}

TEST_F(ReadingAhead, ANamespaceFullOfOthersObjectsIsNotReadToItsEnd) {
  script_.On(std::string(kPath) + "?limit=100", Page({"c0"}, "next", 100'000));
  live_.ReadAhead(Wanted(20), 1);
  EXPECT_TRUE(live_.Take(Ref("c0")).has_value());
  EXPECT_FALSE(live_.Take(Ref("c1")).has_value());
  EXPECT_EQ(script_.requests.size(), 1u);
}

TEST_F(ReadingAhead, WhoMayNotListGetsNothing) {
  script_.On(std::string(kPath) + "?limit=100", net::Json(403, R"({"kind":"Status","reason":"Forbidden","code":403})"));
  live_.ReadAhead(Wanted(20), 1);
  EXPECT_FALSE(live_.Take(Ref("c0")).has_value());
}

// The first page is as good as it was; what is missing is read one by one.
TEST_F(ReadingAhead, AnOutdatedTokenEndsTheReading) {
  script_.On(std::string(kPath) + "?limit=100", Page({"c0"}, "next", 10));
  script_.On(std::string(kPath) + "?limit=100&continue=next",
             net::Json(410, R"({"kind":"Status","reason":"Expired","code":410})"));
  live_.ReadAhead(Wanted(20), 1);
  EXPECT_TRUE(live_.Take(Ref("c0")).has_value());
  EXPECT_FALSE(live_.Take(Ref("c1")).has_value());
}

}  // namespace
}  // namespace smp::apply
