#include "smp/service.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "smp/plan_edit.h"
#include "smp/sides.h"
#include "value/at.h"
#include "value/json.h"

namespace smp {

namespace {

constexpr std::string_view kChosen = "(chosen by the server)";

bool IsUnset(const Value* value) {
  return IsAbsentOrNull(value) || (value->is_int() ? value->AsInt() == 0 : !value->is_bool() && value->empty());
}

// The fields of a ServiceSpec, to read and to change.
class Spec {
 public:
  explicit Spec(const Value& spec) {
    for (const Member& m : spec.Members()) {
      if (!m.value.is_null()) fields_.insert_or_assign(m.name, m.value);
    }
  }

  const Value* Find(std::string_view name) const {
    const auto at = fields_.find(name);
    return at == fields_.end() ? nullptr : &at->second;
  }
  std::string_view Text(std::string_view name, std::string_view otherwise = {}) const {
    const Value* value = Find(name);
    return value != nullptr && value->is_string() && !value->empty() ? value->AsString() : otherwise;
  }
  std::string_view type() const { return Text("type", "ClusterIP"); }
  bool Lacks(std::string_view name) const { return IsUnset(Find(name)); }

  void Set(std::string_view name, const Value& value) { fields_.insert_or_assign(name, value); }
  void SetMissing(std::string_view name, const Value& value) {
    if (Lacks(name)) Set(name, value);
  }
  void Drop(std::string_view name) { fields_.erase(name); }
  void DropIfSame(std::string_view name, const Spec& before) {
    const Value *now = Find(name), *then = before.Find(name);
    if (now != nullptr && then != nullptr && *now == *then) Drop(name);
  }

  Value ToValue(Arena& arena) const {
    std::vector<Member> members;
    for (const auto& [name, value] : fields_) members.push_back({name, value});
    return arena.Object(members);
  }

 private:
  std::map<std::string_view, Value> fields_;
};

bool IsLoadBalancer(const Spec& spec) { return spec.type() == "LoadBalancer"; }
bool HasAddress(const Spec& spec) { return spec.type() != "ExternalName"; }
bool MayHaveNodePorts(const Spec& spec) { return spec.type() == "NodePort" || IsLoadBalancer(spec); }
bool IsExternal(const Spec& spec) {
  return MayHaveNodePorts(spec) || (spec.type() == "ClusterIP" && !spec.Lacks("externalIPs"));
}
using Condition = bool (*)(const Spec& spec);
bool HasHealthPort(const Spec& spec) { return IsLoadBalancer(spec) && spec.Text("externalTrafficPolicy") == "Local"; }
bool AllocatesNodePorts(const Spec& spec) {
  const Value* allocates = spec.Find("allocateLoadBalancerNodePorts");
  const bool refuses = IsLoadBalancer(spec) && allocates != nullptr && *allocates == Value::Bool(false);
  return MayHaveNodePorts(spec) && !refuses;
}

// `is_external`: has an externalTrafficPolicy.
void SetDefaults(Spec& spec, Condition is_external) {
  static const Document affinity = *ParseJson(R"({"clientIP":{"timeoutSeconds":10800}})");
  static const Value cluster = Value::UnownedString("Cluster");
  const std::string_view session = spec.Text("sessionAffinity", "None");
  if (session == "None") spec.Drop("sessionAffinityConfig");
  if (session == "ClientIP") {
    const Value* config = spec.Find("sessionAffinityConfig");
    const Value* client = config == nullptr ? nullptr : config->Find("clientIP");
    if (client == nullptr || IsAbsentOrNull(client->Find("timeoutSeconds"))) {
      spec.Set("sessionAffinityConfig", affinity.root());
    }
  }
  if (is_external(spec)) spec.SetMissing("externalTrafficPolicy", cluster);
  HasAddress(spec) ? spec.SetMissing("internalTrafficPolicy", cluster) : spec.Drop("internalTrafficPolicy");
  if (IsLoadBalancer(spec)) spec.SetMissing("allocateLoadBalancerNodePorts", Value::Bool(true));
}

bool Holds(const Spec& spec, std::string_view name, std::string_view value) { return spec.Text(name) == value; }

void KeepAddresses(Spec& spec, const Spec& before) {
  for (const char* name : {"clusterIP", "clusterIPs"}) {
    const Value* then = before.Find(name);
    if (then != nullptr) spec.SetMissing(name, *then);
  }
  const Value* policy = before.Find("ipFamilyPolicy");
  if (policy != nullptr) spec.SetMissing("ipFamilyPolicy", *policy);
  // The families of a service that gets more addresses, or fewer, depend on the cluster.
  const Value* families = before.Find("ipFamilies");
  if (families != nullptr && spec.Lacks("ipFamilies")) {
    const bool stay =
        Holds(before, "ipFamilyPolicy", "SingleStack") || spec.Text("ipFamilyPolicy") == before.Text("ipFamilyPolicy");
    spec.Set("ipFamilies", stay ? *families : ChosenByServer());
  }
}

void AllocateAddresses(Spec& spec, Arena& arena) {
  static const Value single = Value::UnownedString("SingleStack"), both = Value::UnownedString("RequireDualStack");
  const bool any_family = Holds(spec, "clusterIP", "None") && spec.Lacks("selector");
  spec.SetMissing("clusterIP", ChosenByServer());
  const Value* address = spec.Find("clusterIP");
  spec.SetMissing("clusterIPs", IsChosenByServer(*address) ? ChosenByServer() : arena.Array({{*address}}));
  spec.SetMissing("ipFamilyPolicy", any_family ? both : single);
  spec.SetMissing("ipFamilies", ChosenByServer());
}

void ReleaseAddresses(Spec& spec, const Spec& before) {
  for (const char* name : {"clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"}) spec.DropIfSame(name, before);
}

void UpdateAddresses(Spec& spec, const Spec& before, Arena& arena) {
  if (!HasAddress(spec)) return HasAddress(before) ? ReleaseAddresses(spec, before) : void();
  return HasAddress(before) ? KeepAddresses(spec, before) : AllocateAddresses(spec, arena);
}

std::span<const Value> PortsOf(const Spec& spec) {
  const Value* ports = spec.Find("ports");
  return ports != nullptr && ports->is_array() ? ports->Items() : std::span<const Value>();
}

// Calls `change` with each port's node port (nullptr: none) and name; it returns the new one, nullptr: none.
template <class Change>
void ChangeNodePorts(Spec& spec, Arena& arena, Change change) {
  std::vector<Value> ports;
  for (const Value& port : PortsOf(spec)) {
    const Value* now = IsUnset(port.Find("nodePort")) ? nullptr : port.Find("nodePort");
    const Value* then = change(now, port.StringOr("name"));
    const bool gone = then == nullptr && port.Find("nodePort") != nullptr;
    ports.push_back(then != nullptr ? WithAt(port, {"nodePort"}, *then, arena)
                    : gone          ? WithoutAt(port, {}, {"nodePort"}, arena)
                                    : port);
  }
  if (!ports.empty()) spec.Set("ports", arena.Array(ports));
}

std::vector<const Value*> NodePortsOf(const Spec& spec) {
  std::vector<const Value*> out;
  for (const Value& port : PortsOf(spec)) {
    if (!IsUnset(port.Find("nodePort"))) out.push_back(port.Find("nodePort"));
  }
  return out;
}

bool HasNodePort(const Spec& spec, const Value& number) {
  const std::vector<const Value*> all = NodePortsOf(spec);
  return std::any_of(all.begin(), all.end(), [&](const Value* other) { return *other == number; });
}

// The node port that a port of this name had, unless another port has it now.
const Value* FormerNodePort(std::string_view name, const Spec& spec, const Spec& before) {
  const Value* found = nullptr;
  for (const Value& port : PortsOf(before)) {
    if (port.StringOr("name") == name) found = port.Find("nodePort");
  }
  return IsUnset(found) || HasNodePort(spec, *found) ? nullptr : found;
}

void AllocateNodePorts(Spec& spec, const Spec& before, Arena& arena) {
  const bool kept = AllocatesNodePorts(before);
  const Spec now = spec;
  ChangeNodePorts(spec, arena, [&](const Value* number, std::string_view name) {
    if (number != nullptr) return number;
    const Value* former = kept ? FormerNodePort(name, now, before) : nullptr;
    return former != nullptr ? former : &ChosenByServer();
  });
}

void ReleaseNodePorts(Spec& spec, const Spec& before, Arena& arena) {
  const std::vector<const Value*> now = NodePortsOf(spec);
  if (!std::all_of(now.begin(), now.end(), [&](const Value* number) { return HasNodePort(before, *number); })) return;
  ChangeNodePorts(spec, arena, [](const Value*, std::string_view) { return static_cast<const Value*>(nullptr); });
}

void UpdateNodePorts(Spec& spec, const Spec& before, Arena& arena) {
  if (AllocatesNodePorts(spec)) return AllocateNodePorts(spec, before, arena);
  if (MayHaveNodePorts(before) && !MayHaveNodePorts(spec)) ReleaseNodePorts(spec, before, arena);
}

void UpdateHealthPort(Spec& spec, const Spec& before) {
  constexpr std::string_view kName = "healthCheckNodePort";
  const Value* then = before.Find(kName);
  if (HasHealthPort(spec)) {
    spec.SetMissing(kName, HasHealthPort(before) && !before.Lacks(kName) ? *then : ChosenByServer());
  } else if (HasHealthPort(before)) {
    spec.DropIfSame(kName, before);
  }
}

void DropFieldsOfFormerType(Spec& spec, const Spec& before, Condition is_external) {
  if (IsLoadBalancer(before) && !IsLoadBalancer(spec)) {
    spec.DropIfSame("allocateLoadBalancerNodePorts", before);
    spec.DropIfSame("loadBalancerClass", before);
  }
  if (is_external(before) && !is_external(spec)) spec.DropIfSame("externalTrafficPolicy", before);
}

Value CompletedSpec(const Value& spec, const Value* before, Condition is_external, Arena& arena) {
  Spec now(spec);
  SetDefaults(now, is_external);
  static const Document nothing = *ParseJson(R"({"type":"ExternalName"})");  // has no addresses and ports, as if new
  const Spec then(before != nullptr && before->is_object() ? *before : nothing.root());
  UpdateAddresses(now, then, arena);
  UpdateNodePorts(now, then, arena);
  UpdateHealthPort(now, then);
  DropFieldsOfFormerType(now, then, is_external);
  return now.ToValue(arena);
}

bool LeavesToServer(const PlanNode* node) {
  return node != nullptr && node->changes() && !IsAbsentOrNull(node->live) &&
         (node->op == Op::kDelete || node->op == Op::kSet) && IsUnset(node->modified);
}

}  // namespace

const Value& ChosenByServer() {
  static const Value chosen = Value::UnownedString(kChosen);
  return chosen;
}

bool IsChosenByServer(const Value& value) { return value.is_string() && value.AsString().data() == kChosen.data(); }

Value CompletedService(const Value& service, const Value*, Arena& arena) {
  if (TextAt(service, {"spec", "type"}) == "LoadBalancer" || service.Find("status") == nullptr) return service;
  return WithAt(service, {"status", "loadBalancer"}, arena.Object({}), arena);
}

Value CompletedServiceSpec(const Value& spec, const Value* before, Arena& arena) {
  return CompletedSpec(spec, before, IsExternal, arena);
}

Value CompletedServiceSpecUntil128(const Value& spec, const Value* before, Arena& arena) {
  return CompletedSpec(spec, before, MayHaveNodePorts, arena);
}

Value CompletedServicePort(const Value& port, const Value*, Arena& arena) {
  const Value* number = port.Find("port");
  const bool derives = IsUnset(port.Find("targetPort")) && number != nullptr;
  return derives ? WithAt(port, {"targetPort"}, *number, arena) : port;
}

bool KeepsNodePorts(const Value& live, const Value& wanted) {
  Spec after(live);
  for (const char* name : {"type", "allocateLoadBalancerNodePorts"}) {
    const Value* value = wanted.Find(name);
    if (!IsAbsentOrNull(value)) after.Set(name, *value);
  }
  return AllocatesNodePorts(after);
}

bool KeepsNodePort(const Value& live_port, const Value& wanted_port, const Value& wanted) {
  const Value* number = live_port.Find("nodePort");
  return !IsUnset(number) && live_port.StringOr("name") == wanted_port.StringOr("name") &&
         !HasNodePort(Spec(wanted), *number);
}

void KeepNodePorts(PlanNode& spec) {
  PlanNode* ports = ChildCalled(spec, "ports");
  if (ports == nullptr || ports->shape != Shape::kItems) return;
  if (!KeepsNodePorts(*spec.live, *spec.modified)) return;
  for (PlanNode& port : ports->children) {
    PlanNode* node_port = port.shape == Shape::kMap ? ChildCalled(port, "nodePort") : nullptr;
    if (!LeavesToServer(node_port)) continue;
    KeepLive(*node_port);
    CountChanges(port);
  }
  CountChanges(*ports);
  CountChanges(spec);
}

}  // namespace smp
