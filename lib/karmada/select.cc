#include "karmada/select.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

#include "base/strings.h"

namespace smp::karmada {

namespace {

bool Contains(const std::vector<std::string>& texts, std::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

// Returns true if `value` (nullopt: absent) meets the requirement. NotIn and DoesNotExist accept an absent key.
bool Holds(const KeyRequirement& requirement, std::optional<std::string_view> value) {
  switch (requirement.op) {
    case KeyRequirement::Operator::kIn: return value && Contains(requirement.values, *value);
    case KeyRequirement::Operator::kNotIn: return !value || !Contains(requirement.values, *value);
    case KeyRequirement::Operator::kExists: return value.has_value();
    case KeyRequirement::Operator::kDoesNotExist: return !value;
    case KeyRequirement::Operator::kUnknown: return false;
  }
  return false;
}

using Lookup = std::function<std::optional<std::string_view>(const std::string& key)>;

bool Selects(const KeySelector& selector, const Lookup& value_of) {
  return selector.problem.empty() &&
         std::all_of(selector.requirements.begin(), selector.requirements.end(),
                     [&](const KeyRequirement& requirement) { return Holds(requirement, value_of(requirement.key)); });
}

std::optional<std::string_view> TextAt(const Value* map, const std::string& key) {
  const Value* value = map == nullptr ? nullptr : map->Find(key);
  return value != nullptr && value->is_string() ? std::optional(value->AsString()) : std::nullopt;
}

// How a selector matches an object; greater values are more specific.
enum Fit { kNoFit, kFitsAll, kFitsByLabels, kFitsByName };

Fit FitOf(const ResourceSelector& selector, const Value& object, std::string_view name_space) {
  const Value* metadata = object.Find("metadata");
  if (selector.api_version != object.StringOr("apiVersion") || selector.kind != object.StringOr("kind")) return kNoFit;
  if (!selector.name_space.empty() && selector.name_space != name_space) return kNoFit;
  if (!selector.name.empty()) return TextAt(metadata, "name") == selector.name ? kFitsByName : kNoFit;
  if (!selector.labels) return kFitsAll;
  const Value* labels = metadata == nullptr ? nullptr : metadata->Find("labels");
  const auto value_of = [labels](const std::string& key) { return TextAt(labels, key); };
  return Selects(*selector.labels, value_of) ? kFitsByLabels : kNoFit;
}

struct Candidate {
  const OverridePolicy* policy;
  Fit fit;
};

bool RunsBefore(const Candidate& a, const Candidate& b) {
  return a.fit != b.fit ? a.fit < b.fit : a.policy->name < b.policy->name;
}

bool IsInScope(const OverridePolicy& policy, PolicyScope scope, std::string_view name_space) {
  if (scope == PolicyScope::kCluster) return policy.cluster_scoped;
  return !policy.cluster_scoped && !name_space.empty() && policy.name_space == name_space;
}

// Combines the conditions of a rule. A condition on an unknown fact is an error only if no other condition fails.
class Verdict {
 public:
  void Add(bool holds) { no_ |= !holds; }
  void Lacks(std::string_view what, std::string_view flag) {
    what_.push_back(what);
    flags_.push_back(flag);
  }
  Result<bool> Decide(const PolicyPlace& place) const {
    if (no_ || what_.empty()) return !no_;
    return Error{ErrorCode::kPolicy,
                 StrCat("the rule depends on the ", Join(what_, " and "),
                        " of the member cluster, which no flag describes: use ", Join(flags_, " and "),
                        ", or --member-cluster-file"),
                 place.path, place.source};
  }

 private:
  bool no_ = false;
  std::vector<std::string_view> what_;
  std::vector<std::string_view> flags_;
};

void JudgeName(const ClusterAffinity& target, const MemberCluster& cluster, Verdict& verdict) {
  if (target.names.empty() && target.exclude.empty()) return;
  if (!cluster.name) return verdict.Lacks("name", "--member-cluster");
  verdict.Add(!Contains(target.exclude, *cluster.name));
  verdict.Add(target.names.empty() || Contains(target.names, *cluster.name));
}

void JudgeLabels(const ClusterAffinity& target, const MemberCluster& cluster, Verdict& verdict) {
  if (!target.labels) return;
  if (!target.labels->problem.empty()) return verdict.Add(false);
  if (target.labels->requirements.empty()) return;
  if (!cluster.labels) return verdict.Lacks("labels", "--member-cluster-labels");
  verdict.Add(Selects(*target.labels, [&](const std::string& key) {
    const auto at = cluster.labels->find(key);
    return at == cluster.labels->end() ? std::nullopt : std::optional<std::string_view>(at->second);
  }));
}

// A cluster may have several zones: In requires that at least one of them is listed, NotIn that none of them is.
void JudgeZones(const KeyRequirement& requirement, const MemberCluster& cluster, Verdict& verdict) {
  if (!cluster.zones) return verdict.Lacks("zones", "--member-cluster-zones");
  const bool shares = std::any_of(cluster.zones->begin(), cluster.zones->end(),
                                  [&](const std::string& zone) { return Contains(requirement.values, zone); });
  verdict.Add(requirement.op == KeyRequirement::Operator::kIn ? shares : !shares);
}

void JudgeFact(const KeyRequirement& requirement, const std::optional<std::string>& fact, std::string_view flag,
               Verdict& verdict) {
  if (!fact) return verdict.Lacks(requirement.key, flag);
  verdict.Add(Holds(requirement, fact->empty() ? std::nullopt : std::optional<std::string_view>(*fact)));
}

void JudgeFields(const ClusterAffinity& target, const MemberCluster& cluster, Verdict& verdict) {
  if (!target.fields) return;
  if (!target.fields->problem.empty()) return verdict.Add(false);
  for (const KeyRequirement& requirement : target.fields->requirements) {
    if (requirement.key == "zone") {
      JudgeZones(requirement, cluster, verdict);
    } else if (requirement.key == "region") {
      JudgeFact(requirement, cluster.region, "--member-cluster-region", verdict);
    } else {
      JudgeFact(requirement, cluster.provider, "--member-cluster-provider", verdict);
    }
  }
}

}  // namespace

SelectedPolicies SelectPolicies(std::span<const OverridePolicy> policies, PolicyScope scope, const Value& object,
                                std::string_view name_space) {
  SelectedPolicies out;
  std::vector<Candidate> candidates;
  for (const OverridePolicy& policy : policies) {
    if (!IsInScope(policy, scope, name_space)) continue;
    Fit best = policy.selectors.empty() ? kFitsAll : kNoFit;
    for (const ResourceSelector& selector : policy.selectors) {
      const Fit fit = FitOf(selector, object, name_space);
      if (fit != kNoFit) out.selectors.push_back(&selector);
      best = std::max(best, fit);
    }
    if (best != kNoFit) candidates.push_back({&policy, best});
  }
  std::stable_sort(candidates.begin(), candidates.end(), RunsBefore);
  for (const Candidate& candidate : candidates) out.policies.push_back(candidate.policy);
  return out;
}

Result<bool> IsForCluster(const OverrideRule& rule, const MemberCluster& cluster) {
  if (!rule.target) return true;
  Verdict verdict;
  JudgeName(*rule.target, cluster, verdict);
  JudgeLabels(*rule.target, cluster, verdict);
  JudgeFields(*rule.target, cluster, verdict);
  return verdict.Decide(rule.target->place);
}

}  // namespace smp::karmada
