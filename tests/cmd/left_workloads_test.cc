#include "cmd/left_workloads.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "net/fake_transport.h"

namespace smp::cmd {
namespace {

explain::ObjectReport Object(const std::string& api_version, const std::string& kind, explain::Action action) {
  explain::ObjectReport out;
  out.api_version = api_version;
  out.kind = kind;
  out.name_space = "team";
  out.name = "web";
  out.action = action;
  return out;
}

const explain::ObjectReport kNew = [] {
  explain::ObjectReport out = Object("apps/v1", "Deployment", explain::Action::kCreate);
  out.new_pods = true;
  return out;
}();
const explain::ObjectReport kOld = Object("v1", "Service", explain::Action::kUnchanged);

class LeftWorkloads : public testing::Test {
 protected:
  LeftWorkloads() {
    const auto missing = net::Json(404, R"({"kind":"Status","code":404,"reason":"NotFound"})");
    script_.On("GET /apis/apps/v1/namespaces/team/daemonsets/web", missing);
    script_.On("GET /apis/apps/v1/namespaces/team/statefulsets/web",
               net::Json(200, R"({"kind":"StatefulSet","apiVersion":"apps/v1","metadata":{"name":"web"},
                   "spec":{"template":{"spec":{"containers":[{"image":"a:1"}]}}}})"));
  }

  // Returns what the last object's namesake is, and its image.
  std::string Left(std::vector<explain::ObjectReport> objects) {
    explain::Report report;
    report.objects = std::move(objects);
    FindLeftWorkloads(client_, {}, report);
    const explain::ObjectReport& last = report.objects.back();
    return StrCat(last.left_workload, last.left_images.empty() ? "" : StrCat(" of ", last.left_images.front()));
  }

  net::FakeScript script_;
  kube::Client client_{std::make_unique<net::FakeTransport>(&script_)};
};

TEST_F(LeftWorkloads, AnotherKindOfTheSameNameIsFound) {
  EXPECT_EQ(Left({kOld, kNew}), "StatefulSet of the same name of a:1");
}

TEST_F(LeftWorkloads, WhatRunsNoPodsRunsBesideNothing) {
  explain::ObjectReport without = kNew;
  without.new_pods = false;
  EXPECT_EQ(Left({kOld, without}), "");
}

TEST_F(LeftWorkloads, WhatTheInputHasIsNotLeft) {
  const auto also = Object("apps/v1", "StatefulSet", explain::Action::kUnchanged);
  EXPECT_EQ(Left({also, kNew}), "");
}

TEST_F(LeftWorkloads, FewAreAskedForWhereAllIsNew) {
  EXPECT_EQ(Left({kNew}), "StatefulSet of the same name of a:1") << "as where a new version has another kind";
  script_.requests.clear();
  EXPECT_EQ(Left(std::vector(5, kNew)), "");
  EXPECT_TRUE(script_.requests.empty()) << "a first installation";
}

TEST_F(LeftWorkloads, NobodyIsAskedAboutObjectsThatExist) {
  EXPECT_EQ(Left({kOld, Object("apps/v1", "Deployment", explain::Action::kChange)}), "");
  EXPECT_TRUE(script_.requests.empty());
}

}  // namespace
}  // namespace smp::cmd
