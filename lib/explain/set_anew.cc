#include "explain/set_anew.h"

#include <algorithm>
#include <iterator>

#include "schema/facts/allocated.h"
#include "value/at.h"

namespace smp::explain {

namespace {

constexpr std::string_view kAccount = "/var/run/secrets/kubernetes.io/serviceaccount";

bool IsLabelOfServer(std::string_view name, std::string_view kind) {
  if (kind == "Namespace") return name == kNameLabelOfNamespaces;
  return kind == "Job" && (name == "controller-uid" || name == "job-name" ||
                           name == "batch.kubernetes.io/controller-uid" || name == "batch.kubernetes.io/job-name");
}

// Whoever creates a Pod may state these, too, with other values than admission's.
bool IsOfAdmission(const Value& live, std::string_view name) {
  if (name == "tolerations") return live.is_array() && std::ranges::all_of(live.Items(), IsItemSetAnew);
  if (name == "serviceAccount" || name == "serviceAccountName") return live.is_string() && live.AsString() == "default";
  return true;
}

}  // namespace

bool IsItemSetAnew(const Value& item) {
  if (item.is_string()) {
    constexpr std::string_view kProtections[] = {"kubernetes.io/pv-protection", "kubernetes.io/pvc-protection",
                                                 "kubernetes.io/vac-protection"};
    return std::ranges::find(kProtections, item.AsString()) != std::end(kProtections);
  }
  const std::string_view key = item.StringOr("key");
  const bool tolerates = key == "node.kubernetes.io/not-ready" || key == "node.kubernetes.io/unreachable";
  return (tolerates && IntAt(item, {"tolerationSeconds"}) == 300) || item.StringOr("mountPath") == kAccount ||
         item.StringOr("name").starts_with("kube-api-access-");
}

// The recursion is bounded by the parser's kMaxDepth.
bool IsSetAnew(const Value& live, std::string_view name, TypeId map, const Place& place, const Value& object) {
  if (CountsAsAbsent(live, place) || IsLabelOfServer(name, object.StringOr("kind"))) return true;
  if (place.schema != nullptr && IsAllocated(*place.schema, map, name)) return IsOfAdmission(live, name);
  if (live.is_scalar() || live.empty()) return false;
  if (live.is_array()) return std::ranges::all_of(live.Items(), IsItemSetAnew);
  return std::ranges::all_of(live.Members(), [&](const Member& m) {
    return IsSetAnew(m.value, m.name, place.type, PlaceOfMember(place, m.name), object);
  });
}

}  // namespace smp::explain
