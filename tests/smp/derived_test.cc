// Fields that the server derives from others: each rule where it applies, and beside that where it does not.
#include "smp/derived.h"

#include <gtest/gtest.h>

#include <string>

#include "base/strings.h"
#include "schema/builtin.h"
#include "smp/smp.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp {
namespace {

struct Row {
  const char* behaviour;
  const char* type;
  const char* original;  // YAML
  const char* modified;
  const char* live;
  const char* patch;  // JSON
};

constexpr const char* kPolicy = "io.k8s.api.networking.v1.NetworkPolicySpec";
constexpr const char* kPod = "io.k8s.api.core.v1.PodSpec";
constexpr const char* kContainer = "io.k8s.api.core.v1.Container";
constexpr const char* kVolume = "io.k8s.api.core.v1.ImageVolumeSource";
constexpr const char* kService = "io.k8s.api.core.v1.ServiceSpec";
constexpr const char* kRole = "io.k8s.api.rbac.v1.ClusterRole";

const Row kRows[] = {
    {"policyTypes get Egress", kPolicy, "{}", "{egress: [{}]}", "{policyTypes: [Ingress]}",
     R"({"egress":[{}],"policyTypes":["Ingress","Egress"]})"},
    {"policyTypes lose Egress", kPolicy, "{egress: [{}]}", "{}", "{egress: [{}], policyTypes: [Ingress, Egress]}",
     R"({"egress":null,"policyTypes":["Ingress"]})"},
    {"policyTypes that somebody chose stay", kPolicy, "{}", "{egress: [{}]}", "{policyTypes: [Egress]}",
     R"({"egress":[{}]})"},
    {"null policyTypes are the derived ones", kPolicy, "{}", "{policyTypes: null}", "{policyTypes: [Ingress]}", "{}"},
    {"null policyTypes undo others", kPolicy, "{}", "{policyTypes: null}", "{policyTypes: [Egress]}",
     R"({"policyTypes":null})"},
    {"serviceAccount goes with its new name", kPod, "{serviceAccountName: a}", "{}",
     "{serviceAccountName: a, serviceAccount: a}", R"({"serviceAccount":null,"serviceAccountName":null})"},
    {"serviceAccount follows by itself", kPod, "{serviceAccountName: a}", "{serviceAccountName: b}",
     "{serviceAccountName: a, serviceAccount: a}", R"({"serviceAccountName":"b"})"},
    {"the new name follows the old one", kPod, "{serviceAccount: a}", "{serviceAccount: b}",
     "{serviceAccountName: a, serviceAccount: a}", R"({"serviceAccount":"b","serviceAccountName":"b"})"},
    {"another serviceAccount stays", kPod, "{serviceAccountName: a}", "{}",
     "{serviceAccountName: a, serviceAccount: b}", R"({"serviceAccountName":null})"},
    {"a null policy of a tag", kContainer, "{}", "{image: 'a:1', imagePullPolicy: null}",
     "{image: 'a:1', imagePullPolicy: IfNotPresent}", "{}"},
    {"a null policy without a tag", kContainer, "{}", "{image: a, imagePullPolicy: null}",
     "{image: a, imagePullPolicy: Always}", "{}"},
    {"a null policy of latest", kContainer, "{}", "{image: 'a:latest', imagePullPolicy: null}",
     "{image: 'a:latest', imagePullPolicy: Always}", "{}"},
    {"a null policy of a registry's port", kContainer, "{}", "{image: 'r:5000/a', imagePullPolicy: null}",
     "{image: 'r:5000/a', imagePullPolicy: Always}", "{}"},
    {"a null policy of a digest", kContainer, "{}", "{image: 'a@sha256:0', imagePullPolicy: null}",
     "{image: 'a@sha256:0', imagePullPolicy: IfNotPresent}", "{}"},
    {"a null policy undoes another", kContainer, "{}", "{image: 'a:1', imagePullPolicy: null}",
     "{image: 'a:1', imagePullPolicy: Never}", R"({"imagePullPolicy":null})"},
    {"a null policy of a volume", kVolume, "{}", "{reference: 'a:1', pullPolicy: null}",
     "{reference: 'a:1', pullPolicy: IfNotPresent}", "{}"},
    {"a null address stays", kService, "{}", "{clusterIP: null}", "{clusterIP: 10.0.0.1}", "{}"},
    {"an empty address stays", kService, "{}", "{clusterIP: ''}", "{clusterIP: 10.0.0.1}", "{}"},
    {"an external name has none", kService, "{}", "{type: ExternalName, clusterIP: null}",
     "{type: ExternalName, clusterIP: 10.0.0.1}", R"({"clusterIP":null})"},
    {"families of a single stack stay", kService, "{}", "{ipFamilies: null}",
     "{ipFamilies: [IPv4], ipFamilyPolicy: SingleStack}", "{}"},
    {"families of the same policy stay, as their addresses do", kService, "{}", "{ipFamilies: null}",
     "{ipFamilies: [IPv6, IPv4], ipFamilyPolicy: RequireDualStack}", "{}"},
    {"families of another policy are chosen anew", kService, "{}",
     "{ipFamilies: null, ipFamilyPolicy: PreferDualStack}",
     "{ipFamilies: [IPv6, IPv4], ipFamilyPolicy: RequireDualStack}",
     R"({"ipFamilies":null,"ipFamilyPolicy":"PreferDualStack"})"},
    {"a null node port stays", kService, "{}", "{type: NodePort, ports: [{port: 1, nodePort: null}]}",
     "{type: NodePort, ports: [{port: 1, protocol: TCP, nodePort: 30000}]}", "{}"},
    {"a null target port is the port", kService, "{}", "{ports: [{port: 1, targetPort: null}]}",
     "{ports: [{port: 1, protocol: TCP, targetPort: 1}]}", "{}"},
    {"rules are the controller's", kRole, "{aggregationRule: {clusterRoleSelectors: []}}",
     "{aggregationRule: {clusterRoleSelectors: [{}]}, rules: []}",
     "{aggregationRule: {clusterRoleSelectors: [{}]}, rules: [{verbs: [get]}]}", "{}"},
    {"rules without an aggregation are the manifest's", kRole, "{}", "{rules: []}", "{rules: [{verbs: [get]}]}",
     R"({"rules":[]})"},
};

std::string PatchOf(const Row& row) {
  const auto schema = BuiltinSchema();
  const Document original = *yaml::ParseYaml(row.original), modified = *yaml::ParseYaml(row.modified),
                 live = *yaml::ParseYaml(row.live);
  const auto patch =
      PlanPatch({&original.root(), &modified.root(), &live.root(), schema.get(), schema->FindTypeByName(row.type)});
  return patch.ok() ? WriteJson(patch->body.root()) : ToString(patch.error());
}

TEST(DerivedRules, FollowsTheTable) {
  for (const Row& row : kRows) EXPECT_EQ(PatchOf(row), row.patch) << row.behaviour;
}

TEST(DerivedRules, LeavesTolerationsThatEveryPodGets) {
  constexpr const char* kLive = R"({spec: {tolerations: [{key: a},
    {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 300}%s]}})";
  const auto live = [](std::string_view more) {
    const std::string_view text = kLive;
    const size_t at = text.find("%s");
    return StrCat(text.substr(0, at), more, text.substr(at + 2));
  };
  Row row = {"", "io.k8s.api.core.v1.Pod", "{}", "{spec: {tolerations: [{key: a}]}}", "", ""};
  const std::string only_theirs = live(""), with_another = live(", {key: b}");
  row.live = only_theirs.c_str();
  EXPECT_EQ(PatchOf(row), "{}");
  row.live = with_another.c_str();
  EXPECT_EQ(PatchOf(row), R"({"spec":{"tolerations":[{"key":"a"}]}})");
}

TEST(DerivedRules, CompleteMaps) {
  constexpr const char* kNamespace = "io.k8s.api.core.v1.Namespace";
  constexpr const char* kNames =
      "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionNames";
  constexpr const char *kSubject = "io.k8s.api.rbac.v1.Subject", *kLimits = "io.k8s.api.core.v1.LimitRangeItem";
  const struct {
    const char* behaviour;
    const char* type;
    const char* map;
    const char* completed;
  } rows[] = {
      {"the group of users", kSubject, R"({"kind":"User"})",
       R"({"apiGroup":"rbac.authorization.k8s.io","kind":"User"})"},
      {"the group of groups", kSubject, R"({"apiGroup":"","kind":"Group"})",
       R"({"apiGroup":"rbac.authorization.k8s.io","kind":"Group"})"},
      {"service accounts have none", kSubject, R"({"kind":"ServiceAccount"})", R"({"kind":"ServiceAccount"})"},
      {"a group that is stated", kSubject, R"({"apiGroup":"x","kind":"User"})", R"({"apiGroup":"x","kind":"User"})"},
      {"limits from the maximum", kLimits, R"({"type":"Container","max":{"cpu":"2"}})",
       R"({"default":{"cpu":"2"},"defaultRequest":{"cpu":"2"},"max":{"cpu":"2"},"type":"Container"})"},
      {"requests from the minimum", kLimits, R"({"type":"Container","min":{"cpu":"1"}})",
       R"({"default":{},"defaultRequest":{"cpu":"1"},"min":{"cpu":"1"},"type":"Container"})"},
      {"requests from the limit before the minimum", kLimits,
       R"({"type":"Container","default":{"cpu":"2"},"min":{"cpu":"1"}})",
       R"({"default":{"cpu":"2"},"defaultRequest":{"cpu":"2"},"min":{"cpu":"1"},"type":"Container"})"},
      {"Pods have no limits of their own", kLimits, R"({"max":{"cpu":"2"},"type":"Pod"})",
       R"({"max":{"cpu":"2"},"type":"Pod"})"},
      {"a Namespace's label with its name", kNamespace, R"({"metadata":{"labels":{"a":"b"},"name":"n"}})",
       R"({"metadata":{"labels":{"a":"b","kubernetes.io/metadata.name":"n"},"name":"n"}})"},
      {"the names of a custom resource", kNames, R"({"kind":"CronTab","plural":"crontabs"})",
       R"({"kind":"CronTab","listKind":"CronTabList","plural":"crontabs","singular":"crontab"})"},
      {"names that are stated", kNames, R"({"kind":"A","listKind":"As","singular":"one"})",
       R"({"kind":"A","listKind":"As","singular":"one"})"},
      {"a Namespace without a name has none yet", kNamespace, R"({"metadata":{"generateName":"n-"}})",
       R"({"metadata":{"generateName":"n-"}})"},
  };
  for (const auto& row : rows) {
    const Document map = *ParseJson(row.map);
    Arena arena;
    const DerivedRule* rule = DerivedRuleOf({.name = row.type}, std::nullopt);
    EXPECT_EQ(WriteJson(rule->complete(map.root(), nullptr, arena)), row.completed) << row.behaviour;
  }
}

TEST(Derived, ARuleOfOlderServersHoldsThereAlone) {
  const Document spec = *ParseJson(R"({"externalIPs":["10.9.0.1"],"type":"ClusterIP"})");
  const auto policy_on = [&](const std::optional<Release>& server) {
    Arena arena;
    const DerivedRule* rule = DerivedRuleOf({.name = "io.k8s.api.core.v1.ServiceSpec"}, server);
    const Value completed = rule->complete(spec.root(), nullptr, arena);
    return std::string(completed.StringOr("externalTrafficPolicy"));
  };
  EXPECT_EQ(policy_on(Release{1, 28}), "");
  EXPECT_EQ(policy_on(Release{1, 29}), "Cluster");
  EXPECT_EQ(policy_on(std::nullopt), "Cluster");
}

}  // namespace
}  // namespace smp
