#include "explain/reach_facts.h"

#include <algorithm>
#include <iterator>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/pod_facts.h"
#include "value/at.h"

namespace smp::explain {

namespace {

Labels LabelsOfPods(const Value& object) {
  const Value* of_jobs = object.FindPath({"spec", "jobTemplate"});  // of a CronJob
  return LabelsIn((of_jobs == nullptr ? object : *of_jobs).FindPath({"spec", "template", "metadata", "labels"}));
}

std::set<std::string> HostsOf(const Value& object) {
  std::set<std::string> out;
  if (!object.is_object()) return out;
  const std::string_view kind = object.StringOr("kind");
  if (kind == "HTTPRoute" || kind == "GRPCRoute" || kind == "TLSRoute") {
    for (std::string& host : TextsAt(object, {"spec", "hostnames"})) out.insert(std::move(host));
  }
  if (kind != "Ingress") return out;
  const bool has_default = object.FindPath({"spec", "defaultBackend"}) != nullptr;
  if (has_default && ItemsAt(object, {"spec", "rules"}).empty()) out.emplace(kEveryHost);
  for (const Value& rule : ItemsAt(object, {"spec", "rules"})) {
    const std::string_view host = TextAt(rule, {"host"});
    out.emplace(host.empty() ? kEveryHost : host);
  }
  return out;
}

// Returns "whitelist-source-range" of nginx.ingress.kubernetes.io/whitelist-source-range. What kubectl writes is none.
std::set<std::string> SettingsOf(const Value& object) {
  std::set<std::string> out;
  const Value* annotations = object.FindPath({"metadata", "annotations"});
  if (object.StringOr("kind") != "Ingress" || annotations == nullptr || !annotations->is_object()) return out;
  for (const Member& member : annotations->Members()) {
    const bool is_of_kubectl = member.name.find("kubectl.kubernetes.io/") != member.name.npos;
    if (!is_of_kubectl) out.emplace(member.name.substr(member.name.rfind('/') + 1));
  }
  return out;
}

std::set<std::string> BackendsOf(const Value& object) {
  std::set<std::string> out;
  if (!object.is_object() || object.StringOr("kind") != "Ingress") return out;
  const auto add = [&](const Value& place, std::string_view member) {
    const std::string_view name = TextAt(place, {member, "service", "name"});
    // AWS' controller takes this for the name of an annotation with an action.
    const bool is_action = TextAt(place, {member, "service", "port", "name"}) == "use-annotation";
    if (!name.empty() && !is_action) out.emplace(name);
  };
  if (const Value* spec = object.Find("spec"); spec != nullptr && spec->is_object()) add(*spec, "defaultBackend");
  for (const Value& rule : ItemsAt(object, {"spec", "rules"})) {
    for (const Value& path : ItemsAt(rule, {"http", "paths"})) add(path, "backend");
  }
  return out;
}

std::set<std::string> CertificatesOf(const Value& object) {
  std::set<std::string> out;
  if (!object.is_object() || object.StringOr("kind") != "Ingress") return out;
  for (const Value& entry : ItemsAt(object, {"spec", "tls"})) {
    const std::string_view name = TextAt(entry, {"secretName"});
    if (!name.empty()) out.emplace(name);
  }
  return out;
}

// Returns true if a controller makes the Ingress's certificates: cert-manager, or another that knows the older annotation.
bool GetsCertificates(const Value& ingress) {
  const Value* annotations = ingress.FindPath({"metadata", "annotations"});
  return annotations != nullptr && annotations->is_object() &&
         std::ranges::any_of(annotations->Members(), [](const Member& member) {
           return member.name.starts_with("cert-manager.io/") || member.name == "kubernetes.io/tls-acme";
         });
}

std::set<std::string> NewCertificates(const Value& before, const Value& after) {
  std::set<std::string> out;
  if (GetsCertificates(after)) return out;
  const std::set<std::string> old = CertificatesOf(before), now = CertificatesOf(after);
  std::ranges::set_difference(now, old, std::inserter(out, out.end()));
  return out;
}

std::string NewClass(const Value& before, const Value& after) {
  const auto class_of = [](const Value& object) {
    const bool is_ingress = object.is_object() && object.StringOr("kind") == "Ingress";
    return is_ingress ? TextAt(object, {"spec", "ingressClassName"}) : std::string_view();
  };
  return class_of(before) == class_of(after) ? "" : std::string(class_of(after));
}

Labels AttachedTo(const Value& object) {
  const std::string_view kind = object.StringOr("kind");
  const bool is_policy = kind == "NetworkPolicy";
  if (!is_policy && kind != "PodDisruptionBudget") return {};
  return LabelsOfSelector(object.FindPath({"spec", is_policy ? "podSelector" : "selector"}));
}

std::string TargetOf(const Value& object) {
  if (object.StringOr("kind") != "HorizontalPodAutoscaler") return {};
  return StrCat(TextAt(object, {"spec", "scaleTargetRef", "kind"}), " ",
                TextAt(object, {"spec", "scaleTargetRef", "name"}));
}

// How far the type of a Service lets requests come from.
int ReachOfType(std::string_view type) { return type == "LoadBalancer" ? 2 : type == "NodePort" ? 1 : 0; }

// Returns true for a load balancer that only a network of its own reaches: each provider has an annotation for it.
bool IsInternal(const Value& object) {
  const Value* annotations = object.is_object() ? object.FindPath({"metadata", "annotations"}) : nullptr;
  const auto members =
      annotations != nullptr && annotations->is_object() ? annotations->Members() : std::span<const Member>();
  return std::ranges::any_of(members, [](const Member& member) {
    const std::string name = ToLower(member.name),
                      value = ToLower(member.value.is_string() ? member.value.AsString() : "");
    const bool is_about_it = name.find("balancer") != name.npos || name.find("/scheme") != name.npos;
    return is_about_it && ((name.find("internal") != name.npos && value != "false") || value == "internal");
  });
}

// Returns the ports of its nodes on which a workload listens; not where Pods have the network of their node.
std::vector<std::string> HostPortsOf(const Value& object) {
  NamesOnce out;
  const Value* pod = object.is_object() ? PodSpecOf(object) : nullptr;
  if (pod == nullptr || IsTrueAt(*pod, {"hostNetwork"})) return {};
  for (const std::string_view list : kContainerLists) {
    for (const Value& container : ItemsAt(*pod, {list})) {
      for (const Value& port : ItemsAt(container, {"ports"})) {
        if (const int64_t number = IntAt(port, {"hostPort"}); number > 0) out.Add(StrCat("hostPort ", number));
      }
    }
  }
  return out.all();
}

std::string Opens(const Value& before, const Value& after) {
  constexpr size_t kMostPorts = 3;
  const std::vector<std::string> ports = TextsNotIn(HostPortsOf(before), HostPortsOf(after));
  if (!ports.empty()) return NameSome(ports, kMostPorts);
  const bool is_ingress = after.StringOr("kind") == "Ingress";
  const bool is_service = after.StringOr("kind") == "Service" && after.StringOr("apiVersion") == "v1";
  if ((!is_ingress && !is_service) || IsInternal(after)) return {};
  const auto balances = [&](const Value& object) {
    return object.is_object() && (is_ingress || TextAt(object, {"spec", "type"}) == "LoadBalancer");
  };
  if (balances(before) && balances(after) && IsInternal(before)) return "no longer by an internal load balancer alone";
  if (is_ingress) {
    const auto answers_each = [](const Value& object) { return HostsOf(object).contains(std::string(kEveryHost)); };
    return answers_each(after) && !answers_each(before) ? "no host: answers each" : "";
  }
  const std::string_view old = before.is_object() ? TextAt(before, {"spec", "type"}) : "",
                         now = TextAt(after, {"spec", "type"});
  if (ReachOfType(now) <= ReachOfType(old)) return {};
  return before.is_object() ? StrCat("type ", old.empty() ? "ClusterIP" : old, " → ", now) : StrCat("type ", now);
}

std::string Closes(const Value& before, const Value& after) {
  const bool is_service = after.StringOr("kind") == "Service" && after.StringOr("apiVersion") == "v1";
  if (!is_service || !before.is_object() || IsInternal(before)) return {};
  const std::string_view old = TextAt(before, {"spec", "type"}), now = TextAt(after, {"spec", "type"});
  return ReachOfType(now) < ReachOfType(old) ? StrCat("type ", old, " → ", now.empty() ? "ClusterIP" : now) : "";
}

}  // namespace

Labels LabelsIn(const Value* map) {
  Labels out;
  if (map == nullptr || !map->is_object()) return out;
  for (const Member& member : map->Members()) {
    if (member.value.is_string()) out.emplace(member.name, member.value.AsString());
  }
  return out;
}

Labels LabelsOfSelector(const Value* selector) {
  if (selector == nullptr || !selector->is_object() || selector->Find("matchExpressions") != nullptr) return {};
  return LabelsIn(selector->Find("matchLabels"));
}

ReachFacts ReachFactsOf(const Value& before, const Value& after) {
  const bool is_service = after.StringOr("kind") == "Service" && after.StringOr("apiVersion") == "v1" &&
                          TextAt(after, {"spec", "type"}) != "ExternalName";
  const auto selector_of = [&](const Value& object) {
    return is_service && object.is_object() ? LabelsIn(object.FindPath({"spec", "selector"})) : Labels();
  };
  return {.selector = selector_of(after),
          .pods_before = LabelsOfPods(before),
          .pods_after = LabelsOfPods(after),
          .selects_anew = before.is_object() && selector_of(before) != selector_of(after),
          .backends_before = BackendsOf(before),
          .backends = BackendsOf(after),
          .new_certificates = NewCertificates(before, after),
          .new_class = NewClass(before, after),
          .attached_to = AttachedTo(after),
          .target = TargetOf(after),
          .hosts_before = HostsOf(before),
          .hosts_after = HostsOf(after),
          .opens = Opens(before, after),
          .closes = Closes(before, after),
          .settings = SettingsOf(after)};
}

bool Selects(const Labels& selector, const Labels& pods) {
  return !selector.empty() && std::ranges::includes(pods, selector);
}

}  // namespace smp::explain
