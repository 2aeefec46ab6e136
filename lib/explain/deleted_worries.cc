#include "explain/deleted_worries.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "value/metadata.h"

namespace smp::explain {

namespace {

// Returns true for what runs Pods: it changes more than anything else if it comes back after somebody deleted it.
bool IsWorkload(std::string_view kind) {
  constexpr std::string_view kKinds[] = {"CronJob", "DaemonSet", "Deployment", "Job", "ReplicaSet", "StatefulSet"};
  return std::ranges::find(kKinds, kind) != std::end(kKinds);
}

// A namespace, and the name of a ServiceAccount.
using Account = std::pair<std::string_view, std::string_view>;

// What the input has of a ServiceAccount: itself, and how many workloads run as it, now or after the apply.
struct AccountFacts {
  bool exists = false, is_new = false;
  size_t workloads = 0;
};

std::set<std::string_view> AccountsUsedBy(const ObjectReport& workload) {
  std::set<std::string_view> out;
  if (!workload.account.empty()) out.insert(workload.account);
  for (const NeededObject& need : workload.needs_now) {
    if (need.kind == "ServiceAccount") out.insert(need.name);
  }
  return out;
}

std::map<Account, AccountFacts> AccountsOf(const Objects& objects) {
  std::map<Account, AccountFacts> out;
  for (const ObjectReport* object : objects) {
    if (object->kind == "ServiceAccount") {
      AccountFacts& facts = out[{object->name_space, object->name}];
      facts.exists = Exists(*object);
      facts.is_new = object->action == Action::kCreate;
    }
    for (const std::string_view account : AccountsUsedBy(*object)) ++out[{object->name_space, account}].workloads;
  }
  return out;
}

// Returns "jobs-" of "jobs-view".
std::string_view WithoutLastWord(std::string_view name) { return name.substr(0, name.rfind('-') + 1); }

// What exists, by what others are about.
class Existing {
 public:
  explicit Existing(const Objects& objects) {
    for (const ObjectReport* object : objects) {
      if (object->kind == "CustomResourceDefinition") {
        const std::string& name = object->name;
        (Exists(*object) ? groups_ : new_groups_).insert(name.substr(std::min(name.find('.') + 1, name.size())));
      }
      if (object->action == Action::kCreate && !object->role.subjects.empty()) new_bindings_.insert(object->role.role);
      if (!Exists(*object)) continue;
      AddNeeds(*object);
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

  // Returns "jobs-edit" for the role "jobs-view"; "". A role that comes with a binding is new.
  std::string SiblingOf(const ObjectReport& role) const {
    if (new_bindings_.contains(NameOfRole(role.kind, role.name_space, role.name))) return {};
    const auto at = roles_.find(NameOfRole(role.kind, role.name_space, std::string(WithoutLastWord(role.name))));
    return !role.kind.ends_with("Role") || at == roles_.end() ? "" : at->second;
  }
  bool HasPods(const ObjectReport& object, const Labels& selector) const {
    constexpr size_t kMost = 1000;  // different labels of Pods in a namespace
    const auto at = pods_.find(object.name_space);
    return at != pods_.end() && at->second.size() <= kMost &&
           std::ranges::any_of(at->second, [&](const Labels& pods) { return Selects(selector, pods); });
  }
  bool HasTarget(const ObjectReport& scaler) const {
    return targets_.contains(StrCat(scaler.name_space, "/", scaler.reach.target));
  }
  // Returns "Deployment web", whose Pods of now need the object, or "Ingress web", which sends requests to it; "": nobody.
  std::string WhoNeeds(const ObjectReport& object) const {
    const auto at = needed_.find(StrCat(object.name_space, "/", object.kind, " ", object.name));
    return at == needed_.end() ? "" : at->second;
  }
  bool HasDefinition(const ObjectReport& object) const {
    const std::string group(GroupOf(object.api_version));
    return groups_.contains(group) && !new_groups_.contains(group);
  }

 private:
  void AddNeeds(const ObjectReport& object) {
    const auto add = [&](const NeededObject& need) {
      const std::string_view name_space = need.has_namespace() ? std::string_view(object.name_space) : "";
      needed_.try_emplace(StrCat(name_space, "/", need.kind, " ", need.name), StrCat(object.kind, " ", object.name));
    };
    for (const NeededObject& need : object.needs_now) add(need);
    if (object.action == Action::kChange) return;  // its Services may be new ones
    for (const std::string& service : object.reach.backends) add({"Service", service});
  }

  std::set<std::string> names_;                        // of roles, ServiceAccounts and Services
  std::map<std::string, std::string> roles_;           // a name by what it begins with
  std::set<std::string> new_bindings_;                 // the roles that they give
  std::map<std::string_view, std::set<Labels>> pods_;  // by the namespace
  std::set<std::string> targets_;                      // "shop/Deployment web"
  std::map<std::string, std::string> needed_;          // who needs "shop/Secret tls"
  std::set<std::string> groups_, new_groups_;          // of the kinds that the input defines
};

// Returns why a binding, webhooks or one of several objects may be deleted: what they are about exists, or the others do. A new version
// brings such ones, too.
std::string WhyComplete(const ObjectReport& object, const Existing& existing) {
  const auto exist = [&](const std::vector<std::string>& names) {
    return !names.empty() && std::ranges::all_of(names, [&](const auto& name) { return existing.Has(name); });
  };
  if (exist(object.calls)) return object.calls.size() == 1 ? "its Service exists" : "its Services exist";
  const bool binds = existing.Has(object.role.role) && exist(object.role.subjects);
  if (binds) return "its role and the ServiceAccount exist";
  const std::string sibling = existing.SiblingOf(object);
  return sibling.empty() ? "" : StrCat(sibling, " exists");
}

// Returns why an object looks deleted that others need: these exist.
std::string WhyNeeded(const ObjectReport& object, const Existing& existing) {
  const std::string who = existing.WhoNeeds(object);
  return who.empty() ? "" : StrCat("though ", who, " needs it");
}

// Returns why an object may be deleted that is about others: these exist. A new version often brings such a one for what is there.
std::string WhyAttached(const ObjectReport& object, const Existing& existing) {
  const ReachFacts& reach = object.reach;
  const auto is_known = [&](const std::string& service) {
    return existing.Has(StrCat(object.name_space, "/", service));
  };
  if (!reach.backends.empty() && std::ranges::all_of(reach.backends, is_known)) {
    return reach.backends.size() == 1 ? "its Service exists" : "its Services exist";
  }
  if (existing.HasPods(object, reach.attached_to)) return "its Pods exist";
  return existing.HasTarget(object) ? StrCat(reach.target, " exists") : "";
}

// What the Services that select the Pods of a workload tell of it.
struct ServiceFacts {
  std::string existing;  // that now selects no Pods of the input
  bool is_new = false;   // one is new, or gets its selector for these Pods: it comes with them
};

ServiceFacts SelectingServices(const ObjectReport& workload, const Objects& services, const Existing& existing) {
  constexpr size_t kMost = 1000;
  ServiceFacts out;
  for (const ObjectReport* service : services) {
    if (services.size() > kMost || service->name_space != workload.name_space) continue;
    if (!Selects(service->reach.selector, workload.reach.pods_after)) continue;
    const bool is_new =
        service->action == Action::kCreate || (service->action == Action::kChange && service->reach.selects_anew);
    if (is_new) out.is_new = true;
    const bool is_idle = !is_new && Exists(*service) && !existing.HasPods(*service, service->reach.selector);
    if (is_idle && out.existing.empty()) out.existing = service->name;
  }
  return out;
}

// What tells a new workload from one that somebody deleted: its ServiceAccount, if no other workload runs as it, and its Services.
struct Novelty {
  bool is_new = false;
  std::string words = {};  // why it looks deleted
};

Novelty WhetherDeleted(const ObjectReport& workload, const std::map<Account, AccountFacts>& accounts,
                       const ServiceFacts& services) {
  const auto at = accounts.find({workload.name_space, workload.account});
  const AccountFacts account = at == accounts.end() || at->second.workloads > 1 ? AccountFacts() : at->second;
  if (!workload.left_workload.empty() || workload.replaces_left) return {.is_new = true};
  if (account.exists) return {.words = "though the ServiceAccount exists"};
  if (services.is_new || account.is_new) return {.is_new = true};
  return {.words = services.existing.empty() ? "" : StrCat("though Service ", services.existing, " exists")};
}

}  // namespace

bool Exists(const ObjectReport& object) {
  return object.action == Action::kChange || object.action == Action::kRecord || object.action == Action::kUnchanged ||
         object.action == Action::kRecreate;
}

Objects ServicesOf(const Objects& objects) {
  Objects out;
  std::ranges::copy_if(objects, std::back_inserter(out),
                       [](const ObjectReport* object) { return !object->reach.selector.empty() && !object->compared; });
  return out;
}

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

namespace {

std::set<ObjectName> CreatedIn(const Objects& objects) {
  std::set<ObjectName> out;
  for (const ObjectReport* object : objects) {
    if (object->action == Action::kCreate) out.insert(NameOfObject(*object));
  }
  return out;
}

// Returns true for what comes with a ConfigMap, Secret or ServiceAccount of its own.
bool NeedsWhatIsNew(const ObjectReport& object, const std::set<ObjectName>& created) {
  return std::ranges::any_of(object.pods.needs,
                             [&](const NeededObject& need) { return created.contains(NameOfNeed(need, object)); });
}

// Returns true for "certgen-v1-28-0": a new version has an object of a new name.
bool HasVersion(std::string_view name) {
  for (size_t at = name.find("-v"); at != name.npos; at = name.find("-v", at + 1)) {
    if (at + 2 < name.size() && IsDigit(name[at + 2])) return true;
  }
  return false;
}

}  // namespace

void AddMayBeDeleted(const Objects& objects, std::vector<FoundWorries>& out) {
  if (!IsUpgrade(objects)) return;
  const std::map<Account, AccountFacts> accounts = AccountsOf(objects);
  const Objects services = ServicesOf(objects);
  const Existing existing(objects);
  const std::set<ObjectName> created = CreatedIn(objects);
  for (size_t i = 0; i < objects.size(); ++i) {
    const ObjectReport& object = *objects[i];
    if (object.compared || object.action != Action::kCreate) continue;
    const bool is_workload = IsWorkload(object.kind);
    const Novelty novelty =
        is_workload ? WhetherDeleted(object, accounts, SelectingServices(object, services, existing)) : Novelty();
    // Jobs are deleted once they are done.
    const bool matters =
        (is_workload && object.kind != "Job") || object.kind == "Namespace" || existing.HasDefinition(object);
    const bool may_be_deleted = matters && !novelty.is_new && !NeedsWhatIsNew(object, created);
    std::string why = WhyNeeded(object, existing);
    std::string attached = WhyAttached(object, existing);
    if (attached.empty()) attached = WhyComplete(object, existing);
    if (why.empty() && attached.empty() && may_be_deleted) why = novelty.words;
    const bool is_needed = !existing.WhoNeeds(object).empty();
    const bool has_new_name = object.replaces_left && !is_workload;
    if (!object.shares_hosts.empty() || has_new_name || (HasVersion(object.name) && !is_needed)) {
      why.clear();
      attached.clear();
    }
    if (!why.empty()) {
      out[i][Worry::kSeemsDeleted] = {why};
    } else if (!attached.empty()) {
      out[i][Worry::kNewOrDeleted] = {attached};
    } else if (may_be_deleted) {
      out[i][Worry::kMayBeDeleted];
    }
  }
}

}  // namespace smp::explain
