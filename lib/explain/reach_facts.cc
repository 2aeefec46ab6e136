#include "explain/reach_facts.h"

#include <algorithm>

#include "value/at.h"

namespace smp::explain {

namespace {

Labels LabelsIn(const Value* map) {
  Labels out;
  if (map == nullptr || !map->is_object()) return out;
  for (const Member& member : map->Members()) {
    if (member.value.is_string()) out.emplace(member.name, member.value.AsString());
  }
  return out;
}

Labels LabelsOfPods(const Value& object) {
  return LabelsIn(object.FindPath({"spec", "template", "metadata", "labels"}));
}

std::set<std::string> HostsOf(const Value& object) {
  std::set<std::string> out;
  if (!object.is_object() || object.StringOr("kind") != "Ingress") return out;
  for (const Value& rule : ItemsAt(object, {"spec", "rules"})) {
    const std::string_view host = TextAt(rule, {"host"});
    out.emplace(host.empty() ? "*" : host);
  }
  return out;
}

}  // namespace

ReachFacts ReachFactsOf(const Value& before, const Value& after) {
  const bool is_service = after.StringOr("kind") == "Service" && after.StringOr("apiVersion") == "v1";
  const auto selector_of = [&](const Value& object) {
    return is_service && object.is_object() ? LabelsIn(object.FindPath({"spec", "selector"})) : Labels();
  };
  return {.selector = selector_of(after),
          .pods_before = LabelsOfPods(before),
          .pods_after = LabelsOfPods(after),
          .selects_anew = before.is_object() && selector_of(before) != selector_of(after),
          .hosts_before = HostsOf(before),
          .hosts_after = HostsOf(after)};
}

bool Selects(const Labels& selector, const Labels& pods) {
  return !selector.empty() && std::ranges::includes(pods, selector);
}

}  // namespace smp::explain
