#include "smp/conflicts.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "schema/builtin.h"
#include "smp/diff.h"
#include "yaml/read_yaml.h"

namespace smp {
namespace {

struct Case {
  std::string name;
  std::string original;  // "": none
  std::string modified;
  std::string live;
  std::string paths;  // joined by blanks
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

const std::string kWayOut = "; put the live values into the manifest, or overwrite them (--overwrite)";

class OverwrittenFieldsOf : public testing::TestWithParam<Case> {};

// All objects are Deployments; what is given is their spec.
std::string Paths(const Case& c) {
  const auto spec = [](const std::string& text) { return *yaml::ParseYaml(StrCat("spec: {", text, "}")); };
  const Document original = spec(c.original), modified = spec(c.modified), live = spec(c.live);
  const auto schema = BuiltinSchema();
  const auto plan = Diff({.original = c.original.empty() ? nullptr : &original.root(),
                          .modified = &modified.root(),
                          .live = &live.root(),
                          .schema = schema.get(),
                          .type = schema->FindType({"apps", "v1", "Deployment"})});
  EXPECT_TRUE(plan.ok()) << ToString(plan.error());
  if (!plan.ok()) return {};
  std::vector<std::string> paths;
  for (const OverwrittenField& field : OverwrittenFields(*plan, live.root(), *schema))
    paths.push_back(ToString(field.path));
  return Join(paths, " ");
}

TEST_P(OverwrittenFieldsOf, AreThese) { EXPECT_EQ(Paths(GetParam()), GetParam().paths); }

std::string Containers(std::string_view items) { return StrCat("template: {spec: {containers: [", items, "]}}"); }

// The rows of the decision table: what was last applied, the manifest, live.
INSTANTIATE_TEST_SUITE_P(
    Leaf, OverwrittenFieldsOf,
    testing::Values(Case{"LiveOnly", "paused: true", "paused: true", "paused: true, replicas: 3", ""},
                    Case{"Added", "paused: true", "paused: true, replicas: 3", "paused: true", ""},
                    Case{"Owned", "paused: true", "paused: true, replicas: 3", "paused: true, replicas: 5",
                         "spec.replicas"},
                    Case{"OwnedWithoutLastApplied", "", "replicas: 3", "replicas: 5", "spec.replicas"},
                    Case{"InSync", "replicas: 1", "replicas: 3", "replicas: 3", ""},
                    Case{"Changed", "replicas: 1", "replicas: 3", "replicas: 1", ""},
                    Case{"ChangedOverDrift", "replicas: 1", "replicas: 3", "replicas: 5", "spec.replicas"},
                    Case{"Drift", "replicas: 1", "replicas: 1", "replicas: 5", "spec.replicas"},
                    Case{"Restored", "replicas: 1", "replicas: 1", "paused: true", "spec.replicas"},
                    Case{"Removed", "replicas: 1, paused: true", "paused: true", "replicas: 1, paused: true", ""},
                    Case{"RemovedOverDrift", "replicas: 1, paused: true", "paused: true", "replicas: 5, paused: true",
                         "spec.replicas"},
                    Case{"RemovedAndGone", "replicas: 1, paused: true", "paused: true", "paused: true", ""},
                    Case{"ExplicitNull", "replicas: 1", "replicas: null", "replicas: 1", ""},
                    Case{"ExplicitNullOverDrift", "replicas: 1", "replicas: null", "replicas: 5", "spec.replicas"},
                    Case{"NullInLastAppliedIsNoValue", "replicas: null", "replicas: 3", "paused: true", ""},
                    Case{"Several", "replicas: 1, minReadySeconds: 1", "replicas: 2, minReadySeconds: 2",
                         "replicas: 3, minReadySeconds: 3", "spec.minReadySeconds spec.replicas"}),
    [](const auto& tested) { return tested.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Nested, OverwrittenFieldsOf,
    testing::Values(
        Case{"ChangeInsideAnItem", Containers("{name: a, image: x}"), Containers("{name: a, image: y}"),
             Containers("{name: a, image: z}"), "spec.template.spec.containers[name=a].image"},
        Case{"ItemRemovedOverDrift", Containers("{name: a}, {name: b, image: x}"), Containers("{name: a}"),
             Containers("{name: a}, {name: b, image: z}"), "spec.template.spec.containers[name=b]"},
        Case{"ItemRemoved", Containers("{name: a}, {name: b, image: x}"), Containers("{name: a}"),
             Containers("{name: a}, {name: b, image: x}"), ""},
        Case{"ItemRemovedThatHasItsDefaults", Containers("{name: a}, {name: b, image: x}"), Containers("{name: a}"),
             Containers("{name: a}, {name: b, image: x, terminationMessagePath: /dev/termination-log}"), ""},
        Case{"QuantityRemoved", Containers("{name: a, resources: {limits: {cpu: 0.5, memory: 1024Mi}}}"),
             Containers("{name: a}"), Containers("{name: a, resources: {limits: {cpu: 500m, memory: 1Gi}}}"), ""},
        Case{"QuantityRemovedOverDrift", Containers("{name: a, resources: {limits: {cpu: 0.5, memory: 1Gi}}}"),
             Containers("{name: a, resources: {limits: {memory: 1Gi}}}"),
             Containers("{name: a, resources: {limits: {cpu: 600m, memory: 1Gi}}}"),
             "spec.template.spec.containers[name=a].resources.limits.cpu"},
        Case{"ItemRestored", Containers("{name: a}, {name: b}"), Containers("{name: a}, {name: b}"),
             Containers("{name: a}"), "spec.template.spec.containers[name=b]"},
        Case{"ItemsReordered", Containers("{name: a}, {name: b}"), Containers("{name: b}, {name: a}"),
             Containers("{name: a}, {name: b}"), ""},
        Case{"ItemsReorderedInLive", Containers("{name: a}, {name: b}"), Containers("{name: a}, {name: b}"),
             Containers("{name: b}, {name: a}"), "spec.template.spec.containers"},
        Case{"PortsReorderedInLive",
             Containers("{name: a, ports: [{containerPort: 53, protocol: UDP}, {containerPort: 80}]}"),
             Containers("{name: a, ports: [{containerPort: 53, protocol: UDP}, {containerPort: 80}]}"),
             Containers("{name: a, ports: [{containerPort: 80, protocol: TCP}, {containerPort: 53, protocol: UDP}]}"),
             "spec.template.spec.containers[name=a].ports"},
        Case{"ItemBetweenOthers", Containers("{name: a}, {name: b}"), Containers("{name: a}, {name: b}"),
             Containers("{name: c}, {name: a}, {name: d}, {name: b}"), ""},
        Case{"AtomicList", Containers("{name: a, args: [x]}"), Containers("{name: a, args: [x]}"),
             Containers("{name: a, args: [x, y]}"), "spec.template.spec.containers[name=a].args"},
        Case{"SetElements", "template: {metadata: {finalizers: [a, b]}}", "template: {metadata: {finalizers: [a, d]}}",
             "template: {metadata: {finalizers: [a, b, c]}}", ""},
        Case{"SetElementRestored", "template: {metadata: {finalizers: [a, b]}}",
             "template: {metadata: {finalizers: [a, d]}}", "template: {metadata: {finalizers: [b, c]}}",
             "spec.template.metadata.finalizers[\"a\"]"},
        Case{"SetReorderedInLive", "template: {metadata: {finalizers: [a, b]}}",
             "template: {metadata: {finalizers: [a, b]}}", "template: {metadata: {finalizers: [b, a]}}", ""},
        Case{"ClearedByRetainKeys", "strategy: {type: RollingUpdate}", "strategy: {type: Recreate}",
             "strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1}}", ""}),
    [](const auto& tested) { return tested.param.name; });

std::string Refusal(const std::string& original, const std::string& modified, const std::string& live) {
  const Document o = *yaml::ParseYaml(original), m = *yaml::ParseYaml(modified), l = *yaml::ParseYaml(live);
  const auto schema = BuiltinSchema();
  const auto plan = Diff({.original = &o.root(),
                          .modified = &m.root(),
                          .live = &l.root(),
                          .schema = schema.get(),
                          .type = schema->FindType({"apps", "v1", "Deployment"})});
  const Status status = RefuseToOverwrite(OverwrittenFields(*plan, l.root(), *schema));
  return status.ok() ? "" : status.error().message;
}

// The field of an item that live lost has no owner; one that nobody owns is told without.
TEST(RefuseToOverwrite, NamesTheOwnersOfEachField) {
  const std::string live = R"(
metadata:
  managedFields:
  - {manager: autoscaler, operation: Update, subresource: scale, fieldsV1: {"f:spec": {"f:replicas": {}}}}
  - {manager: helm, operation: Apply, time: "2026-01-01T00:00:00Z", fieldsV1: {"f:spec": {"f:replicas": {}}}}
spec: {replicas: 9, paused: false})";
  EXPECT_EQ(Refusal("spec: {replicas: 2}", "spec: {replicas: 2}", live),
            "the patch would overwrite what live has, neither last-applied nor as in the manifest, owned by autoscaler "
            "(Update of scale; time unknown) and helm (Apply; last write 2026-01-01T00:00:00Z)" +
                kWayOut);
  EXPECT_EQ(Refusal("spec: {replicas: 2, paused: true, minReadySeconds: 1}",
                    "spec: {replicas: 2, paused: true, minReadySeconds: 1}", live),
            "the patch would overwrite what live has, neither last-applied nor as in the manifest; likewise "
            "spec.paused; spec.replicas, owned by autoscaler (Update of scale; time unknown) and "
            "helm (Apply; last write 2026-01-01T00:00:00Z)" +
                kWayOut);
}

TEST(RefuseToOverwrite, NamesDuplicateItemsOnce) {
  const std::string pair = "{name: a, env: [{name: A, value: x}, {name: A, value: x}]}";
  const auto object = [](const std::string& containers) {
    return StrCat("spec: {template: {spec: {containers: [", containers, "]}}}");
  };
  EXPECT_EQ(Refusal(object(pair), object(pair), object("{name: a, env: [{name: A, value: y}, {name: A, value: z}]}")),
            "the patch would overwrite what live has, neither last-applied nor as in the manifest" + kWayOut);
}

TEST(RefuseToOverwrite, CountsTheRest) {
  std::string labels;
  for (char c = 'a'; c < 'a' + 22; ++c) labels += StrCat(std::string(1, c), ": x, ");
  const std::string refusal = Refusal(StrCat("metadata: {labels: {", labels, "}}"),
                                      StrCat("metadata: {labels: {", labels, "}}"), "metadata: {labels: {}}");
  EXPECT_TRUE(refusal.ends_with("metadata.labels.t and 2 more" + kWayOut)) << refusal;
}

}  // namespace
}  // namespace smp
