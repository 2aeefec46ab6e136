#include "apply/last_applied.h"

#include <gtest/gtest.h>

#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp::apply {
namespace {

// The bytes that kubectl 1.37 records for this manifest.
TEST(LastApplied, IsByteEqualToKubectls) {
  const Document manifest = *yaml::ParseYaml(
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg, namespace: default}\ndata: {a: '<b> & \"c\"', z: '1'}\n");
  EXPECT_EQ(LastAppliedText(manifest.root()),
            "{\"apiVersion\":\"v1\",\"data\":{\"a\":\"\\u003cb\\u003e \\u0026 "
            "\\\"c\\\"\",\"z\":\"1\"},\"kind\":\"ConfigMap\","
            "\"metadata\":{\"annotations\":{},\"name\":\"cfg\",\"namespace\":\"default\"}}\n");
}

TEST(LastApplied, NeverHoldsItself) {
  const Document manifest = *yaml::ParseYaml("metadata: {name: a, annotations: {x: '1'}}");
  const Document once = WithLastApplied(manifest);
  EXPECT_EQ(LastAppliedText(once.root()), LastAppliedText(manifest.root()));
  EXPECT_EQ(WriteJson((*ReadLastApplied(once.root()))->root()), R"({"metadata":{"annotations":{"x":"1"},"name":"a"}})");
}

TEST(LastApplied, KeepsTheLinesOfTheManifest) {
  const Document manifest = *yaml::ParseYaml("metadata:\n  name: a\n  labels:\n    x: '1'\nspec:\n  z: 1\n", "m.yaml");
  const Document modified = WithLastApplied(manifest);
  EXPECT_EQ(modified.LineOf(modified.root().FindPath({"metadata", "labels"})), 4);
  EXPECT_EQ(modified.LineOf(modified.root().FindPath({"metadata", "labels", "x"})), 4);
  EXPECT_EQ(modified.LineOf(modified.root().FindPath({"spec", "z"})), 6);
  EXPECT_EQ(modified.SourceOf(&modified.root()).file, "m.yaml");
}

// As kubectl 1.37 records them. It records the null of a label as null.
TEST(LastApplied, HasAnEmptyTextForAnAnnotationWithoutValue) {
  const Document manifest = *yaml::ParseYaml(
      "metadata:\n  name: a\n  annotations:\n    flag:\n    tier: web\n  labels: {l: null}\n", "m.yaml");
  const Document read = WithNullAnnotationsEmpty(manifest);
  EXPECT_EQ(WriteJson(read.root()),
            R"({"metadata":{"annotations":{"flag":"","tier":"web"},"labels":{"l":null},"name":"a"}})");
  EXPECT_EQ(read.LineOf(read.root().FindPath({"metadata", "annotations", "flag"})), 4);
  EXPECT_EQ(read.LineOf(read.root().FindPath({"metadata", "annotations", "tier"})), 5);
}

TEST(LastApplied, IsAbsentWhereNothingWasRecorded) {
  EXPECT_FALSE(ReadLastApplied(yaml::ParseYaml("metadata: {name: a}")->root())->has_value());
}

TEST(LastApplied, OfNullRecordsNoFields) {
  const Document live =
      *yaml::ParseYaml("metadata: {annotations: {kubectl.kubernetes.io/last-applied-configuration: 'null'}}");
  const auto original = ReadLastApplied(live.root());
  ASSERT_TRUE(original.ok() && original->has_value());
  EXPECT_EQ(WriteJson((*original)->root()), "{}");
}

TEST(LastApplied, IsAnErrorWhereItCannotBeRead) {
  const Document live =
      *yaml::ParseYaml("metadata: {annotations: {kubectl.kubernetes.io/last-applied-configuration: '{'}}");
  const auto original = ReadLastApplied(live.root());
  ASSERT_FALSE(original.ok());
  EXPECT_EQ(original.error().path, R"(metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"])");
}

}  // namespace
}  // namespace smp::apply
