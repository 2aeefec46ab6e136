#include "karmada/override.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "karmada/explanation.h"
#include "karmada/testing.h"
#include "value/parse_path.h"

namespace smp::karmada {
namespace {

constexpr char kWeb[] =
    "apiVersion: apps/v1\n"
    "kind: Deployment\n"
    "metadata: {name: web}\n"
    "spec:\n"
    "  replicas: 2\n"
    "  template:\n"
    "    spec:\n"
    "      containers:\n"
    "      - name: app\n"
    "        image: nginx:1.27\n"
    "        args: [a, b]\n"
    "      - name: side\n"
    "        image: side:1\n";

FieldPath Path(std::string_view text) {
  auto path = ParsePath(text);
  EXPECT_TRUE(path.ok()) << text;
  return path.ok() ? *path : FieldPath();
}

// "policy.yaml:8" for what was written there, "partly policy.yaml:8" for what holds such, "" for what is as it was.
std::string OriginText(const Overridden& done, std::string_view path) {
  const auto origin = Origins(done).Of(Path(path));
  if (!origin) return "";
  std::string out = origin->extent == Origin::Extent::kPart ? "partly" : "";
  for (const OverrideStep* step : origin->steps) {
    out += StrCat(out.empty() ? "" : " ", step->place.source.file, ":", step->place.source.line);
  }
  return out;
}

TEST(Override, KnowsWhichOperationWroteWhat) {
  const auto done =
      Override(Yaml(kWeb, "web.yaml"),
               PolicyWith("imageOverrider:\n"
                          "- {component: Tag, operator: replace, value: '1.29'}\n"
                          "plaintext:\n"
                          "- {path: /spec/replicas, operator: replace, value: 5}\n"
                          "- {path: /spec/template/spec/containers/0, operator: add, value: {name: new}}\n"
                          "- {path: /spec/paused, operator: add, value: true}\n"
                          "- {path: /spec/paused, operator: remove}\n"));
  ASSERT_TRUE(done.ok()) << ToString(done.error());
  EXPECT_EQ(OriginText(*done, "spec.replicas"), "policy.yaml:10");
  EXPECT_EQ(OriginText(*done, "spec.template.spec.containers[name=app].image"), "policy.yaml:8");
  EXPECT_EQ(OriginText(*done, "spec.template.spec.containers[name=app].args"), "");
  EXPECT_EQ(OriginText(*done, "spec.template.spec.containers[name=new].name"), "policy.yaml:11");
  EXPECT_EQ(OriginText(*done, "spec.template.spec.containers[name=app]"), "partly policy.yaml:8");
  EXPECT_EQ(OriginText(*done, "spec.paused"), "policy.yaml:13");
  EXPECT_EQ(OriginText(*done, "metadata.name"), "");
}

// Each overrider changes a part of the value that the one before it left.
TEST(Override, KnowsAllOperationsThatMadeAValue) {
  const auto done =
      Override(Yaml(kWeb, "web.yaml"), PolicyWith("imageOverrider:\n"
                                                  "- {component: Registry, operator: add, value: example.com}\n"
                                                  "- {component: Tag, operator: replace, value: '1.29'}\n"
                                                  "argsOverrider:\n"
                                                  "- {containerName: app, operator: add, value: [c]}\n"
                                                  "- {containerName: app, operator: remove, value: [a]}\n"
                                                  "plaintext:\n"
                                                  "- {path: /spec/replicas, operator: replace, value: 5}\n"
                                                  "- {path: /spec/replicas, operator: replace, value: 6}\n"));
  ASSERT_TRUE(done.ok()) << ToString(done.error());
  EXPECT_EQ(OriginText(*done, "spec.template.spec.containers[name=app].image"), "policy.yaml:8 policy.yaml:9");
  EXPECT_EQ(OriginText(*done, "spec.template.spec.containers[name=app].args"), "policy.yaml:11 policy.yaml:12");
  EXPECT_EQ(OriginText(*done, "spec.replicas"), "policy.yaml:15");
}

TEST(Override, KeepsTheLinesOfTheManifest) {
  const auto done =
      Override(Yaml(kWeb, "web.yaml"),
               PolicyWith("plaintext: [{path: /spec/template/spec/containers/0/args/0, operator: remove}]"));
  ASSERT_TRUE(done.ok()) << ToString(done.error());
  const Document& object = done->object;
  const Value* containers = object.root().FindPath({"spec", "template", "spec", "containers"});
  EXPECT_EQ(object.source_name(), "web.yaml");
  EXPECT_EQ(object.LineOf(object.root().FindPath({"spec", "replicas"})), 5);
  EXPECT_EQ(object.LineOf(containers->Items()[0].Find("image")), 10);
  EXPECT_EQ(object.LineOf(containers->Items()[1].Find("image")), 13);
  EXPECT_EQ(object.LineOf(&containers->Items()[0].Find("args")->Items()[0]), 11);
}

TEST(Override, WithoutAChangeIsTheSameDocument) {
  const Document web = Yaml(kWeb, "web.yaml");
  const auto done = Override(web, PolicyWith("labelsOverrider: [{operator: remove, value: {a: b}}]"));
  ASSERT_TRUE(done.ok()) << ToString(done.error());
  EXPECT_EQ(&done->object.root(), &web.root());
}

TEST(Override, SaysPolicyRuleOperationAndWhatIsThere) {
  EXPECT_EQ(Outcome(kWeb, PolicyWith("plaintext:\n- {path: /spec/replicas/x, operator: add, value: 1}")),
            "error: policy.yaml:8: spec.overrideRules[0].overriders.plaintext[0]: OverridePolicy default/p cannot add "
            "\"/spec/replicas/x\": there is no /spec/replicas/x: /spec/replicas is a value of type integer");
  EXPECT_EQ(
      Outcome(kWeb, PolicyWith("plaintext:\n- {path: /spec/template/spec/containers/5, operator: remove}")),
      "error: policy.yaml:8: spec.overrideRules[0].overriders.plaintext[0]: OverridePolicy default/p cannot remove "
      "\"/spec/template/spec/containers/5\": there is no /spec/template/spec/containers/5: the list has 2 items");
}

TEST(Override, ARuleThatNeedsWhatIsNotSaidOfTheClusterIsRefused) {
  const std::string policy =
      "apiVersion: policy.karmada.io/v1alpha1\nkind: OverridePolicy\nmetadata: {name: p}\nspec:\n  overrideRules:\n"
      "  - targetCluster:\n      clusterNames: [a]\n      labelSelector: {matchLabels: {env: prod}}\n"
      "    overriders: {plaintext: [{path: /x, operator: add, value: 1}]}\n";
  const std::string object = "{apiVersion: v1, kind: ConfigMap}";
  EXPECT_EQ(
      Outcome(object, policy),
      "error: policy.yaml:7: spec.overrideRules[0].targetCluster: OverridePolicy default/p: the rule depends on the "
      "name and labels of the member cluster, which no flag describes: use --member-cluster and "
      "--member-cluster-labels, or --member-cluster-file");
  EXPECT_EQ(Outcome(object, policy, {.name = "b"}), R"({"apiVersion":"v1","kind":"ConfigMap"})") << "the name says no";
  EXPECT_EQ(Outcome(object, policy, {.name = "a", .labels = {{{"env", "prod"}}}}),
            R"({"apiVersion":"v1","kind":"ConfigMap","x":1})");
}

TEST(Override, OfAPolicyThatSelectsOtherObjectsNeedsNoCluster) {
  const std::string policy =
      "apiVersion: policy.karmada.io/v1alpha1\nkind: OverridePolicy\nmetadata: {name: p}\nspec:\n"
      "  resourceSelectors: [{apiVersion: v1, kind: Secret}]\n"
      "  overrideRules: [{targetCluster: {clusterNames: [a]}, overriders: {}}]\n";
  EXPECT_EQ(Outcome("{kind: ConfigMap}", policy), R"({"kind":"ConfigMap"})");
}

TEST(Override, NotesAnImageTagThatIsNone) {
  const auto done =
      Override(Yaml(kWeb), PolicyWith("imageOverrider: [{component: Tag, operator: replace, value: ':2'}]"));
  ASSERT_TRUE(done.ok()) << ToString(done.error());
  ASSERT_EQ(done->notes.size(), 2u);
  EXPECT_EQ(done->notes[0].message,
            "OverridePolicy default/p: \":2\" results in neither a tag nor a digest, so the image \"nginx:1.27\" is "
            "not changed");
}

TEST(Override, ManyOperationsOnALongListAreLinear) {
  constexpr int kItems = 20'000;
  std::string items = "[", operations;
  for (int i = 0; i < kItems; ++i) items += StrCat(i, ",");
  for (int i = 0; i < kItems; ++i) operations += StrCat("- {path: /spec/list/", i, ", operator: replace, value: x}\n");
  const auto done =
      Override(Yaml(StrCat("{kind: A, spec: {list: ", items, "]}}")), PolicyWith("plaintext:\n" + operations));
  ASSERT_TRUE(done.ok()) << ToString(done.error());
  EXPECT_EQ(done->object.root().FindPath({"spec", "list"})->Items()[kItems - 1].AsString(), "x");
}

TEST(Override, AnObjectCannotBecomeDeeperThanItMayBe) {
  std::string deep = "1", path = "/x";
  for (int i = 0; i < 600; ++i) deep = StrCat("{\"a\":", deep, "}");
  for (int i = 0; i < 599; ++i) path += "/a";
  const std::string policy =
      StrCat(R"({"apiVersion":"policy.karmada.io/v1alpha1","kind":"OverridePolicy","metadata":{"name":"p"},"spec":)",
             R"({"overrideRules":[{"overriders":{"plaintext":[{"path":"/x","operator":"add","value":)", deep,
             R"(},{"operator":"replace","path":")", path, R"(","value":)", deep, "}]}}]}}");
  const std::string outcome = Outcome("{kind: A}", policy);
  EXPECT_TRUE(outcome.ends_with("the result would be nested deeper than 1000 levels")) << outcome.substr(0, 200);
}

TEST(Override, ExplainsEachOperation) {
  const auto done = Override(Yaml(kWeb, "web.yaml"),
                             PolicyWith("imageOverrider:\n- {component: Registry, operator: add, value: r.io}\n"
                                        "labelsOverrider:\n- {operator: remove, value: {a: b}}\n"
                                        "plaintext:\n- {path: /spec/replicas, operator: remove}\n"),
                             {}, Record::kChanges);
  ASSERT_TRUE(done.ok()) << ToString(done.error());
  EXPECT_EQ(ExplainSteps(*done, Secrets::kMask),
            "  add the registry of the images\n"
            "    by policy.yaml:8: OverridePolicy default/p spec.overrideRules[0].overriders.imageOverrider[0]\n"
            "    spec.template.spec.containers[0].image\n"
            "      - \"nginx:1.27\"\n"
            "      + \"r.io/nginx:1.27\"\n"
            "    spec.template.spec.containers[1].image\n"
            "      - \"side:1\"\n"
            "      + \"r.io/side:1\"\n"
            "  remove labels\n"
            "    by policy.yaml:10: OverridePolicy default/p spec.overrideRules[0].overriders.labelsOverrider[0]\n"
            "    changes nothing\n"
            "  remove \"/spec/replicas\"\n"
            "    by policy.yaml:12: OverridePolicy default/p spec.overrideRules[0].overriders.plaintext[0]\n"
            "    spec.replicas\n"
            "      - 2\n");
}

// Quadratic, this took minutes.
TEST(Override, ManyOperationsHaveOriginsInLinearTime) {
  constexpr int kMany = 30'000;
  std::string env, operations;
  for (int i = 0; i < kMany; ++i) {
    env += StrCat(i == 0 ? "" : ",", R"({"name":"E)", i, R"(","value":"x"})");
    operations += StrCat("- {path: /env/", i, "/value, operator: replace, value: y}\n");
  }
  const auto done =
      Override(Yaml(StrCat(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"env":[)", env, "]}")),
               PolicyWith("plaintext:\n" + operations), {}, Record::kSteps);
  ASSERT_TRUE(done.ok()) << ToString(done.error());
  Origins origins(*done);
  for (int i = 0; i < kMany; ++i) {
    const auto origin = origins.Of(Path(StrCat("env[name=E", i, "].value")));
    ASSERT_TRUE(origin) << i;
    EXPECT_EQ(origin->steps, std::vector<const OverrideStep*>{&done->steps[static_cast<size_t>(i)]});
  }
  EXPECT_EQ(origins.Of(Path("env"))->steps.size(), static_cast<size_t>(kMany));
}

// Found by a review: with a text that was small before, but grew, this took 24 s.
TEST(Override, ExplainsManyOperationsThatGrowATextByTheirValues) {
  std::string operations;
  for (int i = 0; i < 4000; ++i) operations += StrCat("  - {path: /k", i, ", operator: add, value: v}\n");
  const auto done = Override(Yaml("kind: ConfigMap\ndata: {a.yaml: '{}'}\n"),
                             PolicyWith("yamlPlaintextOverrider:\n- path: /data/a.yaml\n  patch:\n" + operations), {},
                             Record::kChanges);
  ASSERT_TRUE(done.ok()) << ToString(done.error());
  EXPECT_EQ(done->steps.back().changes.back().path, "data[\"a.yaml\"] /k3999");
  EXPECT_EQ(done->steps.back().changes.back().after, "\"v\"");
}

// Each text in full for each operation would cost the text times the operations.
TEST(Override, ExplainsOperationsOnAHugeTextByTheirValues) {
  const Document object =
      Yaml(StrCat("kind: ConfigMap\ndata:\n  a.yaml: |\n    pad: ", std::string(size_t{6} << 20, 'x'),
                  "\n    list: [1, 2]\n    b: {c: d}\n"));
  const std::string policy = PolicyWith(
      "yamlPlaintextOverrider:\n- path: /data/a.yaml\n  patch:\n  - {path: /list/0, operator: add, value: 0}\n"
      "  - {path: /b/c, operator: replace, value: e}\n  - {path: /f, from: /b, operator: move}\n"
      "  - {path: /f/c, operator: test, value: e}\n  - {path: /list/-, from: /f/c, operator: copy}\n"
      "  mergeValue: {f: {c: null}, g: 1}\n");
  const auto done = Override(object, policy, {}, Record::kChanges);
  ASSERT_TRUE(done.ok()) << ToString(done.error());
  std::string shown;
  const std::string explanation = ExplainSteps(*done, Secrets::kMask);
  for (std::string_view line : Split(explanation, '\n')) {
    if (!line.starts_with("    by ")) shown += StrCat(line, "\n");
  }
  EXPECT_EQ(shown,
            "  add /list/0 in /data/a.yaml\n"
            "    data[\"a.yaml\"] /list/0\n"
            "      + 0\n"
            "  replace /b/c in /data/a.yaml\n"
            "    data[\"a.yaml\"] /b/c\n"
            "      - \"d\"\n"
            "      + \"e\"\n"
            "  move /b to /f in /data/a.yaml\n"
            "    data[\"a.yaml\"] /b\n"
            "      - {\"c\":\"e\"}\n"
            "    data[\"a.yaml\"] /f\n"
            "      + {\"c\":\"e\"}\n"
            "  test /f/c in /data/a.yaml\n"
            "    changes nothing\n"
            "  copy /f/c to /list/- in /data/a.yaml\n"
            "    data[\"a.yaml\"] /list/-\n"
            "      + \"e\"\n"
            "  merge mergeValue into /data/a.yaml\n"
            "    data[\"a.yaml\"] /f\n"
            "      - {\"c\":\"e\"}\n"
            "      + {}\n"
            "    data[\"a.yaml\"] /g\n"
            "      + 1\n\n");
}

}  // namespace
}  // namespace smp::karmada
