#include "apply/manifests.h"

#include <gtest/gtest.h>

#include <sstream>

#include "apply/prepare.h"
#include "schema/builtin.h"

namespace smp {
namespace {

Manifests Read(const std::string& text) {
  std::istringstream in(text);
  return ReadManifests({.files = {"-"}, .standard_input = &in});
}

// The number of warnings of each object.
std::vector<size_t> Warnings(const Manifests& manifests) {
  std::vector<size_t> out;
  for (const auto& item : manifests.items) out.push_back(item.ok() ? item->warnings.size() : 99);
  return out;
}

TEST(Manifests, KnowTheDuplicateKeysOfEachObject) {
  const std::string map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
  EXPECT_EQ(Warnings(Read(map + "data: {a: b, a: c}\n---\n" + map + "data: {a: b}\n---\n" + map + "data: {y: b}\n")),
            (std::vector<size_t>{1, 0, 1}));
}

TEST(Manifests, KnowTheDuplicateKeysOfEachItemOfAList) {
  const std::string item = "- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a}\n";
  EXPECT_EQ(
      Warnings(Read("apiVersion: v1\nkind: List\nitems:\n" + item + item + "  data:\n    a: b\n    a: c\n" + item)),
      (std::vector<size_t>{0, 1, 0}));
}

TEST(Manifests, DuplicateKeysAboveAListConcernAllItems) {
  const std::string item = "- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a}\n";
  EXPECT_EQ(Warnings(Read("apiVersion: v1\napiVersion: v1\nkind: List\nitems:\n" + item + item)),
            (std::vector<size_t>{1, 1}));
}

TEST(Manifests, DuplicateKeysOfAListInOneLineConcernAllItems) {
  const std::string item = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}})";
  const std::string twice = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","name":"b"}})";
  EXPECT_EQ(Warnings(Read(R"({"kind":"List","items":[)" + item + "," + twice + "]}")), (std::vector<size_t>{1, 1}));
}

TEST(Prepare, RefusesValuesOfAnotherKindThanTheSchemaWants) {
  const Manifests manifests =
      Read("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels: {x: 1}\ndata:\n  a: yes\n");
  ASSERT_TRUE(manifests.items[0].ok());
  const auto prepared = PrepareOffline(*manifests.items[0], {}, BuiltinSchema());
  ASSERT_FALSE(prepared.ok());
  EXPECT_EQ(ToString(prepared.error()),
            "STDIN:7: data.a: the schema wants a string and this is a boolean (true); put the text in quotes; line 5: "
            "metadata.labels.x: the schema wants a string and this is an integer (1); put the text in quotes");
}

}  // namespace
}  // namespace smp
