#include "cmd/left_behind.h"

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

// A ConfigMap that the Pods of a changed workload no longer read.
class UnreadChanges : public testing::Test {
 protected:
  void Answer(const std::string& manager, const std::string& field) {
    script_.On("GET /api/v1/namespaces/team/configmaps/old",
               net::Json(200, StrCat(R"({"kind":"PartialObjectMetadata","metadata":{"managedFields":[)", made_by_,
                                     R"({"manager":")", manager, R"(","operation":"Update","fieldsV1":{"f:)", field,
                                     R"(":{"f:a":{}}}}]}})")));
  }

  // Returns who changed it.
  std::string ChangedBy(std::vector<explain::ObjectReport> others = {}) {
    explain::Report report;
    report.objects = std::move(others);
    report.objects.push_back(Object("apps/v1", "Deployment", action_));
    report.objects.back().unread = {{{"ConfigMap", "old"}, keys_, {}}};
    FindUnreadChanges(client_, report);
    const auto& managers = report.objects.back().unread.front().changed_by;
    return managers.empty() ? "" : managers.front().name;
  }

  std::string made_by_ = R"({"manager":"kubectl-create","operation":"Update","fieldsV1":{"f:immutable":{}}},)";
  explain::Action action_ = explain::Action::kChange;
  std::set<std::string> keys_;
  net::FakeScript script_;
  kube::Client client_{std::make_unique<net::FakeTransport>(&script_)};
};

TEST_F(UnreadChanges, AreThoseOfOthersInData) {
  Answer("kubectl-edit", "data");
  EXPECT_EQ(ChangedBy(), "kubectl-edit");
  EXPECT_TRUE(
      script_.requests.front().headers.front().second.starts_with("application/json;as=PartialObjectMetadata;"));
}

TEST_F(UnreadChanges, WhoMadeItAloneChangedNothing) {
  made_by_.clear();
  Answer("terraform", "data");
  EXPECT_EQ(ChangedBy(), "");
}

TEST_F(UnreadChanges, OtherKeysAreNotRead) {
  Answer("kubectl-edit", "data");
  keys_ = {"b"};
  EXPECT_EQ(ChangedBy(), "");
  keys_ = {"a", "b"};
  EXPECT_EQ(ChangedBy(), "kubectl-edit");
}

TEST_F(UnreadChanges, LabelsAreNotRead) {
  Answer("kubectl-label", "metadata");
  EXPECT_EQ(ChangedBy(), "");
}

TEST_F(UnreadChanges, OneWhoAppliedItChangedNothing) {
  Answer("kubectl-client-side-apply", "data");
  EXPECT_EQ(ChangedBy(), "");
}

TEST_F(UnreadChanges, ControllersWriteTheirOwn) {
  Answer("cert-manager-controller", "data");
  EXPECT_EQ(ChangedBy(), "");
}

TEST_F(UnreadChanges, WhatMayNotBeReadCountsAsNotChanged) {
  script_.On("GET /api/v1/namespaces/team/configmaps/old",
             net::Json(403, R"({"kind":"Status","code":403,"reason":"Forbidden"})"));
  EXPECT_EQ(ChangedBy(), "");
}

TEST_F(UnreadChanges, NobodyIsAskedAboutWhatTheInputHas) {
  auto map = Object("v1", "ConfigMap", explain::Action::kUnchanged);
  map.name = "old";
  EXPECT_EQ(ChangedBy({map}), "");
  action_ = explain::Action::kError;
  EXPECT_EQ(ChangedBy(), "") << "what is refused reads on";
  EXPECT_TRUE(script_.requests.empty());
}

}  // namespace
}  // namespace smp::cmd
