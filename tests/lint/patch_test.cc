// The rules about strategic merge patches; that the server says the same is tested against one (tests/e2e/lint_patches.py).
#include "lint/testing.h"
#include "value/json.h"

namespace smp::lint {
namespace {

Lines Patched(std::string_view patch, const GroupVersionKind& gvk) {
  Linter linter({});
  linter.Add("p.yaml", std::string(patch));
  const Status checked = linter.CheckAsPatch({}, {1, 36}, gvk);
  EXPECT_TRUE(checked.ok());
  return Short(std::move(linter).Finish());
}

Lines OfDeployment(std::string_view patch) { return Patched(patch, {"apps", "v1", "Deployment"}); }
Lines OfPod(std::string_view spec) { return Patched(StrCat("spec: {", spec, "}\n"), {"", "v1", "Pod"}); }

TEST(Patch, MayLeaveOutWhatTheObjectHas) {
  EXPECT_EQ(OfDeployment("spec: {replicas: 3, template: {spec: {containers: [{name: a, image: null}]}}}\n"), Lines());
  EXPECT_EQ(OfDeployment("{}\n"), Lines());
  EXPECT_EQ(OfDeployment("metadata: {labels: {a: null}, annotations: null}\n"), Lines());
}

TEST(Patch, HasTheFieldsOfItsKind) {
  EXPECT_EQ(OfDeployment("spec: {replica: 3, paused: \"yes\"}\n"),
            (Lines{"1:8 error unknown-field spec.replica", "1:28 error wrong-type spec.paused"}));
}

TEST(Patch, OfACustomResourceIsOfAnotherType) {
  EXPECT_EQ(Patched("- a\n", {"", "v1", "Pod"}), Lines{"1:1 error patch-type"});
  Linter linter({});
  linter.Add("p.yaml", "spec: {}\n");
  EXPECT_FALSE(linter.CheckAsPatch({}, {1, 36}, {"example.com", "v1", "Widget"}).ok());
}

TEST(Patch, Directives) {
  EXPECT_EQ(OfPod("$patch: replace, containers: [{name: a, image: i}]"), Lines());
  EXPECT_EQ(OfPod("$patch: remove"), Lines{"1:16 error patch-directive spec[\"$patch\"]"});
  EXPECT_EQ(OfPod("$ptach: delete"), Lines{"1:8 error patch-directive spec[\"$ptach\"]"});
  EXPECT_EQ(OfPod("$patch: 1"), Lines{"1:16 error patch-directive spec[\"$patch\"]"});
  EXPECT_EQ(OfPod("securityContext: {$patch: delete, runAsUser: 1}"),
            Lines{"1:26 warning patch-ignored spec.securityContext"});
  EXPECT_EQ(OfPod("securityContext: {$patch: replace, seLinuxOptions: {$patch: delete}}"),
            Lines{"1:60 warning patch-ignored spec.securityContext.seLinuxOptions[\"$patch\"]"});
}

TEST(Patch, ItemsHaveTheirKeys) {
  EXPECT_EQ(OfPod("containers: [{$patch: delete}]"), Lines{"1:21 error patch-key spec.containers[0]"});
  EXPECT_EQ(OfPod("containers: [{name: a, $patch: delete}]"), Lines());
  EXPECT_EQ(OfPod("containers: [{name: a, image: i}, {name: a, tty: true}]"),
            Lines{"1:42 error patch-key spec.containers[name=a]"});
  EXPECT_EQ(OfPod("containers: [{$patch: replace}, {name: a, $patch: delete}]"),
            Lines{"1:40 warning patch-ignored spec.containers[name=a]"});
  EXPECT_EQ(OfPod("containers: [{$patch: replace, name: a}, {name: b, image: i}]"),
            Lines{"1:21 warning patch-ignored spec.containers[name=a]"});
}

TEST(Patch, Lists) {
  EXPECT_EQ(OfPod("tolerations: [{$patch: replace}]"), Lines{"1:8 error patch-list spec.tolerations"});
  EXPECT_EQ(Patched("metadata: {$deleteFromPrimitiveList/finalizers: [a], finalizers: [b]}\n", {"", "v1", "Pod"}),
            Lines());
  EXPECT_EQ(Patched("metadata: {$deleteFromPrimitiveList/finalizers: [a], finalizers: [a]}\n", {"", "v1", "Pod"}),
            Lines{"1:50 error patch-list metadata[\"$deleteFromPrimitiveList/finalizers\"]"});
  EXPECT_EQ(OfPod("$deleteFromPrimitiveList/nodeSelector: [a]"),
            Lines{"1:8 error patch-list spec[\"$deleteFromPrimitiveList/nodeSelector\"]"});
  EXPECT_EQ(OfPod("$setElementOrder/tolerations: [{key: a}]"),
            Lines{"1:8 error patch-list spec[\"$setElementOrder/tolerations\"]"});
}

TEST(Patch, Order) {
  EXPECT_EQ(OfPod("$setElementOrder/containers: [{name: a}, {name: b}], containers: [{name: b}]"), Lines());
  EXPECT_EQ(OfPod("$setElementOrder/containers: [{name: a}, {name: b}], containers: [{name: b}, {name: a}]"),
            Lines{"1:8 error patch-order spec[\"$setElementOrder/containers\"]"});
  EXPECT_EQ(OfPod("$setElementOrder/containers: [{name: a, image: i}]"),
            Lines{"1:38 error patch-order spec[\"$setElementOrder/containers\"]"});
  EXPECT_EQ(OfPod("$setElementOrder/containers: [a]"),
            Lines{"1:38 error patch-order spec[\"$setElementOrder/containers\"]"});
}

TEST(Patch, RetainKeys) {
  EXPECT_EQ(OfDeployment("spec: {strategy: {$retainKeys: [type], type: Recreate}}\n"), Lines());
  EXPECT_EQ(OfDeployment("spec: {strategy: {$retainKeys: [typ], type: Recreate}}\n"),
            (Lines{"1:19 error patch-retain-keys spec.strategy[\"$retainKeys\"]",
                   "1:33 error patch-retain-keys spec.strategy[\"$retainKeys\"]"}));
  EXPECT_EQ(OfDeployment("spec: {strategy: {$retainKeys: type, type: Recreate}}\n"),
            Lines{"1:32 error patch-retain-keys spec.strategy[\"$retainKeys\"]"});
}

TEST(Patch, Unions) {
  EXPECT_EQ(OfPod("volumes: [{name: a, emptyDir: {}}]"), Lines{"1:18 warning patch-union spec.volumes[name=a]"});
  EXPECT_EQ(OfPod("volumes: [{name: a, $retainKeys: [name, emptyDir], emptyDir: {}}]"), Lines());
  EXPECT_EQ(OfPod("volumes: [{name: a, emptyDir: {}, secret: null}]"), Lines());
  EXPECT_EQ(OfPod("volumes: [{name: a, emptyDir: {}, secret: {}}]"),
            Lines{"1:42 error exclusive-fields spec.volumes[name=a].secret"});
}

// What a patch is for is not in it, so that the kind is that of --gvk.
TEST(Patch, OfASecretShowsNoValues) {
  const std::string patch =
      "stringData:\n  pin: 04455667\n  other: {a: hunter2}\n  octal: 0o17077\n# smp:ignore unreadable\n"
      "data: {p: 123456, n: \"hunter3!\"} # smp:ignore wrong\nimmutable: hunter4\n";
  Linter linter({});
  linter.Add("p.yaml", patch);
  ASSERT_TRUE(linter.CheckAsPatch({}, {1, 36}, {"", "v1", "Secret"}).ok());
  const Report report = std::move(linter).Finish();
  EXPECT_GE(report.Count(Severity::kError), 4u);
  const std::string printed =
      StrCat(PrintText(report, {.least = Severity::kInfo}), PrintGithub(report, Severity::kInfo),
             WriteJson(ToJson(report).root()), WriteJson(ToSarif(report, "v1").root()));
  for (const std::string_view value : {"04455667", "hunter", "0o17077", "123456"}) {
    EXPECT_EQ(printed.find(value), printed.npos) << value << "\n" << PrintText(report, {});
  }
}

}  // namespace
}  // namespace smp::lint
