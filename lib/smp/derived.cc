#include "smp/derived.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include "smp/meaning.h"
#include "value/at.h"
#include "value/json.h"

namespace smp {

namespace {

constexpr std::string_view kRbacGroup = "rbac.authorization.k8s.io";

bool IsAbsentOrNull(const Value* value) { return value == nullptr || value->is_null(); }

bool IsThere(const Value* value) { return value != nullptr && !value->is_null() && !value->empty(); }

using Quantities = std::map<std::string_view, Value>;

void AddMissing(const Value* from, Quantities& to) {
  if (from == nullptr || !from->is_object()) return;
  for (const Member& m : from->Members()) to.emplace(m.name, m.value);
}

Value ToObject(const Quantities& quantities, Arena& arena) {
  std::vector<Member> members;
  for (const auto& [name, value] : quantities) members.push_back({name, value});
  return arena.SortedObject(members);
}

// core/v1 SetDefaults_LimitRangeItem: for containers, a missing default is the maximum; a missing default request is
// the default, or else the minimum.
Value WithLimits(const Value& item, Arena& arena) {
  if (item.StringOr("type") != "Container") return item;
  Quantities limits, requests;
  AddMissing(item.Find("default"), limits);
  AddMissing(item.Find("max"), limits);
  AddMissing(item.Find("defaultRequest"), requests);
  for (const auto& [name, value] : limits) requests.emplace(name, value);
  AddMissing(item.Find("min"), requests);
  const Value limited = WithAt(item, {"default"}, ToObject(limits, arena), arena);
  return WithAt(limited, {"defaultRequest"}, ToObject(requests, arena), arena);
}

// rbac/v1 SetDefaults_Subject: the API group of users and groups.
Value WithSubjectGroup(const Value& subject, Arena& arena) {
  const std::string_view kind = subject.StringOr("kind");
  const bool derives = (kind == "User" || kind == "Group") && subject.StringOr("apiGroup").empty();
  return derives ? WithAt(subject, {"apiGroup"}, Value::UnownedString(kRbacGroup), arena) : subject;
}

PlanNode* ChildCalled(PlanNode& node, std::string_view name) {
  const auto at = std::find_if(node.children.begin(), node.children.end(),
                               [&](const PlanNode& child) { return child.name == name; });
  return at == node.children.end() ? nullptr : &*at;
}

void Make(PlanNode& parent, PlanNode& child, Op op, const Value* value) {
  child.op = op;
  child.reason = Reason::kDerived;
  child.modified = value;
  child.sets = true;
  parent.sets = true;
}

bool IsLiveOnly(const PlanNode* child) {
  return child != nullptr && child->op == Op::kKeep && child->live != nullptr && !child->live->is_null();
}

void KeepLive(PlanNode& node) {
  node.op = Op::kKeep;
  node.reason = Reason::kLiveOnly;
  node.sets = node.drops = false;
}

// Updates `sets`, `drops` and `order` of a node after some of its children changed.
void CountChanges(PlanNode& node) {
  const auto any = [&](bool PlanNode::*what) {
    return std::any_of(node.children.begin(), node.children.end(), [what](const PlanNode& c) { return c.*what; });
  };
  node.sets = node.moved || any(&PlanNode::sets);
  node.drops = any(&PlanNode::drops);
  node.order = node.order && node.changes();
}

// Returns true if the manifest leaves the value to the server: it has null, or a zero that the server treats as null.
bool LeavesToServer(const PlanNode* node) {
  if (node == nullptr || !node->changes() || IsAbsentOrNull(node->live) || node->modified == nullptr) return false;
  if (node->modified->is_null()) return true;
  const Value& value = *node->modified;
  return node->field != nullptr && node->field->omits_zero && value.is_scalar() &&
         (value.is_string() ? value.empty() : value.is_int() && value.AsInt() == 0);
}

std::string_view StringAfter(const PlanNode& node, std::string_view name, std::string_view otherwise) {
  const Value* value = node.modified->Find(name);
  if (IsAbsentOrNull(value)) value = node.live->Find(name);
  return value != nullptr && value->is_string() && !value->empty() ? value->AsString() : otherwise;
}

// Returns true for the tolerations that the admission plugin DefaultTolerationSeconds adds to every Pod.
bool IsGivenByAdmission(const Value& toleration) {
  if (!toleration.is_object()) return false;
  const std::string_view key = toleration.StringOr("key");
  return (key == "node.kubernetes.io/not-ready" || key == "node.kubernetes.io/unreachable") &&
         toleration.StringOr("effect") == "NoExecute" && toleration.StringOr("operator") == "Exists";
}

// Keeps the tolerations that admission added. Differs from kubectl: it patches such a Pod at every apply.
void FollowAdmission(PlanNode& pod) {
  PlanNode* spec = ChildCalled(pod, "spec");
  PlanNode* tolerations = spec == nullptr ? nullptr : ChildCalled(*spec, "tolerations");
  if (tolerations == nullptr || tolerations->op != Op::kSet || tolerations->live == nullptr) return;
  if (!tolerations->modified->is_array() || !tolerations->live->is_array()) return;
  const auto wanted = tolerations->modified->Items(), live = tolerations->live->Items();
  const auto same = [](const Value& a, const Value& b) { return SameMeaning(a, b); };
  if (live.size() < wanted.size() || !std::equal(wanted.begin(), wanted.end(), live.begin(), same)) return;
  if (!std::all_of(live.begin() + static_cast<ptrdiff_t>(wanted.size()), live.end(), IsGivenByAdmission)) return;
  KeepLive(*tolerations);
  CountChanges(*spec);
  CountChanges(pod);
}

enum class NodePorts { kKept, kNone };

// core/v1 SetDefaults_Container, SetDefaults_ImageVolumeSource: the policy depends on the tag alone, not on the digest.
// Applies only to null: as Kubernetes documents, a policy that the manifest does not mention keeps the value it had at
// creation.
void FollowPullPolicy(PlanNode& node) {
  for (const auto& [policy, from] : {std::pair("imagePullPolicy", "image"), std::pair("pullPolicy", "reference")}) {
    PlanNode* child = ChildCalled(node, policy);
    if (!LeavesToServer(child)) continue;
    const std::string_view whole = StringAfter(node, from, "");
    const std::string_view image = whole.substr(0, whole.find('@'));
    const size_t colon = image.rfind(':');
    const bool tagged = colon != image.npos && image.find('/', colon) == image.npos;
    const bool latest = tagged ? image.substr(colon + 1) == "latest" : image.size() == whole.size();
    if (*child->live != Value::UnownedString(latest ? "Always" : "IfNotPresent")) continue;
    KeepLive(*child);
    CountChanges(node);
  }
}

// core/v1 SetDefaults_Service: targetPort defaults to port.
void FollowAllocatedPort(PlanNode& port, NodePorts node_ports) {
  if (port.shape != Shape::kMap || port.live == nullptr || port.modified == nullptr) return;
  PlanNode* target = ChildCalled(port, "targetPort");
  const Value* number = port.modified->Find("port");
  if (LeavesToServer(target) && number != nullptr && *target->live == *number) KeepLive(*target);
  PlanNode* node_port = ChildCalled(port, "nodePort");
  if (LeavesToServer(node_port) && node_ports == NodePorts::kKept) KeepLive(*node_port);
  CountChanges(port);
}

// registry/core/service patchAllocatedValues: an update that does not mention addresses and node ports keeps them. A
// load balancer that does not allocate node ports loses them.
void FollowAllocated(PlanNode& node) {
  const std::string_view type = StringAfter(node, "type", "ClusterIP");
  if (type == "ExternalName") return;
  for (const char* name : {"clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "healthCheckNodePort"}) {
    PlanNode* child = ChildCalled(node, name);
    const bool chosen_anew =
        std::string_view(name).starts_with("ipFamil") && node.live->StringOr("ipFamilyPolicy") != "SingleStack";
    if (LeavesToServer(child) && !chosen_anew) KeepLive(*child);
  }
  PlanNode* ports = ChildCalled(node, "ports");
  const Value* allocates = node.modified->Find("allocateLoadBalancerNodePorts");
  const bool none = type == "LoadBalancer" && allocates != nullptr && *allocates == Value::Bool(false);
  if (ports != nullptr && ports->shape == Shape::kItems) {
    for (PlanNode& port : ports->children) FollowAllocatedPort(port, none ? NodePorts::kNone : NodePorts::kKept);
    CountChanges(*ports);
  }
  CountChanges(node);
}

// networking/v1 SetDefaults_NetworkPolicy: policyTypes defaults to [Ingress], or to [Ingress, Egress] if there are
// egress rules.
const Value& PolicyTypes(bool egress) {
  static const Document ingress_only = *ParseJson(R"(["Ingress"])");
  static const Document both = *ParseJson(R"(["Ingress","Egress"])");
  return egress ? both.root() : ingress_only.root();
}

bool WillHave(PlanNode& node, std::string_view name) {
  const PlanNode* child = ChildCalled(node, name);
  if (child == nullptr || child->op == Op::kKeep || child->op == Op::kNone) return IsThere(node.live->Find(name));
  return child->op != Op::kDelete && IsThere(child->modified);
}

void FollowPolicyTypes(PlanNode& node) {
  PlanNode* types = ChildCalled(node, "policyTypes");
  if (LeavesToServer(types) && *types->live == PolicyTypes(WillHave(node, "egress"))) {
    KeepLive(*types);
    return CountChanges(node);
  }
  if (!IsLiveOnly(types) || *types->live != PolicyTypes(IsThere(node.live->Find("egress")))) return;
  const Value& wanted = PolicyTypes(WillHave(node, "egress"));
  if (*types->live != wanted) Make(node, *types, Op::kSet, &wanted);
}

// core/v1 conversion: serviceAccount is the old name of serviceAccountName. The server stores both, and uses the old
// one if the new one is absent. So neither removing one of them nor setting the old one has an effect.
void FollowServiceAccount(PlanNode& node) {
  constexpr std::string_view kOld = "serviceAccount", kNew = "serviceAccountName";
  PlanNode* changing = ChildCalled(node, kNew);
  PlanNode* other = ChildCalled(node, kOld);
  if (changing == nullptr || changing->op == Op::kKeep) std::swap(changing, other);
  if (changing == nullptr || !changing->changes() || !IsLiveOnly(other)) return;
  if (changing->live == nullptr || *other->live != *changing->live) return;
  const bool taken = changing->op == Op::kDelete || changing->name == kOld;
  if (taken) Make(node, *other, changing->op, changing->modified);
}

// rbac/v1 ClusterRole.rules beside an aggregationRule: "direct changes to Rules will be stomped by the controller", so
// the empty list in many manifests is ignored.
void FollowAggregatedRules(PlanNode& node) {
  PlanNode* rules = ChildCalled(node, "rules");
  if (rules == nullptr || rules->live == nullptr || IsThere(rules->modified) || IsThere(rules->original)) return;
  if (!IsThere(node.modified->Find("aggregationRule"))) return;
  KeepLive(*rules);
  CountChanges(node);
}

// All rules. To add a rule, add a line here.
constexpr DerivedRule kRules[] = {
    {"io.k8s.api.core.v1.Container", FollowPullPolicy, nullptr},
    {"io.k8s.api.core.v1.ImageVolumeSource", FollowPullPolicy, nullptr},
    {"io.k8s.api.core.v1.LimitRangeItem", nullptr, WithLimits},
    {"io.k8s.api.core.v1.Pod", FollowAdmission, nullptr},
    {"io.k8s.api.core.v1.PodSpec", FollowServiceAccount, nullptr},
    {"io.k8s.api.core.v1.ServiceSpec", FollowAllocated, nullptr},
    {"io.k8s.api.networking.v1.NetworkPolicySpec", FollowPolicyTypes, nullptr},
    {"io.k8s.api.rbac.v1.ClusterRole", FollowAggregatedRules, nullptr},
    {"io.k8s.api.rbac.v1.Subject", nullptr, WithSubjectGroup},
};

}  // namespace

const DerivedRule* DerivedRuleOf(const Type& type) {
  if (type.storage == Storage::kAsWritten) return nullptr;
  const auto* at = std::find_if(std::begin(kRules), std::end(kRules),
                                [&](const DerivedRule& rule) { return rule.type == type.name; });
  return at == std::end(kRules) ? nullptr : at;
}

}  // namespace smp
