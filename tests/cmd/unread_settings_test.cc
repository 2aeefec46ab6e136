#include "cmd/unread_settings.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "net/fake_transport.h"

namespace smp::cmd {
namespace {

explain::ObjectReport Object(const std::string& kind, const std::string& name, explain::Action action) {
  explain::ObjectReport out;
  out.kind = kind;
  out.name_space = "team";
  out.name = name;
  out.action = action;
  return out;
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
    report.objects.push_back(Object("Deployment", "web", action_));
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
  EXPECT_EQ(ChangedBy({Object("ConfigMap", "old", explain::Action::kUnchanged)}), "");
  action_ = explain::Action::kError;
  EXPECT_EQ(ChangedBy(), "") << "what is refused reads on";
  EXPECT_TRUE(script_.requests.empty());
}

}  // namespace
}  // namespace smp::cmd
