// The schema command: names of kinds, paths, and that every example patch does what it says.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "lint/key_conflicts.h"
#include "lint/kind_names.h"
#include "lint/kinds.h"
#include "lint/patch_examples.h"
#include "lint/schema_entry.h"
#include "schema/builtin.h"
#include "smp/merge.h"
#include "value/at.h"
#include "value/json.h"

namespace smp::lint {
namespace {

std::vector<Resource> BuiltinResources() {
  std::vector<Resource> out;
  for (const auto& [gvk, resource] : BuiltinSchema()->resources()) out.push_back(resource);
  return out;
}

// "apps/v1/Deployment spec", or the error.
std::string Parsed(const std::string& text) {
  const auto named = ParseKindAndPath(text, BuiltinResources());
  if (!named.ok()) return named.error().message;
  return StrCat(named->gvk.ApiVersion(), "/", named->gvk.kind, named->path.empty() ? "" : " ", named->path);
}

TEST(SchemaNames, AreKindsPluralsAndGroups) {
  EXPECT_EQ(Parsed("Deployment"), "apps/v1/Deployment");
  EXPECT_EQ(Parsed("deployment.spec.replicas"), "apps/v1/Deployment spec.replicas");
  EXPECT_EQ(Parsed("deployments.apps"), "apps/v1/Deployment");
  EXPECT_EQ(Parsed("deployments.apps.spec"), "apps/v1/Deployment spec");
  EXPECT_EQ(Parsed("rbac.authorization.k8s.io/v1/Role.rules"), "rbac.authorization.k8s.io/v1/Role rules");
  EXPECT_EQ(Parsed("v1/Pod"), "v1/Pod");
  EXPECT_EQ(Parsed("event"), "v1/Event");
  EXPECT_EQ(Parsed("events.events.k8s.io.note"), "events.k8s.io/v1/Event note");
  EXPECT_EQ(Parsed("horizontalpodautoscaler.spec"), "autoscaling/v2/HorizontalPodAutoscaler spec");
  EXPECT_EQ(Parsed("deploymen"), "unknown kind \"deploymen\"; did you mean Deployment?");
  EXPECT_EQ(Parsed("widget.spec"), "unknown kind \"widget\"; name its CRD with --schema, or use --from-server");
}

std::shared_ptr<const Kind> KindOf(const Resource& resource) {
  return std::make_shared<const Kind>(Kind{Authority::kBuiltin, BuiltinSchema(), resource});
}

Result<SchemaPlace> PlaceAt(const std::string& text) {
  const auto named = ParseKindAndPath(text, BuiltinResources());
  if (!named.ok()) return named.error();
  return FindSchemaPlace(KindOf(*BuiltinSchema()->FindResource(named->gvk)), named->path);
}

std::string ErrorAt(const std::string& text) {
  const auto place = PlaceAt(text);
  return place.ok() ? place->path() : place.error().message;
}

TEST(SchemaPlaces, ArePathsThroughListsAndMaps) {
  EXPECT_EQ(ErrorAt("pod.spec.containers[name=web].ports[*].hostPort"), "spec.containers.ports.hostPort");
  EXPECT_EQ(ErrorAt("pod.metadata.labels.app"), "metadata.labels.app");
  EXPECT_EQ(ErrorAt("pod.spec.container"), "spec has no field \"container\"; did you mean containers?");
  EXPECT_EQ(ErrorAt("pod.spec.nodeName.x"), "spec.nodeName has no fields");
  EXPECT_EQ(ErrorAt("pod.spc"), "Pod has no field \"spc\"; did you mean spec?");
}

// What the entry of a place says under a name, as JSON; "" if nothing.
std::string Says(const std::string& text, std::string_view name) {
  const auto place = PlaceAt(text);
  if (!place.ok()) return place.error().message;
  const Document entry = DescribePlace(*place);
  const Value* value = entry.root().Find(name);
  return value == nullptr ? "" : WriteJson(*value);
}

TEST(SchemaEntries, SayWhatIsKnown) {
  EXPECT_EQ(Says("service.spec.ports", "mergeKeys"), R"(["port"])");
  EXPECT_EQ(Says("service.spec.ports", "identityKeys"), R"(["port","protocol"])");
  EXPECT_EQ(Says("service.spec.ports.protocol", "default"), R"("TCP")");
  EXPECT_EQ(Says("service.spec.ports.protocol", "defaultFrom"), R"("the OpenAPI document")");
  EXPECT_EQ(Says("pod.spec.volumes.projected.sources.serviceAccountToken.expirationSeconds", "defaultFrom"),
            R"("trials on a server; no OpenAPI document states it")");
  EXPECT_EQ(Says("pod.spec.containers.env.value", "insideReplaced"), "");
  EXPECT_EQ(Says("pod.spec.tolerations.key", "insideReplaced"), R"("spec.tolerations")");
  EXPECT_EQ(Says("deployment.spec.selector.matchLabels", "immutable"), R"(["field is immutable"])");
  EXPECT_EQ(Says("deployment.spec.replicas", "immutable"), "");
  EXPECT_EQ(Says("statefulset.spec.replicas", "immutable"), "");
  EXPECT_NE(Says("statefulset.spec.serviceName", "immutable"), "");
  EXPECT_EQ(Says("deployment.status", "notKept"), R"("never")");
  EXPECT_EQ(Says("deployment.spec.strategy.type", "values"), R"(["one of Recreate, RollingUpdate"])");
  EXPECT_EQ(Says("service.spec.clusterIP", "setByServer"), "true");
  EXPECT_NE(Says("pod.spec.volumes.emptyDir", "excludes").find("hostPath"), std::string::npos);
  EXPECT_EQ(Says("deployment.spec.template.spec.containers", "type"), R"("list of Container")");
  EXPECT_EQ(Says("configmap.data", "type"), R"("map of string")");
}

TEST(SchemaConflicts, AreWhereKeysDiffer) {
  const Schema& schema = *BuiltinSchema();
  const auto found = KeyConflictsOf(schema, *schema.FindResource({"", "v1", "Service"}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].path, "spec.ports");
  EXPECT_EQ(KeyConflictsOf(schema, *schema.FindResource({"", "v1", "ConfigMap"})).size(), 0U);
}

// --- examples

// Calls visit(place) for all fields of a kind: of each type, where it is first met.
template <class Visit>
void ForEachPlace(const SchemaPlace& place, std::set<TypeId>& seen, Visit visit) {
  if (!place.steps.empty()) visit(place);
  if (place.type == kNoType || !seen.insert(place.type).second) return;
  for (const Field& field : place.schema().type(place.type).fields) {
    SchemaPlace below = place;
    below.steps.push_back({field.name, &field, place.type});
    below.type = field.type;
    ForEachPlace(below, seen, visit);
  }
}

// Returns an object in which the patch finds what it is about: the patch without directives, and lists with another item.
Value LiveFor(const Value& patch, Arena& arena) {
  if (patch.is_array()) {
    std::vector<Value> items;
    for (const Value& item : patch.Items()) items.push_back(LiveFor(item, arena));
    return arena.Array(items);
  }
  if (!patch.is_object()) return patch.is_null() ? arena.String("live") : patch;
  std::vector<Member> members;
  for (const Member& member : patch.Members()) {
    const size_t slash = member.name.find('/');
    if (member.name.starts_with('$') && slash != member.name.npos) {
      members.emplace_back(member.name.substr(slash + 1), LiveFor(member.value, arena));
    } else if (!member.name.starts_with('$')) {
      members.emplace_back(member.name, LiveFor(member.value, arena));
    }
  }
  return arena.Object(std::move(members));
}

// Returns the first value at the path, through lists.
const Value* FirstAt(const Value& root, const std::vector<SchemaStep>& steps) {
  const Value* value = &root;
  for (const SchemaStep& step : steps) {
    if (value->is_array()) value = value->empty() ? nullptr : &value->Items()[0];
    if (value == nullptr) return nullptr;
    value = value->Find(step.name);
    if (value == nullptr) return nullptr;
  }
  return value;
}

// Returns what is wrong with the outcome of an example: "" if it does what it says.
std::string Wrong(const SchemaPlace& place, const PatchExample& example, Arena& arena) {
  const Value live = LiveFor(example.patch, arena);
  const auto merged = Merge(live, example.patch, place.schema(), place.kind->resource.type, arena);
  if (!merged.ok()) return merged.error().message;
  const Value* before = FirstAt(live, place.steps);
  const Value* after = FirstAt(*merged, place.steps);
  if (before == nullptr) return "the field is not in live";
  const bool empties = example.directive == "$patch: delete" || example.directive == "$patch: replace" ||
                       example.directive.starts_with("$deleteFromPrimitiveList");
  if (example.directive.empty()) return after == nullptr ? "" : "the field is still there";
  if (empties) return after != nullptr && after->empty() ? "" : "it is not empty";
  return WriteJson(*merged).find('$') == std::string::npos && after != nullptr ? "" : "a directive became a field";
}

TEST(SchemaExamples, DoWhatTheySayAtEveryFieldOfEveryBuiltinKind) {
  size_t count = 0;
  for (const Resource& resource : BuiltinResources()) {
    if (!resource.strategic) continue;
    std::set<TypeId> seen;
    ForEachPlace({KindOf(resource), {}, resource.type}, seen, [&](const SchemaPlace& place) {
      Arena arena;
      for (const PatchExample& example : ExamplesFor(place, arena)) {
        ++count;
        EXPECT_EQ(Wrong(place, example, arena), "")
            << resource.gvk.kind << " " << place.path() << " " << example.directive << " " << WriteJson(example.patch);
      }
    });
  }
  EXPECT_GT(count, 3000U);
}

TEST(SchemaExamples, RetainKeysKeepsOneAlternative) {
  Arena arena;
  const auto place = PlaceAt("deployment.spec.strategy");
  ASSERT_TRUE(place.ok());
  const auto live = ParseJson(R"({"spec":{"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1}}}})");
  for (const PatchExample& example : ExamplesFor(*place, arena)) {
    if (example.directive != "$retainKeys") continue;
    const auto merged = Merge(live->root(), example.patch, place->schema(), place->kind->resource.type, arena);
    ASSERT_TRUE(merged.ok());
    EXPECT_EQ(WriteJson(*merged), R"({"spec":{"strategy":{"type":"Recreate"}}})");
  }
}

}  // namespace
}  // namespace smp::lint
