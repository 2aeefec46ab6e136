// What is found, where, and what is not. Each rule has an example in rules.txt, which tests/cmd/lint_test.cc runs.
#include "lint/lint.h"

#include "lint/testing.h"

namespace smp::lint {
namespace {

Lines OfPodSpec(std::string_view spec) { return Short(Linted(StrCat(kPod, "spec:\n", spec))); }

TEST(Lint, SaysNothingOfWhatIsRight) {
  EXPECT_EQ(
      OfPodSpec("  hostNetwork: true\n"
                "  containers:\n"
                "  - name: app\n"
                "    image: nginx:1.27\n"
                "    args: [\"yes\", '0644', \"1:30\", yess, 1.2.3, 12e, 0x]\n"
                "    env: [{name: A, value: \"1\"}, {name: B}]\n"
                "    ports: [{containerPort: 53}, {containerPort: 53, protocol: UDP, name: dns}]\n"
                "    resources: {limits: {cpu: 1, memory: 1.5Gi, example.com/gpu: \"2\"}, requests: {cpu: 1e-1}}\n"
                "    readinessProbe: {httpGet: {port: http, path: /}}\n"),
      Lines());
}

TEST(Lint, SaysWhereInCharactersNotBytes) {
  EXPECT_EQ(Short(Linted(StrCat(kConfigMap, "data: {a: \"ö€\", b: 1}\n"))), Lines{"4:20 error wrong-type data.b"});
}

TEST(Lint, FindsPlacesInJsonAndInLists) {
  EXPECT_EQ(Short(Linted("{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [\n"
                         "  {\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"a\"}},\n"
                         "  {\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"b\"}, "
                         "\"data\": {\"x\": 1, \"x\": 2}}\n"
                         "]}\n")),
            (Lines{"3:89 error duplicate-key data.x", "3:94 error wrong-type data.x"}));
}

TEST(Lint, KnowsOnlyLinesWhereThereIsNoTree) {
  const std::string object =
      "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"NAME\"}, \"data\": {\"x\": 1}}\n";
  const Report report = Linted(StrCat(object, object));
  EXPECT_EQ(report.findings.size(), 5u);  // a type and a name each, and the object twice
  EXPECT_EQ(report.findings.back().line, 2);
  EXPECT_EQ(report.findings.back().column, 0);
}

TEST(Lint, GoesOnAfterATextThatCannotBeRead) {
  EXPECT_EQ(Short(Linted(StrCat("a: [\n---\n", kConfigMap, "data: {x: 1}\n"))),
            (Lines{"2:0 error unreadable", "6:11 error wrong-type data.x"}));
}

TEST(Lint, TellsObjectsFromOtherFiles) {
  EXPECT_EQ(Short(Linted("replicas: 3\n")), Lines{"1:1 warning no-object"});
  EXPECT_EQ(Short(Linted("kind: ConfigMap\nmetadata: {name: a}\n")), Lines{"1:1 error no-object"});
  EXPECT_EQ(Short(Linted({{"kustomization.yaml", "resources: [a.yaml]\n"}})), Lines());
  EXPECT_EQ(Short(Linted("")), Lines());
  EXPECT_EQ(Short(Linted("# nothing\n---\n---\n")), Lines());
}

// A patch lacks what its base has, and is no object of its own.
TEST(Lint, KnowsThePatchesOfAKustomization) {
  const std::string base =
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  selector: {matchLabels: {app: web}}\n"
      "  template:\n    metadata: {labels: {app: web}}\n    spec: {containers: [{name: app, image: nginx}]}\n";
  const std::string patch =
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {$patch: replace, REPLICAS: 3}\n";
  const std::string operations = "- {op: remove, path: /spec/replicas}\n";
  const auto with = [&](std::string_view kustomization) {
    return Short(Linted({{"app/kustomization.yaml", std::string(kustomization)},
                         {"app/base.yaml", base},
                         {"app/patch.yaml", patch},
                         {"app/operations.yaml", operations}}));
  };
  EXPECT_EQ(with("patches: [{path: ./patch.yaml}, {path: operations.yaml}, {patch: \"- op: add\"}]\n"),
            Lines{"4:25 error unknown-field spec.REPLICAS"});
  EXPECT_EQ(with("patchesStrategicMerge: [../app/patch.yaml]\npatchesJson6902: [{path: operations.yaml}]\n"),
            Lines{"4:25 error unknown-field spec.REPLICAS"});
  EXPECT_GT(with("resources: [patch.yaml]\n").size(), 3u);
}

TEST(Lint, AdvisesToRenderTemplates) {
  const Report report = Linted("a: {{ .Values.a }}\n");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].advice, "render it first, if it is a template, and check what comes out");
}

TEST(Lint, TakesTheNameOfAnObjectForAType) {
  EXPECT_EQ(Short(Linted("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: y}\n")),
            Lines{"3:18 error wrong-type metadata.name"});
}

TEST(Lint, ReadsAsOtherYamlTools) {
  EXPECT_EQ(
      Short(Linted(StrCat("apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec:\n"
                          "  a: NO\n  b: 0644\n  c: 1:30\n  d: 1_000\n  e: 0b11\n  f: 12e345678\n"
                          "  g: 0o17\n  h: 2001-01-01\n  i: 08\n  j: +12\n  k: 0x1F\n  l: ~\n  m: 1.\n  o: .5\n"))),
      (Lines{"5:6 warning yaml-versions spec.a", "6:6 warning yaml-versions spec.b", "7:6 warning yaml-versions spec.c",
             "8:6 warning yaml-versions spec.d", "9:6 warning yaml-versions spec.e",
             "10:6 warning yaml-versions spec.f"}));
}

TEST(Lint, LooksAtAnchorsOnce) {
  EXPECT_EQ(
      Short(Linted(StrCat(kConfigMap, "data: &d {x: 1}\nbinaryData: {}\n---\n", kConfigMap, "data:\n  <<: *d\n"))),
      (Lines{"4:14 error wrong-type data.x", "11:0 error unreadable"}));
  EXPECT_EQ(OfPodSpec("  containers:\n  - &a {name: a, image: i, tty: on}\n  initContainers: [*a]\n"),
            (Lines{"6:15 error duplicate-item spec.containers[name=a].name",
                   "6:33 warning yaml-versions spec.containers[name=a].tty"}));
}

TEST(Lint, ComparesVersionsWithTheRelease) {
  const std::string text = "apiVersion: extensions/v1beta1\nkind: Ingress\nmetadata: {name: a}\n";
  const auto in_release = [&](Release release) {
    Linter linter({});
    linter.Add("f.yaml", text);
    EXPECT_TRUE(linter.Check({}, release).ok());
    return Short(std::move(linter).Finish());
  };
  EXPECT_EQ(in_release({1, 22}), Lines{"1:13 error removed-api apiVersion"});
  EXPECT_EQ(in_release({1, 21}), Lines{"1:13 warning deprecated-api apiVersion"});
}

// The built-in schema is of one release; others may have fields that it has not.
TEST(Lint, IsSureOfItsOwnReleaseOnly) {
  const auto in_release = [&](Release release) {
    Linter linter({});
    linter.Add("f.yaml", StrCat(kPod, "spec: {containers: [{name: a, image: i, imagePullPolicy: Later, next: 1}]}\n"));
    EXPECT_TRUE(linter.Check({}, release).ok());
    return Short(std::move(linter).Finish());
  };
  const std::string field = " unknown-field spec.containers[name=a].next",
                    choice = "4:58 error invalid-choice spec.containers[name=a].imagePullPolicy";
  EXPECT_EQ(in_release({1, 36}), (Lines{choice, "4:65 error" + field}));
  EXPECT_EQ(in_release({1, 30}), (Lines{choice, "4:65 warning" + field}));
  EXPECT_EQ(in_release({1, 40}), Lines{"4:65 warning" + field});
}

TEST(Lint, TakesKindsOfTheInput) {
  const std::string definition =
      "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.example.com}\n"
      "spec:\n"
      "  group: example.com\n"
      "  names: {kind: Widget, plural: widgets}\n"
      "  scope: Namespaced\n"
      "  versions:\n"
      "  - name: v1\n"
      "    served: true\n"
      "    storage: true\n"
      "    schema:\n"
      "      openAPIV3Schema:\n"
      "        type: object\n"
      "        required: [spec]\n"
      "        properties:\n"
      "          spec:\n"
      "            type: object\n"
      "            required: [size, color]\n"
      "            properties:\n"
      "              size: {type: integer, minimum: 1, maximum: 9, multipleOf: 3}\n"
      "              color: {type: string, enum: [red, green], default: red}\n"
      "              name: {type: string, minLength: 2, maxLength: 4}\n"
      "              tags: {type: array, items: {type: string}, x-kubernetes-list-type: set, maxItems: 3}\n";
  const auto widget = [&](std::string_view rest) {
    return Short(Linted({{"crd.yaml", definition},
                         {"w.yaml", StrCat("apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n", rest)}}));
  };
  EXPECT_EQ(widget("spec: {size: 3}\n"), Lines());
  EXPECT_EQ(widget(""), Lines{"1:1 error missing-field"});
  EXPECT_EQ(widget("spec: {color: red}\n"), Lines{"4:1 error missing-field spec"});
  EXPECT_EQ(widget("spec: {size: 4, color: blue, name: abcde}\n"),
            (Lines{"4:14 error out-of-range spec.size", "4:24 error invalid-choice spec.color",
                   "4:36 error out-of-range spec.name"}));
  EXPECT_EQ(widget("spec: {size: 0, name: ä, tags: [a, b, a, c]}\n"),
            (Lines{"4:14 error out-of-range spec.size", "4:23 error out-of-range spec.name",
                   "4:32 error out-of-range spec.tags", "4:39 error duplicate-item spec.tags[\"a\"]"}));
  EXPECT_EQ(widget("spec: {size: 3, sise: 4}\n"), Lines{"4:17 error unknown-field spec.sise"});
}

TEST(Lint, ComparesCopies) {
  const std::string a = StrCat(kConfigMap, "data: {a: b}\n"), b = StrCat(kConfigMap, "data: {a: c}\n");
  EXPECT_EQ(Short(Linted(StrCat(a, "---\n", b))), Lines{"6:1 error same-object"});
  EXPECT_EQ(Short(Linted(StrCat(a, "---\n", a))), Lines{"6:1 warning repeated-object"});
  EXPECT_EQ(Short(Linted({{"a.yaml", a}, {"b.yaml", b}})), Lines{"1:1 warning same-object"});
  EXPECT_EQ(Short(Linted(StrCat(a, "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: shop}\n"))),
            Lines());
}

TEST(Lint, FollowsServicesToPorts) {
  const auto with_target = [](std::string_view target, Severity least = Severity::kWarning) {
    return Short(Linted(StrCat("apiVersion: v1\nkind: Pod\nmetadata: {name: a, labels: {app: a}}\n"
                               "spec: {containers: [{name: a, image: i, ports: [{name: http, containerPort: 80}]}]}\n"
                               "---\napiVersion: v1\nkind: Service\nmetadata: {name: a}\n"
                               "spec: {selector: {app: a}, ports: [{port: 80, targetPort: ",
                               target, "}]}\n")),
                 least);
  };
  EXPECT_EQ(with_target("http"), Lines());
  EXPECT_EQ(with_target("80", Severity::kInfo), Lines());
  EXPECT_EQ(with_target("81"), Lines());
  EXPECT_EQ(with_target("81", Severity::kInfo), Lines{"9:59 info service-port spec.ports[0].targetPort"});
  EXPECT_EQ(with_target("https"), Lines{"9:59 warning service-port spec.ports[0].targetPort"});
}

TEST(Lint, ForecastsTheAnnotation) {
  const auto with_bytes = [](size_t bytes) {
    return Short(Linted(StrCat(kConfigMap, "data: {a: \"", std::string(bytes, 'x'), "\"}\n")));
  };
  EXPECT_EQ(with_bytes(262'144), Lines{"1:1 warning too-large"});
  EXPECT_EQ(with_bytes(261'000), Lines());
}

TEST(Lint, HidesTheValuesOfSecrets) {
  const Report report = Linted(
      "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {password: 1234567, pin: NO, mode: 0644}\n"
      "data: {key: \"hunter2!\"}\nstringdata: {a: hunter3}\n");
  EXPECT_GE(report.findings.size(), 5u);
  const std::string text =
      StrCat(PrintText(report, {.least = Severity::kInfo, .fold = false}), PrintGithub(report, Severity::kInfo));
  for (const std::string_view secret : {"1234567", "hunter2", "hunter3", "0644", "420", "NO"}) {
    EXPECT_EQ(text.find(secret), text.npos) << secret << "\n" << text;
  }
}

TEST(Lint, ChangesSeverities) {
  Options options;
  options.severities = {
      {"wrong-type", std::nullopt}, {"service-port", Severity::kError}, {"invalid-name", Severity::kInfo}};
  EXPECT_EQ(Short(Linted({{"f.yaml", StrCat(kConfigMap, "data: {a: 1, \"b c\": d}\n")}}, options), Severity::kInfo),
            Lines{"4:14 info invalid-name data[\"b c\"]"});
}

TEST(Lint, ReadsUtf16) {
  const std::string text = StrCat(kConfigMap, "data: {a: 1}\n");
  std::string utf16 = "\xFF\xFE";
  for (const char c : text) utf16.append({c, '\0'});
  EXPECT_EQ(Short(Linted(utf16)), Lines{"4:11 error wrong-type data.a"});
}

// When each finding was compared with all before it, this took minutes.
TEST(Lint, ManyFindingsTakeLinearTime) {
  std::string data;
  for (int i = 0; i < 200000; ++i) data += StrCat("  k", i, ": 01\n");
  EXPECT_EQ(Linted(StrCat(kConfigMap, "data:\n", data)).Count(Severity::kError), 200000u);
}

}  // namespace
}  // namespace smp::lint
