#include "smp/derived.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include "base/strings.h"
#include "schema/facts/allocated.h"
#include "smp/meaning.h"
#include "smp/plan_edit.h"
#include "smp/service.h"
#include "smp/sides.h"
#include "value/at.h"
#include "value/image_reference.h"
#include "value/json.h"

namespace smp {

namespace {

constexpr std::string_view kRbacGroup = "rbac.authorization.k8s.io";

bool IsThere(const Value* value) { return value != nullptr && !value->is_null() && !value->empty(); }

// Returns the map with this member, unless it has one.
Value WithMissing(const Value& map, std::string_view name, const Value& value, Arena& arena) {
  return IsAbsentOrNull(map.Find(name)) ? WithAt(map, {name}, value, arena) : map;
}

const Value& EmptyMap() {
  static const Document map = *ParseJson("{}");
  return map.root();
}

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
Value WithLimits(const Value& item, const Value*, Arena& arena) {
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
Value WithSubjectGroup(const Value& subject, const Value*, Arena& arena) {
  const std::string_view kind = subject.StringOr("kind");
  const bool derives = (kind == "User" || kind == "Group") && subject.StringOr("apiGroup").empty();
  return derives ? WithAt(subject, {"apiGroup"}, Value::UnownedString(kRbacGroup), arena) : subject;
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

// Returns true for the tolerations that the admission plugin DefaultTolerationSeconds adds to every Pod.
bool IsGivenByAdmission(const Value& toleration) {
  if (!toleration.is_object()) return false;
  const std::string_view key = toleration.StringOr("key");
  return (key == "node.kubernetes.io/not-ready" || key == "node.kubernetes.io/unreachable") &&
         toleration.StringOr("effect") == "NoExecute" && toleration.StringOr("operator") == "Exists";
}

// Admission adds them again: live shows that this cluster has the plugin.
Value WithGivenTolerations(const Value& pod, const Value* before, Arena& arena) {
  if (before == nullptr) return pod;
  const auto wanted = ItemsAt(pod, {"spec", "tolerations"}), had = ItemsAt(*before, {"spec", "tolerations"});
  std::vector<Value> all(wanted.begin(), wanted.end());
  for (const Value& toleration : had) {
    const auto same = [&](const Value& other) { return SameMeaning(other, toleration); };
    if (IsGivenByAdmission(toleration) && std::none_of(wanted.begin(), wanted.end(), same)) all.push_back(toleration);
  }
  return all.size() == wanted.size() ? pod : WithAt(pod, {"spec", "tolerations"}, arena.Array(all), arena);
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

// core/v1 SetDefaults_Container, SetDefaults_ImageVolumeSource: the policy depends on the tag, which is "latest" if there is
// neither one nor a digest. What is no reference (ko://…, ${IMAGE}) has none.
std::string_view PullPolicyOf(std::string_view reference) {
  const auto image = ParseImage(reference);
  const bool latest = image.ok() && (image->tag.empty() ? image->digest.empty() : image->tag == "latest");
  return latest ? "Always" : "IfNotPresent";
}

Value WithPolicyFor(std::string_view policy, std::string_view image, const Value& map, Arena& arena) {
  const std::string_view reference = map.StringOr(image);
  if (reference.empty() || !map.StringOr(policy).empty()) return map;
  return WithAt(map, {policy}, Value::UnownedString(PullPolicyOf(reference)), arena);
}

Value WithImagePullPolicy(const Value& container, const Value*, Arena& arena) {
  return WithPolicyFor("imagePullPolicy", "image", container, arena);
}

Value WithPullPolicy(const Value& image_volume, const Value*, Arena& arena) {
  return WithPolicyFor("pullPolicy", "reference", image_volume, arena);
}

// core/v1 SetDefaults_Volume: a volume without a source is an emptyDir.
Value WithVolumeSource(const Value& volume, const Value*, Arena& arena) {
  const auto members = volume.Members();
  const bool has_source = std::any_of(members.begin(), members.end(),
                                      [](const Member& m) { return m.name != "name" && !m.value.is_null(); });
  return has_source ? volume : WithAt(volume, {"emptyDir"}, EmptyMap(), arena);
}

// apps/v1 SetDefaults_Deployment, _DaemonSet: rollingUpdate has a default only beside its own type.
Value WithRollingUpdate(const Value& strategy, const Value*, Arena& arena) {
  const std::string_view type = strategy.StringOr("type");
  return type.empty() || type == "RollingUpdate" ? WithMissing(strategy, "rollingUpdate", EmptyMap(), arena) : strategy;
}

// apps/v1 SetDefaults_StatefulSet: only where the type is a default, too.
Value WithUntypedRollingUpdate(const Value& strategy, const Value*, Arena& arena) {
  return strategy.StringOr("type").empty() ? WithMissing(strategy, "rollingUpdate", EmptyMap(), arena) : strategy;
}

// autoscaling/v2 SetDefaults_HorizontalPodAutoscalerBehavior: a behavior has both rules, and each rule has policies.
Value WithScalingRules(const Value& behavior, const Value*, Arena& arena) {
  static const Document defaults = *ParseJson(
      R"({"scaleDown":{"policies":[{"periodSeconds":15,"type":"Percent","value":100}],"selectPolicy":"Max"},)"
      R"("scaleUp":{"policies":[{"periodSeconds":15,"type":"Pods","value":4},)"
      R"({"periodSeconds":15,"type":"Percent","value":100}],"selectPolicy":"Max","stabilizationWindowSeconds":0}})");
  Value out = behavior;
  for (const Member& rules : defaults.root().Members()) {
    const Value* written = behavior.Find(rules.name);
    Value filled = IsAbsentOrNull(written) ? EmptyMap() : *written;
    if (!filled.is_object()) continue;
    for (const Member& m : rules.value.Members()) filled = WithMissing(filled, m.name, m.value, arena);
    out = WithAt(out, {rules.name}, filled, arena);
  }
  return out;
}

// networking/v1 SetDefaults_NetworkPolicy: policyTypes defaults to [Ingress], or to [Ingress, Egress] if there are
// egress rules.
const Value& PolicyTypes(bool egress) {
  static const Document ingress_only = *ParseJson(R"(["Ingress"])");
  static const Document both = *ParseJson(R"(["Ingress","Egress"])");
  return egress ? both.root() : ingress_only.root();
}

Value WithPolicyTypes(const Value& policy, const Value*, Arena& arena) {
  return IsThere(policy.Find("policyTypes"))
             ? policy
             : WithAt(policy, {"policyTypes"}, PolicyTypes(IsThere(policy.Find("egress"))), arena);
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

Value WithServiceAccount(const Value& pod, const Value*, Arena& arena) {
  const std::string_view given = pod.StringOr("serviceAccountName");
  const std::string_view name = given.empty() ? pod.StringOr("serviceAccount") : given;
  if (name.empty()) return pod;
  const Value value = Value::UnownedString(name);
  return WithAt(WithAt(pod, {"serviceAccount"}, value, arena), {"serviceAccountName"}, value, arena);
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

// batch/v1 SetDefaults_Job, core/v1 SetDefaults_ReplicationController: an object without labels gets its template's.
Value WithTemplateLabels(const Value& object, const Value*, Arena& arena) {
  const Value* spec = object.Find("spec");
  const Value* labels = spec == nullptr ? nullptr : spec->FindPath({"template", "metadata", "labels"});
  const Value* own = object.FindPath({"metadata", "labels"});
  return IsThere(labels) && !IsThere(own) ? WithAt(object, {"metadata", "labels"}, *labels, arena) : object;
}

// core/v1 SetDefaults_ReplicationController
Value CompletedController(const Value& controller, const Value* before, Arena& arena) {
  const Value labelled = WithTemplateLabels(controller, before, arena);
  const Value* spec = labelled.Find("spec");
  const Value* labels = spec == nullptr ? nullptr : spec->FindPath({"template", "metadata", "labels"});
  const bool selects = !IsThere(labels) || IsThere(spec->Find("selector"));
  return selects ? labelled : WithAt(labelled, {"spec", "selector"}, *labels, arena);
}

// batch/v1 SetDefaults_Job: a Job with `parallelism` alone is a queue of work, which has no number of completions.
Value CompletedJobSpecUntil128(const Value& spec, const Value*, Arena& arena) {
  const bool counts = spec.Find("completions") != nullptr || spec.Find("parallelism") != nullptr;
  return counts ? spec : WithMissing(spec, "completions", Value::Int(1), arena);
}

Value CompletedJobSpec(const Value& spec, const Value* before, Arena& arena) {
  const Value counted = CompletedJobSpecUntil128(spec, before, arena);
  if (!IsThere(counted.Find("podFailurePolicy"))) return counted;
  return WithMissing(counted, "podReplacementPolicy", Value::UnownedString("Failed"), arena);
}

// core/persistentvolumeclaim strategy, NormalizeDataSources: one of the two is taken from the other. Not in the templates of a
// StatefulSet, which have no uid.
Value WithDataSources(const Value& claim, const Value* before, Arena& arena) {
  const bool is_stored = before != nullptr && before->FindPath({"metadata", "uid"}) != nullptr;
  const Value *source = claim.FindPath({"spec", "dataSource"}), *ref = claim.FindPath({"spec", "dataSourceRef"});
  if (!is_stored || IsThere(source) == IsThere(ref)) return claim;
  if (IsThere(ref) && IsThere(ref->Find("namespace"))) return claim;
  return IsThere(source) ? WithAt(claim, {"spec", "dataSourceRef"}, *source, arena)
                         : WithAt(claim, {"spec", "dataSource"}, *ref, arena);
}

// apiserver, core/namespace strategy: a Namespace always has a label with its name.
Value WithNameLabel(const Value& name_space, const Value*, Arena& arena) {
  const Value* metadata = name_space.Find("metadata");
  const std::string_view name = metadata == nullptr ? "" : metadata->StringOr("name");
  if (name.empty()) return name_space;
  return WithAt(name_space, {"metadata", "labels", kNameLabelOfNamespaces}, Value::UnownedString(name), arena);
}

// apiextensions/v1 SetDefaults_CustomResourceDefinitionSpec.
Value WithNames(const Value& names, const Value*, Arena& arena) {
  const std::string_view kind = names.StringOr("kind");
  const Value singular = arena.String(ToLower(kind)), list = arena.String(StrCat(kind, "List"));
  return WithMissing(WithMissing(names, "singular", singular, arena), "listKind", list, arena);
}

// All rules. To add a rule, add a line here.
constexpr DerivedRule kRules[] = {
    {"io.k8s.api.apps.v1.DaemonSetUpdateStrategy", nullptr, WithRollingUpdate},
    {"io.k8s.api.apps.v1.DeploymentStrategy", nullptr, WithRollingUpdate},
    {"io.k8s.api.apps.v1.StatefulSetUpdateStrategy", nullptr, WithUntypedRollingUpdate},
    {"io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerBehavior", nullptr, WithScalingRules},
    {"io.k8s.api.batch.v1.Job", nullptr, WithTemplateLabels},
    // Not for the Jobs of a CronJob.
    {"io.k8s.api.batch.v1.JobSpec", nullptr, CompletedJobSpecUntil128, Release{1, 28}, {}, "parallelism"},
    {"io.k8s.api.batch.v1.JobSpec", nullptr, CompletedJobSpec, std::nullopt, {}, "parallelism"},
    {"io.k8s.api.core.v1.Container", nullptr, WithImagePullPolicy},
    {"io.k8s.api.core.v1.ImageVolumeSource", nullptr, WithPullPolicy},
    {"io.k8s.api.core.v1.LimitRangeItem", nullptr, WithLimits},
    {"io.k8s.api.core.v1.Namespace", nullptr, WithNameLabel},
    {"io.k8s.api.core.v1.PersistentVolumeClaim", nullptr, WithDataSources},
    {"io.k8s.api.core.v1.Pod", FollowAdmission, WithGivenTolerations},
    {"io.k8s.api.core.v1.PodSpec", FollowServiceAccount, WithServiceAccount},
    {"io.k8s.api.core.v1.ReplicationController", nullptr, CompletedController},
    {"io.k8s.api.core.v1.Service", nullptr, CompletedService},
    {"io.k8s.api.core.v1.ServicePort", nullptr, CompletedServicePort},
    {"io.k8s.api.core.v1.ServiceSpec", KeepNodePorts, CompletedServiceSpecUntil128, Release{1, 28}},
    {"io.k8s.api.core.v1.ServiceSpec", KeepNodePorts, CompletedServiceSpec},
    {"io.k8s.api.core.v1.Volume", nullptr, WithVolumeSource},
    // resource/v1 SetDefaults_DeviceTaint
    {"io.k8s.api.resource.v1.DeviceTaint", nullptr, nullptr, std::nullopt, "timeAdded"},
    {"io.k8s.api.resource.v1beta1.DeviceTaint", nullptr, nullptr, std::nullopt, "timeAdded"},
    {"io.k8s.api.resource.v1beta2.DeviceTaint", nullptr, nullptr, std::nullopt, "timeAdded"},
    {"io.k8s.api.networking.v1.NetworkPolicySpec", FollowPolicyTypes, WithPolicyTypes},
    {"io.k8s.api.rbac.v1.ClusterRole", FollowAggregatedRules, nullptr},
    {"io.k8s.api.rbac.v1.Subject", nullptr, WithSubjectGroup},
    {"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionNames", nullptr, WithNames},
};

bool HoldsOn(const std::optional<Release>& server, const DerivedRule& rule) {
  return !rule.until || (server && *server <= *rule.until);
}

bool HoldsFor(const Type& type, const DerivedRule& rule) {
  if (rule.type != type.name) return false;
  if (rule.where_default.empty()) return true;
  return std::ranges::any_of(type.fields, [&](const Field& field) {
    return field.name == rule.where_default && field.default_value != nullptr;
  });
}

}  // namespace

const DerivedRule* DerivedRuleOf(const Type& type, const std::optional<Release>& server) {
  if (type.storage == Storage::kAsWritten) return nullptr;
  const auto* at = std::find_if(std::begin(kRules), std::end(kRules),
                                [&](const DerivedRule& rule) { return HoldsFor(type, rule) && HoldsOn(server, rule); });
  return at == std::end(kRules) ? nullptr : at;
}

}  // namespace smp
