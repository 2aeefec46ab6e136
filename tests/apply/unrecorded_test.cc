#include "apply/unrecorded.h"

#include <gtest/gtest.h>

#include <sstream>

#include "apply/prepare.h"
#include "base/strings.h"
#include "schema/builtin.h"
#include "yaml/read_yaml.h"

namespace smp::apply {
namespace {

std::string Service(std::string_view ports, std::string_view metadata = "") {
  return StrCat("apiVersion: v1\nkind: Service\nmetadata: {name: web", metadata, "}\nspec:\n  ports: [", ports, "]\n");
}

// Of a live object whose port 80/TCP that manager wrote.
std::string WrittenBy(std::string_view manager, std::string_view more = "operation: Update") {
  return StrCat(", managedFields: [{manager: ", manager, ", ", more,
                R"(, fieldsV1: {"f:spec": {"f:ports": {".": {}, 'k:{"port":80,"protocol":"TCP"}': {".": {}}}}}}])");
}

const std::string kHttp = "{name: http, port: 80, protocol: TCP}";
const std::string kHttps = "{name: https, port: 443}";

Status Plan(const std::string& manifest, const std::string& live, const Planning& planning = {}) {
  std::istringstream in(manifest);
  const auto read = ReadManifests({.files = {"-"}, .standard_input = &in});
  const auto prepared =
      PrepareOffline(*read->items[0], {.live = *yaml::ParseYaml(live), .planning = planning}, BuiltinSchema());
  if (!prepared.ok()) return prepared.error();
  return Ok();
}

TEST(Unrecorded, ARenamedItemThatKubectlWroteIsRefused) {
  const Status status = Plan(Service(kHttps), Service(kHttp, WrittenBy("kubectl-create")));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kRefused);
  EXPECT_EQ(status.error().path, "spec.ports[port=80,protocol=TCP]");
  EXPECT_NE(status.error().message.find("kubectl-create"), std::string::npos) << status.error().message;
  EXPECT_NE(status.error().message.find("[port=443]"), std::string::npos) << status.error().message;
}

TEST(Unrecorded, WhatOthersWroteStays) {
  EXPECT_TRUE(Plan(Service(kHttps), Service(kHttp, WrittenBy("mesh"))).ok());
  EXPECT_TRUE(Plan(Service(kHttps), Service(kHttp, WrittenBy("kubectl", "operation: Apply"))).ok());
  const std::string scaled = "operation: Update, subresource: scale";
  EXPECT_TRUE(Plan(Service(kHttps), Service(kHttp, WrittenBy("kubectl", scaled))).ok());
  EXPECT_TRUE(Plan(Service(kHttps), Service(kHttp)).ok());
}

TEST(Unrecorded, AnItemThatIsOnlyKeptOrOnlyAddedIsNoRename) {
  EXPECT_TRUE(Plan(Service(kHttp + "," + kHttps), Service(kHttp, WrittenBy("kubectl-create"))).ok());
  EXPECT_TRUE(Plan(Service("{name: https, port: 443, targetPort: 8443}"),
                   Service(kHttp + "," + kHttps, WrittenBy("kubectl-create")))
                  .ok());
}

TEST(Unrecorded, ARecordDecides) {
  const std::string record =
      R"(, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"spec":{"ports":[{"port":443}]}}'})";
  EXPECT_TRUE(Plan(Service(kHttps), Service(kHttp, WrittenBy("kubectl-create") + record)).ok());
}

TEST(Unrecorded, KubectlsPatchKeepsBoth) {
  EXPECT_TRUE(
      Plan(Service(kHttps), Service(kHttp, WrittenBy("kubectl-create")), {.dialect = compat::Dialect::kKubectl}).ok());
}

// The order of a definition's x-kubernetes-list-map-keys is its own, managedFields sorts them.
TEST(Unrecorded, KeysOfAnotherOrderAreTheSame) {
  const std::string written = R"(, managedFields: [{manager: kubectl-create, operation: Update, fieldsV1: )"
                              R"({"f:spec": {"f:ports": {'k:{"protocol":"TCP","port":80}': {".": {}}}}}}])";
  EXPECT_FALSE(Plan(Service(kHttps), Service(kHttp, written)).ok());
}

}  // namespace
}  // namespace smp::apply
