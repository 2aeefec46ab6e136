#include "apply/stored_form.h"

#include <gtest/gtest.h>

#include <string>

#include "schema/builtin.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp::apply {
namespace {

const Resource& ResourceOf(const GroupVersionKind& gvk) { return *BuiltinSchema()->FindResource(gvk); }

Document Stored(const std::string& object, const GroupVersionKind& gvk, Existence existence) {
  return StoredForm(*yaml::ParseYaml(object, "x.yaml"), ResourceOf(gvk), *BuiltinSchema(), existence);
}

std::string StoredText(const std::string& object, const GroupVersionKind& gvk, Existence existence) {
  return WriteJson(Stored(object, gvk, existence).root());
}

std::string RecordText(const std::string& object, const GroupVersionKind& gvk) {
  return WriteJson(StoredFormOfRecord(*yaml::ParseYaml(object), ResourceOf(gvk), *BuiltinSchema()).root());
}

const GroupVersionKind kConfigMap = {"", "v1", "ConfigMap"}, kNode = {"", "v1", "Node"},
                       kNamespace = {"", "v1", "Namespace"}, kAccount = {"", "v1", "ServiceAccount"},
                       kDeployment = {"apps", "v1", "Deployment"};

TEST(StoredForm, LacksWhatTheServerSetsItself) {
  const std::string object =
      "metadata: {name: x, generation: 3, selfLink: /x, uid: u, resourceVersion: '7'}\nstatus: 1\n";
  EXPECT_EQ(StoredText(object, kConfigMap, Existence::kExists),
            R"({"metadata":{"name":"x","resourceVersion":"7","uid":"u"},"status":1})");
  EXPECT_EQ(StoredText(object, kConfigMap, Existence::kNew),
            R"({"metadata":{"generation":3,"name":"x","resourceVersion":"7","uid":"u"},"status":1})");
}

TEST(StoredForm, LacksStatusWhereItIsASubresource) {
  EXPECT_EQ(StoredText("status: {replicas: 1}", kDeployment, Existence::kNew), "{}");
  EXPECT_EQ(StoredText("status: {replicas: 1}", kNode, Existence::kExists), "{}");
  EXPECT_EQ(StoredText("status: {phase: x}", kNode, Existence::kNew), R"({"status":{"phase":"x"}})");
}

TEST(StoredForm, LacksFieldsOfItems) {
  EXPECT_EQ(StoredText("secrets: [{name: a, namespace: b}, {name: c}, d]", kAccount, Existence::kNew),
            R"({"secrets":[{"name":"a"},{"name":"c"},"d"]})");
}

TEST(StoredForm, IsTheObjectItselfWhereNothingIsLost) {
  for (const char* object : {"metadata: {name: x}", "metadata: 7", "metadata: null", "[]", "spec: {status: 1}"}) {
    const Document before = *yaml::ParseYaml(object);
    const Document after = StoredForm(before, ResourceOf(kDeployment), *BuiltinSchema(), Existence::kExists);
    EXPECT_EQ(after.root(), before.root()) << object;
  }
}

TEST(StoredForm, KeepsTheLines) {
  const Document stored =
      Stored("metadata:\n  name: x\n  generation: 1\nspec:\n  a: b\n", kDeployment, Existence::kExists);
  EXPECT_EQ(stored.LineOf(stored.root().FindPath({"metadata", "name"})), 2);
  EXPECT_EQ(stored.LineOf(stored.root().FindPath({"spec", "a"})), 5);
}

// If the manifest now lacks the map, everything in it would go.
TEST(StoredForm, OfARecordLacksMapsThatBecomeEmpty) {
  EXPECT_EQ(StoredText("spec: {finalizers: [x]}", kNamespace, Existence::kExists), R"({"spec":{}})");
  EXPECT_EQ(RecordText("spec: {finalizers: [x]}", kNamespace), "{}");
  EXPECT_EQ(RecordText("spec: {finalizers: [x], other: 1}", kNamespace), R"({"spec":{"other":1}})");
  EXPECT_EQ(RecordText("spec: {}", kNamespace), R"({"spec":{}})");
  EXPECT_EQ(RecordText("secrets: [{namespace: b}]", kAccount), R"({"secrets":[{}]})");
}

}  // namespace
}  // namespace smp::apply
