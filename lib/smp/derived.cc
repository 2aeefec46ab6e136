#include "smp/derived.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "value/json.h"

namespace smp {

namespace {

constexpr std::string_view kRbacGroup = "rbac.authorization.k8s.io";

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

Value With(const Value& map, std::vector<Member> more, Arena& arena) {
  for (const Member& m : map.Members()) {
    const auto same = [&](const Member& other) { return other.name == m.name; };
    if (std::none_of(more.begin(), more.end(), same)) more.push_back(m);
  }
  return arena.Object(std::move(more));
}

// core/v1 SetDefaults_LimitRangeItem: of containers, a missing default is the maximum, a missing default request the
// default or else the minimum.
Value WithLimits(const Value& item, Arena& arena) {
  if (item.StringOr("type") != "Container") return item;
  Quantities limits, requests;
  AddMissing(item.Find("default"), limits);
  AddMissing(item.Find("max"), limits);
  AddMissing(item.Find("defaultRequest"), requests);
  for (const auto& [name, value] : limits) requests.emplace(name, value);
  AddMissing(item.Find("min"), requests);
  return With(item, {{"default", ToObject(limits, arena)}, {"defaultRequest", ToObject(requests, arena)}}, arena);
}

// rbac/v1 SetDefaults_Subject.
Value WithSubjectGroup(const Value& subject, Arena& arena) {
  const std::string_view kind = subject.StringOr("kind");
  const bool derives = (kind == "User" || kind == "Group") && subject.StringOr("apiGroup").empty();
  return derives ? With(subject, {{"apiGroup", Value::UnownedString(kRbacGroup)}}, arena) : subject;
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

// networking/v1 SetDefaults_NetworkPolicy: without policyTypes they are [Ingress], and Egress where there are egress
// rules.
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
  if (!IsLiveOnly(types) || *types->live != PolicyTypes(IsThere(node.live->Find("egress")))) return;
  const Value& wanted = PolicyTypes(WillHave(node, "egress"));
  if (*types->live != wanted) Make(node, *types, Op::kSet, &wanted);
}

// core/v1 conversion: serviceAccount is the old name of serviceAccountName. The server stores both, and takes the old
// one where the new one is absent: to remove one of them brings it back, and to set the old one changes nothing.
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
// that the empty list which many manifests write there says nothing.
void FollowAggregatedRules(PlanNode& node) {
  PlanNode* rules = ChildCalled(node, "rules");
  if (rules == nullptr || rules->live == nullptr || IsThere(rules->modified) || IsThere(rules->original)) return;
  if (!IsThere(node.modified->Find("aggregationRule"))) return;
  rules->op = Op::kKeep;
  rules->reason = Reason::kLiveOnly;
  rules->sets = rules->drops = false;
  const auto changes = [](bool PlanNode::*what) { return [what](const PlanNode& c) { return c.*what; }; };
  node.sets = std::any_of(node.children.begin(), node.children.end(), changes(&PlanNode::sets));
  node.drops = std::any_of(node.children.begin(), node.children.end(), changes(&PlanNode::drops));
}

}  // namespace

Value WithDerived(const Value& map, Derived rule, Arena& arena) {
  switch (rule) {
    case Derived::kSubjectGroup: return WithSubjectGroup(map, arena);
    case Derived::kLimits: return WithLimits(map, arena);
    case Derived::kNothing:
    case Derived::kPolicyTypes:
    case Derived::kServiceAccount:
    case Derived::kAggregatedRules: break;
  }
  return map;
}

void FollowDerived(PlanNode& node, Derived rule) {
  switch (rule) {
    case Derived::kPolicyTypes: return FollowPolicyTypes(node);
    case Derived::kServiceAccount: return FollowServiceAccount(node);
    case Derived::kAggregatedRules: return FollowAggregatedRules(node);
    case Derived::kNothing:
    case Derived::kSubjectGroup:
    case Derived::kLimits: break;
  }
}

}  // namespace smp
