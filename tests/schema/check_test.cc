#include "schema/check.h"

#include "schema/builtin.h"
#include "schema/testing.h"
#include "yaml/read_yaml.h"

namespace smp {
namespace {

Words Problems(const Document& manifest, const Schema& schema, const GroupVersionKind& gvk) {
  Words out;
  for (const Error& error : CheckTypes(manifest, schema, schema.FindType(gvk))) out.push_back(ToString(error));
  return out;
}

Words BuiltinProblems(std::string_view yaml, const GroupVersionKind& gvk) {
  const Result<Document> manifest = yaml::ParseYaml(yaml, "f.yaml");
  EXPECT_TRUE(manifest.ok()) << ToString(manifest.error());
  return manifest.ok() ? Problems(*manifest, *BuiltinSchema(), gvk) : Words{};
}

const GroupVersionKind kPod = {"", "v1", "Pod"};

TEST(CheckTypes, NamesFileLinePathAndTheWayOut) {
  EXPECT_EQ(
      BuiltinProblems("spec:\n  containers:\n  - name: app\n    env:\n    - name: DEBUG\n      value: yes\n", kPod),
      Words{"f.yaml:6: spec.containers[name=app].env[name=DEBUG].value: expected a string, found a boolean "
            "(true); put the text in quotes (y, n, yes, no, on and off are booleans without them)"});
}

TEST(CheckTypes, FindsEachKindOfMistake) {
  const struct {
    std::string_view yaml, problem;
  } rows[] = {
      {"{metadata: {labels: {a: 1}}}",
       "metadata.labels.a: expected a string, found an integer (1); put the text in quotes"},
      {"{metadata: {annotations: {a.b/c: 1.5}}}",
       "metadata.annotations[\"a.b/c\"]: expected a string, found a number (1.5); put the text in quotes"},
      {"{metadata: {name: {a: b}}}", "metadata.name: expected a string, found an object"},
      {"{metadata: {labels: [a]}}", "metadata.labels: expected an object, found a list; remove the dash (-)"},
      {"{spec: {containers: {name: a}}}",
       "spec.containers: expected a list, found an object; begin each item with a dash (-)"},
      {"{spec: {containers: [a]}}", "spec.containers[0]: expected an object, found a string"},
      {"{spec: {containers: [{args: [1]}]}}",
       "spec.containers[0].args[0]: expected a string, found an integer (1); put the text in quotes"},
      {"{spec: {containers: [{name: a, ports: [{containerPort: \"80\"}]}]}}",
       "spec.containers[name=a].ports[containerPort=\"80\"].containerPort: expected an integer, found a "
       "string; remove the quotes"},
      {"{spec: {priority: 1.5}}", "spec.priority: expected an integer, found a number (1.5)"},
      {"{spec: {priority: high}}", "spec.priority: expected an integer, found a string"},
      {"{spec: {hostNetwork: \"true\"}}", "spec.hostNetwork: expected a boolean, found a string; remove the quotes"},
      {"{spec: {hostNetwork: 1}}", "spec.hostNetwork: expected a boolean, found an integer (1)"},
      {"{spec: a}", "spec: expected an object, found a string"},
      {"{spec: {containers: [{resources: {limits: {cpu: true}}}]}}",
       "spec.containers[0].resources.limits.cpu: expected a quantity, found a boolean (true)"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.yaml);
    EXPECT_EQ(BuiltinProblems(row.yaml, kPod), Words{StrCat("f.yaml:1: ", row.problem)});
  }
}

TEST(CheckTypes, AcceptsWhatTheServerAccepts) {
  const std::string_view rows[] = {
      "{metadata: null, spec: {containers: null, priority: null}}",
      "{spec: {containers: [{resources: {limits: {cpu: 1, memory: 1.5, a: 100m}}}]}}",
      "{spec: {containers: [{livenessProbe: {httpGet: {port: 80}}}, {livenessProbe: {httpGet: {port: http}}}]}}",
      "{spec: {priority: 1.0}}",
      "{metadata: {creationTimestamp: 2001-01-01T00:00:00Z}}",
      "{noSuchField: [1], spec: {noSuchField: {a: yes}}}",
      "{spec: {containers: [{$patch: replace}, {name: a, $patch: delete}], $patch: replace}}",
      "{spec: {containers: [null]}}",
  };
  for (const std::string_view row : rows) {
    SCOPED_TRACE(row);
    EXPECT_EQ(BuiltinProblems(row, kPod), Words{});
  }
}

TEST(CheckTypes, TextThatIsNotEncoded) {
  const GroupVersionKind secret = {"", "v1", "Secret"};
  EXPECT_EQ(BuiltinProblems("kind: Secret\ndata:\n  a: aGVs\n  b: hunter 2", secret),
            Words{"f.yaml:4: data.b: is not base64; encode it, or move it to stringData"});
  EXPECT_EQ(BuiltinProblems("kind: Secret\ndata: {a: \"\", b: \"aGVs\\nbG8=\\n\", c: null}", secret), Words{});
  EXPECT_EQ(BuiltinProblems("binaryData: {a: aGV}", {"", "v1", "ConfigMap"}),
            Words{"f.yaml:1: binaryData.a: is not base64; encode it"});
}

TEST(CheckTypes, FindsAllMistakesInOrder) {
  const Words problems = BuiltinProblems("metadata:\n  labels: {b: 1}\n  annotations:\n    a: yes\n", kPod);
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_TRUE(problems[0].starts_with("f.yaml:4: metadata.annotations.a:"));
  EXPECT_TRUE(problems[1].starts_with("f.yaml:2: metadata.labels.b:"));
}

Words UnknownIn(std::string_view yaml, const GroupVersionKind& gvk) {
  const Document manifest = *yaml::ParseYaml(yaml, "f.yaml");
  Words out;
  const auto& schema = *BuiltinSchema();
  for (const Error& error : CheckTypes(manifest, schema, schema.FindType(gvk), UnknownFields::kFind)) {
    out.push_back(ToString(error));
  }
  return out;
}

TEST(CheckTypes, FindsMisspeltFields) {
  EXPECT_EQ(UnknownIn("spec:\n  containers:\n  - name: a\n    flavour: mild\n    imagePulPolicy: Always\n", kPod),
            (Words{"f.yaml:4: spec.containers[name=a].flavour: unknown field \"flavour\"; remove it",
                   "f.yaml:5: spec.containers[name=a].imagePulPolicy: unknown field \"imagePulPolicy\"; did you mean "
                   "\"imagePullPolicy\"?"}));
  EXPECT_EQ(BuiltinProblems("spec: {replica: 3}", kPod), Words{}) << "only where it is asked for";
}

TEST(CheckTypes, AFieldOfAMapOrAFreeFormObjectIsNeverUnknown) {
  EXPECT_EQ(UnknownIn("metadata: {labels: {a: b}, managedFields: [{fieldsV1: {\"f:a\": {}}}]}\n"
                      "spec: {nodeSelector: {a: b}, containers: [{resources: {limits: {example.com/gpu: 1}}}]}",
                      kPod),
            Words{});
  EXPECT_EQ(UnknownIn("data: {a: b}", {"", "v1", "ConfigMap"}), Words{});
  EXPECT_EQ(UnknownIn("spec: {versions: [{schema: {openAPIV3Schema: {properties: {a: {default: {b: 1}, "
                      "items: {type: string}, additionalProperties: {type: string}}}}}}]}",
                      {"apiextensions.k8s.io", "v1", "CustomResourceDefinition"}),
            Words{});
  EXPECT_EQ(UnknownIn("data: {a: b}", {"apps", "v1", "ControllerRevision"}), Words{});
  // Theirs is the error that says what to do with a directive.
  EXPECT_EQ(UnknownIn("spec: {containers: [{name: a, $patch: delete}]}", kPod), Words{});
}

TEST(CheckTypes, ShowsNoValueOfASecret) {
  EXPECT_EQ(BuiltinProblems("apiVersion: v1\nkind: Secret\nstringData: {pin: 4711}\n", {"", "v1", "Secret"}),
            Words{"f.yaml:3: stringData.pin: expected a string, found an integer; put the text in quotes"});
}

TEST(CheckTypes, LeavesFreeFormAndEmbeddedObjectsAlone) {
  const auto schema = CompiledComponents(
      R"({"W": {"type": "object", "x-kubernetes-group-version-kind": [{"group": "g", "version": "v1", "kind": "W"}], "properties": {
      "free": {"type": "object"},
      "open": {"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {"a": {"type": "string"}}},
      "embedded": {"type": "object", "x-kubernetes-embedded-resource": true, "properties": {"kind": {"type": "string"}}},
      "any": {},
      "port": {"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]},
      "matrix": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
      "maps": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}}}}})");
  const GroupVersionKind gvk = {"g", "v1", "W"};
  EXPECT_EQ(
      Problems(
          Json(
              R"({"free": {"a": [1]}, "open": {"a": 1}, "embedded": {"kind": 1}, "any": [1], "port": 1, "matrix": [[1]], "maps": {"a": ["b"]}})"),
          *schema, gvk),
      Words{});
  EXPECT_EQ(Problems(Json(R"({"matrix": [["1"]], "maps": {"a": "b"}, "port": true})"), *schema, gvk),
            (Words{"maps.a: expected a list, found a string; begin each item with a dash (-)",
                   "matrix[0][0]: expected an integer, found a string; remove the quotes",
                   "port: expected an integer or a string, found a boolean (true)"}));
}

}  // namespace
}  // namespace smp
