#include "explain/cross_worries.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "explain/lost_rights.h"
#include "explain/missing_lines.h"
#include "explain/needed_keys.h"
#include "explain/testing.h"
#include "explain/worry_lines.h"
#include "value/at.h"

namespace smp::explain {
namespace {

// Returns the lines about several objects: those of one object alone are left out.
std::vector<std::string> Lines(const std::vector<ObjectReport>& reported) {
  Report report;
  report.objects = reported;
  ForgetRegranted(report);
  const std::vector<ObjectReport>& objects = report.objects;
  Objects all;
  for (const ObjectReport& object : objects) all.push_back(&object);
  std::vector<std::string> out;
  const std::vector<FoundWorries> found = CrossWorries(all);
  for (size_t i = 0; i < found.size(); ++i) {
    for (const auto& [worry, words] : found[i]) {
      out.push_back(StrCat(objects[i].name, ": ", WordsOf(worry), words.all.empty() ? "" : ": ", words.all));
    }
  }
  return out;
}

using Texts = std::vector<std::string>;

std::string Workload(std::string_view kind, std::string_view name, std::string_view pod) {
  return StrCat("apiVersion: apps/v1\nkind: ", kind, "\nmetadata: {name: ", name,
                "}\nspec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {", pod,
                "}}}\n");
}

std::string Account(std::string_view name) {
  return StrCat("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: ", name, "}\n");
}

ObjectReport Unchanged(const std::string& object) { return Change(object, object); }

ObjectReport Refused(ObjectReport report) {
  report.action = Action::kError;
  report.error = Error::Refused("field is immutable");
  return report;
}

ObjectReport Created(const std::string& object) {
  const Document manifest = Yaml(object);
  return ReportCreation(manifest, KindOf(manifest), {});
}

constexpr std::string_view kAsAgent = "serviceAccountName: agent, containers: [{name: a, image: 'a:1'}]";

TEST(CrossWorries, AServiceAccountTellsWhetherAWorkloadIsNew) {
  const std::string agent = Workload("DaemonSet", "agent", kAsAgent);
  const std::string start = "agent: not in the cluster: new, or somebody deleted it";
  const std::string map = Map("m", "{a: b}");
  EXPECT_EQ(
      Lines({Created(agent), Unchanged(Account("agent"))}),
      Texts{"agent: seems to have been deleted in the cluster, and comes back: though the ServiceAccount exists"});
  EXPECT_EQ(Lines({Created(agent), Created(Account("agent")), Unchanged(map)}), Texts()) << "it is new, too";
  EXPECT_EQ(Lines({Created(agent), Unchanged(map)}), Texts{start}) << "the input has no ServiceAccount";
  EXPECT_EQ(Lines({Created(agent), Unchanged(Account("agent")), Unchanged(Workload("Deployment", "other", kAsAgent))}),
            Texts{start})
      << "another workload needs it";
  EXPECT_EQ(
      Lines({Created(agent), Unchanged(Account("agent")),
             Refused(Change(Workload("Deployment", "other", kAsAgent), Workload("Deployment", "other", "x: y")))}),
      Texts{start})
      << "another workload needs it today";
  EXPECT_EQ(Lines({Created(Workload("Deployment", "web", "volumes: [{name: v, configMap: {name: m}}]")), Created(map),
                   Unchanged(Account("agent"))}),
            Texts())
      << "it comes with its ConfigMap";
  const std::string space = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n";
  EXPECT_EQ(Lines({Created(space), Unchanged(map)}), Texts{"shop: not in the cluster: new, or somebody deleted it"});
  EXPECT_EQ(Lines({Created(agent), Created(Account("agent"))}), Texts()) << "a first installation";
}

TEST(CrossWorries, AWorkloadThatReplacesAnotherKindIsNew) {
  ObjectReport created = Created(Workload("Deployment", "agent", kAsAgent));
  created.left_workload = "StatefulSet";
  EXPECT_EQ(
      Lines({created, Unchanged(Map("m", "{a: b}"))}),
      Texts{"agent: runs beside a workload that the input does not have, and that apply does not delete: StatefulSet"});
}

TEST(CrossWorries, ABindingBetweenWhatExistsMayHaveBeenDeleted) {
  const std::string role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: reader}\n";
  const std::string binding =
      "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: readers}\n"
      "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}\n"
      "subjects: [{kind: ServiceAccount, name: agent, namespace: default}]\n";
  const std::string account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: agent, namespace: default}\n";
  EXPECT_EQ(
      Lines({Unchanged(role), Created(binding), Unchanged(account)}),
      Texts{"readers: is new, or was deleted in the cluster and comes back: its role and the ServiceAccount exist"});
  EXPECT_EQ(Lines({Created(role), Created(binding), Unchanged(account)}), Texts()) << "the role is new, too";
  EXPECT_EQ(Lines({Unchanged(role), Created(binding)}), Texts()) << "the input has no ServiceAccount";
}

TEST(CrossWorries, WebhooksOfAServiceThatExistsMayHaveBeenDeleted) {
  const auto hook = [](const std::string& service) {
    return StrCat("- {name: ", service, ".example.com, clientConfig: {service: {name: ", service,
                  ", namespace: default}}, failurePolicy: Ignore}\n");
  };
  const std::string start =
      "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: check}\n"
      "webhooks:\n";
  const auto service = [](const std::string& name) {
    return StrCat("apiVersion: v1\nkind: Service\nmetadata: {name: ", name, ", namespace: default}\n");
  };
  const std::string told = "check: is new, or was deleted in the cluster and comes back: its Service";
  EXPECT_EQ(Lines({Unchanged(service("a")), Created(start + hook("a"))}), Texts{told + " exists"});
  EXPECT_EQ(Lines({Unchanged(service("a")), Unchanged(service("b")), Created(start + hook("a") + hook("b"))}),
            Texts{told + "s exist"});
  EXPECT_EQ(Lines({Unchanged(service("a")), Created(start + hook("a") + hook("b"))}), Texts())
      << "the input has not all";
  EXPECT_EQ(Lines({Unchanged(Map("m", "{a: b}")), Created(service("a")), Created(start + hook("a"))}), Texts())
      << "the Service is new, too";
  EXPECT_EQ(Lines({Unchanged(service("a")),
                   Created(start + "- {name: a.example.com, clientConfig: {url: 'https://a'}}\n" + hook("a"))}),
            Texts())
      << "an URL may be new";
}

std::string Reader(std::string_view container, std::string_view volumes = "") {
  return Workload("Deployment", "web", StrCat("containers: [{name: web, image: 'web:1', ", container, "}]", volumes));
}

const ObjectReport& SettingsThatChange() {
  static const ObjectReport out =
      Change(Map("settings", "{level: info, same: x}"), Map("settings", "{level: debug, same: x}"));
  return out;
}

TEST(CrossWorries, RunningPodsKeepOldVariables) {
  const Texts told{"web: running Pods keep the old values until somebody restarts them: ConfigMap settings"};
  const auto lines = [](const std::string& reader) { return Lines({SettingsThatChange(), Unchanged(reader)}); };
  EXPECT_EQ(lines(Reader("env: [{name: A, valueFrom: {configMapKeyRef: {name: settings, key: level}}}]")), told);
  EXPECT_EQ(lines(Reader("envFrom: [{configMapRef: {name: settings}}]")), told);
  EXPECT_EQ(lines(Reader("volumeMounts: [{name: v, mountPath: /a, subPath: level}]",
                         ", volumes: [{name: v, configMap: {name: settings}}]")),
            told);
}

TEST(CrossWorries, RunningPodsThatLearnOfAChange) {
  const auto lines = [](const std::string& reader) { return Lines({SettingsThatChange(), Unchanged(reader)}); };
  EXPECT_EQ(lines(Reader("env: [{name: A, valueFrom: {configMapKeyRef: {name: settings, key: same}}}]")), Texts())
      << "another key";
  EXPECT_EQ(lines(Reader("env: [{name: A, valueFrom: {configMapKeyRef: {name: others, key: level}}}]")), Texts());
  EXPECT_EQ(
      lines(Reader("volumeMounts: [{name: v, mountPath: /a}]", ", volumes: [{name: v, configMap: {name: settings}}]")),
      Texts())
      << "the kubelet updates files";
  const std::string variable = "env: [{name: A, valueFrom: {configMapKeyRef: {name: settings, key: level}}}], args: [";
  EXPECT_EQ(Lines({SettingsThatChange(), Change(Reader(variable + "a]"), Reader(variable + "b]"))}), Texts())
      << "the Pods are replaced";
  const auto later = [](const std::string& reader) {
    std::string out = reader;
    out.replace(out.find("Deployment"), 10, "DaemonSet");
    out.insert(out.find("selector"), "updateStrategy: {type: OnDelete}, ");
    return out;
  };
  const std::string reads = Reader("envFrom: [{configMapRef: {name: settings}}]"), reads_nothing = Reader("args: [a]");
  const auto has_old = [&](const std::string& before) {
    for (const std::string& line : Lines({SettingsThatChange(), Change(later(before), later(reads))})) {
      if (line.find("keep the old values") != line.npos) return true;
    }
    return false;
  };
  EXPECT_TRUE(has_old(reads));
  EXPECT_FALSE(has_old(reads_nothing)) << "the Pods that run have not read it";
}

TEST(CrossWorries, RunningPodsKeepOldSecrets) {
  const auto secret = [](std::string_view value) {
    return StrCat("apiVersion: v1\nkind: Secret\nmetadata: {name: token}\ndata: {token: ", value, "}\n");
  };
  const std::string reader = Reader("env: [{name: A, valueFrom: {secretKeyRef: {name: token, key: token}}}]");
  EXPECT_EQ(Lines({Change(secret("YQ=="), secret("Yg==")), Unchanged(reader)}),
            Texts{"web: running Pods keep the old values until somebody restarts them: Secret token"});
}

std::string Service(std::string_view selector) {
  return StrCat("apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {", selector, "}}\n");
}

std::string Labelled(std::string_view kind, std::string_view name, std::string_view labels) {
  return StrCat("apiVersion: apps/v1\nkind: ", kind, "\nmetadata: {name: ", name, "}\nspec: {selector: {matchLabels: {",
                labels, "}}, template: {metadata: {labels: {x: y, ", labels, "}}}}\n");
}

TEST(CrossWorries, AServiceWhosePodsStayAsTheyAre) {
  const ObjectReport service = Change(Service("app: old"), Service("app: new")),
                     web = Change(Labelled("Deployment", "web", "app: old"), Labelled("Deployment", "web", "app: new")),
                     refused = Refused(web);
  const Texts told{"web: reaches no Pods, as their workload is refused: Deployment web"};
  EXPECT_EQ(Lines({service, refused}), told);
  EXPECT_EQ(Lines({refused, Created(Service("app: new"))}), told);
  EXPECT_EQ(Lines({service, web}), Texts());
  EXPECT_EQ(Lines({Unchanged(Service("app: old")), refused}), Texts()) << "the Pods stay, too";
  EXPECT_EQ(Lines({Change(Service("app: old"), Service("x: y")), refused}), Texts()) << "both states have this label";
  EXPECT_EQ(Lines({Refused(service), refused}), Texts());
  EXPECT_EQ(Lines({service, refused, Unchanged(Labelled("DaemonSet", "other", "app: new"))}), Texts())
      << "others have the labels";
  EXPECT_EQ(Lines({Change(Service("app: old"), Service("app: other")), refused}), Texts()) << "of another workload";
}

// Rules of the group "", as "get pods" or "get,list pods,services".
std::string Role(const std::string& kind, const std::string& name, const std::string& verbs,
                 const std::string& resources) {
  return StrCat("apiVersion: rbac.authorization.k8s.io/v1\nkind: ", kind, "\nmetadata: {name: ", name,
                "}\nrules: [{apiGroups: [''], resources: [", resources, "], verbs: [", verbs, "]}]\n");
}

std::string Binding(const std::string& kind, const std::string& role, const std::string& account) {
  return StrCat("apiVersion: rbac.authorization.k8s.io/v1\nkind: ", kind, "Binding\nmetadata: {name: ", role, account,
                "}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ", kind, ", name: ", role,
                "}\nsubjects: [{kind: ServiceAccount, namespace: shop, name: ", account, "}]\n");
}

ObjectReport WithAnotherConfigMap() {
  const auto volume = [](const char* name) { return StrCat(", volumes: [{name: v, configMap: {name: ", name, "}}]"); };
  return Change(Deployment("web", "x:1", volume("conf-a")), Deployment("web", "x:1", volume("conf-b")));
}

TEST(CrossWorries, WhatOthersChangedAndPodsNoLongerRead) {
  ObjectReport web = WithAnotherConfigMap();
  EXPECT_EQ(Lines({web}), Texts()) << "nobody changed it";
  web.unread.front().changed_by = {{"kubectl-edit", "Update", "", ""}};
  EXPECT_EQ(Lines({web}), Texts{"web: no longer reads what others have changed (last applied → live): ConfigMap conf-a "
                                "(conf-b now); by kubectl-edit"});
}

ObjectReport Gateway(std::string_view name, std::string_view image) {
  return Created(Workload("Deployment", name, StrCat("containers: [{name: proxy, image: '", image, "'}]")));
}

TEST(CrossWorries, AnImageThatMovesToANewWorkload) {
  const std::string both = "containers: [{name: a, image: 'ingress:1'}, {name: p, image: 'kong:2.5'}]",
                    one = "containers: [{name: a, image: 'ingress:1'}]";
  const auto changed = Change(Workload("Deployment", "in", both), Workload("Deployment", "in", one));
  const auto told = [&](const ObjectReport& created) {
    Texts lines = Lines({changed, created});
    std::erase_if(lines, [](const std::string& line) { return line.find("somebody deleted") != line.npos; });
    return lines;
  };
  EXPECT_EQ(told(Gateway("out", "docker.io/library/kong:3.4")),
            Texts{"out: runs another major version: kong 2.5 → 3.4"});
  EXPECT_EQ(told(Gateway("out", "kong:2.8")), Texts{"out: skips minor versions: kong 2.5 → 2.8"});
  EXPECT_EQ(told(Gateway("out", "kong:2.6")), Texts());
  EXPECT_EQ(told(Gateway("out", "ingress:3")), Texts()) << "it did not move";
  EXPECT_EQ(told(Gateway("out", "ghcr.io/other/kong:3.4")), Texts()) << "another repository";
}

TEST(CrossWorries, AnImageOfAWorkloadThatIsLeft) {
  ObjectReport web = Gateway("out", "kong:3.4");
  web.left_workload = "StatefulSet";
  web.left_images = {"kong:2.5"};
  EXPECT_EQ(Lines({web}).back(), "out: runs another major version: kong 2.5 → 3.4");
}

TEST(CrossWorries, AWorkloadThatRunsBesideItsNamesake) {
  ObjectReport web = Created(Workload("Deployment", "web", ""));
  web.left_workload = "StatefulSet";
  EXPECT_EQ(
      Lines({web, Unchanged(Map("m", "{a: b}"))}),
      Texts{"web: runs beside a workload that the input does not have, and that apply does not delete: StatefulSet"});
}

TEST(CrossWorries, AWorkloadThatAServiceNewlySelectsIsNew) {
  const ObjectReport created = Created(Labelled("Deployment", "out", "app: new"));
  EXPECT_EQ(Lines({Change(Service("app: old"), Service("app: new")), created}), Texts());
  EXPECT_EQ(Lines({Created(Service("app: new")), created, Unchanged(Map("m", "{a: b}"))}), Texts());
  const Texts missed = {"out: seems to have been deleted in the cluster, and comes back: though Service web exists"};
  EXPECT_EQ(Lines({Unchanged(Service("app: new")), created}), missed);
  EXPECT_EQ(Lines({Unchanged(Service("app: new")), created, Unchanged(Labelled("Deployment", "in", "app: new"))}),
            Texts{"out: not in the cluster: new, or somebody deleted it"})
      << "the Service has other Pods";
  EXPECT_EQ(Lines({Change(Service("app: old"), Service("app: other")), created}),
            Texts{"out: not in the cluster: new, or somebody deleted it"});
}

TEST(CrossWorries, RightsThatGo) {
  const std::string more = Role("Role", "r", "get, list", "pods"), less = Role("Role", "r", "get", "pods");
  EXPECT_EQ(Lines({Change(more, less)}), Texts{"r: takes rights away: list pods"});
  EXPECT_EQ(Lines({Change(less, more)}), Texts());
  const std::string many = Role("Role", "r", "get", "a, b, c, d, e, f, g, h"), none = Role("Role", "r", "get", "");
  EXPECT_EQ(Lines({Change(many, none)}), Texts{"r: takes rights away: get a, b, c, d, e, f and 2 more"});
}

TEST(CrossWorries, AllVerbsAreMoreThanThoseInUse) {
  const char* const in_use = "create, delete, deletecollection, get, list, patch, update, watch";
  const auto lost = [&](const char* resource) {
    return Lines({Change(Role("ClusterRole", "r", "\"*\"", resource), Role("ClusterRole", "r", in_use, resource))});
  };
  EXPECT_EQ(lost("serviceaccounts"), Texts{"r: takes rights away: impersonate serviceaccounts"});
  EXPECT_EQ(lost("pods"), Texts());
}

TEST(CrossWorries, ARoleThatIsDividedTakesNothingAway) {
  const ObjectReport less = Change(Role("ClusterRole", "r", "get", "pods, secrets"),
                                   Role("ClusterRole", "r", "get", "pods")),
                     rest = Created(Role("ClusterRole", "rest", "get, list", "secrets"));
  const ObjectReport old_binding = Unchanged(Binding("ClusterRole", "r", "web")),
                     binding = Created(Binding("ClusterRole", "rest", "web")),
                     other = Unchanged(Binding("ClusterRole", "r", "api"));
  EXPECT_EQ(Lines({less, rest, old_binding, binding}), Texts());
  const Texts lost = {"r: takes rights away: get secrets"};
  EXPECT_EQ(Lines({less, rest, old_binding}), lost) << "nobody has the other role";
  EXPECT_EQ(Lines({less, rest, old_binding, binding, other}), lost) << "another account lost it";
  EXPECT_EQ(Lines({less, rest, binding}), lost) << "who has the role is not known";
}

TEST(CrossWorries, RightsThatGoTogetherWithTheProgram) {
  const ObjectReport role =
      Change(Role("ClusterRole", "r", "get, list", "pods"), Role("ClusterRole", "r", "get", "pods"));
  const auto workload = [](std::string_view name, std::string_view before, std::string_view after) {
    const auto with = [&](std::string_view image) {
      return Workload("Deployment", name,
                      StrCat("serviceAccountName: web, containers: [{name: a, image: '", image, "'}]"));
    };
    ObjectReport out = Change(with(before), with(after));
    out.name_space = "shop";
    return out;
  };
  const ObjectReport binding = Unchanged(Binding("ClusterRole", "r", "web"));
  const Texts lost = {"r: takes rights away: list pods"};
  EXPECT_EQ(Lines({role, binding, workload("a", "a:1", "a:2")}),
            Texts{"r: takes rights away: list pods; its Pods get another image, which may not need them"});
  EXPECT_EQ(Lines({role, binding, workload("a", "a:1", "a:2"), workload("b", "b:1", "b:1")}), lost) << "b goes on";
  EXPECT_EQ(Lines({role, binding, workload("a", "a:1", "a:2"), Unchanged(Binding("ClusterRole", "r", "api"))}), lost)
      << "others have the role";
  EXPECT_EQ(Lines({role, workload("a", "a:1", "a:2")}), lost) << "who has the role is not known";
}

TEST(CrossWorries, RightsThatARefusedWorkloadLoses) {
  const std::string binding =
      "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: b}\n"
      "roleRef: {kind: Role, name: r}\nsubjects: [{kind: ServiceAccount, name: web}]\n";
  const auto role = [](std::string_view resources) {
    return StrCat(
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r}\nrules: [{apiGroups: [''], "
        "resources: [",
        resources, "], verbs: [get]}]\n");
  };
  const auto web = [](std::string_view image) {
    return Workload("Deployment", "web",
                    StrCat("serviceAccountName: web, containers: [{name: a, image: \"", image, "\"}]"));
  };
  const ObjectReport less = Change(role("pods, secrets"), role("pods"));
  EXPECT_EQ(Lines({less, Unchanged(binding), Refused(Change(web("x:1"), web("x:2")))}),
            Texts{"r: takes rights away: get secrets; also from what stays, as it is refused: Deployment web"});
}

TEST(CrossWorries, RightsThatNobodyGets) {
  const std::string reader = Role("Role", "r", "get", "secrets");
  const ObjectReport role = Created(reader), binding = Unchanged(Binding("Role", "r", "web"));
  EXPECT_EQ(Lines({role, Refused(binding)}),
            Texts{"r: is a new role, and what gives it to somebody is refused: RoleBinding rweb"});
  EXPECT_EQ(Lines({role, binding}), Texts());
  EXPECT_EQ(Lines({role, Refused(binding), Unchanged(Binding("Role", "r", "api"))}), Texts())
      << "another one gives them";
  EXPECT_EQ(Lines({Change(Role("Role", "r", "get", "pods"), reader), Refused(binding)}).size(), 1u) << "it was there";
}

TEST(CrossWorries, WhatGoesWithPrunedObjects) {
  const auto pruned = [](const std::string& text) {
    const Document live = Yaml(text);
    const std::string_view kind = live.root().StringOr("kind");
    ObjectReport report = ReportPruned({"x", "v1", std::string(kind)}, "", "gone");
    report.kind = kind;
    AddFactsOfPruned(live.root(), report);
    return report;
  };
  EXPECT_EQ(Lines({pruned(Role("Role", "gone", "get", "pods"))}), Texts{"gone: takes rights away: get pods"});
  EXPECT_EQ(Lines({pruned("apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: gone}\n"
                          "spec: {rules: [{host: a.example.com}]}\n")}),
            Texts{"gone: hosts that no Ingress of the input serves any more: a.example.com"});
  EXPECT_EQ(pruned(Binding("Role", "r", "web")).access.lost_by, Texts{"ServiceAccount shop/web"});
  const std::string_view set =
      "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: gone}\nspec:\n"
      "  volumeClaimTemplates: [{metadata: {name: data}}]\n";
  EXPECT_EQ(pruned(std::string(set)).loses, "");
  EXPECT_EQ(pruned(StrCat(set, "  persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete}\n")).loses,
            "its PersistentVolumeClaims");
}

TEST(CrossWorries, AServiceWhosePodsGetOtherLabels) {
  const auto pods = [](std::string_view labels) {
    return StrCat("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {metadata: {labels: ",
                  labels, "}, spec: {}}}\n");
  };
  const ObjectReport service = Unchanged(Service("app: web, tier: front"));
  const ObjectReport moved = Change(pods("{app: web, tier: front}"), pods("{app: web}"));
  EXPECT_EQ(Lines({service, moved}),
            Texts{"web: reaches no Pods of the input any more, as these get other labels: Deployment web"});
  EXPECT_EQ(Lines({service, Refused(moved)}), Texts()) << "they stay as they are";
  EXPECT_EQ(Lines({service, moved, Unchanged(pods("{app: web, tier: front}"))}), Texts()) << "others have the labels";
  EXPECT_EQ(Lines({Change(Service("app: web, tier: front"), Service("app: web")), moved}), Texts());
}

TEST(CrossWorries, PoliciesOfTrafficThatComeAndGo) {
  const auto policy = [](std::string_view name, std::string_view spec) {
    return StrCat("apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: ", name, "}\nspec: ", spec,
                  "\n");
  };
  const auto pruned = [](const std::string& text) {
    const Document live = Yaml(text);
    ObjectReport report = ReportPruned({"networking.k8s.io", "v1", "NetworkPolicy"}, "", "gone");
    AddFactsOfPruned(live.root(), report);
    return report;
  };
  const std::string_view deny = "{podSelector: {}, policyTypes: [Ingress]}", open = "{podSelector: {}, ingress: [{}]}";
  const std::string other = "gone: allows other traffic than before, more or less: deleted";
  EXPECT_EQ(Lines({pruned(policy("gone", deny))}), Texts{other});
  EXPECT_EQ(Lines({pruned(policy("gone", deny)), Created(policy("new", deny))}), Texts()) << "it gets another name";
  EXPECT_EQ(Lines({pruned(policy("gone", open))}), Texts());
  EXPECT_EQ(Lines({pruned(policy("gone", open)), Unchanged(policy("deny", deny))}), Texts{other});
  EXPECT_EQ(Lines({Created(policy("new", open)), Unchanged(policy("deny", deny))}),
            Texts{"new: allows other traffic than before, more or less: new"});
}

TEST(CrossWorries, VerbsThatStayOfAllOfThem) {
  EXPECT_EQ(Lines({Change(Role("Role", "r", "'*'", "pods"), Role("Role", "r", "get, list", "pods"))}),
            Texts{"r: takes rights away: all but get, list pods"});
}

TEST(LostRights, WhoHasThemByAnotherBindingLosesNone) {
  const auto left = [](std::vector<ObjectReport> objects) {
    Report report;
    report.objects = std::move(objects);
    ForgetRegranted(report);
    return report.objects.front().access.lost_by;
  };
  const auto pruned = [](const std::string& text) {
    const Document live = Yaml(text);
    const std::string kind(live.root().StringOr("kind"));
    ObjectReport report = ReportPruned({"rbac.authorization.k8s.io", "v1", kind}, "",
                                       std::string(TextAt(live.root(), {"metadata", "name"})));
    AddFactsOfPruned(live.root(), report);
    return report;
  };
  const std::string binding = Binding("Role", "r", "web");
  EXPECT_EQ(left({pruned(binding)}), Texts{"ServiceAccount shop/web"});
  EXPECT_EQ(left({pruned(binding), Created(Binding("Role", "r", "web"))}), Texts())
      << "the same role by another binding";
  const ObjectReport role = pruned(Role("Role", "r", "get", "pods"));
  const auto renamed = [&](const std::string& verbs) {
    return std::vector{pruned(binding), role, Created(Role("Role", "s", verbs, "pods")),
                       Created(Binding("Role", "s", "web"))};
  };
  EXPECT_EQ(left(renamed("get, list")), Texts()) << "the same rights by another role";
  EXPECT_EQ(left(renamed("list")), Texts{"ServiceAccount shop/web"});
  EXPECT_EQ(Lines(renamed("get, list")), Texts());
  EXPECT_EQ(Lines(renamed("list")),
            (Texts{"rweb: changes who has a role: lost by ServiceAccount shop/web", "r: takes rights away: get pods"}));
}

TEST(LostRights, WhoLosesARoleAndWhoGetsIt) {
  EXPECT_EQ(Lines({Change(Binding("Role", "r", "web"), Binding("Role", "r", "api"))}),
            Texts{"rapi: changes who has a role: lost by ServiceAccount shop/web; given to ServiceAccount shop/api"});
  EXPECT_EQ(Lines({Refused(Change(Binding("Role", "r", "web"), Binding("Role", "r", "api")))}), Texts());
}

TEST(LostRights, WorkloadsThatStayLoseThem) {
  Report report;
  report.objects = {Change(Binding("Role", "r", "web"), Binding("Role", "r", "api")),
                    Refused(Change(Workload("Deployment", "api", "serviceAccountName: api, containers: []"),
                                   Workload("Deployment", "api", "serviceAccountName: web, containers: []")))};
  report.left = {{.kind = "Deployment", .name_space = "shop", .name = "web", .account = SubjectOfPods("shop", "web")}};
  NoteWhoLosesRoles(report);
  EXPECT_EQ(report.objects.front().access.lost_by_running, Texts{"Deployment shop/web"});
}

TEST(CrossWorries, WhatIsOpenedToTheOutside) {
  const auto service = [](std::string_view type, std::string_view annotations = "{}") {
    return StrCat("apiVersion: v1\nkind: Service\nmetadata: {name: web, annotations: ", annotations,
                  "}\nspec: {type: ", type, "}\n");
  };
  const std::string start = "web: can newly be reached from outside the cluster: ";
  EXPECT_EQ(Lines({Change(service("ClusterIP"), service("LoadBalancer"))}),
            Texts{start + "type ClusterIP → LoadBalancer"});
  EXPECT_EQ(Lines({Change(service("LoadBalancer"), service("ClusterIP"))}), Texts());
  EXPECT_EQ(Lines({Change(service("ClusterIP"), service("LoadBalancer", "{a/load-balancer-internal: 'true'}"))}),
            Texts());
  EXPECT_EQ(Lines({Created(service("LoadBalancer"))}), Texts()) << "all is new";
  const ObjectReport other = Unchanged(Map("m", "{a: b}"));
  EXPECT_EQ(Lines({other, Created(service("LoadBalancer"))}), Texts{start + "type LoadBalancer"});
  const std::string ingress =
      "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: web}\nspec: {rules: [{http: {}}]}\n";
  EXPECT_EQ(Lines({other, Created(ingress)}).back(), start + "no host: answers each");
  const auto paths = [](std::string_view names) {
    std::string out =
        "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: web}\nspec: {rules: [{host: a, http: "
        "{paths: [";
    for (const std::string_view name : Split(names, ' ')) {
      out +=
          StrCat("{path: /", name, ", pathType: Prefix, backend: {service: {name: ", name, ", port: {number: 80}}}}, ");
    }
    return out + "]}}]}\n";
  };
  EXPECT_EQ(Lines({Change(paths("web"), paths("web admin"))}),
            Texts{"web: can newly be reached from outside the cluster: Service admin"});
  EXPECT_EQ(Lines({Change(paths("web"), paths("web-2"))}), Texts()) << "it takes the place of another one";
  const auto daemon = [](std::string_view port) {
    return Workload("DaemonSet", "d",
                    StrCat("containers: [{name: a, image: 'a:1', ports: [{containerPort: 80", port, "}]}]"));
  };
  EXPECT_EQ(Lines({Change(daemon(""), daemon(", hostPort: 80"))}),
            Texts{"d: can newly be reached from outside the cluster: hostPort 80"});
  EXPECT_EQ(Lines({Change(daemon(", hostPort: 80"), daemon(", hostPort: 80"))}), Texts());
  const std::string internal = "{service.beta.kubernetes.io/aws-load-balancer-scheme: internal}";
  EXPECT_EQ(Lines({Change(service("LoadBalancer", internal), service("LoadBalancer"))}),
            Texts{start + "no longer by an internal load balancer alone"});
  EXPECT_EQ(Lines({other, Created(service("LoadBalancer", "{external-dns.alpha.kubernetes.io/internal-hostname: a}"))}),
            Texts{start + "type LoadBalancer"});
}

TEST(CrossWorries, AnAutoscalerThatAllowsFewerPods) {
  const auto scaler = [](std::string_view most) {
    return StrCat("apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\n",
                  "spec: {maxReplicas: ", most, ", scaleTargetRef: {kind: Deployment, name: web}}\n");
  };
  const ObjectReport web =
      Unchanged("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 9}\n");
  const Texts told{"web: allows fewer Pods than there are (now → at most): Deployment web 9 → 5"};
  EXPECT_EQ(Lines({Change(scaler("10"), scaler("5")), web}), told);
  EXPECT_EQ(Lines({Change(scaler("5"), scaler("10")), web}), Texts());
  EXPECT_EQ(Lines({Unchanged(scaler("5")), web}), Texts()) << "it has done so";
}

TEST(CrossWorries, ARoleBesideItsSiblingsMayHaveBeenDeleted) {
  const auto role = [](const char* name) { return Role("ClusterRole", name, "get", "pods"); };
  EXPECT_EQ(Lines({Created(role("jobs-view")), Unchanged(role("jobs-edit"))}),
            Texts{"jobs-view: is new, or was deleted in the cluster and comes back: jobs-edit exists"});
  EXPECT_EQ(Lines({Created(role("jobs-view")), Unchanged(role("other-edit"))}), Texts());
  EXPECT_EQ(Lines({Created(role("view")), Unchanged(role("edit"))}), Texts());
  const std::string binding =
      StrCat("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: b}\n",
             "roleRef: {kind: ClusterRole, name: jobs-view}\nsubjects: [{kind: User, name: u}]\n");
  EXPECT_EQ(Lines({Created(role("jobs-view")), Unchanged(role("jobs-edit")), Created(binding)}), Texts())
      << "it is new";
}

std::string Ingress(std::string_view name, std::string_view hosts) {
  std::string rules;
  for (const std::string_view host : Split(hosts, ' ')) rules += StrCat("{host: ", host, "}, ");
  return StrCat("apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: ", name, "}\nspec: {rules: [", rules,
                "]}\n");
}

TEST(CrossWorries, HostsThatNoIngressServesAnyMore) {
  const ObjectReport less = Change(Ingress("web", "a.com b.com c.com"), Ingress("web", "a.com"));
  EXPECT_EQ(Lines({less}), Texts{"web: hosts that no Ingress of the input serves any more: b.com, c.com"});
  EXPECT_EQ(Lines({less, Created(Ingress("other", "b.com"))}),
            Texts{"web: hosts that no Ingress of the input serves any more: c.com"});
  EXPECT_EQ(Lines({Change(Ingress("web", "a.com"), Ingress("web", "a.com b.com"))}), Texts());
  EXPECT_EQ(Lines({Change(Ingress("web", "a.com b.com"), Ingress("web", "a.com d.com"))}),
            Texts{"web: hosts that no Ingress of the input serves any more: b.com → d.com"});
  EXPECT_EQ(Lines({Change(Ingress("web", "a.x.com b.x.com"), Ingress("web", "'*.x.com'"))}), Texts());
  EXPECT_EQ(Lines({Change(Ingress("web", "a.com"), Ingress("web", "''"))}),
            Texts{"web: can newly be reached from outside the cluster: no host: answers each"});
}

std::string Ports(std::string_view name, std::string_view ports) {
  return StrCat("apiVersion: v1\nkind: Service\nmetadata: {name: ", name, ", labels: {app: ", name,
                "}}\nspec: {selector: {a: b}, ports: [", ports, "]}\n");
}

std::string Monitor(std::string_view port) {
  return StrCat("apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: mon}\n",
                "spec: {selector: {matchLabels: {app: web}}, endpoints: [{port: ", port, "}]}\n");
}

std::string Route(std::string_view port) {
  return StrCat("apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: in}\n",
                "spec: {defaultBackend: {service: {name: web, port: {", port, "}}}}\n");
}

TEST(CrossWorries, AJobThatAServiceSelects) {
  const auto pods = [](std::string_view app) {
    return StrCat("template: {metadata: {labels: {app: ", app, "}}, spec: {containers: [{name: a, image: 'a:1'}]}}");
  };
  const auto task = [&](std::string_view app) {
    return StrCat(
        "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: task}\nspec: {schedule: '* * * * *', jobTemplate: "
        "{spec: {",
        pods(app), "}}}\n");
  };
  const auto service = [](std::string_view selector) {
    return StrCat("apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {", selector,
                  "}, ports: [{port: 80}]}\n");
  };
  const Texts told = {"task: a Service selects Pods that run to an end: Service web"};
  const auto lines = [](const ObjectReport& job, const ObjectReport& of_web) {
    Texts out = Lines({job, of_web});
    std::erase_if(out, [](const std::string& line) { return line.find("run to an end") == line.npos; });
    return out;
  };
  const ObjectReport web = Unchanged(service("app: web"));
  EXPECT_EQ(lines(Created(task("web")), web), told);
  EXPECT_EQ(lines(Created(task("other")), web), Texts());
  EXPECT_EQ(lines(Change(task("other"), task("web")), web), told);
  EXPECT_EQ(lines(Unchanged(task("web")), web), Texts());
  EXPECT_EQ(
      lines(Created(StrCat("apiVersion: batch/v1\nkind: Job\nmetadata: {name: task}\nspec: {", pods("web"), "}\n")),
            web),
      told);
  EXPECT_EQ(lines(Change(task("web"), task("web") + "# again\n"), Unchanged(service("app: web, a: b"))), Texts());
}

TEST(CrossWorries, APortThatIsRenamedOnOneSideOnly) {
  const std::string old = Ports("web", "{name: http, port: 80}"), renamed = Ports("web", "{name: web, port: 80}");
  const std::string line = "names a port that nothing has after the apply: http: Service web has web";
  const ObjectReport change = Change(old, renamed);
  EXPECT_EQ(Lines({change, Unchanged(Monitor("http"))}), Texts{"mon: " + line});
  EXPECT_EQ(Lines({change, Unchanged(Route("name: http"))}), Texts{"in: " + line});
  EXPECT_EQ(Lines({change, Change(Monitor("http"), Monitor("web"))}), Texts()) << "both are renamed";
  EXPECT_EQ(Lines({change, Unchanged(Route("number: 80"))}), Texts());
  EXPECT_EQ(Lines({Unchanged(old), Change(Route("number: 80"), Route("number: 81"))}),
            Texts{"in: names a port that nothing has after the apply: 81: Service web has 80"});
  EXPECT_EQ(Lines({Unchanged(old), Unchanged(Monitor("metrics"))}), Texts()) << "it was so before";
  EXPECT_EQ(Lines({change, Unchanged(Monitor("http")), Unchanged(Ports("web", "{name: http, port: 1}"))}), Texts())
      << "another Service with the labels has it";
}

TEST(CrossWorries, APortOfPodsThatIsRenamed) {
  const std::string service = Ports("web", "{port: 80, targetPort: http}");
  const auto workload = [](std::string_view port) {
    return Workload("Deployment", "web",
                    StrCat("containers: [{name: a, image: 'a:1', ports: [{containerPort: 8080, name: ", port, "}]}]"));
  };
  EXPECT_EQ(Lines({Unchanged(service), Change(workload("http"), workload("web"))}),
            Texts{"web: names a port that nothing has after the apply: http: Deployment web has web"});
  EXPECT_EQ(
      Lines({Change(service, Ports("web", "{port: 80, targetPort: web}")), Change(workload("http"), workload("web"))}),
      Texts());
}

TEST(CrossWorries, ANumberOfPodsThatIsNoLongerDeclared) {
  const std::string service = Ports("web", "{port: 80}");
  const auto workload = [](std::string_view ports) {
    return Workload("Deployment", "web", StrCat("containers: [{name: a, image: 'a:1', ports: [", ports, "]}]"));
  };
  EXPECT_EQ(Lines({Unchanged(service), Change(workload("{containerPort: 80}"), workload("{containerPort: 3000}"))}),
            Texts{"web: names a port that nothing has after the apply: 80: Deployment web has 3000"});
  EXPECT_EQ(Lines({Unchanged(service), Change(workload("{containerPort: 81}"), workload("{containerPort: 82}"))}),
            Texts())
      << "Pods answer on ports that they do not declare, too";
  EXPECT_EQ(Lines({Unchanged(service), Change(workload("{containerPort: 80}"), workload(""))}), Texts());
}

TEST(CrossWorries, APortThatOthersName) {
  ObjectReport service = Change(Ports("web", "{port: 80}"), Ports("web", "{port: 8000}"));
  const NamedPort gone = {.port = "80", .service = "web", .namespaces = {""}};
  service.ports_of_others = {{"Ingress public", gone}};
  EXPECT_EQ(Lines({service}), Texts{"web: loses a port that objects outside of the input name: 80: Ingress public"});
  const ObjectReport canary = Created(Ports("web", "{port: 80}"));
  EXPECT_EQ(Lines({service, canary}), Texts()) << "another one has it";
}

TEST(CrossWorries, WhatTheClusterStillNeedsMayHaveBeenDeleted) {
  const std::string missed = ": seems to have been deleted in the cluster, and comes back: though ";
  const std::string reader =
      "containers: [{name: a, envFrom: [{secretRef: {name: keys}}]}], "
      "volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]";
  const std::string map = Map("m", "{a: b}"),
                    claim = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data}\n",
                    secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: keys}\n";
  const ObjectReport web = Unchanged(Workload("Deployment", "web", reader));
  EXPECT_EQ(
      Lines({web, Created(claim), Created(secret), Created(map)}),
      (Texts{StrCat("data", missed, "Deployment web needs it"), StrCat("keys", missed, "Deployment web needs it")}));
  EXPECT_EQ(Lines({Change(Workload("Deployment", "web", ""), Workload("Deployment", "web", reader)), Created(secret)}),
            Texts())
      << "it is needed from now on";
  const std::string ingress =
      "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: i}\nspec: {defaultBackend: {service: {name: "
      "web}}}\n";
  EXPECT_EQ(Lines({Unchanged(ingress), Created(Service("app: web"))}),
            Texts{StrCat("web", missed, "Ingress i needs it")});
}

TEST(CrossWorries, AnObjectOfAKindThatTheInputDefinesMayHaveBeenDeleted) {
  const std::string crd =
      "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: caches.example.com}\n";
  ObjectReport cache = Created(Map("c", "{a: b}"));
  cache.api_version = "example.com/v1", cache.kind = "Cache";
  const ObjectReport map = Unchanged(Map("m", "{a: b}"));
  EXPECT_EQ(Lines({map, Unchanged(crd), cache}), Texts{"c: not in the cluster: new, or somebody deleted it"});
  EXPECT_EQ(Lines({map, Created(crd), cache}), Texts()) << "the kind is new";
  EXPECT_EQ(Lines({map, cache}), Texts()) << "others define the kind";
}

TEST(CrossWorries, WhatIsAboutObjectsThatExistMayHaveBeenDeleted) {
  const std::string missed = ": is new, or was deleted in the cluster and comes back: ";
  const std::string ingress =
      "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: i}\nspec: {rules: [{host: a.b, http: "
      "{paths: [{backend: {service: {name: web}}}]}}]}\n";
  const std::string service = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}}\n";
  EXPECT_EQ(Lines({Created(ingress), Unchanged(service)}), Texts{StrCat("i", missed, "its Service exists")});
  EXPECT_EQ(Lines({Created(ingress), Created(service), Unchanged(Map("m", "{a: b}"))}), Texts());
  ObjectReport renamed = Created(ingress);
  renamed.name = "i-v1-28-0";
  EXPECT_EQ(Lines({renamed, Unchanged(service)}), Texts()) << "each version has one of its own";
  renamed.name = "i", renamed.shares_hosts = {"a.example.com: Ingress old"};
  EXPECT_EQ(
      Lines({renamed, Unchanged(service)}),
      Texts{"i: serves hosts that an Ingress serves, too, which apply does not delete: a.example.com: Ingress old"});
  const std::string policy =
      "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: p}\nspec: {podSelector: {matchLabels: "
      "{a: b}}}\n";
  const ObjectReport web = Unchanged(Workload("Deployment", "web", "containers: []"));
  EXPECT_EQ(Lines({Created(policy), web}),
            (Texts{StrCat("p", missed, "its Pods exist"), "p: limits the traffic of Pods"}));
  const std::string scaler =
      "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: h}\n"
      "spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, maxReplicas: 3}\n";
  EXPECT_EQ(Lines({Created(scaler), web}), Texts{StrCat("h", missed, "Deployment web exists")});
  EXPECT_EQ(Lines({Created(scaler), Unchanged(Map("m", "{a: b}"))}), Texts());
}

TEST(CrossWorries, APriorityClassThatPodsNameMayHaveBeenDeleted) {
  const std::string high = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: 1\n";
  const std::string web =
      Workload("Deployment", "web", "priorityClassName: high, containers: [{name: a, image: 'a:1'}]");
  EXPECT_EQ(Lines({Created(high), Unchanged(web)}),
            Texts{"high: seems to have been deleted in the cluster, and comes back: though Deployment web needs it"});
}

std::string NeedsKey(std::string_view key, std::string_view image) {
  return Workload("Deployment", "web",
                  StrCat("containers: [{name: a, image: \"", image,
                         "\", env: [{name: A, valueFrom: {configMapKeyRef: {name: settings, key: ", key, "}}}]}]"));
}

TEST(CrossWorries, AKeyThatGoesThoughPodsNeedIt) {
  const ObjectReport settings = Change(Map("settings", "{a: x, b: y}"), Map("settings", "{b: y}"));
  const std::string told = "settings: loses keys that Pods need: a: Deployment web";
  const auto first = [&](const ObjectReport& workload) { return Lines({settings, workload}).at(0); };
  EXPECT_EQ(first(Unchanged(NeedsKey("a", "x:1"))), told);
  EXPECT_EQ(first(Change(NeedsKey("a", "x:1"), NeedsKey("a", "x:2"))), told);
  EXPECT_EQ(first(Refused(Change(NeedsKey("a", "x:1"), NeedsKey("b", "x:1")))), told) << "it stays as it is";
  EXPECT_EQ(Lines({settings, Change(NeedsKey("a", "x:1"), NeedsKey("b", "x:1"))}), Texts()) << "no longer";
  EXPECT_EQ(Lines({Refused(settings), Change(NeedsKey("a", "x:1"), NeedsKey("a", "x:2"))}), Texts());
}

TEST(CrossWorries, AKeyThatTheInputDoesNotHave) {
  const auto missing = [](const ObjectReport& settings, const ObjectReport& workload) {
    Report report;
    report.objects = {settings, workload};
    FindMissingKeys(report);
    Objects all = {&report.objects[0], &report.objects[1]};
    return MissingLines(all, 5);
  };
  const ObjectReport settings = Unchanged(Map("settings", "{a: x, b: y}"));
  const Texts told{
      "key c of ConfigMap settings is missing in the input and on the server: new Pods wait until somebody adds it; "
      "needed by Deployment web"};
  EXPECT_EQ(missing(settings, Change(NeedsKey("a", "x:1"), NeedsKey("c", "x:1"))), told);
  EXPECT_EQ(missing(settings, Change(NeedsKey("a", "x:1"), NeedsKey("b", "x:1"))), Texts());
  EXPECT_EQ(missing(settings, Change(NeedsKey("c", "x:1"), NeedsKey("c", "x:2"))), Texts()) << "nothing new";
}

TEST(MissingLines, WhatTodaysPodsMissTooIsNamedApart) {
  ObjectReport old = Gateway("old", "kong:1"), other = Gateway("new", "kong:1");
  old.pods.missing = {{"Secret", "tls"}};
  old.needs_now = {{"Secret", "tls"}};
  EXPECT_EQ(
      Lines({old}),
      Texts{"old: new Pods do not start, as those of today would not again: what they need is missing: Secret tls"});
  other.pods.missing = {{"Secret", "key"}};
  EXPECT_EQ(MissingInShort({&old, &other}), "missing, so that new Pods wait: Secret key, needed by Deployment new");
  EXPECT_EQ(MissingLines({&old, &other}, 5).size(), 1u);
}

TEST(MissingLines, SomeControllersMakeThem) {
  ObjectReport web = Gateway("web", "kong:1"), maker;
  web.pods.missing = {{"Secret", "tls"}};
  maker.kind = "ExternalSecret";
  maker.name_space = web.name_space;
  maker.name = "tls";
  EXPECT_EQ(MissingInShort({&web, &maker}),
            "missing, so that new Pods wait: Secret tls (until ExternalSecret tls makes it), needed by Deployment web");
  EXPECT_NE(MissingLines({&web, &maker}, 5)[0].find("new Pods wait until ExternalSecret tls makes it"),
            std::string::npos);
}

}  // namespace
}  // namespace smp::explain
