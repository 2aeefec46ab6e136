#include "smp/server_side_plan.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "schema/builtin.h"
#include "schema/definition.h"
#include "value/at.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp {
namespace {

// An object of a kind, with entries of managedFields as YAML.
struct State {
  std::string kind = "Service";
  std::string live;     // members beside apiVersion, kind and metadata
  std::string entries;  // of managedFields, items of a YAML flow list
};

Document Object(const std::string& kind, const std::string& text) {
  return *yaml::ParseYaml(StrCat("apiVersion: v1\nkind: ", kind, "\n", text));
}

std::string Entry(const std::string& manager, const std::string& operation, const std::string& fields) {
  return StrCat("{manager: ", manager, ", operation: ", operation, ", apiVersion: v1, fieldsV1: ", fields, "}");
}

void Append(const PlanNode& node, const FieldPath& path, std::string& out) {
  static constexpr const char* kOps[] = {"none", "keep", "set", "delete", "patch"};
  if (node.op != Op::kPatch && !path.empty()) {
    out += StrCat(ToString(path), " ", kOps[static_cast<size_t>(node.op)], " ", ReasonName(node.reason), "\n");
  }
  for (const Value* element : node.adds) out += StrCat(ToString(path), " add ", WriteJson(*element), "\n");
  for (const Value* element : node.removes) out += StrCat(ToString(path), " remove ", WriteJson(*element), "\n");
  if (node.moved) out += StrCat(ToString(path), " move\n");
  for (const PlanNode& child : node.children) {
    FieldPath below = path;
    below.push_back(StepTo(node, child));
    Append(child, below, out);
  }
}

// The documents that a plan points into, and the plan.
struct Planned {
  Document live, wanted, recorded;
  Result<ServerSidePlan> plan;
};

Planned Plan(const State& state, const std::string& manifest, const std::string& last_applied = "") {
  static const auto schema = BuiltinSchema();
  const Document live =
      Object(state.kind, StrCat("metadata: {name: a, managedFields: [", state.entries, "]}\n", state.live));
  const Document wanted = Object(state.kind, StrCat("metadata: {name: a}\n", manifest));
  const Document recorded = Object(state.kind, last_applied);
  return {live, wanted, recorded,
          PlanServerSide({.manifest = &wanted.root(),
                          .live = &live.root(),
                          .last_applied = last_applied.empty() ? nullptr : &recorded.root(),
                          .entries = ManagedFields(live.root()),
                          .manager = std::string(kServerSideManager),
                          .schema = schema.get(),
                          .type = schema->FindType({"", "v1", state.kind})})};
}

// Returns the plan, a line a node, then the conflicts; live's managedFields and status are left out.
std::string TextOf(const Planned& planned) {
  if (!planned.plan.ok()) return ToString(planned.plan.error());
  std::string out;
  Append(planned.plan->patch.plan.root, {}, out);
  for (const FieldConflict& conflict : planned.plan->conflicts) {
    out += StrCat("conflict ", ToString(conflict.path), " of ", conflict.owners.front().name, "\n");
  }
  return out;
}

std::string PlanOf(const State& state, const std::string& manifest, const std::string& last_applied = "") {
  return TextOf(Plan(state, manifest, last_applied));
}

// Of a custom resource. `live` and `manifest` are its members.
Planned PlanGadget(const std::string& live, const std::string& manifest) {
  static const Document definition = *yaml::ParseYaml(R"(
spec:
  group: x.io
  names: {kind: Gadget, plural: gadgets}
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              port: {type: integer}
              sets: {type: object, additionalProperties: {type: array, x-kubernetes-list-type: set, items: {type: string}}}
              list:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items: {type: object, properties: {name: {type: string}}}
              whole: {type: object, additionalProperties: {type: array, items: {type: string}}}
              sub:
                type: object
                properties:
                  mode: {type: string, default: Auto}
                  users: {type: array, default: [], x-kubernetes-list-type: set, items: {type: string}}
                  all: {type: array, default: [], items: {type: string}}
              any: {type: object, x-kubernetes-preserve-unknown-fields: true}
              tpl: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
              keyed:
                type: object
                additionalProperties:
                  type: array
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [name]
                  items: {type: object, properties: {name: {type: string}, v: {type: string}}}
)");
  static const auto schema = *CompileDefinition(definition.root(), "v1");
  const auto gadget = [](const std::string& members) {
    return *yaml::ParseYaml(StrCat("apiVersion: x.io/v1\nkind: Gadget\n", members));
  };
  const Document before = gadget(live), wanted = gadget(manifest);
  return {before, wanted, Document(),
          PlanServerSide({.manifest = &wanted.root(),
                          .live = &before.root(),
                          .entries = ManagedFields(before.root()),
                          .manager = std::string(kServerSideManager),
                          .schema = schema.get(),
                          .type = schema->FindType({"x.io", "v1", "Gadget"})})};
}

Document OutcomeOf(const State& state, const std::string& manifest) {
  const Planned planned = Plan(state, manifest);
  if (!planned.plan.ok()) return Document();
  Arena arena;
  for (const Document& part : {planned.live, planned.wanted, planned.plan->patch.outcome}) arena.Retain(part);
  return Document(std::move(arena), planned.plan->patch.outcome.root());
}

TEST(ServerSidePlan, RemovesWhatOnlyWeOwn) {
  const State state = {.live = "spec: {externalName: a, type: ExternalName}\n",
                       .entries = Entry("kubectl", "Apply", "{'f:spec': {'f:externalName': {}}}")};
  EXPECT_EQ(PlanOf(state, "spec: {type: ExternalName}\n"), "spec.externalName delete removed\n");
}

TEST(ServerSidePlan, KeepsWhatOthersOwnToo) {
  const State state = {.kind = "ConfigMap",
                       .live = "data: {a: '1', b: '2'}\n",
                       .entries = StrCat(Entry("kubectl", "Apply", "{'f:data': {'f:a': {}, 'f:b': {}}}"), ", ",
                                         Entry("other", "Apply", "{'f:data': {'f:b': {}}}"))};
  EXPECT_EQ(PlanOf(state, "data: {c: '3'}\n"), "data.a delete removed\ndata.b keep given-up\ndata.c set added\n");
}

TEST(ServerSidePlan, LeavesWhatNobodyAppliedHere) {
  const State state = {
      .kind = "ConfigMap", .live = "data: {a: '1'}\n", .entries = Entry("other", "Update", "{'f:data': {'f:a': {}}}")};
  EXPECT_EQ(PlanOf(state, "data: {b: '2'}\n"), "data.a keep live-only\ndata.b set added\n");
}

TEST(ServerSidePlan, AnotherValueIsOursOrConflictOrNobodys) {
  const State state = {.kind = "ConfigMap",
                       .live = "data: {ours: '1', theirs: '1', free: '1'}\n",
                       .entries = StrCat(Entry("kubectl", "Apply", "{'f:data': {'f:ours': {}}}"), ", ",
                                         Entry("other", "Update", "{'f:data': {'f:theirs': {}}}"))};
  EXPECT_EQ(PlanOf(state, "data: {ours: '2', theirs: '2', free: '2'}\n"),
            "data.free set owned\ndata.ours set changed\ndata.theirs set conflict\nconflict data.theirs of other\n");
}

TEST(ServerSidePlan, TheSameValueIsNoConflict) {
  const State state = {
      .kind = "ConfigMap", .live = "data: {a: '1'}\n", .entries = Entry("other", "Update", "{'f:data': {'f:a': {}}}")};
  EXPECT_EQ(PlanOf(state, "data: {a: '1'}\n"), "");
}

// The server compares what is written: live has 500m.
TEST(ServerSidePlan, AnotherSpellingIsAConflictWithoutAChange) {
  const State state = {.kind = "ResourceQuota",
                       .live = "spec: {hard: {cpu: 500m}}\n",
                       .entries = Entry("other", "Update", "{'f:spec': {'f:hard': {'f:cpu': {}}}}")};
  EXPECT_EQ(PlanOf(state, "spec: {hard: {cpu: '0.5'}}\n"), "conflict spec.hard.cpu of other\n");
}

TEST(ServerSidePlan, WhatWasAppliedClientSideIsNoConflict) {
  const State state = {.kind = "ConfigMap",
                       .live = "data: {a: '1', b: '1'}\n",
                       .entries = Entry("kubectl-client-side-apply", "Update", "{'f:data': {'f:a': {}, 'f:b': {}}}")};
  EXPECT_EQ(PlanOf(state, "data: {a: '2', b: '2'}\n", "data: {a: '1', b: '0'}\n"),
            "data.a set changed\ndata.b set conflict\nconflict data.b of kubectl-client-side-apply\n");
}

TEST(ServerSidePlan, AnItemGoesWithWhatOthersHaveInIt) {
  const State state = {
      .live =
          "spec: {ports: [{name: a, port: 1, protocol: TCP, nodePort: 30000}, {name: b, port: 2, protocol: TCP}]}\n",
      .entries = StrCat(
          Entry("kubectl", "Apply",
                R"({'f:spec': {'f:ports': {'k:{"port":1,"protocol":"TCP"}': {'.': {}, 'f:port': {}, 'f:name': {}}}}})"),
          ", ",
          Entry("other", "Update",
                R"({'f:spec': {'f:ports': {'k:{"port":1,"protocol":"TCP"}': {'f:nodePort': {}}}}})"))};
  EXPECT_EQ(
      PlanOf(state, "spec: {ports: [{name: b, port: 2}]}\n"),
      "spec.ports[port=2,protocol=TCP].protocol keep live-only\nspec.ports[port=1,protocol=TCP] delete removed\n");
}

TEST(ServerSidePlan, AnItemThatAnotherOwnsStays) {
  const std::string fields =
      R"({'f:spec': {'f:ports': {'k:{"port":1,"protocol":"TCP"}': {'.': {}, 'f:port': {}, 'f:name': {}}}}})";
  const State state = {.live = "spec: {ports: [{name: a, port: 1, protocol: TCP}]}\n",
                       .entries = StrCat(Entry("kubectl", "Apply", fields), ", ", Entry("other", "Apply", fields))};
  EXPECT_EQ(PlanOf(state, "spec: {ports: [{name: b, port: 2}]}\n"),
            "spec.ports[port=1,protocol=TCP].name keep given-up\nspec.ports[port=1,protocol=TCP].port keep given-up\n"
            "spec.ports[port=1,protocol=TCP].protocol keep live-only\nspec.ports[port=2] set added\n");
}

TEST(ServerSidePlan, AnAtomicTypeIsReplacedAsAWhole) {
  const State state = {.kind = "PersistentVolumeClaim",
                       .live = "spec: {dataSource: {name: a, kind: x, apiGroup: g}}\n",
                       .entries = Entry("kubectl", "Apply", "{'f:spec': {'f:dataSource': {}}}")};
  const std::string wanted = "spec: {dataSource: {name: b, kind: x}}\n";
  EXPECT_EQ(PlanOf(state, wanted), "spec.dataSource set changed\n");
  EXPECT_EQ(WriteJson(*OutcomeOf(state, wanted).root().FindPath({"spec", "dataSource"})), R"({"kind":"x","name":"b"})");
}

// The claim of a volume has an atomic type, too, but its field says that it is granular: the binder writes the uid.
TEST(ServerSidePlan, AGranularFieldOfAnAtomicTypeIsMerged) {
  const State state = {.kind = "PersistentVolume",
                       .live = "spec: {claimRef: {name: a, namespace: x, uid: u}}\n",
                       .entries = Entry("kubectl", "Apply", "{'f:spec': {'f:claimRef': {'f:name': {}}}}")};
  const std::string wanted = "spec: {claimRef: {name: b, namespace: x}}\n";
  EXPECT_EQ(PlanOf(state, wanted), "spec.claimRef.name set changed\nspec.claimRef.uid keep live-only\n");
  EXPECT_EQ(WriteJson(*OutcomeOf(state, wanted).root().FindPath({"spec", "claimRef"})),
            R"({"name":"b","namespace":"x","uid":"u"})");
}

TEST(ServerSidePlan, SetsLoseOnlyOurElements) {
  const State state = {.kind = "ConfigMap",
                       .live = "data: {}\n",
                       .entries = Entry("kubectl", "Apply", R"({'f:metadata': {'f:finalizers': {'v:"x/ours"': {}}}})")};
  const auto schema = BuiltinSchema();
  const Document live =
      Object("ConfigMap",
             StrCat("metadata: {name: a, finalizers: [x/ours, x/theirs], managedFields: [", state.entries, "]}\n"));
  const Document wanted = Object("ConfigMap", "metadata: {name: a, finalizers: [x/new]}\n");
  const auto plan = PlanServerSide({.manifest = &wanted.root(),
                                    .live = &live.root(),
                                    .entries = ManagedFields(live.root()),
                                    .manager = "kubectl",
                                    .schema = schema.get(),
                                    .type = schema->FindType({"", "v1", "ConfigMap"})});
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(WriteJson(*plan->patch.outcome.root().FindPath({"metadata", "finalizers"})), R"(["x/theirs","x/new"])");
}

// Nobody owns the default that the server set.
TEST(ServerSidePlan, TellsOfAnAlternativeThatStays) {
  const auto schema = BuiltinSchema();
  const auto clashes = [&](const std::string& live_strategy, const std::string& strategy) {
    const Document live = *yaml::ParseYaml(
        StrCat("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {strategy: ", live_strategy, "}\n"));
    const Document wanted = *yaml::ParseYaml(
        StrCat("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {strategy: ", strategy, "}\n"));
    const auto plan = PlanServerSide({.manifest = &wanted.root(),
                                      .live = &live.root(),
                                      .manager = "kubectl",
                                      .schema = schema.get(),
                                      .type = schema->FindType({"apps", "v1", "Deployment"})});
    std::string out;
    for (const FieldPath& path : plan->clashes) out += ToString(path);
    return out;
  };
  const std::string rolling = "{type: RollingUpdate, rollingUpdate: {maxSurge: 1}}";
  EXPECT_EQ(clashes(rolling, "{type: Recreate}"), "spec.strategy.rollingUpdate");
  EXPECT_EQ(clashes(rolling, "{type: RollingUpdate, rollingUpdate: {maxSurge: 2}}"), "");
  EXPECT_EQ(clashes("{type: Recreate}", "{type: RollingUpdate}"), "");
}

// The server stores the metadata of custom resources as a Go type, too.
TEST(ServerSidePlan, EmptyMetadataOfACustomResourceSaysNothing) {
  const std::string spec = "spec: {port: 1}\n";
  EXPECT_EQ(TextOf(PlanGadget(StrCat("metadata: {name: g}\n", spec),
                              StrCat("metadata: {name: g, labels: {}, annotations: {}, ownerReferences: []}\n", spec))),
            "");
}

// As lists that are fields.
TEST(ServerSidePlan, MergesListsOfAdditionalProperties) {
  const auto live = [](const std::string& spec, const std::string& ours, const std::string& theirs) {
    return StrCat("metadata: {name: g, managedFields: [", Entry("kubectl", "Apply", StrCat("{'f:spec': ", ours, "}")),
                  ", ", Entry("other", "Apply", StrCat("{'f:spec': ", theirs, "}")), "]}\nspec: ", spec, "\n");
  };
  const auto plan = [](const std::string& before, const std::string& spec) {
    return TextOf(PlanGadget(before, StrCat("metadata: {name: g}\nspec: ", spec, "\n")));
  };
  const auto set = [](const std::string& element) {
    return StrCat("{'f:sets': {'f:a': {'v:\"", element, "\"': {}}}}");
  };
  const std::string sets = live("{sets: {a: [mine, theirs]}}", set("mine"), set("theirs"));
  EXPECT_EQ(plan(sets, "{}"), "spec.sets.a remove \"mine\"\n");
  EXPECT_EQ(plan(sets, "{sets: {a: [more, mine]}}"), "spec.sets.a add \"more\"\n");
  const auto item = [](const std::string& name) {
    return StrCat("{'f:keyed': {'f:a': {'k:{\"name\":\"", name, "\"}': {'.': {}, 'f:name': {}, 'f:v': {}}}}}");
  };
  const std::string keyed = live("{keyed: {a: [{name: mine, v: '1'}, {name: theirs}]}}", item("mine"), item("theirs"));
  EXPECT_EQ(plan(keyed, "{keyed: {a: [{name: mine, v: '2'}]}}"),
            "spec.keyed.a[name=mine].v set changed\nspec.keyed.a[name=theirs] keep live-only\n");
  EXPECT_EQ(plan(keyed, "{}"), "spec.keyed.a[name=theirs] keep live-only\nspec.keyed.a[name=mine] delete removed\n");
  const std::string whole = live("{whole: {a: [x]}}", "{'f:whole': {'f:a': {}}}", "{'f:whole': {'f:a': {}}}");
  EXPECT_EQ(plan(whole, "{whole: {a: [y]}}"), "spec.whole.a set conflict\nconflict spec.whole.a of other\n");
}

TEST(ServerSidePlan, AMapGoesIfTheManifestOwnsNothingInItAnyMore) {
  const std::string entry = R"({'f:spec': {'f:list': {'k:{"name":"a"}': {'.': {}, 'f:name': {}}}}})";
  const auto live = [&](const std::string& more) {
    return StrCat("metadata: {name: g, managedFields: [", Entry("kubectl", "Apply", entry), more,
                  "]}\nspec: {list: [{name: a}], port: 1}\n");
  };
  const auto plan = [&](const std::string& more, const std::string& spec) {
    return TextOf(PlanGadget(live(more), StrCat("metadata: {name: g}\nspec: ", spec, "\n")));
  };
  EXPECT_EQ(plan("", "{list: []}"), "spec delete removed\n");
  EXPECT_EQ(plan("", "{list: [], port: 1}"), "spec.list delete removed\n");
  EXPECT_EQ(plan(StrCat(", ", Entry("other", "Update", "{'f:spec': {'f:port': {}}}")), "{list: []}"),
            "spec.list delete removed\nspec.port keep live-only\n");
}

// Source: merge/update.go, addBackDanglingItems: no path leads to what is left, an empty list that is merged.
TEST(ServerSidePlan, AMapThatKeepsOnlyAnEmptySetGoes) {
  const auto plan = [&](const std::string& sub) {
    const std::string metadata = "{name: g, managedFields: [";
    const std::string entry = Entry("kubectl", "Apply", "{'f:spec': {'f:port': {}, 'f:sub': {}}}");
    return TextOf(PlanGadget(StrCat("metadata: ", metadata, entry, "]}\nspec: {port: 1, sub: ", sub, "}\n"),
                             "metadata: {name: g}\nspec: {port: 2, sub: {}}\n"));
  };
  EXPECT_EQ(plan("{mode: Auto, users: []}"), "spec.port set changed\nspec.sub delete removed\n");
  EXPECT_EQ(plan("{mode: Auto, users: [a]}"),
            "spec.port set changed\nspec.sub.mode keep live-only\n"
            "spec.sub.users keep live-only\n");
  EXPECT_EQ(plan("{mode: Auto, all: []}"),
            "spec.port set changed\nspec.sub.all keep live-only\n"
            "spec.sub.mode keep live-only\n");
}

TEST(ServerSidePlan, AnEmptiedMapOfUnknownFieldsIsNull) {
  const std::string entry = Entry("kubectl", "Apply", "{'f:spec': {'f:any': {'f:a': {'.': {}, 'f:b': {}}}}}");
  const Planned planned =
      PlanGadget(StrCat("metadata: {name: g, managedFields: [", entry, "]}\nspec: {any: {a: {b: 1}}}\n"),
                 "metadata: {name: g}\nspec: {any: {a: {}}}\n");
  EXPECT_EQ(TextOf(planned), "spec.any.a set removed\n");
  EXPECT_EQ(WriteJson(*planned.plan->patch.outcome.root().FindPath({"spec", "any"})), R"({"a":null})");
}

// What an editor put into it stays, so that the server would have to store an object without a kind.
TEST(ServerSidePlan, AnEmbeddedObjectNeedsItsKind) {
  const std::string ours =
      Entry("kubectl", "Apply", "{'f:spec': {'f:port': {}, 'f:tpl': {'f:apiVersion': {}, 'f:kind': {}}}}");
  const std::string edit = Entry("edit", "Update", "{'f:spec': {'f:tpl': {'f:data': {'.': {}, 'f:a': {}}}}}");
  const Planned planned = PlanGadget(StrCat("metadata: {name: g, managedFields: [", ours, ", ", edit,
                                            "]}\nspec: {port: 1, tpl: {apiVersion: v1, kind: A, data: {a: b}}}\n"),
                                     "metadata: {name: g}\nspec: {port: 1}\n");
  ASSERT_EQ(planned.plan->refused.size(), 2);
  EXPECT_EQ(ToString(planned.plan->refused.front().path), "spec.tpl.apiVersion");
}

// Go reads null as a pointer that is nil. A struct that is no pointer stays.
TEST(ServerSidePlan, AnEmptiedMapOfABuiltInKindGoes) {
  const State state = {.kind = "PodTemplate",
                       .live =
                           "template: {spec: {containers: [{name: a, securityContext: {runAsUser: 1}, resources: "
                           "{limits: {cpu: 1}}}]}}\n",
                       .entries = Entry("kubectl", "Apply",
                                        R"({'f:template': {'f:spec': {'f:containers': {'k:{"name":"a"}': {'.': {}, )"
                                        R"('f:name': {}, 'f:securityContext': {'f:runAsUser': {}}, 'f:resources': )"
                                        R"({'f:limits': {'.': {}, 'f:cpu': {}}}}}}}})")};
  const std::string at = "template.spec.containers[name=a].";
  EXPECT_EQ(PlanOf(state, "template: {spec: {containers: [{name: a, securityContext: {}, resources: {}}]}}\n"),
            StrCat(at, "resources.limits delete removed\n", at, "securityContext delete removed\n"));
}

// Source: typed/merge.go, visitListItems.
TEST(ServerSidePlan, SharedItemsTakeTheManifestsOrder) {
  const State state = {
      .live = "spec: {ports: [{port: 1, protocol: TCP}, {port: 9, protocol: TCP}, {port: 2, protocol: TCP}]}\n",
      .entries = Entry("other", "Apply", "{}")};
  const std::string manifest = "spec: {ports: [{port: 2, protocol: TCP}, {port: 1, protocol: TCP}]}\n";
  EXPECT_EQ(PlanOf(state, manifest), "spec.ports move\nspec.ports[port=9,protocol=TCP] keep live-only\n");
  const Document outcome = OutcomeOf(state, manifest);
  std::string ports;
  for (const Value& port : ItemsAt(outcome.root(), {"spec", "ports"})) {
    ports += WriteJson(*port.Find("port"));
  }
  EXPECT_EQ(ports, "921");
}

TEST(ServerSidePlan, RemovedDefaultsStay) {
  const State state = {.live = "spec: {sessionAffinity: None, type: ClusterIP}\n",
                       .entries = Entry("kubectl", "Apply", "{'f:spec': {'f:sessionAffinity': {}, 'f:type': {}}}")};
  EXPECT_EQ(PlanOf(state, "spec: {type: ClusterIP}\n"), "");
}

// The server allocates some of these fields in new objects, but an update that empties them removes them.
TEST(ServerSidePlan, EmptiedFieldsThatTheServerAllocatesElsewhereGo) {
  const std::string manifest =
      "template: {spec: {tolerations: [], nodeName: '', serviceAccountName: '', serviceAccount: ''}}\n";
  const State state = {
      .kind = "PodTemplate",
      .live = "template: {spec: {tolerations: [{key: a}], nodeName: n, serviceAccountName: s, serviceAccount: s}}\n"};
  EXPECT_EQ(PlanOf(state, manifest),
            "template.spec.nodeName set owned\ntemplate.spec.serviceAccount set owned\n"
            "template.spec.serviceAccountName set owned\ntemplate.spec.tolerations set owned\n");
  const State account = {
      .kind = "ServiceAccount",
      .live = "secrets: [{name: t}]\n",
      .entries = Entry("kubectl", "Apply", R"({'f:secrets': {'k:{"name":"t"}': {'.': {}, 'f:name': {}}}})")};
  EXPECT_EQ(PlanOf(account, "secrets: []\n"), "secrets[name=t] delete removed\n");
}

TEST(ServerSidePlan, AnAllocatedFieldThatTheServerSetsAgainStays) {
  const State account = {.kind = "PodTemplate",
                         .live = "template: {spec: {serviceAccountName: s, serviceAccount: s}}\n"};
  EXPECT_EQ(PlanOf(account, "template: {spec: {serviceAccountName: ''}}\n"),
            "template.spec.serviceAccount keep live-only\n");
  const State address = {.live = "spec: {clusterIP: 10.0.0.1, clusterIPs: [10.0.0.1]}\n"};
  EXPECT_EQ(PlanOf(address, "spec: {clusterIP: '', clusterIPs: []}\n"), "");
}

TEST(ServerSidePlan, KeepsNodePortsWhereTheManifestSaysZero) {
  const auto service = [](const std::string& spec, const std::string& port) {
    return StrCat("spec: {type: ", spec, ", ports: [{port: 80, protocol: TCP, nodePort: ", port, "}]}\n");
  };
  const std::string refuses = "LoadBalancer, allocateLoadBalancerNodePorts: false";
  EXPECT_EQ(PlanOf({.live = service("NodePort", "30000")}, service("NodePort", "0")), "");
  EXPECT_EQ(PlanOf({.live = service("NodePort", "30000"),
                    .entries = Entry(
                        "kubectl", "Apply",
                        R"({'f:spec': {'f:ports': {'k:{"port":80,"protocol":"TCP"}': {'.': {}, 'f:nodePort': {}}}}})")},
                   service("NodePort", "null")),
            "");
  EXPECT_EQ(PlanOf({.live = service(refuses, "30000")}, service(refuses, "0")),
            "spec.ports[port=80,protocol=TCP].nodePort set owned\n");
  const std::string theirs =
      R"({'f:spec': {'f:ports': {'k:{"port":80,"protocol":"TCP"}': {'.': {}, 'f:nodePort': {}}}}})";
  EXPECT_EQ(PlanOf({.live = service("NodePort", "30000"), .entries = Entry("other", "Update", theirs)},
                   service("NodePort", "0")),
            "conflict spec.ports[port=80,protocol=TCP].nodePort of other\n");
}

TEST(ServerSidePlan, NullRemovesAScalarButNoMap) {
  const State state = {.kind = "ConfigMap",
                       .live = "immutable: true\ndata: {a: '1'}\n",
                       .entries = Entry("other", "Update", "{'f:data': {'f:a': {}}}")};
  EXPECT_EQ(PlanOf(state, "immutable: null\ndata: null\n"), "data keep live-only\nimmutable delete explicit-null\n");
}

// Labels, annotations and data are maps of Go strings.
TEST(ServerSidePlan, NullIsAnEmptyTextInAMapOfStrings) {
  const State state = {.kind = "ConfigMap", .live = "data: {a: '1'}\n", .entries = Entry("other", "Apply", "{}")};
  EXPECT_EQ(PlanOf(state, "data: {a: null, b: null}\n"), "data.a set owned\ndata.b set added\n");
}

TEST(ServerSidePlan, AnEntryOfAnotherVersionCountsByItsPaths) {
  const State state = {
      .kind = "ConfigMap",
      .live = "data: {a: '1'}\n",
      .entries = "{manager: kubectl, operation: Apply, apiVersion: v1beta1, fieldsV1: {'f:data': {'f:a': {}}}}"};
  EXPECT_EQ(PlanOf(state, "data: {}\n"), "data.a delete removed\n");
}

TEST(ServerSidePlan, RefusesTwoItemsWithOneKey) {
  const State state = {.live = "spec: {ports: [{port: 1, protocol: TCP}]}\n", .entries = Entry("other", "Apply", "{}")};
  EXPECT_EQ(PlanOf(state, "spec: {ports: [{port: 1}, {port: 1, protocol: TCP}]}\n"),
            "spec.ports: has two items with the same key, which the server does not merge; remove one of them");
}

}  // namespace
}  // namespace smp
