#include "explain/pod_facts.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "value/json.h"

namespace smp::explain {
namespace {

PodFacts Of(std::string_view before, std::string_view after) {
  const Document old_object = *ParseJson(before), new_object = *ParseJson(after);
  return PodFactsOf(old_object.root(), new_object.root());
}

std::string Deployment(std::string_view pod) {
  return StrCat(R"({"kind":"Deployment","spec":{"template":{"spec":)", pod, "}}}");
}

using Names = std::vector<std::string>;

TEST(PodFacts, RightsOnNodesThatAreNew) {
  const std::string before = Deployment(R"({"hostNetwork":true,"containers":[{"image":"a:1"}]})");
  const std::string after = Deployment(R"({"hostNetwork":true,"hostPID":true,
    "containers":[{"image":"a:1","securityContext":{"privileged":true,"capabilities":{"add":["NET_ADMIN"]}}}],
    "volumes":[{"name":"dev","hostPath":{"path":"/dev"}},{"name":"x","emptyDir":{}}]})");
  EXPECT_EQ(Of(before, after).node_rights, (Names{"hostPID", "privileged", "NET_ADMIN", "hostPath /dev"}));
  EXPECT_EQ(Of("null", before).node_rights, Names{"hostNetwork"});
  EXPECT_EQ(Of(after, before).node_rights, Names());
}

TEST(PodFacts, ImagesWhoseTagsMove) {
  const std::string live = Deployment(R"({"containers":[{"image":"x/a:latest"},{"image":"b"},{"image":"c:1"}]})");
  EXPECT_EQ(Of(live, live).moving_images, (Names{"a:latest", "b:latest"}));
  EXPECT_EQ(Of("null", live).moving_images, (Names{"a:latest", "b:latest"}));
  EXPECT_EQ(Of(Deployment(R"({"containers":[{"image":"a:1"}]})"), live).moving_images, (Names{"a:latest", "b:latest"}))
      << "which the manifest starts to use";
}

TEST(PodFacts, ProtectionsThatAContainerLoses) {
  const auto with = [](std::string_view of_pod, std::string_view of_container) {
    return Deployment(StrCat(R"({"securityContext":{)", of_pod, R"(},"containers":[{"name":"a","securityContext":{)",
                             of_container, "}}]}"));
  };
  const std::string safe =
      with(R"("runAsNonRoot":true)", R"("readOnlyRootFilesystem":true,"capabilities":{"drop":["ALL"]})");
  EXPECT_EQ(Of(safe, with("", "")).lost_protection,
            (Names{"capabilities.drop ALL", "readOnlyRootFilesystem", "runAsNonRoot"}));
  EXPECT_EQ(Of(with("", ""), safe).lost_protection, Names());
  EXPECT_EQ(Of(with(R"("runAsNonRoot":true)", ""), with("", R"("runAsNonRoot":true)")).lost_protection, Names())
      << "the container has it itself";
  EXPECT_EQ(Of(with("", R"("capabilities":{"drop":["NET_RAW"]})"), safe).lost_protection, Names()) << "all are dropped";
  EXPECT_EQ(Of(safe, Deployment(R"({"containers":[{"name":"b"}]})")).lost_protection, Names()) << "another container";
  EXPECT_EQ(Of("null", safe).lost_protection, Names());
}

TEST(PodFacts, AnotherServiceAccount) {
  const std::string none = Deployment(R"({"containers":[]})"),
                    robot = Deployment(R"({"serviceAccountName":"robot","containers":[]})"),
                    same = Deployment(R"({"serviceAccount":"robot","containers":[]})");
  EXPECT_EQ(Of(none, robot).other_account, "default → robot");
  EXPECT_EQ(Of(robot, none).other_account, "robot → default");
  EXPECT_EQ(Of(robot, same).other_account, "") << "the old name of the field";
  EXPECT_EQ(Of("null", robot).other_account, "");
}

TEST(PodFacts, ImagesAsBefore) {
  const std::string one = Deployment(R"({"containers":[{"image":"a:1"}]})"),
                    with_init = Deployment(R"({"containers":[{"image":"a:1"}],"initContainers":[{"image":"b:1"}]})");
  EXPECT_TRUE(Of(one, one).same_images);
  EXPECT_FALSE(Of(one, with_init).same_images);
  EXPECT_FALSE(Of("null", one).same_images);
}

TEST(PodFacts, VolumesThatOutliveThePods) {
  EXPECT_FALSE(Of("null", Deployment(R"({"volumes":[{"name":"x","emptyDir":{}}]})")).keeps_data);
  EXPECT_TRUE(Of("null", Deployment(R"({"volumes":[{"persistentVolumeClaim":{"claimName":"x"}}]})")).keeps_data);
  EXPECT_TRUE(
      Of("null", R"({"kind":"StatefulSet","spec":{"volumeClaimTemplates":[{}],"template":{"spec":{}}}})").keeps_data);
}

TEST(PodFacts, WhatTheFirstContainerRuns) {
  EXPECT_EQ(Of("{}", R"({"kind":"Job","spec":{"template":{"spec":{"containers":[
            {"image":"registry.k8s.io/x/certgen:v1.6","command":["/run"],"args":["create","--host=a"]}]}}}})")
                .runs,
            "certgen:v1.6 /run create --host=a");
}

TEST(PodFacts, WhatThePodsNeed) {
  const PodFacts facts = Of("null", Deployment(R"({
    "initContainers":[{"envFrom":[{"configMapRef":{"name":"a"}},{"secretRef":{"name":"b","optional":true}}]}],
    "containers":[{"env":[{"name":"X","valueFrom":{"secretKeyRef":{"name":"c","key":"k"}}},{"name":"Y","value":"1"},
      {"name":"Z","valueFrom":{"configMapKeyRef":{"name":"d","key":"k","optional":true}}}]}],
    "volumes":[{"name":"v","secret":{"secretName":"c"}},{"name":"w","configMap":{"name":"kube-root-ca.crt"}},
      {"name":"p","projected":{"sources":[{"configMap":{"name":"e"}},{"secret":{"name":"f"}}]}},{"name":"x","emptyDir":{}}]})"));
  EXPECT_EQ(facts.needs,
            (std::vector<NeededObject>{{"Secret", "c"}, {"ConfigMap", "a"}, {"ConfigMap", "e"}, {"Secret", "f"}}));
}

TEST(PodFacts, PodsAndCronJobs) {
  EXPECT_EQ(Of("null", R"({"kind":"Pod","spec":{"hostIPC":true}})").node_rights, Names{"hostIPC"});
  EXPECT_EQ(Of("null", R"({"spec":{"jobTemplate":{"spec":{"template":{"spec":{"hostPID":true}}}}}})").node_rights,
            Names{"hostPID"});
  EXPECT_EQ(Of("null", R"({"kind":"Odd","spec":{"template":{"spec":7}}})").node_rights, Names());
}

}  // namespace
}  // namespace smp::explain
