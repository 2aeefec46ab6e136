#include "explain/worry_lines.h"

#include <gtest/gtest.h>

#include "base/strings.h"

namespace smp::explain {
namespace {

ObjectReport Object(std::string_view kind, std::string_view name, Action action) {
  ObjectReport out;
  out.kind = kind;
  out.name_space = "shop";
  out.name = name;
  out.action = action;
  if (action == Action::kError) out.error = Error::Refused("field is immutable");
  return out;
}

ObjectReport Needs(std::string_view name, std::vector<NeededObject> missing) {
  ObjectReport out = Object("Deployment", name, Action::kChange);
  out.pods.missing = std::move(missing);
  return out;
}

std::vector<std::string> Lines(std::vector<ObjectReport> objects) {
  Report report;
  report.objects = std::move(objects);
  std::vector<std::string> out;
  for (const WorryLine& line : WorryLines(report)) {
    if (!line.fails) out.push_back(line.text);
  }
  return out;
}

using Texts = std::vector<std::string>;

TEST(WorryLines, WhatIsMissingComesBeforeWhoNeedsIt) {
  EXPECT_EQ(
      Lines({Needs("web", {{"Secret", "tls"}}), Needs("api", {{"Secret", "tls"}, {"ConfigMap", "settings"}})}),
      (Texts{"Secret shop/tls is missing in the input and on the server: new Pods wait for it, and nothing in the "
             "input seems to make it; needed by Deployment shop/web, shop/api",
             "ConfigMap shop/settings is missing, too; needed by Deployment shop/api"}));
}

TEST(WorryLines, AKeyOfASecretMayBeMissing) {
  EXPECT_EQ(
      Lines({Needs("web", {{"Secret", "db", "host"}})}),
      Texts{"key host of Secret shop/db is missing on the server: new Pods wait until somebody adds it; needed by "
            "Deployment shop/web"});
}

TEST(WorryLines, AJobThatMayMakeWhatIsMissingIsRefused) {
  EXPECT_EQ(Lines({Needs("web", {{"Secret", "tls"}}), Object("Job", "create-tls", Action::kError)}),
            Texts{"Secret shop/tls is missing in the input and on the server: new Pods wait, and what may make it is "
                  "refused (Job "
                  "shop/create-tls); needed by Deployment shop/web"});
}

TEST(WorryLines, WhatIsMissingMayBeInAnotherNamespace) {
  ObjectReport elsewhere = Object("Secret", "tls", Action::kCreate);
  elsewhere.name_space = "blog";
  EXPECT_EQ(Lines({Needs("web", {{"Secret", "tls"}}), elsewhere}).front(),
            "Secret shop/tls is missing, though the input has it in blog: new Pods wait for it, and "
            "nothing in the input seems to make it; needed by Deployment shop/web");
}

TEST(WorryLines, WaysOutAreOfTheObjectsThatHaveThem) {
  ObjectReport job = Object("Job", "create", Action::kError);
  job.way_out = "apply --force";
  const ObjectReport crd = Object("CustomResourceDefinition", "a", Action::kError);
  const FoundWorries refused = {{Worry::kRefused, {"immutable"}}};
  const auto lines = WorryLines({{&job, &refused}, {&crd, &refused}}, WorryLength::kAll);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].way_out, "");
  EXPECT_EQ(lines[1].text, "will be refused, and stays as it is: Job shop/create (immutable)");
  EXPECT_EQ(lines[1].way_out, "apply --force");
}

TEST(WorryLines, ANewJobMayMakeWhatIsMissing) {
  EXPECT_EQ(
      Lines({Needs("web", {{"Secret", "tls"}}), Object("Job", "create-tls", Action::kCreate)}).front(),
      "Secret shop/tls is missing in the input and on the server: new Pods wait until something makes it, maybe Job "
      "shop/create-tls; needed by Deployment shop/web");
}

TEST(WorryLines, ManyMissingObjectsAreNamedInOneLine) {
  std::vector<NeededObject> missing;
  for (int i = 0; i < 10; ++i) missing.push_back({"Secret", StrCat("s", i)});
  const Texts lines = Lines({Needs("web", missing)});
  ASSERT_EQ(lines.size(), 7u);
  EXPECT_EQ(lines.back(), "missing likewise: Secret shop/s6, Secret shop/s7, Secret shop/s8, Secret shop/s9");
}

TEST(WorryLines, TheNumbersNameEachVersionOnce) {
  const ObjectReport web = Object("Deployment", "web", Action::kChange),
                     api = Object("Deployment", "api", Action::kChange);
  const FoundWorries one = {{Worry::kSkipsMinor, NameInBoth(std::vector<std::string>{"a 1.0 → 1.3", "b 1 → 2"}, 5)}},
                     two = {{Worry::kSkipsMinor, NameInBoth(std::vector<std::string>{"a 1.0 → 1.3"}, 5)}};
  const auto lines = WorryLines({{&web, &one}, {&api, &two}}, WorryLength::kNumbers);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].text, "skips minor versions: a 1.0 → 1.3 (2 Deployments), b 1 → 2");
}

TEST(WorryLines, ACreatedWorkloadMayHaveBeenDeleted) {
  const std::vector<ObjectReport> created = {Object("DaemonSet", "agent", Action::kCreate),
                                             Object("ConfigMap", "agent", Action::kCreate)};
  std::vector<ObjectReport> upgrade = created, in_namespace = created;
  upgrade.push_back(Object("Service", "agent", Action::kUnchanged));
  in_namespace.push_back(Object("Namespace", "shop", Action::kUnchanged));
  EXPECT_EQ(Lines(upgrade), Texts{"not in the cluster: new, or somebody deleted it: DaemonSet shop/agent"});
  EXPECT_EQ(Lines(created), Texts()) << "a first installation";
  EXPECT_EQ(Lines(in_namespace), Texts()) << "likewise";
}

}  // namespace
}  // namespace smp::explain
