#include "explain/rights.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp::explain {
namespace {

// Returns lines such as "-secrets: get, list"; "none" if the values are no rules.
std::string Changed(const std::string& before, const std::string& after) {
  const auto old = yaml::ParseYaml(before), now = yaml::ParseYaml(after);
  const auto rights = ChangedRights(old->root(), now->root());
  if (!rights) return "none";
  std::string out;
  for (const ChangedRight& right : *rights)
    out += StrCat(std::string(1, right.sign), right.resources, ": ", right.verbs, "\n");
  return out;
}

constexpr char kPods[] = "[{apiGroups: [''], resources: [pods, secrets], verbs: [get, list]}]";

TEST(Rights, AreTheSameInOtherRules) {
  EXPECT_EQ(Changed(kPods,
                    "[{apiGroups: [''], resources: [secrets], verbs: [list, get]}, "
                    "{apiGroups: [''], resources: [pods], verbs: [get]}, "
                    "{apiGroups: [''], resources: [pods], verbs: [list]}]"),
            "");
}

TEST(Rights, TellWhatIsLostFirst) {
  EXPECT_EQ(Changed(kPods, "[{apiGroups: ['', apps], resources: [pods], verbs: [get, watch]}]"),
            "-pods: list\n-secrets: get, list\n+pods: watch\n+pods.apps: get, watch\n");
}

TEST(Rights, HaveNamesOfObjectsAndPaths) {
  EXPECT_EQ(Changed(kPods,
                    "[{apiGroups: [''], resources: [pods, secrets], verbs: [get, list]}, "
                    "{apiGroups: [''], resources: [configmaps], resourceNames: [a, b], verbs: [get]}, "
                    "{nonResourceURLs: [/healthz], verbs: [get]}]"),
            "+/healthz, configmaps[a], configmaps[b]: get\n");
}

TEST(Rights, AreOnlyThoseOfRbac) {
  EXPECT_EQ(Changed(kPods, "[{apiGroups: [''], resources: [pods], operations: [CREATE]}]"), "none");
  EXPECT_EQ(Changed("[]", "[]"), "none");
  EXPECT_EQ(Changed(kPods, "[{apiGroups: 1, resources: [pods], verbs: [get]}]"), "none");
  EXPECT_EQ(Changed("text", kPods), "none");
}

// What a wildcard allows is neither lost nor new; what stays of it is told.
TEST(Rights, AWildcardIncludesOthers) {
  const std::string all = "[{apiGroups: ['*'], resources: ['*'], verbs: ['*']}]",
                    core = "[{apiGroups: [''], resources: ['*'], verbs: [get]}]",
                    pods = "[{apiGroups: [''], resources: [pods, pods/log], verbs: [get]}]",
                    named = "[{apiGroups: [''], resources: [pods], resourceNames: [a], verbs: [get]}]";
  EXPECT_EQ(Changed(pods, all), "+*.*: *\n");
  EXPECT_EQ(Changed(all, pods), "-*.*: *\n=pods, pods/log: get\n");
  EXPECT_EQ(Changed(pods, core), "+*: get\n");
  EXPECT_EQ(Changed(core, pods), "-*: get\n=pods, pods/log: get\n");
  EXPECT_EQ(Changed(named, pods), "+pods, pods/log: get\n");
  EXPECT_EQ(Changed(pods, named), "-pods, pods/log: get\n=pods[a]: get\n");
  EXPECT_EQ(Changed(pods, StrCat(pods.substr(0, pods.size() - 1), ", ", named.substr(1))), "");
}

TEST(Rights, OfNoRuleAreNone) {
  EXPECT_EQ(Changed(kPods, "[]"), "-pods, secrets: get, list\n");
  EXPECT_EQ(Changed("[]", kPods), "+pods, secrets: get, list\n");
}

TEST(Rights, AreBounded) {
  std::string many = "[";
  for (int i = 0; i < 400; ++i) many += StrCat(i > 0 ? ", r" : "r", i);
  many += "]";
  const std::string rule = StrCat("[{apiGroups: ", many, ", resources: ", many, ", verbs: [get]}]");
  EXPECT_EQ(Changed(kPods, rule), "none");
}

TEST(Rights, AreCountedWhereTheyAreLong) {
  const std::vector<ChangedRight> rights = {{'+', "pods, secrets[db]", "get, list"}, {'-', "pods", "watch"}};
  EXPECT_EQ(RightsInWords(rights, '+', 40), "get, list pods, secrets[db]");
  EXPECT_EQ(RightsInWords(rights, '+', 20), "2 resources");
  EXPECT_EQ(RightsInWords(rights, '-', 20), "watch pods");
  EXPECT_EQ(RightsInWords({}, '-', 20), "");
}

TEST(Rights, APathWithAStarIncludesLongerOnes) {
  const auto paths = [](const char* list) {
    return *RightsOf(ParseJson(StrCat(R"([{"nonResourceURLs":[)", list, R"(],"verbs":["get"]}])"))->root());
  };
  for (const char* wider : {R"("/*")", R"("/met*")", R"("/metrics*")", R"("*")"}) {
    Rights lost = paths(R"("/metrics")");
    RemoveAllowed(paths(wider), lost);
    EXPECT_TRUE(lost.empty()) << wider;
  }
  Rights lost = paths(R"("/metrics")");
  RemoveAllowed(paths(R"("/health*")"), lost);
  EXPECT_FALSE(lost.empty());
}

TEST(Rights, AStarIncludesSubresourcesAndAllVerbsInUse) {
  const auto rights = [](const char* resource, const char* verbs) {
    const std::string rule =
        StrCat(R"([{"apiGroups":["apps"],"resources":[")", resource, R"("],"verbs":[)", verbs, "]}]");
    return *RightsOf(ParseJson(rule)->root());
  };
  Rights scale = rights("deployments/scale", R"("get")");
  RemoveAllowed(rights("*/scale", R"("get")"), scale);
  EXPECT_TRUE(scale.empty());
  const char* all = R"("create","delete","get","list","patch","update","watch")";
  Rights star = rights("deployments", R"("*")");
  RemoveAllowed(rights("deployments", all), star);
  EXPECT_TRUE(star.empty());
  star = rights("deployments", R"("*")");
  RemoveAllowed(rights("deployments", R"("get","list")"), star);
  EXPECT_FALSE(star.empty());
}

TEST(Rights, OfResourcesThatNoServerHas) {
  for (const char* nowhere : {"ingresses.extensions", "leases", "configmaps.coordination.k8s.io", "pods.apps"}) {
    EXPECT_TRUE(IsNowhere(nowhere)) << nowhere;
  }
  for (const char* resource :
       {"ingresses.networking.k8s.io", "leases.coordination.k8s.io", "pods", "pods/log", "pods.metrics.k8s.io",
        "ingresses.example.com", "secrets[a.b]", "*.*", "pods.*", "/healthz", "widgets.apps"}) {
    EXPECT_FALSE(IsNowhere(resource)) << resource;
  }
}

}  // namespace
}  // namespace smp::explain
