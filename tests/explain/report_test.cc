#include "explain/report.h"

#include <gtest/gtest.h>

#include "explain/github.h"
#include "explain/json.h"
#include "explain/markdown.h"
#include "explain/message.h"
#include "explain/summary.h"
#include "explain/testing.h"
#include "explain/text.h"
#include "schema/builtin.h"
#include "schema/openapi.h"
#include "schema/reading.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp::explain {
namespace {

constexpr std::string_view kCanary = "aHVudGVyMg";

Document Yaml(const std::string& text) { return *yaml::ParseYaml(text, "manifest.yaml"); }

ObjectReport Explain(const std::string& modified, const std::string& live, const ReportOptions& options = {}) {
  const Document m = Yaml(modified), l = Yaml(live);
  const auto schema = BuiltinSchema();
  const auto gvk = *GvkOf(m.root());
  const TypeId type = schema->FindType(gvk);
  const auto patch = PlanPatch({.modified = &m.root(), .live = &l.root(), .schema = schema.get(), .type = type});
  return ReportChange(m, l, *patch, {schema.get(), type}, options);
}

std::string Everything(ObjectReport object) {
  Report report;
  report.objects.push_back(std::move(object));
  return PrintText(report) + PrintSummary(report) + PrintMarkdown(report) + PrintGithub(report) +
         WriteJson(ToJson(report).root());
}

std::string Secret(const std::string& password, const std::string& metadata = "name: s") {
  return "apiVersion: v1\nkind: Secret\nmetadata: {" + metadata + "}\ndata: {password: " + password + "}\n";
}

std::string WithAnnotation(const std::string& password) {
  const std::string text = R"({\"data\":{\"password\":\")" + password + R"(\"}})";
  return R"(name: s, annotations: {other: x, "kubectl.kubernetes.io/last-applied-configuration": ")" + text + R"("})";
}

TEST(Report, NeverShowsTheValuesOfASecret) {
  const std::string changed = Everything(Explain(Secret("aHVudGVyMw=="), Secret("aHVudGVyMg==")));
  EXPECT_EQ(changed.find(kCanary), std::string::npos) << changed;
  EXPECT_NE(changed.find("***"), std::string::npos);
  EXPECT_NE(changed.find(R"("equal":false)"), std::string::npos);
}

TEST(Report, NeverShowsTheLastAppliedAnnotationOfASecret) {
  const std::string all = Everything(Explain(Secret("eHl6enk=", WithAnnotation("aHVudGVyMg==")), Secret("eHl6enk=")));
  EXPECT_EQ(all.find(kCanary), std::string::npos) << all;
  EXPECT_NE(all.find("metadata.annotations.other"), std::string::npos) << all;
}

TEST(Report, NeverShowsTheValuesOfASecretThatIsCreated) {
  const std::string all = Everything(ReportCreation(Yaml(Secret("aHVudGVyMg==", WithAnnotation("aHVudGVyMg=="))),
                                                    {BuiltinSchema().get(), kNoType}, {}));
  EXPECT_EQ(all.find(kCanary), std::string::npos) << all;
}

// A policy of the server may have copied them.
TEST(Report, NeverShowsCopiesOfTheValuesOfASecret) {
  const auto copied = [](const std::string& text) { return "name: password, annotations: {copied: '" + text + "'}"; };
  const std::string live = Secret("aHVudGVyMnNlY3JldA==", copied("was hunter2secret and hunter2s"));
  const ObjectReport change =
      Explain(Secret("bmV3aHVudGVyMw==", copied("pw is aHVudGVyMnNlY3JldA==, not newhunter3 of password")), live);
  const std::string all = Everything(change);
  for (const char* copy : {"aHVudGVy", "hunter2", "hunter3"}) EXPECT_EQ(all.find(copy), std::string::npos) << all;
  for (const char* shown : {"was *** and ***", "pw is ***, not *** of password"}) {
    EXPECT_NE(all.find(shown), std::string::npos) << all;
  }
  EXPECT_EQ(WriteJson(change.patch->body.root()),
            R"({"data":{"password":"***"},"metadata":{"annotations":{"copied":"pw is ***, not *** of password"}}})");
  const std::string kept =
      Everything(Explain(Secret("aHVudGVyMnNlY3JldA==", "name: password"), live, {.show = Show::kLiveOnly}));
  EXPECT_EQ(kept.find("hunter2"), std::string::npos) << kept;
  EXPECT_NE(kept.find("was *** and ***"), std::string::npos) << kept;
}

TEST(Report, OfARecreationHasWhatOnlyLiveHas) {
  const Document m =
      Yaml("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, finalizers: [b.io/b]}\ndata: {k: new}\n");
  const Document l = Yaml(
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, uid: u, labels: {x: y}, finalizers: [a.io/a, b.io/b]}\n"
      "data: {k: old, l: theirs}\n");
  const auto schema = BuiltinSchema();
  const TypeId type = schema->FindType({"", "v1", "ConfigMap"});
  const auto patch = PlanPatch({.modified = &m.root(), .live = &l.root(), .schema = schema.get(), .type = type});
  const ObjectReport report = ReportRecreation(m, l, *patch, {schema.get(), type}, {});
  std::string rows;
  for (const ReportRow& row : report.rows) {
    rows +=
        std::string(RowOpName(row.op)) + " " + ToString(row.path) + " " + std::string(ReasonName(row.reason)) + "\n";
  }
  EXPECT_EQ(rows,
            "set data.k owned\ndelete data.l server\nset metadata.finalizers server\ndelete metadata.labels server\n");
  EXPECT_EQ(report.action, Action::kRecreate);
  EXPECT_TRUE(report.differs());
  const std::string all = Everything(report);
  for (const char* part : {"will be deleted and created again", "1 object: 1 to recreate", R"("action":"recreate")",
                           R"("recreate":1,)", "only live has it; the new object is created without it"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part << "\n" << all;
  }
}

std::string DeletedByRecreation(const std::string& modified, const std::string& live) {
  const Document m = Yaml(modified), l = Yaml(live);
  const auto schema = BuiltinSchema();
  const TypeId type = schema->FindType(*GvkOf(m.root()));
  const auto patch = PlanPatch({.modified = &m.root(), .live = &l.root(), .schema = schema.get(), .type = type});
  std::string rows;
  for (const ReportRow& row : ReportRecreation(m, l, *patch, {schema.get(), type}, {}).rows) {
    if (row.op == RowOp::kDelete) rows += ToString(row.path) + "\n";
  }
  return rows;
}

// What it needs and gives is told as of an object that is new, and of one that changes.
TEST(Report, OfARecreationTellsWhatToLookAt) {
  const auto end_of = [](const std::string& modified, const std::string& live) {
    const Document m = Yaml(modified), l = Yaml(live);
    const auto schema = BuiltinSchema();
    const TypeId type = schema->FindType(*GvkOf(m.root()));
    const auto patch = PlanPatch({.modified = &m.root(), .live = &l.root(), .schema = schema.get(), .type = type});
    return LastLines(Print({ReportRecreation(m, l, *patch, {schema.get(), type}, {})}));
  };
  const std::string web = end_of(Deployment("web", "x:1", ", hostPID: true"), Deployment("web", "x:1"));
  EXPECT_NE(web.find("gives Pods access to their nodes: Deployment web (hostPID)"), std::string::npos) << web;
  EXPECT_NE(web.find("stops before its new Pods start: Deployment web (deleted with its Pods, and\n"),
            std::string::npos)
      << web;
  EXPECT_NE(web.find("1 to recreate (1 with new Pods)"), std::string::npos) << web;
  const auto binding = [](std::string_view role) {
    return StrCat("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: all}\n",
                  "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ", role,
                  "}\nsubjects: [{kind: Group, apiGroup: rbac.authorization.k8s.io, name: dev}]\n");
  };
  const std::string rights = "gives far-reaching rights: ClusterRoleBinding all (cluster-admin to Group dev)\n";
  EXPECT_NE(end_of(binding("cluster-admin"), binding("view")).find(rights), std::string::npos);
  EXPECT_EQ(end_of(binding("view"), binding("edit")).find("rights"), std::string::npos);
  EXPECT_NE(PrintCreation(Yaml(binding("cluster-admin"))).find(rights), std::string::npos);
}

std::string CreatedWith(const std::string& fields) {
  return ", managedFields: [{manager: kubectl-create, operation: Update, apiVersion: v1, fieldsType: FieldsV1, "
         "fieldsV1: " +
         fields + "}]";
}

// Also what kubectl create set, and what managedFields give to nobody.
TEST(Report, OfARecreationHasWhatIsLostWhoeverSetIt) {
  EXPECT_EQ(DeletedByRecreation("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: new}\n",
                                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a" +
                                    CreatedWith("{f:data: {f:k: {}, f:created: {}}}") +
                                    "}\ndata: {k: old, created: x, nobodys: x}\n"),
            "data.created\ndata.nobodys\n");
}

TEST(Report, OfARecreationHasNothingThatIsSetAnew) {
  const std::string head = "apiVersion: v1\nkind: Pod\nmetadata: {name: a";
  const std::string token = "{mountPath: /var/run/secrets/kubernetes.io/serviceaccount, name: kube-api-access-x}";
  const std::string live =
      head + CreatedWith("{f:spec: {}}") +
      "}\nspec:\n  nodeName: n\n  serviceAccountName: default\n"
      "  tolerations: [{key: node.kubernetes.io/not-ready, effect: NoExecute, tolerationSeconds: 300}TOLERATION]\n"
      "  volumes: [{name: kube-api-access-x, projected: {}}]\n"
      "  containers: [{name: c, image: old, volumeMounts: [" +
      token + "]}]\n";
  const auto with = [&](const std::string& toleration) {
    std::string text = live;
    return text.replace(text.find("TOLERATION"), 10, toleration);
  };
  const std::string manifest = head + "}\nspec: {containers: [{name: c, image: new}]}\n";
  EXPECT_EQ(DeletedByRecreation(manifest, with("")), "");
  EXPECT_EQ(DeletedByRecreation(manifest, with(", {key: mine}")), "spec.tolerations\n");
}

TEST(Report, ShowsTheValuesOfASecretWhenAsked) {
  const std::string all =
      Everything(Explain(Secret("aHVudGVyMw=="), Secret("aHVudGVyMg=="), {.secrets = Secrets::kShow}));
  EXPECT_NE(all.find(kCanary), std::string::npos);
}

std::string Recorded(const std::string& record, const std::string& data = "{}") {
  return R"(
apiVersion: v1
kind: ConfigMap
metadata: {name: a, annotations: {"kubectl.kubernetes.io/last-applied-configuration": ')" +
         record + "'}}\ndata: " + data + "\n";
}

// metadata.annotations is set as a whole where live has none.
TEST(Report, HasOneRowWhereOnlyTheRecordChanges) {
  const ObjectReport report =
      Explain(Recorded("{}"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {}\n");
  EXPECT_EQ(report.action, Action::kRecord);
  ASSERT_EQ(report.rows.size(), 1u);
  EXPECT_EQ(ToString(report.rows[0].path),
            R"(metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"])");
  EXPECT_EQ(report.rows[0].reason, Reason::kAdded);
  EXPECT_EQ(report.rows[0].message, "records the manifest for the first time");
  EXPECT_EQ(report.hidden.noise, 0u);
  EXPECT_TRUE(report.differs());
  const std::string all = Everything(report);
  for (const char* part : {"only its last-applied annotation changes", "1 object: 1 last-applied only",
                           R"("action":"record")", R"("record":1,)", R"("outcome":"{}")"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part << "\n" << all;
  }
}

TEST(Report, SaysWhatTheRecordGainsAndLoses) {
  const ObjectReport report = Explain(Recorded(R"({"a":{"b":1},"c":[1,{"x":2}],"n":1})"),
                                      Recorded(R"({"a":{},"c":[1,{"x":3}],"old":{"y":1},"z.z":1})"));
  ASSERT_EQ(report.rows.size(), 1u);
  EXPECT_EQ(report.rows[0].reason, Reason::kChanged);
  EXPECT_EQ(report.rows[0].message,
            R"(now records a.b, n; no longer records old, ["z.z"]; records another value for c[1].x)");
}

TEST(Report, SaysOfARecordThatIsOnlyWrittenAnewThatItIs) {
  EXPECT_EQ(Explain(Recorded(R"({"a":1})"), Recorded(R"({ "a": 1 })")).rows[0].message,
            "records the same manifest in another notation");
  EXPECT_EQ(Explain(Recorded(R"({"a":1})"), Recorded("{")).rows[0].message, "records the manifest again");
}

TEST(Report, CountsTheRecordAsNoiseWhereMoreChanges) {
  const ObjectReport report = Explain(Recorded(R"({"a":1})", "{k: v}"), Recorded(R"({"a":2})"));
  EXPECT_EQ(report.action, Action::kChange);
  EXPECT_EQ(report.rows.size(), 1u);
  EXPECT_EQ(report.hidden.noise, 1u);
}

TEST(Report, NeverShowsTheRecordOfASecretThatAloneChanges) {
  const ObjectReport report =
      Explain(Secret("eHl6enk=", WithAnnotation("aHVudGVyMg==")), Secret("eHl6enk=", WithAnnotation("aHVudGVyMw==")));
  EXPECT_EQ(report.action, Action::kRecord);
  const std::string all = Everything(report);
  EXPECT_EQ(all.find("aHVudGVyM"), std::string::npos) << all;
  EXPECT_NE(all.find("records another value for data.password"), std::string::npos) << all;
}

// Found in the JSON of a custom resource: `strategy` said "atomic" of a list that was merged.
TEST(Report, NamesTheStrategyOfListsOfCustomResources) {
  const auto compiled = *CompileOpenApiV3(Yaml(R"(
components:
  schemas:
    T:
      properties:
        rules:
          type: array
          x-kubernetes-list-type: map
          x-kubernetes-list-map-keys: [host]
          items: {type: object, properties: {host: {type: string}, to: {type: string}}}
        hosts: {type: array, x-kubernetes-list-type: set, items: {type: string}}
        paths: {type: array, items: {type: string}}
)")
                                              .root());
  const TypeId type = compiled->FindTypeByName("T");
  const auto schema = WithReading(*compiled, type, Storage::kAsWritten);
  const Document m = Yaml("{rules: [{host: a}], hosts: [a], paths: [a]}"), l = Yaml("{hosts: [b], paths: [b]}");
  const auto patch = PlanPatch({.modified = &m.root(), .live = &l.root(), .schema = schema.get(), .type = type});
  const ObjectReport report = ReportChange(m, l, *patch, {schema.get(), type}, {});
  ASSERT_EQ(report.rows.size(), 3u);
  EXPECT_EQ(report.rows[0].strategy, "set");
  EXPECT_EQ(report.rows[1].strategy, "atomic");
  EXPECT_EQ(report.rows[2].strategy, "merge");
  EXPECT_EQ(report.rows[2].keys, std::vector<std::string>{"host"});
}

constexpr char kOwnedMap[] = R"(
apiVersion: v1
kind: ConfigMap
metadata:
  name: a
  managedFields:
  - {manager: mallory, operation: Update, subresource: status, time: "2026-01-01T00:00:00Z", fieldsV1: {"f:data": {"f:k": {}}}}
  - {manager: helm, operation: Apply, fieldsV1: {"f:data": {"f:k": {}, "f:only": {}}}}
data: {k: live, only: live}
)";
constexpr char kMap[] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: mine, added: mine}\n";

TEST(Report, NamesTheManagersAsDataAndInTheSentence) {
  const ObjectReport report = Explain(kMap, kOwnedMap);
  ASSERT_EQ(report.rows.size(), 2u);
  EXPECT_TRUE(report.rows[0].managers.empty()) << "live does not have it";
  const FieldManager mallory = {"mallory", "Update", "status", "2026-01-01T00:00:00Z"};
  EXPECT_EQ(report.rows[1].managers, (std::vector<FieldManager>{mallory, {"helm", "Apply"}}));
  const std::string all = Everything(report);
  EXPECT_NE(
      all.find(
          R"("managers":[{"name":"mallory","operation":"Update","subresource":"status","time":"2026-01-01T00:00:00Z"},)"
          R"({"name":"helm","operation":"Apply"}])"),
      std::string::npos)
      << all;
  EXPECT_NE(
      all.find("owned by mallory (Update of status; last write 2026-01-01T00:00:00Z) and helm (Apply; time unknown)"),
      std::string::npos)
      << all;
}

TEST(Report, SaysHowLongAgoAManagerWroteWhenAsked) {
  const std::string all =
      Everything(Explain(kMap, kOwnedMap, {.now = std::chrono::sys_days(std::chrono::year(2026) / 1 / 3)}));
  EXPECT_NE(all.find("mallory (Update of status; last write 2d ago)"), std::string::npos) << all;
}

TEST(Report, NamesTheManagersOfWhatOnlyLiveHas) {
  const std::string all = Everything(Explain(kMap, kOwnedMap, {.show = Show::kLiveOnly}));
  EXPECT_NE(all.find("only live has it; owned by helm (Apply; time unknown); it stays"), std::string::npos) << all;
  const std::string unknown =
      Everything(Explain(kMap, std::string(kMap) + "immutable: false\n", {.show = Show::kLiveOnly}));
  EXPECT_EQ(unknown.find("owned by"), std::string::npos) << unknown;
}

TEST(Report, ShowsWhatWouldBePruned) {
  const ObjectReport report = ReportPruned({"apps", "v1", "Deployment"}, "shop", "old");
  EXPECT_TRUE(report.differs());
  const std::string all = Everything(report);
  EXPECT_NE(all.find("Deployment shop/old: will be deleted"), std::string::npos) << all;
  EXPECT_NE(all.find("1 object: 1 to delete"), std::string::npos) << all;
  EXPECT_NE(all.find(R"("action":"prune")"), std::string::npos) << all;
  EXPECT_NE(all.find(R"("prune":1,)"), std::string::npos) << all;
}

TEST(Report, NamesNoItemsWhereOnlyThoseOfOthersMove) {
  EXPECT_EQ(ReorderMessage({}), "the list gets the manifest's order");
  EXPECT_EQ(ReorderMessage({{"a", 1}, {"b", 0}}), "stands as b, a in live; the manifest says a, b");
}

TEST(Report, EscapesWhatFilesAndServersSay) {
  const ObjectReport report =
      Explain("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: \"\\e[31m\\u202e\"}\n",
              "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: v}\n");
  Report all;
  all.objects.push_back(report);
  const std::string text = PrintText(all);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("\u202e"), std::string::npos);
}

TEST(Reports, SayThatFewerPodsDeleteClaims) {
  const auto set = [](int replicas, std::string_view when) {
    return StrCat("apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: s}\nspec: {replicas: ", replicas,
                  ", persistentVolumeClaimRetentionPolicy: {whenScaled: ", when,
                  "}, volumeClaimTemplates: [{metadata: {name: d}}]}\n");
  };
  EXPECT_TRUE(Change(set(5, "Delete"), set(2, "Delete")).scale.deletes_claims);
  EXPECT_TRUE(Change(set(5, "Retain"), set(2, "Delete")).scale.deletes_claims);
  EXPECT_FALSE(Change(set(5, "Delete"), set(2, "Retain")).scale.deletes_claims);
  EXPECT_FALSE(Change(set(2, "Delete"), set(5, "Delete")).scale.deletes_claims);
}

TEST(Reports, SayThatAReplicaSetReplacesNoPods) {
  const auto set = [](std::string_view image) {
    return StrCat("apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: s}\nspec: {replicas: 3, ",
                  "template: {spec: {containers: [{name: a, image: '", image, "'}]}}}\n");
  };
  EXPECT_EQ(Change(set("a:1"), set("a:2")).pods_stay, "a ReplicaSet replaces none");
  EXPECT_EQ(Change(set("a:1"), set("a:1")).pods_stay, "");
}

TEST(Reports, SayWhyPodsStay) {
  const auto set = [](std::string_view image, std::string_view strategy) {
    return StrCat("apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: s}\nspec: {replicas: 3, ", strategy,
                  "template: {spec: {containers: [{name: a, image: '", image, "'}]}}}\n");
  };
  const auto stays = [&](std::string_view strategy) {
    const ObjectReport report = Change(set("a:1", strategy), set("a:2", strategy));
    EXPECT_EQ(report.new_pods, report.pods_stay.empty());
    return report.pods_stay;
  };
  EXPECT_EQ(stays(""), "");
  EXPECT_EQ(stays("updateStrategy: {type: OnDelete}, "), "updateStrategy OnDelete");
  EXPECT_EQ(stays("updateStrategy: {rollingUpdate: {partition: 3}}, "), "partition 3");
  EXPECT_EQ(stays("updateStrategy: {rollingUpdate: {partition: 2}}, "), "");
}

}  // namespace
}  // namespace smp::explain
