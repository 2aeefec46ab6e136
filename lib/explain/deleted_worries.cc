#include "explain/deleted_worries.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"

namespace smp::explain {

namespace {

bool Exists(const ObjectReport& object) {
  return object.action == Action::kChange || object.action == Action::kRecord || object.action == Action::kUnchanged ||
         object.action == Action::kRecreate;
}

// Returns true for what runs Pods: it changes more than anything else if it comes back after somebody deleted it.
bool IsWorkload(std::string_view kind) {
  constexpr std::string_view kKinds[] = {"CronJob", "DaemonSet", "Deployment", "Job", "ReplicaSet", "StatefulSet"};
  return std::ranges::find(kKinds, kind) != std::end(kKinds);
}

// A namespace, and the name of a ServiceAccount.
using Account = std::pair<std::string_view, std::string_view>;

// What the input has of a ServiceAccount: itself, and how many workloads run as it.
struct AccountFacts {
  bool exists = false, is_new = false;
  size_t workloads = 0;
};

std::map<Account, AccountFacts> AccountsOf(const Objects& objects) {
  std::map<Account, AccountFacts> out;
  for (const ObjectReport* object : objects) {
    if (object->kind == "ServiceAccount") {
      AccountFacts& facts = out[{object->name_space, object->name}];
      facts.exists = Exists(*object);
      facts.is_new = object->action == Action::kCreate;
    }
    if (!object->account.empty()) ++out[{object->name_space, object->account}].workloads;
  }
  return out;
}

// Returns what tells a new workload from one that somebody deleted: its ServiceAccount, if no other workload runs as it.
std::string WhetherDeleted(const ObjectReport& workload, const std::map<Account, AccountFacts>& accounts) {
  const auto at = accounts.find({workload.name_space, workload.account});
  if (at == accounts.end() || at->second.workloads > 1) return {};
  if (at->second.exists) return "though the ServiceAccount exists";
  return at->second.is_new ? "the ServiceAccount is new, too" : "";
}

// Returns "jobs-" of "jobs-view".
std::string_view WithoutLastWord(std::string_view name) { return name.substr(0, name.rfind('-') + 1); }

// What exists, by what others are about.
class Existing {
 public:
  explicit Existing(const Objects& objects) {
    for (const ObjectReport* object : objects) {
      if (!Exists(*object)) continue;
      const bool has_rights = object->kind.ends_with("Role") || object->kind == "ServiceAccount";
      if (has_rights) names_.insert(NameOfRole(object->kind, object->name_space, object->name));
      if (object->kind == "Service") names_.insert(StrCat(object->name_space, "/", object->name));
      const std::string begin(WithoutLastWord(object->name));
      if (object->kind.ends_with("Role") && !begin.empty()) {
        roles_.emplace(NameOfRole(object->kind, object->name_space, begin), object->name);
      }
      if (!object->reach.pods_before.empty()) pods_[object->name_space].insert(object->reach.pods_before);
      targets_.insert(StrCat(object->name_space, "/", object->kind, " ", object->name));
    }
  }

  // Names as in RoleFacts, or as in CalledServices.
  bool Has(const std::string& name) const { return names_.contains(name); }

  // Returns "jobs-edit" for the role "jobs-view"; "".
  std::string SiblingOf(const ObjectReport& role) const {
    const auto at = roles_.find(NameOfRole(role.kind, role.name_space, std::string(WithoutLastWord(role.name))));
    return !role.kind.ends_with("Role") || at == roles_.end() ? "" : at->second;
  }
  bool HasPods(const ObjectReport& policy) const {
    constexpr size_t kMost = 1000;  // different labels of Pods in a namespace
    const auto at = pods_.find(policy.name_space);
    return at != pods_.end() && at->second.size() <= kMost &&
           std::ranges::any_of(at->second, [&](const Labels& pods) { return Selects(policy.reach.attached_to, pods); });
  }
  bool HasTarget(const ObjectReport& scaler) const {
    return targets_.contains(StrCat(scaler.name_space, "/", scaler.reach.target));
  }

 private:
  std::set<std::string> names_;                        // of roles, ServiceAccounts and Services
  std::map<std::string, std::string> roles_;           // a name by what it begins with
  std::map<std::string_view, std::set<Labels>> pods_;  // by the namespace
  std::set<std::string> targets_;                      // "shop/Deployment web"
};

// Returns why a binding or webhooks that are not there look deleted: a new version seldom brings new ones for what exists.
std::string WhyDeleted(const ObjectReport& object, const Existing& existing) {
  const auto exist = [&](const std::vector<std::string>& names) {
    return !names.empty() && std::ranges::all_of(names, [&](const auto& name) { return existing.Has(name); });
  };
  if (exist(object.calls)) return object.calls.size() == 1 ? "though its Service exists" : "though its Services exist";
  const bool binds = existing.Has(object.role.role) && exist(object.role.subjects);
  return binds ? "though its role and the ServiceAccount exist" : "";
}

// Returns why an object looks deleted that is about others, or is one of several: these exist.
std::string WhyAttachedDeleted(const ObjectReport& object, const Existing& existing) {
  const ReachFacts& reach = object.reach;
  const auto is_known = [&](const std::string& service) {
    return existing.Has(StrCat(object.name_space, "/", service));
  };
  if (!reach.backends.empty() && std::ranges::all_of(reach.backends, is_known)) {
    return reach.backends.size() == 1 ? "though its Service exists" : "though its Services exist";
  }
  if (const std::string sibling = existing.SiblingOf(object); !sibling.empty())
    return StrCat("though ", sibling, " exists");
  if (existing.HasPods(object)) return "though its Pods exist";
  return existing.HasTarget(object) ? StrCat("though ", reach.target, " exists") : "";
}

// Returns the Services that get another selector.
Objects SelectingAnew(const Objects& objects) {
  Objects out;
  std::ranges::copy_if(objects, std::back_inserter(out), [](const ObjectReport* object) {
    return object->reach.selects_anew && object->action == Action::kChange;
  });
  return out;
}

// Returns true if one of the Services gets its selector for the Pods of the workload: it comes with it.
bool IsNewlySelected(const ObjectReport& workload, const Objects& services) {
  return std::ranges::any_of(services, [&](const ObjectReport* service) {
    return service->name_space == workload.name_space && Selects(service->reach.selector, workload.reach.pods_after);
  });
}

}  // namespace

bool IsUpgrade(const Objects& objects) {
  return std::ranges::any_of(objects, [](const ObjectReport* object) {
    return Exists(*object) && object->kind != "Namespace" && object->kind != "CustomResourceDefinition";
  });
}

bool IsUpgrade(const Report& report) {
  Objects objects;
  for (const ObjectReport& object : report.objects) objects.push_back(&object);
  return IsUpgrade(objects);
}

void AddMayBeDeleted(const Objects& objects, std::vector<FoundWorries>& out) {
  if (!IsUpgrade(objects)) return;
  const std::map<Account, AccountFacts> accounts = AccountsOf(objects);
  const Objects selecting_anew = SelectingAnew(objects);
  const Existing existing(objects);
  for (size_t i = 0; i < objects.size(); ++i) {
    const ObjectReport& object = *objects[i];
    const bool matters = IsWorkload(object.kind) || object.kind == "Namespace";
    if (object.compared || object.action != Action::kCreate) continue;
    const bool is_new = !object.left_workload.empty() || IsNewlySelected(object, selecting_anew);
    if (matters && !is_new) out[i][Worry::kMayBeDeleted] = {WhetherDeleted(object, accounts)};
    std::string why = WhyDeleted(object, existing);
    if (why.empty()) why = WhyAttachedDeleted(object, existing);
    if (!why.empty()) out[i][Worry::kMayBeDeleted] = {why};
  }
}

}  // namespace smp::explain
