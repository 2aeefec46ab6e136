#include "smp/twins.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "base/strings.h"
#include "schema/builtin.h"
#include "schema/openapi.h"
#include "value/yaml.h"

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

TwinFindings FindIn(const char* text, const Schema& schema, TypeId type, ListRules rules) {
  const auto manifest = ParseYaml(text, "m.yaml");
  EXPECT_TRUE(manifest.ok());
  return FindTwins(*manifest, schema, type, rules);
}

TEST(Twins, AreNamedWithAllTheirLinesAndWhatBecomesOfThem) {
  const auto schema = BuiltinSchema();
  const TwinFindings found = FindIn(kPod, *schema, schema->FindType({"", "v1", "Pod"}), ListRules::kStrategic);
  EXPECT_EQ(Texts(found.refused),
            (std::vector<std::string>{"m.yaml:8: spec.volumes[name=v]: stands twice, at m.yaml:6 and m.yaml:8; the "
                                      "server takes only one, so remove the others"}));
  EXPECT_EQ(Texts(found.taken),
            (std::vector<std::string>{
                "m.yaml:16: spec.containers[name=web].env[name=X]: stands 3 times, at m.yaml:13, m.yaml:15 and "
                "m.yaml:16; the last one decides",
                "m.yaml:20: spec.containers[name=web].ports[containerPort=53]: stands twice, at m.yaml:18 and "
                "m.yaml:20; the server keeps them all"}));
}

TEST(Twins, AreRefusedInListsAndSetsOfCustomResourcesButNotInTheirMetadata) {
  const auto document = ParseYaml(R"(
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
  const auto schema = CompileOpenApiV3(document->root());
  ASSERT_TRUE(schema.ok()) << ToString(schema.error());
  const TwinFindings found = FindIn(R"(metadata: {ownerReferences: [{uid: u}, {uid: u}]}
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
                                    **schema, (*schema)->FindTypeByName("Type"), ListRules::kListTypes);
  EXPECT_EQ(Texts(found.refused),
            (std::vector<std::string>{"m.yaml:9: hosts[\"a\"]: stands twice, at m.yaml:7 and m.yaml:9; the server "
                                      "takes only one, so remove the others",
                                      "m.yaml:4: ports[port=1]: stands twice, at m.yaml:3 and m.yaml:4; the server "
                                      "takes only one, so remove the others"}));
  ASSERT_EQ(found.taken.size(), 1u);
  EXPECT_EQ(found.taken[0].path, "metadata.ownerReferences[uid=u]");
}

// A misspelt line would say nothing.
TEST(Twins, AndDefaultsOfBuiltinTypesNameFieldsThatExist) {
  size_t lines = 0;
  for (const char* name : {"twins.txt", "defaults.txt"}) {
    std::ifstream file(StrCat(SMP_TESTS_DIR "/../lib/schema/builtin/", name));
    for (std::string line; std::getline(file, line);) {
      if (line.empty() || line.starts_with('#')) continue;
      const std::vector<std::string_view> words = Split(line, ' ');
      ASSERT_EQ(words.size(), 3u) << line;
      const TypeId type = BuiltinSchema()->FindTypeByName(words[0]);
      // A server serves older versions where it is told to; the built-in schema is of one that is told nothing.
      if (type == kNoType && words[0].find(".v1beta") != words[0].npos) continue;
      const Field* field = BuiltinSchema()->Find(type, words[1]);
      ASSERT_NE(field, nullptr) << line;
      if (name == std::string_view("twins.txt")) {
        EXPECT_NE(field->twins, Twins::kUnknown) << line;
        EXPECT_TRUE(words[2] == "refused" || words[2] == "last" || words[2] == "kept") << line;
      } else {
        EXPECT_NE(field->default_value, nullptr) << line;
      }
      ++lines;
    }
  }
  EXPECT_GE(lines, 40u);
}

}  // namespace
}  // namespace smp
