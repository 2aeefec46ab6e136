#include "apply/manifest_form.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "apply/keep_annotation.h"
#include "apply/old_object.h"
#include "schema/facts/allocated.h"
#include "value/at.h"
#include "value/metadata.h"

namespace smp::apply {

namespace {

// Annotations that apply and controllers write, and one that only tells apply what to do.
constexpr std::string_view kAnnotations[] = {
    "autoscaling.alpha.kubernetes.io/conditions",
    "autoscaling.alpha.kubernetes.io/current-metrics",
    "control-plane.alpha.kubernetes.io/leader",
    "deployment.kubernetes.io/desired-replicas",
    "deployment.kubernetes.io/max-replicas",
    "deployment.kubernetes.io/revision",
    "deployment.kubernetes.io/revision-history",
    "endpoints.kubernetes.io/last-change-trigger-time",
    kLastAppliedAnnotation,
    kTemplateGenerationAnnotation,
    kKeepLiveAnnotation,
    "pv.kubernetes.io/bind-completed",
    "pv.kubernetes.io/bound-by-controller",
    "pv.kubernetes.io/provisioned-by",
    "volume.beta.kubernetes.io/storage-provisioner",
    "volume.kubernetes.io/selected-node",
    "volume.kubernetes.io/storage-provisioner",
};

// Of what the server sets in a new object, what people choose, too, and what is the same wherever they chose the same.
constexpr std::string_view kChosen[] = {"extra",    "groups",           "ipFamilies",         "ipFamilyPolicy",
                                        "listKind", "preemptionPolicy", "priority",           "serviceAccount",
                                        "singular", "storageClassName", "serviceAccountName", "tolerations",
                                        "username", "finalizers"};

bool IsChosen(std::string_view name, const Value& value) {
  const bool headless = (name == "clusterIP" && value == Value::UnownedString("None")) ||
                        (name == "clusterIPs" && !value.empty() && value.is_array() &&
                         value.Items().front() == Value::UnownedString("None"));
  return headless || std::ranges::find(kChosen, name) != std::end(kChosen);
}

// Fields of metadata that controllers set, and people sometimes.
constexpr std::string_view kOfControllers[] = {"ownerReferences", "finalizers"};

// The values that were left out, by the names of their fields.
using LeftOut = std::map<std::string_view, std::vector<Value>>;

// Takes out what is allocated, wherever it is.
class Cleaner {
 public:
  Cleaner(const Schema& schema, Arena& arena) : schema_(schema), arena_(arena) {}

  LeftOut left_out;

  // `type`: of the map, or of the list's items. The recursion is bounded by the parser's kMaxDepth.
  Value Clean(const Value& value, TypeId type) {
    if (value.is_scalar()) return value;
    return value.is_object() ? CleanMap(value, type) : CleanItems(value, type);
  }

 private:
  Value CleanMap(const Value& map, TypeId type) {
    std::vector<Member> members;
    for (const Member& m : map.Members()) {
      if (IsAllocated(schema_, type, m.name) && !IsChosen(m.name, m.value)) {
        if (!m.name.starts_with("clusterIP")) left_out[m.name].push_back(m.value);  // no two Services have the same
        continue;
      }
      const Field* field = schema_.Find(type, m.name);
      members.push_back({m.name, Clean(m.value, field == nullptr ? schema_.type(type).additional : field->type)});
    }
    return arena_.SortedObject(members);
  }

  Value CleanItems(const Value& list, TypeId type) {
    std::vector<Value> items;
    for (const Value& item : list.Items()) items.push_back(Clean(item, type));
    return arena_.Array(items);
  }

  const Schema& schema_;
  Arena& arena_;
};

Value WithoutControllersMetadata(const Value& object, Arena& arena) {
  const Value out = WithoutAt(WithoutAt(object, {"metadata"}, kOfControllers, arena), {"metadata", "annotations"},
                              kAnnotations, arena);
  const Value* annotations = out.FindPath({"metadata", "annotations"});
  const bool none = annotations != nullptr && annotations->is_object() && annotations->empty();
  return none ? WithoutAt(out, {"metadata"}, {"annotations"}, arena) : out;
}

LeftOut LeftOutOf(const Document& live, const Schema& schema, TypeId type, Arena& arena) {
  Cleaner cleaner(schema, arena);
  (void)cleaner.Clean(live.root(), type);
  for (const std::string_view name : kOfControllers) {
    const Value* value = live.root().FindPath({"metadata", name});
    if (value != nullptr) cleaner.left_out[name].push_back(*value);
  }
  return std::move(cleaner.left_out);
}

}  // namespace

Document ManifestForm(const Document& live, const Schema& schema, TypeId type) {
  const Document object = Recreatable(live);
  Arena arena;
  arena.Retain(object);
  const Value root = Cleaner(schema, arena).Clean(WithoutControllersMetadata(object.root(), arena), type);
  return Document(std::move(arena), root);
}

std::vector<std::string> DifferencesLeftOut(const Document& a, const Document& b, const Schema& schema, TypeId type) {
  Arena arena;
  const LeftOut of_a = LeftOutOf(a, schema, type, arena), of_b = LeftOutOf(b, schema, type, arena);
  std::set<std::string> names;
  for (const auto& [sides, others] : {std::pair(&of_a, &of_b), std::pair(&of_b, &of_a)}) {
    for (const auto& [name, values] : *sides) {
      const auto at = others->find(name);
      if (at == others->end() || at->second != values) names.emplace(name);
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace smp::apply
