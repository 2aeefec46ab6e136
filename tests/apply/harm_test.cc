#include "apply/harm.h"

#include <gtest/gtest.h>

#include <sstream>

#include "base/strings.h"
#include "schema/builtin.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp::apply {
namespace {

constexpr std::string_view kScaledBy =
    "{manager: MANAGER, operation: Update, subresource: scale, fieldsV1: {'f:spec': {'f:replicas': {}}}}";

std::string By(std::string_view manager, std::string entry = std::string(kScaledBy)) {
  return entry.replace(entry.find("MANAGER"), 7, manager);
}

// A Deployment `web` in the namespace `team`: the spec of the manifest, of last-applied (JSON; "": none) and of live.
Prepared Plan(const std::string& manifest, const std::string& original, const std::string& live,
              const std::string& entry = By("kube-controller-manager")) {
  const std::string head = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: team\n";
  std::istringstream in(StrCat(head, "spec: ", manifest, "\n"));
  const Manifest read = *ReadManifests({.files = {"-"}, .standard_input = &in})->items[0];
  const std::string record =
      original.empty() ? ""
                       : StrCat("  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: '",
                                R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":)",
                                original, "}'\n");
  const Document object = *yaml::ParseYaml(StrCat(head, record, "  managedFields: [", entry, "]\nspec: ", live, "\n"));
  auto prepared = PrepareOffline(read, {.live = object}, BuiltinSchema());
  EXPECT_TRUE(prepared.ok()) << ToString(prepared.error());
  return *std::move(prepared);
}

std::string Warnings(const Prepared& prepared) { return Join(HarmWarnings(prepared), "\n"); }

constexpr std::string_view kFrom =
    "takes spec.replicas from kube-controller-manager (Update of scale; time unknown), which may set it again; to "
    "leave "
    "it, ";
constexpr std::string_view kForget = "run kubectl smp last-applied forget spec.replicas deployments.apps/web -n team";

TEST(Harm, TakesAFieldFromAController) {
  EXPECT_EQ(Warnings(Plan("{replicas: 2}", R"({"replicas":2})", "{replicas: 7}")),
            StrCat(kFrom, kForget, " and remove it from the manifest, or use --keep-live spec.replicas"));
  EXPECT_EQ(Warnings(Plan("{replicas: 2}", R"({})", "{replicas: 7}")),
            StrCat(kFrom, "remove it from the manifest, or use --keep-live spec.replicas"));
  EXPECT_EQ(Warnings(Plan("{}", R"({"replicas":2})", "{replicas: 7}")),
            StrCat(kFrom, kForget, ", or use --keep-live spec.replicas"));
}

TEST(Harm, IsNoneWhereNothingIsTaken) {
  EXPECT_EQ(Warnings(Plan("{replicas: 7, paused: true}", R"({"replicas":2})", "{replicas: 7}")), "");
  EXPECT_EQ(Warnings(Plan("{paused: true}", R"({})", "{replicas: 7}")), "");
}

// kubectl scale is a person's, and other managers are named in the rows.
TEST(Harm, IsNoneWhereNoControllerOwnsTheField) {
  EXPECT_EQ(Warnings(Plan("{replicas: 2}", R"({"replicas":2})", "{replicas: 7}", By("kubectl"))), "");
  const std::string edited = "{manager: mallory, operation: Update, fieldsV1: {'f:spec': {'f:replicas': {}}}}";
  EXPECT_EQ(Warnings(Plan("{replicas: 2}", R"({"replicas":2})", "{replicas: 7}", edited)), "");
}

constexpr std::string_view kSetBy = "{manager: MANAGER, operation: Update, fieldsV1: {'f:spec': {'f:replicas': {}}}}";

bool TakesFrom(std::string_view manager, std::string_view entry = kSetBy) {
  const auto plan = Plan("{replicas: 2}", R"({"replicas":2})", "{replicas: 7}", By(manager, std::string(entry)));
  return !HarmWarnings(plan).empty();
}

TEST(Harm, KnowsControllersByTheirNames) {
  for (const std::string_view name : {"argo-rollouts-controller", "cluster-autoscaler", "keda-operator", "manager",
                                      "my-controller-manager", "vpa-updater"}) {
    EXPECT_TRUE(TakesFrom(name)) << name;
  }
  for (const std::string_view name : {"helm", "operator-sdk", "controller-gen", "the-manager", "kubectl-my-operator"}) {
    EXPECT_FALSE(TakesFrom(name)) << name;
  }
}

TEST(Harm, IsNoneWhereTheOwnerAppliedTheObject) {
  EXPECT_FALSE(TakesFrom("ci-operator",
                         "{manager: MANAGER, operation: Update, fieldsV1: {'f:spec': {'f:replicas': {}}, 'f:metadata': "
                         "{'f:annotations': {'f:kubectl.kubernetes.io/last-applied-configuration': {}}}}}"));
}

TEST(Harm, QuotesPathsForTheShell) {
  const auto containers = [](const std::string& image) {
    return "{template: {spec: {containers: [{name: web, image: " + image + "}]}}}";
  };
  const std::string entry =
      R"({manager: keda-operator, operation: Update, fieldsV1: {"f:spec": {"f:template": {"f:spec": {"f:containers":
        {'k:{"name":"web"}': {"f:image": {}}}}}}}})";
  const std::string text = Warnings(Plan(
      containers("a"), R"({"template":{"spec":{"containers":[{"name":"web","image":"a"}]}}})", containers("b"), entry));
  EXPECT_NE(text.find("--keep-live 'spec.template.spec.containers[name=web].image'"), std::string::npos) << text;
}

std::string Args(const std::string& list) {
  return "{\"template\":{\"spec\":{\"containers\":[{\"name\":\"web\",\"args\":" + list + "}]}}}";
}

TEST(Harm, NamesTheItemsThatAListLoses) {
  EXPECT_EQ(Warnings(Plan(Args(R"(["a","b"])"), Args(R"(["a"])"), Args(R"(["a","--debug"])"))),
            "replaces spec.template.spec.containers[name=web].args as a whole, without what others added: \"--debug\"");
  EXPECT_EQ(Warnings(Plan(Args(R"(["a","b"])"), Args(R"(["a"])"), Args(R"(["a"])"))), "");
  EXPECT_EQ(Warnings(Plan(Args(R"(["a"])"), Args(R"(["a","b"])"), Args(R"(["a","b"])"))), "");
}

TEST(Harm, NamesConflicts) {
  EXPECT_EQ(ConflictWarning(Plan("{replicas: 3, paused: true}", R"({"replicas":2})", "{replicas: 7}")),
            "the manifest and live both changed since the last apply, and the manifest wins: spec.replicas");
  EXPECT_EQ(ConflictWarning(Plan("{replicas: 2}", R"({"replicas":2})", "{replicas: 7}")), "");
  EXPECT_EQ(ConflictWarning(Plan("{replicas: 3}", R"({"replicas":2})", "{replicas: 2}")), "");
}

}  // namespace
}  // namespace smp::apply
