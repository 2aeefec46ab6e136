#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/strings.h"
#include "explain/testing.h"

namespace smp::explain {
namespace {

TEST(Text, GroupsRowsBelowTheirPath) {
  const auto deployment = [](const std::string& container) {
    return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec:\n  template:\n    spec:\n      "
           "containers:"
           "\n      - " +
           container + "\n";
  };
  EXPECT_EQ(Rows(Print({Change(deployment("{name: app, image: a, env: [{name: A, value: b}]}"),
                               deployment("{name: app, image: b, env: [{name: A, value: c}], tty: true}"))})),
            "  spec.template.spec.containers[name=app]\n"
            "    ~ image: a → b              changed, line 8\n"
            "    ~ env[name=A].value: b → c  changed, line 8\n"
            "    + tty: true                 added, line 8\n");
}

// A container with the fields, and a Pod with more.
std::string OneContainer(const std::string& container, const std::string& of_pod = "") {
  return StrCat(
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec:\n  selector: {matchLabels: {a: b}}\n"
      "  template:\n    metadata: {labels: {a: b}}\n    spec: {containers: [{name: app, ",
      container, "}]", of_pod, "}\n");
}

TEST(Text, ShowsFirstWhatDoesMost) {
  const std::string before =
      OneContainer("image: a, args: [x], env: [{name: A, value: b}], workingDir: /a", ", hostname: a");
  const std::string after =
      OneContainer("image: b, args: [z], env: [{name: A, value: c}], workingDir: /b", ", hostname: b");
  const std::string text = Rows(Print({Change(before, after)}));
  size_t at = 0;
  for (const char* field : {"image", "args", "workingDir", "env", "hostname"}) {
    const size_t next = text.find(field);
    EXPECT_GE(next, at) << field << "\n" << text;
    at = next;
  }
}

// Returns so many variables from a ConfigMap.
std::string VariablesFrom(const std::string& map, const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    out += StrCat("{name: ", name, ", valueFrom: {configMapKeyRef: {name: ", map, ", key: ", name,
                  ", optional: true}}}, ");
  }
  return out;
}

TEST(Text, FoldsManyVariablesFromOneObject) {
  const auto deployment = [](const std::string& env) { return OneContainer(StrCat("image: a, env: [", env, "]")); };
  const std::string of_map = VariablesFrom("settings", {"A", "B", "C", "D", "E"});
  const std::string before = deployment("{name: Z, value: z}"), after = deployment(of_map + "{name: Z, value: z}");
  EXPECT_EQ(Rows(Print({Change(before, after)})),
            "  + 5 items of spec.template.spec.containers[name=app].env:  added, line 8\n"
            "      variables from ConfigMap settings, optional: A, B, C and 2 more (--wide)\n");
  EXPECT_NE(Print({Change(after, before)}).find("- 5 items of spec.template.spec.containers[name=app].env:"),
            std::string::npos);
  const std::string wide = Print({Change(before, after)}, {.wide = true});
  EXPECT_NE(wide.find("+ [name=E]: from ConfigMap settings, key E, optional"), std::string::npos) << wide;
}

TEST(Text, FoldsManyMountsAndVolumesOfOneKind) {
  std::string mounts, volumes;
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    mounts += StrCat("{name: ", name, ", mountPath: /", name, "}, ");
    volumes += StrCat("{name: ", name, ", configMap: {name: ", name, "}}, ");
  }
  const auto deployment = [](const std::string& more_mounts, const std::string& more_volumes) {
    return OneContainer(StrCat("image: a, volumeMounts: [", more_mounts, "{name: z, mountPath: /z}]"),
                        StrCat(", volumes: [", more_volumes, "{name: z, emptyDir: {}}]"));
  };
  const std::string host = "{name: h, hostPath: {path: /}}, ";
  EXPECT_EQ(Rows(Print({Change(deployment("", ""), deployment(mounts, volumes + host))})),
            "  spec.template.spec\n"
            "    + 5 items of containers[name=app].volumeMounts:  added, line 8\n"
            "        mounts: /a, /b, /c and 2 more (--wide)\n"
            "    + 5 items of volumes:                            added, line 8\n"
            "        volumes from ConfigMaps: a, b, c and 2 more (--wide)\n"
            "    + volumes[name=h]: {hostPath: {path: /}}         added, line 8\n");
}

TEST(Text, DoesNotFoldVariablesThatAreFewOrFromSeveralObjects) {
  const auto deployment = [](const std::string& env) { return OneContainer(StrCat("image: a, env: [", env, "]")); };
  const std::string env = VariablesFrom("one", {"A", "B", "C"}) + VariablesFrom("two", {"D", "E", "F"});
  const std::string text = Print({Change(deployment("{name: Z, value: z}"), deployment(env + "{name: Z, value: z}"))});
  EXPECT_NE(text.find("[name=F]"), std::string::npos) << text;
  EXPECT_EQ(text.find("variables"), std::string::npos) << text;
}

// Images are what people look for. Here, many arguments hide some.
TEST(Text, NamesTheImagesOfANewObjectThatIsFolded) {
  const auto print = [](size_t args) {
    std::string list;
    for (size_t i = 0; i < args; ++i) list += StrCat("a", i, ", ");
    return PrintCreation(
        Yaml(StrCat("apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: a}\nspec:\n  template:\n    spec:\n"
                    "      containers: [{name: c, image: \"web:2\", args: [",
                    list,
                    "]}, {name: d, image: \"web:3\"}]\n"
                    "      initContainers: [{name: i, image: \"init:1\"}]\n      hostAliases: [",
                    std::string(args < 9 ? "{ip: 127.0.0.1, hostnames: [a, b, c, d, e, f, g, h]}" : ""), "]\n")));
  };
  EXPECT_NE(print(30).find(" more lines (--wide)\n  images: init:1, web:2, web:3\n\n  + DaemonSet a: created (web:2, "
                           "web:3, init:1); new Pods\n"
                           "1 object: 1 to create (1 with new Pods)\n"),
            std::string::npos)
      << print(30);
  EXPECT_EQ(print(2).find("images:"), std::string::npos) << print(2);
}

// What many variables and rules of scheduling hide.
TEST(Text, ShowsFirstWhatANewObjectRuns) {
  std::string env;
  for (int i = 0; i < 20; ++i) env += StrCat("{name: E", i, ", value: x}, ");
  EXPECT_EQ(PrintCreation(Yaml(StrCat(
                "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec:\n  strategy: {type: Recreate}\n"
                "  replicas: 3\n  template:\n    spec:\n      affinity: {nodeAffinity: {}}\n      schedulerName: s\n"
                "      containers: [{name: c, image: \"web:2\", env: [",
                env,
                "], args: [serve],\n"
                "        livenessProbe: {httpGet: {port: 80}}}]\n"))),
            "Deployment a: will be created, with new Pods (dir/web.yaml:1)\n"
            "  + spec:\n"
            "  +   replicas: 3\n"
            "  +   template:\n"
            "  +     spec:\n"
            "  +       containers:\n"
            "  +       - name: c\n"
            "  +         image: web:2\n"
            "  +         args:\n"
            "  +         - serve\n"
            "  +         env: … 20 items\n"
            "  +       schedulerName: s\n"
            "  … 47 more lines (--wide)\n"
            "\n"
            "  + Deployment a: created (web:2); new Pods\n"
            "1 object: 1 to create (1 with new Pods)\n");
}

TEST(Text, ShowsThePodsOfANewObjectThatIsFoldedBeforeItsLabels) {
  std::string labels;
  for (int i = 0; i < 30; ++i) labels += StrCat("    l", i, ": x\n");
  const std::string text =
      PrintCreation(Yaml(StrCat("apiVersion: apps/v1\nkind: DaemonSet\nmetadata:\n  name: a\n  labels:\n", labels,
                                "spec:\n  template:\n    spec:\n      containers: [{name: c, image: \"web:2\"}]\n")));
  EXPECT_EQ(text,
            "DaemonSet a: will be created, with new Pods (dir/web.yaml:1)\n"
            "  + spec:\n"
            "  +   template:\n"
            "  +     spec:\n"
            "  +       containers:\n"
            "  +       - name: c\n"
            "  +         image: web:2\n"
            "  … 32 more lines (--wide)\n"
            "\n"
            "  + DaemonSet a: created (web:2); new Pods\n"
            "1 object: 1 to create (1 with new Pods)\n");
}

TEST(Text, ShowsTheRightsOfANewRoleThatIsFolded) {
  const auto role = [](std::string_view rules) {
    return Yaml(
        StrCat("apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: a}\nrules: [", rules, "]\n"));
  };
  const std::string rule = "{apiGroups: [''], resources: [pods, secrets], verbs: [get, list]}, ";
  EXPECT_EQ(Rows(PrintCreation(role(rule + rule + "{apiGroups: [apps], resources: [deployments], verbs: ['*']}"))),
            "  + rules:\n"
            "      + deployments.apps: *\n"
            "      + pods, secrets: get, list\n");
  EXPECT_NE(PrintCreation(role(rule)).find("  +   - pods\n"), std::string::npos);
}

}  // namespace
}  // namespace smp::explain
