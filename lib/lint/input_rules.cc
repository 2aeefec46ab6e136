#include "lint/input_rules.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

#include "apply/copies.h"
#include "base/name_some.h"
#include "base/strings.h"
#include "kube/label_selector.h"
#include "lint/label_selectors.h"
#include "lint/pods.h"
#include "value/at.h"
#include "value/json.h"

namespace smp::lint {

namespace {

// --- the same object

// One copy may leave out the namespace that the other states.
bool AreEqual(const Object& a, const Object& b) {
  Arena arena;
  return WithoutAt(a.root(), {"metadata"}, {"namespace"}, arena) ==
         WithoutAt(b.root(), {"metadata"}, {"namespace"}, arena);
}

apply::Identity IdentityOf(const Object& object, const std::string& name_space) {
  return {object.gvk.group, object.gvk.kind, object.name_space.empty() ? name_space : object.name_space, object.name};
}

// --- ports

struct Workload {
  const Object* object;
  const Value* pod;
};

// The workloads of the input, found by a label of their Pods.
class Workloads {
 public:
  Workloads(const std::deque<Sink>& sinks, const std::string& name_space) : name_space_(name_space) {
    for (const Sink& sink : sinks) {
      const Value* pod = sink.object().manifest ? PodOf(sink.object()).value : nullptr;
      if (pod != nullptr) Add({&sink.object(), pod});
    }
  }

  // Returns those whose Pods the Service selects, in input order.
  std::vector<Workload> SelectedBy(const Object& service, const Value& selector) const {
    const auto parsed = SelectorOfLabels(selector);
    if (!parsed || parsed->empty()) return {};
    const auto& first = selector.Members().front();
    std::vector<Workload> out;
    const auto [begin, end] = by_label_.equal_range({NamespaceOf(service), first.name, first.value.AsString()});
    for (auto at = begin; at != end; ++at) {
      if (kube::Matches(*parsed, *at->second.pod)) out.push_back(at->second);
    }
    return out;
  }

 private:
  using Key = std::tuple<std::string_view, std::string_view, std::string_view>;  // namespace, label, its value

  std::string_view NamespaceOf(const Object& object) const {
    return object.name_space.empty() ? name_space_ : object.name_space;
  }

  void Add(const Workload& workload) {
    const Value* labels = workload.pod->FindPath({"metadata", "labels"});
    if (labels == nullptr || !labels->is_object()) return;
    for (const Member& label : labels->Members()) {
      if (!label.value.is_string()) continue;
      by_label_.emplace(Key(NamespaceOf(*workload.object), label.name, label.value.AsString()), workload);
    }
  }

  const std::string& name_space_;
  std::multimap<Key, Workload> by_label_;
};

// Ports of the containers of some Pods.
struct Ports {
  std::vector<const Value*> all;

  void AddOf(const Value& pod) {
    for (const char* list : {"containers", "initContainers"}) {
      for (const Value& container : ItemsAt(pod, {"spec", list})) {
        for (const Value& port : ItemsAt(container, {"ports"})) all.push_back(&port);
      }
    }
  }
  // `target`: a name or a number.
  bool Has(const Value& target) const {
    const std::string_view field = target.is_string() ? "name" : "containerPort";
    return std::ranges::any_of(all, [&](const Value* port) {
      const Value* value = port->Find(field);
      return value != nullptr && *value == target;
    });
  }
};

// A container may listen on a number that it does not state, so only a name is certain.
void CheckPort(Sink& sink, const Value& port, size_t index, const Ports& ports, const std::string& where) {
  const Value* stated = port.Find("targetPort");
  const bool is_stated = stated != nullptr && (stated->is_string() || stated->is_int());
  const Value* target = is_stated ? stated : port.Find("port");
  if (target == nullptr || ports.Has(*target) || (target->is_int() && ports.all.empty())) return;
  Said said = {.rule = "service-port", .at = target};
  said.path = {PathStep::Field("spec"), PathStep::Field("ports"), PathStep::Index(static_cast<int64_t>(index)),
               PathStep::Field(is_stated ? "targetPort" : "port")};
  said.message =
      StrCat("no container of ", where, ", which this Service selects, states the port ", WriteJson(*target));
  said.advice = "state it in the container, or correct it here";
  if (target->is_int()) said.severity = Severity::kInfo;
  sink.Add(std::move(said));
}

void CheckService(Sink& sink, const Workloads& workloads) {
  const Object& service = sink.object();
  const Value* selector = service.root().FindPath({"spec", "selector"});
  if (selector == nullptr) return;
  Ports ports;
  std::vector<std::string> names;
  for (const Workload& workload : workloads.SelectedBy(service, *selector)) {
    ports.AddOf(*workload.pod);
    names.push_back(workload.object->Label());
  }
  if (names.empty()) return;
  const std::string where = NameSome(std::move(names), kMostNamed);
  const std::span<const Value> items = ItemsAt(service.root(), {"spec", "ports"});
  for (size_t i = 0; i < items.size(); ++i) CheckPort(sink, items[i], i, ports, where);
}

}  // namespace

void CheckCopies(std::deque<Sink>& sinks, const std::string& name_space) {
  std::map<apply::Identity, const Sink*> first;
  for (Sink& sink : sinks) {
    const Object& object = sink.object();
    if (!object.manifest) continue;
    const auto [at, is_new] = first.try_emplace(IdentityOf(object, name_space), &sink);
    if (is_new) continue;
    const Object& other = at->second->object();
    const bool equal = AreEqual(other, object);
    Said said = {.rule = equal ? "repeated-object" : "same-object"};
    said.message = StrCat(object.Label(), " is also at ", ToString(other.document.SourceOf(&other.root())),
                          equal ? ", with the same content" : ", with other content, and kubectl applies both in turn");
    said.advice = "remove one of them";
    // Files of a folder may be alternatives that nobody applies together.
    if (!equal && other.file != object.file) said.severity = Severity::kWarning;
    sink.Add(std::move(said));
  }
}

void CheckServicePorts(std::deque<Sink>& sinks, const std::string& name_space) {
  const Workloads workloads(sinks, name_space);
  for (Sink& sink : sinks) {
    const GroupVersionKind& gvk = sink.object().gvk;
    if (gvk.group.empty() && gvk.kind == "Service") CheckService(sink, workloads);
  }
}

}  // namespace smp::lint
