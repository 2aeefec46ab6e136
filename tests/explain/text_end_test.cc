#include "explain/text_end.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/strings.h"
#include "explain/object_names.h"
#include "explain/testing.h"
#include "yaml/read_yaml.h"

namespace smp::explain {
namespace {

std::string Role(const std::string& name, const std::string& verb, const std::string& label = "a") {
  return StrCat("apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: ", name,
                ", labels: {v: ", label, "}}\nrules: [{apiGroups: [''], resources: [pods], verbs: [", verb, "]}]\n");
}

std::string ClusterRole(const std::string& verbs) {
  return StrCat("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: all}\n",
                "rules: [{apiGroups: [''], resources: [pods], verbs: [", verbs, "]}]\n");
}

// So many Roles, each with other changes than the one before, and ConfigMaps with other keys.
std::vector<ObjectReport> ManyChanges(size_t count) {
  std::vector<ObjectReport> out;
  for (size_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(i), map = StrCat("map-", number);
    out.push_back(Change(Map(map, StrCat("{key", number, ": a}")), Map(map, StrCat("{key", number, ": b}"))));
    out.push_back(Change(Role(StrCat("role-", number), "get"), Role(StrCat("role-", number), "list")));
    out.push_back(Change(Role(StrCat("label-", number), "get"), Role(StrCat("label-", number), "get", "b")));
  }
  return out;
}

TEST(Text, TheLastLinesNameAllObjectsWhereTheyFitAScreen) {
  EXPECT_EQ(LastLines(Print(ManyChanges(4))),
            "  ~ 4 Roles: only labels (v) (label-0, label-1, label-2, label-3)\n"
            "  ~ ConfigMap map-0: key0 (a → b)\n"
            "  ~ 4 Roles: rights (-get pods; +list pods) (role-0, role-1, role-2, role-3)\n"
            "  ~ ConfigMap map-1: key1 (a → b)\n"
            "  ~ ConfigMap map-2: key2 (a → b)\n"
            "  ~ ConfigMap map-3: key3 (a → b)\n"
            "look at this before you apply:\n"
            "  takes rights away: Role role-0, role-1, role-2, role-3 (get pods)\n"
            "12 objects: 12 to change\n");
}

TEST(Text, TheLastLinesOfManyObjectsAreALineForEachKind) {
  EXPECT_EQ(LastLines(Print(ManyChanges(40))),
            "  ~ 40 Roles: only labels (v) (label-0 and 39 more)\n"
            "  ~ 40 ConfigMaps: in some of them key0, key1, key2, key3, key4 and 35 more\n"
            "    (map-0 and 39 more)\n"
            "  ~ 40 Roles: rights (-get pods; +list pods) (role-0 and 39 more)\n"
            "look at this before you apply:\n"
            "  takes rights away: Role role-0, role-1, role-2, role-3, role-4, role-5 and\n"
            "    34 more (get pods)\n"
            "120 objects: 120 to change\n");
  const TextOptions wide = {.wide = true};
  EXPECT_NE(LastLines(Print(ManyChanges(40), wide)).find("ConfigMap map-39: key39"), std::string::npos);
}

TEST(Text, NamesTheLabelsThatManyObjectsChange) {
  std::vector<ObjectReport> objects = ManyChanges(40);
  for (const std::string name : {"a", "b", "c"}) {
    const auto map = [&](std::string_view labels) {
      return StrCat("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: ", name, ", labels: {", labels, "}}\n");
    };
    objects.push_back(Change(map("x: y"), map(StrCat("x: y, scrape: 'true'", name == "c" ? ", port: '1'" : ""))));
  }
  const std::string end = LastLines(Print(objects));
  EXPECT_NE(end.find("43 objects: only labels (v, +scrape, +port) (Role label-0 and 42 more)"), std::string::npos)
      << end;
}

TEST(Text, KindsThatHaveAnothersNameAreToldWithTheirGroup) {
  EXPECT_EQ(KindInWords("v1", "Service"), "Service");
  EXPECT_EQ(KindInWords("serving.example.com/v1", "Service"), "Service.serving.example.com");
  EXPECT_EQ(KindInWords("serving.example.com/v1", "Revision"), "Revision");
  EXPECT_EQ(KindInWords("events.k8s.io/v1", "Event"), "Event");
  const auto gateway = [](std::string_view group) {
    return *yaml::ParseYaml(StrCat("apiVersion: ", group, "/v1\nkind: Gateway\nmetadata: {name: web}\n"));
  };
  Report report;
  for (const std::string_view group : {"gateway.networking.k8s.io", "net.example.com"}) {
    report.objects.push_back(ReportError(gateway(group), Error::Internal("x")));
  }
  report.objects.push_back(ReportPruned({"net.example.com", "v1", "Mesh"}, "", "m"));
  SayGroups(report);
  EXPECT_EQ(report.objects[0].kind, "Gateway.gateway.networking.k8s.io");
  EXPECT_EQ(report.objects[1].kind, "Gateway.net.example.com");
  EXPECT_EQ(OwnKind(report.objects[1]), "Gateway");
  EXPECT_EQ(report.objects[2].kind, "Mesh");
}

TEST(Text, AddedBooleansHaveTheirValue) {
  const std::string text =
      Print({Change(Deployment("web", "x:1.1"), Deployment("web", "x:1.1", ", automountServiceAccountToken: false"))});
  EXPECT_NE(text.find("  ~ Deployment web: +automountServiceAccountToken: false; new Pods"), std::string::npos) << text;
}

TEST(Text, WhatStartsPodsIsNamedWithFewFieldsIfAScreenIsTooShort) {
  std::vector<ObjectReport> objects = ManyChanges(40);
  const std::string of_pod = ", hostname: h, subdomain: s, priorityClassName: p, dnsPolicy: Default, hostNetwork: true";
  objects.push_back(Change(Deployment("web", "x:1.1"), Deployment("web", "x:1.2", of_pod)));
  const std::string end = LastLines(Print(objects));
  EXPECT_NE(
      end.find("Deployment web: image (x 1.1 → 1.2), +hostNetwork: true, +dnsPolicy,\n    +hostname and 2 more; new "
               "Pods"),
      std::string::npos)
      << end;
}

TEST(Text, NamesTheContainersThatLoseSafeguards) {
  const auto workload = [](std::string_view of_a, std::string_view of_b) {
    return Deployment("web", StrCat("'x:1.1', ", of_a, "}, {name: d, image: 'x:1.1', ", of_b));
  };
  const std::string probe = "livenessProbe: {httpGet: {port: 80}}", safe = "securityContext: {runAsNonRoot: true}";
  const auto last_lines = [&](const std::string& before, const std::string& after) {
    return LastLines(Print({Change(before, after)}));
  };
  const std::string start = "  removes safeguards: Deployment web (";
  const auto expect = [&](const std::string& before, const std::string& after, const std::string& words) {
    const std::string text = last_lines(before, after);
    EXPECT_NE(text.find(StrCat(start, words, ")\n")), std::string::npos) << text;
  };
  expect(workload(probe, probe), workload(probe, "tty: true"), "-livenessProbe of d");
  expect(workload(probe, probe), workload("tty: true", "tty: true"), "-livenessProbe");
  expect(workload(safe, safe), workload("securityContext: {runAsNonRoot: false}", safe), "-runAsNonRoot of c");
  expect(Deployment("web", StrCat("'x:1.1', ", probe)), Deployment("web", "'x:1.1'"), "-livenessProbe");
}

TEST(Text, WhatStartsPodsComesFirstAndLabelsLast) {
  const std::string text = Print({Change(Role("only-labels", "get"), Role("only-labels", "get", "b")),
                                  Change(Map("map", "{k: a}"), Map("map", "{k: b}")),
                                  Change(Deployment("web", "x:1.1"), Deployment("web", "x:1.2"))});
  EXPECT_LT(text.find("Deployment web:"), text.find("ConfigMap map:"));
  EXPECT_LT(text.find("ConfigMap map:"), text.find("Role only-labels:"));
}

size_t CountLinesOf(const std::string& text) { return static_cast<size_t>(std::count(text.begin(), text.end(), '\n')); }

std::string RoleOf(const std::string& name, size_t resources) {
  std::string rules;
  for (size_t i = 0; i < resources; ++i) rules += StrCat("r", i, name, ", ");
  return StrCat("apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: ", name,
                "}\nrules: [{apiGroups: [''], resources: [pods, ", rules, "], verbs: [get, list, watch]}]\n");
}

// Each of them has other images and other fields.
std::vector<ObjectReport> ManyDeployments(size_t count) {
  std::vector<ObjectReport> out;
  for (size_t i = 0; i < count; ++i) {
    const std::string name = StrCat("deployment-with-a-long-name-", i);
    const std::string host = StrCat(", hostname: h", i, ", subdomain: s");
    out.push_back(Change(Deployment(name, StrCat("x", i, ":1.1")), Deployment(name, StrCat("x", i, ":1.2"), host)));
  }
  return out;
}

TEST(Text, TheLastLinesTellAllThatStartPodsTogetherIfAScreenIsTooShort) {
  const std::string end = LastLines(Print(ManyDeployments(20)));
  EXPECT_LE(CountLinesOf(end), 36u) << end;
  EXPECT_TRUE(
      end.starts_with("  ~ 20 Deployments: image (20 images 1.1 → 1.2 (x0, x1, x2 and 17 more)),\n"
                      "    +hostname, +subdomain; new Pods (deployment-with-a-long-name-0,\n"))
      << end;
  for (int i = 0; i < 20; ++i) EXPECT_NE(end.find(StrCat("deployment-with-a-long-name-", i)), std::string::npos) << i;
}

TEST(Text, TheLastLinesShortenWorriesIfAScreenIsTooShort) {
  const auto print = [](size_t more) {
    std::vector<ObjectReport> objects = ManyDeployments(more);
    for (const char* name : {"a", "b", "c", "d"}) objects.push_back(Change(RoleOf(name, 9), RoleOf(name, 1)));
    return LastLines(Print(std::move(objects)));
  };
  EXPECT_NE(print(1).find("r6d and 2 more)"), std::string::npos) << print(1);
  EXPECT_NE(print(16).find("  takes rights away: Role a (read r1a, r2a and 6 more); Role b (read r1b, r2b\n"
                           "    and 6 more) and 2 more\n"),
            std::string::npos)
      << print(16);
}

// Each undoes another change of somebody else: that is worth more lines than a screen has.
TEST(Text, TheLastLinesNeverLeaveOutWhatIsUndone) {
  std::vector<ObjectReport> objects = ManyDeployments(13);
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    const std::string key = StrCat("{", name, name, ": ");
    objects.push_back(Change(Map(name, key + "x}"), Map(name, key + "x}"), Map(name, key + "z}")));
  }
  const std::string end = LastLines(Print(std::move(objects)));
  for (const char* name : {"aa", "bb", "cc", "dd", "ee"}) {
    EXPECT_NE(end.find(StrCat("(", name), end.find("look at this")), std::string::npos) << end;
  }
}

// Two lists of what they do not share say less than nothing.
// Somebody has changed the number of replicas, which the manifest has as it was applied.
ObjectReport Rescaled(const std::string& name, int live) {
  const auto with = [&](int replicas) {
    return StrCat("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ", name, "}\nspec: {replicas: ", replicas,
                  "}\n");
  };
  return Change(with(1), with(1), with(live));
}

TEST(Text, WhatIsUndoneHasALineForEachObjectWhereThereIsRoom) {
  const std::string apart =
      "  undoes changes made in the cluster (live → after apply):\n"
      "    Deployment api (replicas 5 → 1)\n"
      "    Deployment web (replicas 3 → 1)\n";
  std::vector<ObjectReport> objects = {Rescaled("api", 5), Rescaled("web", 3)};
  EXPECT_NE(LastLines(Print(objects)).find(apart), std::string::npos);
  for (ObjectReport& object : ManyChanges(40)) objects.push_back(std::move(object));
  EXPECT_NE(LastLines(Print(objects)).find(apart), std::string::npos);
}

TEST(Text, TheLastLinesCountObjectsThatHaveNothingInCommon) {
  const auto print = [](size_t deployments) {
    std::vector<ObjectReport> objects = ManyDeployments(deployments);
    for (const char* name : {"a", "b"}) {
      objects.push_back(Change(Map(name, StrCat("{", name, ": x}")), Map(name, StrCat("{", name, ": z}"))));
      objects.push_back(Change(Role(name, StrCat("get, ", name)), Role(name, "get")));
    }
    objects.push_back(Change(ClusterRole("get"), ClusterRole("get, list")));
    return LastLines(Print(std::move(objects)));
  };
  const std::string end = print(62);
  EXPECT_NE(end.find("~ 4 other objects: 2 ConfigMaps, 2 Roles (a, b, -rights)\n"), std::string::npos) << end;
  EXPECT_NE(end.find("~ ClusterRole all: +rights (list pods)\n"), std::string::npos) << end;
  const std::string short_end = print(76);
  EXPECT_NE(short_end.find("~ 5 other objects: 1 ClusterRole, 2 ConfigMaps, 2 Roles\n"), std::string::npos)
      << short_end;
  EXPECT_NE(short_end.find("deployment-with-a-long-name-2 and 73 more"), std::string::npos) << short_end;
}

TEST(Text, TheLastLinesFoldTheLeastDangerousWorries) {
  const std::string service = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n";
  const auto pod = [](bool links, const std::string& account) {
    return StrCat(", enableServiceLinks: ", links ? "true" : "false", ", serviceAccountName: ", account);
  };
  std::vector<ObjectReport> objects;
  objects.push_back(Change(Deployment("web", "x:1.1", pod(true, "a")), Deployment("web", "x:1.3", pod(false, "b"))));
  objects.push_back(Change(Role("web", "get, list"), Role("web", "get")));
  objects.push_back(
      Change(StrCat(service, "spec: {selector: {a: b}}\n"), StrCat(service, "spec: {selector: {a: c}}\n")));
  for (char c = 'a'; c < 'm'; ++c) {
    const std::string name(70, c), key = StrCat("{", name.substr(0, 60), ": ");
    objects.push_back(Change(Map(name, key + "x}"), Map(name, key + "x}"), Map(name, key + "z}")));
  }
  const std::string end = LastLines(Print(std::move(objects)));
  EXPECT_NE(end.find("  also (--wide): is reached in another way (Service web);"), std::string::npos) << end;
  EXPECT_NE(end.find("off (Deployment web); skips minor versions (Deployment web)\n"), std::string::npos) << end;
}

TEST(Text, NewPodsWithTheSameImages) {
  const std::string host = ", hostname: h", name = ", subdomain: s";
  const auto end = [](const std::string& image, const std::string& more) {
    return LastLines(Print({Change(Deployment("web", "x:1"), Deployment("web", image, more))}));
  };
  EXPECT_TRUE(end("x:1", host).starts_with("  ~ Deployment web: +hostname; new Pods, images as before\n"));
  EXPECT_TRUE(end("x:2", host).starts_with("  ~ Deployment web: image (x 1 → 2), +hostname; new Pods\n"));
}

std::string WithEnv(const std::string& variables) {
  return StrCat(
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  selector: {matchLabels: {a: b}}\n",
      "  template:\n    metadata: {labels: {a: b}}\n    spec: {containers: [{name: c, image: x:1, env: [", variables,
      "]}]}\n");
}

TEST(Text, AChangedVariableIsNamedBesideMovedOnes) {
  const std::string a = "{name: A, value: a}", url = "{name: URL, value: 'https://hub.example.com/a/b/c/d/e/f'}";
  const std::string end = LastLines(Print({Change(WithEnv(a + ", " + url), WithEnv("{name: URL, value: ''}, " + a))}));
  EXPECT_TRUE(end.starts_with("  ~ Deployment web: env (URL → \"\"); new Pods, images as before\n")) << end;
}

TEST(Text, FoldersOfTheNodeAreNamed) {
  const auto with = [](std::string_view path) {
    return Deployment("web", StrCat("x:1}], volumes: [{name: v, hostPath: {path: ", path, "}"));
  };
  const std::string end = LastLines(Print(
      {Change(with("/etc/kubernetes/secrets-store-csi-providers"), with("/var/run/secrets-store-csi-providers"))}));
  EXPECT_NE(end.find("path (/etc/kubernete…csi-providers →"), std::string::npos) << end;
}

TEST(Text, AVariableWithAnotherSourceStays) {
  const std::string end = LastLines(Print({Change(
      WithEnv("{name: A, value: a}"), WithEnv("{name: A, valueFrom: {fieldRef: {fieldPath: metadata.namespace}}}"))}));
  EXPECT_TRUE(end.starts_with("  ~ Deployment web: env (A); new Pods, images as before\n")) << end;
}

TEST(Text, ResourcesOfSeveralContainersHaveTheirNames) {
  const auto with = [](std::string_view of_c, std::string_view of_d) {
    return Deployment("web", StrCat("'x:1', resources: {limits: {memory: ", of_c, "}}}, {name: d, image: 'x:1', ",
                                    "resources: {limits: {memory: ", of_d, "}}"));
  };
  const auto says = [&](const std::string& after, std::string_view words) {
    const std::string end = LastLines(Print({Change(with("1Gi", "100Mi"), after)}));
    EXPECT_NE(end.find(words), std::string::npos) << end;
  };
  says(with("2Gi", "25Mi"), "limits (c memory 1Gi → 2Gi, d memory 100Mi → 25Mi)");
  says(with("2Gi", "100Mi"), "limits (memory 1Gi → 2Gi)");
}

TEST(Text, SomeOfManyVariablesAreNamed) {
  const auto with = [](std::string_view value) {
    std::string env;
    for (const char* name : {"LEVEL", "THREADS", "POOL", "TIMEOUT", "QUEUE", "HOST", "REGION"})
      env += StrCat("{name: ", name, ", value: ", value, "}, ");
    return Deployment("web", StrCat("'x:1', env: [", env, "]"));
  };
  const std::string end = LastLines(Print({Change(with("one"), with("other"))}));
  EXPECT_NE(end.find("env (LEVEL one → other, THREADS one → other and 5 more)"), std::string::npos) << end;
}

TEST(Text, ManyNewVariablesAreCounted) {
  std::string more;
  for (int i = 0; i < 8; ++i) more += StrCat("{name: VARIABLE_", i, ", value: '", i % 2, "'}, ");
  const std::string end =
      LastLines(Print({Change(WithEnv("{name: A, value: a}"), WithEnv(more + "{name: A, value: a}"))}));
  EXPECT_TRUE(end.starts_with("  ~ Deployment web: +env (VARIABLE_*: 8); new Pods, images as before\n")) << end;
}

TEST(Text, ManyNewVariablesWithShortValuesAreOneRow) {
  std::string more;
  for (int i = 0; i < 20; ++i) more += StrCat("{name: IMAGE_", i, ", value: 'x:", i, "'}, ");
  const std::string all = Print({Change(WithEnv("{name: A, value: a}"), WithEnv(more + "{name: A, value: a}"))});
  EXPECT_NE(all.find("variables: IMAGE_0 = x:0, IMAGE_1 = x:1, IMAGE_2 = x:2 and 17 more"), std::string::npos) << all;
}

TEST(Text, TheLabelsOfPodSecurityKeepTheirNames) {
  const auto space = [](const std::string& level) {
    return StrCat(
        "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: a\n  labels: {pod-security.kubernetes.io/enforce: ", level,
        "}\n");
  };
  EXPECT_EQ(LastLines(Print({Change(space("baseline"), space("privileged"))})),
            "  ~ Namespace a: labels (pod-security.kubernetes.io/enforce)\n"
            "look at this before you apply:\n"
            "  allows Pods more (label pod-security.kubernetes.io/enforce): Namespace a\n"
            "    (baseline → privileged)\n"
            "1 object: 1 to change\n");
}

TEST(Text, TheLastLinesSayWhatRightsAndSchemasChange) {
  const std::string end = LastLines(Print({Change(Role("a", "get"), Role("a", "'get', list"))}));
  EXPECT_TRUE(end.starts_with("  ~ Role a: +rights (list pods)\n")) << end;
}

TEST(Text, ChangesThatPodsNoLongerReadAreUndone) {
  const auto volume = [](const char* name) { return StrCat(", volumes: [{name: v, configMap: {name: ", name, "}}]"); };
  const auto web = [](const std::string& of_pod) { return Deployment("web", "x:1", of_pod); };
  ObjectReport report = Change(web(volume("old")), web(volume("new")));
  report.appliers = {{"kubectl-client-side-apply", "Update", "", ""}};
  const char *denial = "no change made in the cluster is undone",
             *line = "no longer reads what others have changed (last applied → live): Deployment\n    web (ConfigMap";
  EXPECT_NE(Print({report}).find(denial), std::string::npos);
  report.unread.front().changed_by = {{"kubectl-edit", "Update", "", ""}};
  EXPECT_EQ(Print({report}).find(denial), std::string::npos);
  EXPECT_NE(Print({report}).find(line), std::string::npos) << Print({report});
}

TEST(Text, AnUpgradeMayLeaveObjectsBehind) {
  const Document manifest = Yaml(Map("new", "{a: b}"));
  Report report;
  report.context.emplace();
  report.objects = {ReportCreation(manifest, KindOf(manifest), {})};
  const auto says = [&] {
    return PrintText(report, {}).find("\nnot looked for: objects that only") != std::string::npos;
  };
  EXPECT_FALSE(says()) << "a first installation";
  report.objects.push_back(Change(Map("old", "{a: b}"), Map("old", "{a: c}")));
  EXPECT_TRUE(says());
  report.left.emplace();
  EXPECT_FALSE(says()) << "somebody looked";
  report.left = {{"Service", "shop", "old"},
                 {"ConfigMap", "shop", "old"},
                 {"ConfigMap", "shop", "older", "app.conf; by kubectl-edit"}};
  EXPECT_NE(PrintText(report, {})
                .find("\napplied before and not in the input; they stay without --prune: ConfigMap\n  "
                      "shop/older (app.conf; by kubectl-edit), shop/old; Service shop/old\n"),
            std::string::npos)
      << PrintText(report, {});
  report.left.reset();
  report.prunes = true;
  EXPECT_FALSE(says());
  report.prunes = false;
  report.objects.erase(report.objects.begin());
  EXPECT_FALSE(says()) << "nothing is new";
}

TEST(Text, ALongNamespaceOfAllIsSaidOnce) {
  const auto printed = [](const char* name_space) {
    const auto map = [&](const char* value) {
      return StrCat("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: ", name_space,
                    "}\ndata: {a: ", value, "}");
    };
    Report report;
    report.context.emplace();
    report.objects = {Change(map("v"), map("w"))};
    SayNamespaceOnce(report);
    return PrintText(report, {});
  };
  const std::string named = printed("a-namespace-with-a-long-name");
  EXPECT_NE(named.find("\nall in namespace a-namespace-with-a-long-name:\n  ~ ConfigMap a: a (v → w)\n"),
            std::string::npos)
      << named;
  EXPECT_NE(printed("short").find("\n  ~ ConfigMap short/a: a (v → w)\n"), std::string::npos);
}

// The lines of the ConfigMaps are cut, and so would be the worries, though there is room for them then.
TEST(Text, TheLastLinesUseTheLinesThatAreLeft) {
  std::vector<ObjectReport> objects = ManyChanges(40);
  std::vector<std::string> names;
  for (int i = 0; i < 6; ++i) {
    names.push_back(StrCat("web-", i));
    objects.push_back(Change(Deployment(names.back(), "x:1.1"), Deployment(names.back(), StrCat("x:2.", i))));
    const FieldPath replicas = {PathStep::Field("spec"), PathStep::Field("replicas")};
    objects.back().of_others = {{{"kubectl-edit", "Update", "", ""}, {replicas}, {StrCat(i)}}};
  }
  const std::string end = LastLines(Print(std::move(objects)));
  std::string kept = end.substr(end.find("keeps what others set"));
  for (size_t at = kept.find("\n    "); at != kept.npos; at = kept.find("\n    ")) kept.replace(at, 5, " ");
  for (const std::string& name : names) EXPECT_NE(kept.find(StrCat("Deployment ", name, " (")), kept.npos) << end;
  EXPECT_LE(std::ranges::count(end, '\n'), 36) << end;
}

}  // namespace
}  // namespace smp::explain
