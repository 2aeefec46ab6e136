#include "explain/port_facts.h"

#include <string_view>
#include <utility>

#include "base/strings.h"
#include "explain/pod_facts.h"
#include "value/at.h"

namespace smp::explain {

namespace {

// Returns the name or the number at the path; "": there is none.
std::string PortAt(const Value& value, Names path) {
  const std::string_view name = TextAt(value, path);
  if (!name.empty()) return std::string(name);
  const int64_t number = IntAt(value, path);
  return number == 0 ? "" : StrCat(number);
}

bool IsIn(const Value& object, std::string_view group) {
  return object.StringOr("apiVersion").starts_with(StrCat(group, "/"));
}

class Collector {
 public:
  explicit Collector(PortFacts& out) : out_(out) {}

  void AddPort(std::string port) {
    if (!port.empty()) out_.ports.insert(std::move(port));
  }

  void NeedOfService(std::string_view service, std::string_view name_space, std::string port) {
    if (service.empty() || port.empty()) return;
    const std::string_view where = name_space.empty() ? out_.name_space : name_space;
    out_.needed.push_back(
        {.port = std::move(port), .service = std::string(service), .namespaces = {std::string(where)}});
  }

  void Need(NamedPort need) {
    if (!need.port.empty() && !need.selector.empty()) out_.needed.push_back(std::move(need));
  }

 private:
  PortFacts& out_;
};

// --- what has ports

void AddService(const Value& service, PortFacts& out, Collector& add) {
  out.labels = LabelsIn(service.FindPath({"metadata", "labels"}));
  const Labels pods = LabelsIn(service.FindPath({"spec", "selector"}));
  for (const Value& port : ItemsAt(service, {"spec", "ports"})) {
    add.AddPort(std::string(TextAt(port, {"name"})));
    add.AddPort(PortAt(port, {"port"}));
    const std::string target = PortAt(port, {"targetPort"});
    add.Need({.of = NamedPort::Of::kPods,
              .port = target.empty() ? PortAt(port, {"port"}) : target,
              .selector = pods,
              .namespaces = {out.name_space}});
  }
}

void AddPods(const Value& object, const Value& pod, PortFacts& out, Collector& add) {
  out.labels = LabelsIn(object.FindPath({"spec", "template", "metadata", "labels"}));
  for (const std::string_view list : kContainerLists) {
    for (const Value& container : ItemsAt(pod, {list})) {
      for (const Value& port : ItemsAt(container, {"ports"})) {
        add.AddPort(std::string(TextAt(port, {"name"})));
        add.AddPort(PortAt(port, {"containerPort"}));
      }
    }
  }
}

// --- what names them

void AddIngress(const Value& ingress, Collector& add) {
  const auto backend = [&](const Value& at) {
    std::string port = PortAt(at, {"service", "port", "name"});
    if (port.empty()) port = PortAt(at, {"service", "port", "number"});
    const bool is_action = port == "use-annotation";  // reach_facts.cc
    if (!is_action) add.NeedOfService(TextAt(at, {"service", "name"}), "", std::move(port));
  };
  if (const Value* at = ingress.FindPath({"spec", "defaultBackend"}); at != nullptr) backend(*at);
  for (const Value& rule : ItemsAt(ingress, {"spec", "rules"})) {
    for (const Value& path : ItemsAt(rule, {"http", "paths"})) {
      if (const Value* at = path.Find("backend"); at != nullptr) backend(*at);
    }
  }
}

void AddRoute(const Value& route, Collector& add) {
  for (const Value& rule : ItemsAt(route, {"spec", "rules"})) {
    for (const Value& backend : ItemsAt(rule, {"backendRefs"})) {
      const std::string_view kind = TextAt(backend, {"kind"});
      if (!kind.empty() && kind != "Service") continue;
      add.NeedOfService(TextAt(backend, {"name"}), TextAt(backend, {"namespace"}), PortAt(backend, {"port"}));
    }
  }
}

// A ServiceMonitor or PodMonitor of the Prometheus operator.
void AddMonitor(const Value& monitor, const std::string& own_namespace, Collector& add) {
  const bool of_pods = monitor.StringOr("kind") == "PodMonitor";
  NamedPort need = {.of = of_pods ? NamedPort::Of::kPods : NamedPort::Of::kService,
                    .selector = LabelsOfSelector(monitor.FindPath({"spec", "selector"})),
                    .everywhere = IsTrueAt(monitor, {"spec", "namespaceSelector", "any"})};
  for (std::string& name : TextsAt(monitor, {"spec", "namespaceSelector", "matchNames"})) {
    need.namespaces.insert(std::move(name));
  }
  if (need.namespaces.empty()) need.namespaces.insert(own_namespace);
  for (const Value& endpoint : ItemsAt(monitor, {"spec", of_pods ? "podMetricsEndpoints" : "endpoints"})) {
    need.port = TextAt(endpoint, {"port"});
    add.Need(need);
  }
}

void AddCalled(const Value* service, Collector& add) {
  if (service == nullptr || !service->is_object()) return;
  const std::string port = PortAt(*service, {"port"});
  add.NeedOfService(TextAt(*service, {"name"}), TextAt(*service, {"namespace"}), port.empty() ? "443" : port);
}

}  // namespace

PortFacts PortFactsOf(const Value& object) {
  PortFacts out;
  if (!object.is_object()) return out;
  const std::string_view kind = object.StringOr("kind");
  out.name = TextAt(object, {"metadata", "name"});
  out.name_space = TextAt(object, {"metadata", "namespace"});
  Collector add(out);
  if (kind == "Service" && object.StringOr("apiVersion") == "v1") AddService(object, out, add);
  if (const Value* pod = PodSpecOf(object); pod != nullptr) AddPods(object, *pod, out, add);
  if (kind == "Ingress" && IsIn(object, "networking.k8s.io")) AddIngress(object, add);
  if (kind.ends_with("Route") && IsIn(object, "gateway.networking.k8s.io")) AddRoute(object, add);
  if (kind.ends_with("Monitor") && IsIn(object, "monitoring.coreos.com")) AddMonitor(object, out.name_space, add);
  if (kind == "APIService") AddCalled(object.FindPath({"spec", "service"}), add);
  if (kind == "CustomResourceDefinition") {
    AddCalled(object.FindPath({"spec", "conversion", "webhook", "clientConfig", "service"}), add);
  }
  for (const Value& webhook : ItemsAt(object, {"webhooks"}))
    AddCalled(webhook.FindPath({"clientConfig", "service"}), add);
  return out;
}

}  // namespace smp::explain
