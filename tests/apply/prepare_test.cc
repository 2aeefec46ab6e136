#include "apply/prepare.h"

#include <gtest/gtest.h>

#include <sstream>

#include "schema/builtin.h"
#include "value/json.h"
#include "value/yaml.h"

namespace smp {
namespace {

Manifest ReadOne(const std::string& text) {
  std::istringstream in(text);
  return *ReadManifests({.files = {"-"}, .standard_input = &in}).items[0];
}

const std::string kManifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg}\ndata: {k: v}\n";

Document Live(const std::string& metadata) {
  return *ParseYaml("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cfg, namespace: prod" + metadata +
                    "}\ndata: {k: v}\n");
}

// Found with `kubectl get -o yaml > live.yaml`: the manifest that names no namespace seemed to take the live one away.
TEST(PrepareOffline, ComparesAManifestWithoutNamespaceWhereLiveIs) {
  const std::string recorded =
      R"(, annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"metadata":{"namespace":"prod"}}'})";
  const auto prepared = PrepareOffline(ReadOne(kManifest), {.live = Live(recorded)}, BuiltinSchema());
  ASSERT_TRUE(prepared.ok()) << ToString(prepared.error());
  EXPECT_EQ(prepared->ref.name_space, "prod");
  EXPECT_EQ(prepared->patch->outcome.root().Find("metadata")->StringOr("namespace"), "prod");
}

TEST(PrepareOffline, SaysWhichObjectHasNoSchema) {
  const auto prepared =
      PrepareOffline(ReadOne("apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n"), {}, BuiltinSchema());
  ASSERT_FALSE(prepared.ok());
  EXPECT_EQ(prepared.error().source.line, 1);
}

// The annotation is planned only when live has one.
TEST(PrepareOffline, ComparesFilesAsTheyAre) {
  const auto prepared = PrepareOffline(ReadOne(kManifest), {.live = Live("")}, BuiltinSchema());
  ASSERT_TRUE(prepared.ok());
  EXPECT_TRUE(prepared->patch->empty()) << WriteJson(prepared->patch->body.root());
}

}  // namespace
}  // namespace smp
