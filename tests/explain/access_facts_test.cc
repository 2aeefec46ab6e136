#include "explain/access_facts.h"

#include <gtest/gtest.h>

#include "value/json.h"

namespace smp::explain {
namespace {

using Names = std::vector<std::string>;

AccessFacts Of(const std::string& before, const std::string& after) {
  const Document old = *ParseJson(before), now = *ParseJson(after);
  return AccessFactsOf(old.root(), now.root());
}

TEST(AccessFacts, AnotherServiceAnswersForAnApiService) {
  const auto served_by = [](const std::string& service) {
    return R"({"kind":"APIService","spec":{"service":)" + service + "}}";
  };
  const std::string old = served_by(R"({"namespace":"kube-system","name":"metrics-server"})"),
                    now = served_by(R"({"namespace":"monitoring","name":"prometheus-adapter"})");
  EXPECT_EQ(Of(old, now).redirects, Names{"kube-system/metrics-server → monitoring/prometheus-adapter"});
  EXPECT_EQ(Of(old, served_by("null")).redirects, Names{"kube-system/metrics-server → the API server"});
  EXPECT_EQ(Of(old, served_by(R"({"namespace":"kube-system","name":"metrics-server","port":444})")).redirects, Names());
}

TEST(AccessFacts, AnotherServiceAnswersForWebhooks) {
  const auto webhooks = [](const std::string& a, const std::string& b) {
    return R"({"kind":"ValidatingWebhookConfiguration","webhooks":[{"name":"a","clientConfig":)" + a +
           R"(},{"name":"b","clientConfig":)" + b + "}]}";
  };
  const std::string x = R"({"service":{"namespace":"n","name":"x"}})",
                    y = R"({"service":{"namespace":"n","name":"y"}})";
  EXPECT_EQ(Of(webhooks(x, y), webhooks(x, R"({"url":"https://z.example/v"})")).redirects,
            Names{"n/y → https://z.example/v"});
  EXPECT_EQ(Of(webhooks(x, x), webhooks(y, y)).redirects, Names{"n/x → n/y"}) << "once";
}

std::string Webhook(const std::string& resources, const std::string& more = "", const std::string& version = "v1") {
  return R"({"apiVersion":"admissionregistration.k8s.io/)" + version +
         R"(","kind":"ValidatingWebhookConfiguration","webhooks":[{"name":"a","clientConfig":)"
         R"({"service":{"namespace":"shop","name":"checker"}},"rules":[{"apiGroups":[""],)"
         R"("operations":["CREATE","UPDATE"],"resources":[)" +
         resources + "]}]" + more + "}]}";
}

TEST(AccessFacts, WhatANewWebhookMayRefuse) {
  EXPECT_EQ(Of("null", Webhook(R"("*")")).new_calls, Names{"create, update of all of the core group, by shop/checker"});
  const std::string of_some = R"(,"objectSelector":{"matchLabels":{"a":"b"}})";
  EXPECT_EQ(Of("null", Webhook(R"("pods")", of_some)).new_calls, Names{"create, update of some pods, by shop/checker"});
  EXPECT_EQ(Of("null", Webhook(R"("pods")", R"(,"failurePolicy":"Ignore")")).new_calls, Names());
  EXPECT_EQ(Of("null", Webhook(R"("pods")", "", "v1beta1")).new_calls, Names()) << "ignores failures by default";
}

TEST(AccessFacts, WhatAChangedWebhookMayRefuseBesides) {
  EXPECT_EQ(Of(Webhook(R"("pods")"), Webhook(R"("pods","services")")).new_calls,
            Names{"create, update of services, by shop/checker"});
  EXPECT_EQ(Of(Webhook(R"("pods")"), Webhook(R"("pods")", R"(,"namespaceSelector":{})")).new_calls, Names());
  EXPECT_EQ(Of(Webhook(R"("pods")", R"(,"failurePolicy":"Ignore")"), Webhook(R"("pods")")).new_calls,
            Names{"create, update of pods, by shop/checker"});
}

TEST(AccessFacts, WhoLosesAndWhoGetsARole) {
  const auto bound_to = [](const std::string& subjects) {
    return R"({"kind":"ClusterRoleBinding","subjects":[)" + subjects + "]}";
  };
  const std::string a = R"({"kind":"ServiceAccount","namespace":"n","name":"a"})", b = R"({"kind":"Group","name":"b"})";
  const AccessFacts facts = Of(bound_to(a), bound_to(b));
  EXPECT_EQ(facts.lost_by, Names{"ServiceAccount n/a"});
  EXPECT_EQ(facts.given_to, Names{"Group b"});
  EXPECT_EQ(Of(bound_to(a + "," + b), bound_to(b + "," + a)).lost_by, Names());
}

TEST(AccessFacts, LaxerPodSecurity) {
  const auto with = [](const std::string& labels) {
    return R"({"kind":"Namespace","metadata":{"labels":{)" + labels + "}}}";
  };
  const auto enforce = [&](const std::string& level) {
    return with(R"("pod-security.kubernetes.io/enforce":")" + level + "\"");
  };
  EXPECT_EQ(Of(enforce("restricted"), enforce("baseline")).laxer, "restricted → baseline");
  EXPECT_EQ(Of(enforce("baseline"), with("")).laxer, "baseline → no level");
  EXPECT_EQ(Of(enforce("baseline"), enforce("restricted")).laxer, "");
  EXPECT_EQ(Of(with(""), enforce("privileged")).laxer, "");
  EXPECT_EQ(Of(with(""), enforce("restricted")).stricter, "no level → restricted");
  EXPECT_EQ(Of(enforce("restricted"), enforce("baseline")).stricter, "");
}

}  // namespace
}  // namespace smp::explain
