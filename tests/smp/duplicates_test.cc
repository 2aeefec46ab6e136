#include "smp/duplicates.h"

#include <gtest/gtest.h>

#include <string>

#include "base/strings.h"
#include "schema/builtin.h"
#include "schema/openapi.h"
#include "schema/reading.h"
#include "yaml/read_yaml.h"

namespace smp {
namespace {

constexpr const char* kPod = R"(apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  volumes:
  - {name: v, emptyDir: {}}
  - {name: w, emptyDir: {}}
  - {name: v, hostPath: {path: /x}}
  containers:
  - name: web
    image: web:1
    env:
    - {name: X, value: "1"}
    - {name: Y, value: "1"}
    - {name: X, value: "2"}
    - {name: X, value: "3"}
    ports:
    - {containerPort: 53}
    - {containerPort: 53, protocol: UDP}
    - {containerPort: 53, protocol: TCP}
)";

std::vector<std::string> Texts(const std::vector<Error>& errors) {
  std::vector<std::string> out;
  for (const Error& error : errors) out.push_back(ToString(error));
  return out;
}

DuplicateFindings FindIn(const char* text, const Schema& schema, TypeId type) {
  const auto manifest = yaml::ParseYaml(text, "m.yaml");
  EXPECT_TRUE(manifest.ok());
  return FindDuplicates(*manifest, schema, type);
}

TEST(Duplicates, AreNamedWithAllTheirLinesAndWhatBecomesOfThem) {
  const auto schema = BuiltinSchema();
  const DuplicateFindings found = FindIn(kPod, *schema, schema->FindType({"", "v1", "Pod"}));
  EXPECT_EQ(Texts(found.refused),
            (std::vector<std::string>{"m.yaml:8: spec.volumes[name=v]: appears twice, at m.yaml:6 and m.yaml:8; the "
                                      "server accepts only one, so remove the others"}));
  EXPECT_EQ(Texts(found.taken),
            (std::vector<std::string>{
                "m.yaml:16: spec.containers[name=web].env[name=X]: appears 3 times, at m.yaml:13, m.yaml:15 and "
                "m.yaml:16; only the last one takes effect",
                "m.yaml:20: spec.containers[name=web].ports[containerPort=53]: appears twice, at m.yaml:18 and "
                "m.yaml:20; the server keeps them all"}));
}

TEST(Duplicates, AreRefusedInListsAndSetsOfCustomResourcesButNotInTheirMetadata) {
  const auto document = yaml::ParseYaml(R"(
components:
  schemas:
    io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta:
      type: object
      properties:
        ownerReferences:
          type: array
          items: {type: object, properties: {uid: {type: string}}}
          x-kubernetes-list-type: map
          x-kubernetes-list-map-keys: [uid]
    Type:
      type: object
      properties:
        metadata: {$ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}
        ports:
          type: array
          x-kubernetes-list-type: map
          x-kubernetes-list-map-keys: [port, protocol]
          items: {type: object, properties: {port: {type: integer}, protocol: {type: string, default: TCP}}}
        hosts: {type: array, x-kubernetes-list-type: set, items: {type: string}}
        steps: {type: array, items: {type: object, properties: {name: {type: string}}}}
)");
  ASSERT_TRUE(document.ok());
  const auto compiled = CompileOpenApiV3(document->root());
  ASSERT_TRUE(compiled.ok()) << ToString(compiled.error());
  const TypeId type = (*compiled)->FindTypeByName("Type");
  const auto schema = WithReading(**compiled, type, Storage::kAsWritten);
  const DuplicateFindings found = FindIn(R"(metadata: {ownerReferences: [{uid: u}, {uid: u}]}
ports:
- {port: 1}
- {port: 1, protocol: TCP}
- {port: 1, protocol: UDP}
hosts:
- a
- b
- a
steps: [{name: a}, {name: a}]
)",
                                         *schema, type);
  EXPECT_EQ(Texts(found.refused),
            (std::vector<std::string>{"m.yaml:9: hosts[\"a\"]: appears twice, at m.yaml:7 and m.yaml:9; the server "
                                      "accepts only one, so remove the others",
                                      "m.yaml:4: ports[port=1]: appears twice, at m.yaml:3 and m.yaml:4; the server "
                                      "accepts only one, so remove the others"}));
  ASSERT_EQ(found.taken.size(), 1u);
  EXPECT_EQ(found.taken[0].path, "metadata.ownerReferences[uid=u]");
}

}  // namespace
}  // namespace smp
