#include "explain/cross_worries.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/image_words.h"
#include "explain/image_worries.h"
#include "explain/lost_rights.h"
#include "explain/rights_worries.h"

namespace smp::explain {

namespace {

bool Exists(const ObjectReport& object) {
  return object.action == Action::kChange || object.action == Action::kRecord || object.action == Action::kUnchanged ||
         object.action == Action::kRecreate;
}

// --- workloads, bindings and webhooks that are not in the cluster

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

void AddDeleted(const Objects& objects, std::vector<FoundWorries>& out) {
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

// --- workloads whose Pods do not learn of a change

// A kind, a namespace and a name.
using ObjectName = std::tuple<std::string_view, std::string_view, std::string_view>;
ObjectName NameOfObject(const ObjectReport& object) { return {object.kind, object.name_space, object.name}; }

using ChangedSettings = std::map<ObjectName, const ObjectReport*>;

ChangedSettings ChangedSettingsIn(const Objects& objects) {
  ChangedSettings out;
  for (const ObjectReport* object : objects) {
    const bool changes = object->action == Action::kChange && !object->compared && !object->changed_keys.empty();
    if (changes) out.emplace(NameOfObject(*object), object);
  }
  return out;
}

bool HasChanged(const std::set<std::string>& changed_keys, const std::string& key) {
  return key.empty() || changed_keys.contains(key) || changed_keys.contains("");
}

// Adds "ConfigMap settings": what changes of what the workload's Pods have read when they started.
void AddOldValues(const Objects& objects, std::vector<FoundWorries>& out) {
  constexpr size_t kMost = 2;
  const ChangedSettings changed = ChangedSettingsIn(objects);
  for (size_t i = 0; i < objects.size() && !changed.empty(); ++i) {
    NamesOnce names;
    for (const Setting& setting : objects[i]->reads_at_start) {
      const auto at = changed.find({setting.kind, objects[i]->name_space, setting.name});
      const bool is_read = at != changed.end() && HasChanged(at->second->changed_keys, setting.key);
      if (is_read) names.Add(StrCat(setting.kind, " ", setting.name));
    }
    if (!names.empty()) out[i][Worry::kOldValues] = NameInBoth(names, kMost);
  }
}

// --- Services whose Pods stay as they are

// Returns "Deployment web", which is refused: its Pods would be the first that the Service reaches.
std::string RefusedWorkload(const ObjectReport& service, const Objects& objects) {
  std::string refused;
  for (const ObjectReport* object : objects) {
    if (object->name_space != service.name_space) continue;
    const bool stays = object->action == Action::kError;
    const ReachFacts& reach = object->reach;
    if (Selects(service.reach.selector, stays ? reach.pods_before : reach.pods_after)) return {};
    const bool would_match = stays && Selects(service.reach.selector, reach.pods_after);
    if (would_match && refused.empty()) refused = StrCat(object->kind, " ", object->name);
  }
  return refused;
}

void AddUnreached(const Objects& objects, std::vector<FoundWorries>& out) {
  const auto is_refused = [](const ObjectReport* object) {
    return object->action == Action::kError && !object->reach.pods_after.empty();
  };
  if (std::ranges::none_of(objects, is_refused)) return;
  for (size_t i = 0; i < objects.size(); ++i) {
    const ObjectReport& object = *objects[i];
    if (object.compared || !object.differs() || object.reach.selector.empty()) continue;
    const std::string refused = RefusedWorkload(object, objects);
    if (!refused.empty()) out[i][Worry::kReachesNothing] = {refused};
  }
}

// --- what Pods need, and is deleted in the same run

void AddStillNeeded(const Objects& objects, std::vector<FoundWorries>& out) {
  constexpr size_t kMost = 2;
  std::map<ObjectName, size_t> deleted;
  for (size_t i = 0; i < objects.size(); ++i) {
    if (objects[i]->action == Action::kPrune) deleted.emplace(NameOfObject(*objects[i]), i);
  }
  std::map<size_t, NamesOnce> needed;
  const auto add = [&](std::string_view kind, std::string_view name, const ObjectReport& by) {
    const auto at = deleted.find({kind, by.name_space, name});
    if (at != deleted.end()) needed[at->second].Add(StrCat(by.kind, " ", by.name));
  };
  for (const ObjectReport* object : objects) {
    if (deleted.empty() || object->action == Action::kPrune) continue;
    for (const NeededObject& need : object->pods.needs) add(need.kind, need.name, *object);
  }
  for (const auto& [index, names] : needed) out[index][Worry::kStillNeeded] = NameInBoth(names, kMost);
}

// --- hosts that no Ingress serves any more

void AddLostHosts(const Objects& objects, std::vector<FoundWorries>& out) {
  constexpr size_t kMost = 3;
  std::set<std::string_view> served;
  for (const ObjectReport* object : objects) {
    const bool stays = object->action == Action::kError;
    const std::set<std::string>& hosts = stays ? object->reach.hosts_before : object->reach.hosts_after;
    served.insert(hosts.begin(), hosts.end());
  }
  for (size_t i = 0; i < objects.size(); ++i) {
    if (objects[i]->action != Action::kChange || objects[i]->compared) continue;
    NamesOnce lost;
    for (const std::string& host : objects[i]->reach.hosts_before) {
      if (!served.contains(host)) lost.Add(host);
    }
    if (!lost.empty()) out[i][Worry::kHostsGone] = NameInBoth(lost, kMost);
  }
}

// --- roles that allow less

// The ServiceAccounts of which all workloads get new Pods with other images, named as in RoleFacts.
std::set<std::string> AccountsOfNewImages(const Objects& objects) {
  std::set<std::string> all, others;
  for (const ObjectReport* object : objects) {
    if (object->account.empty()) continue;
    const bool has_new = object->action == Action::kChange && object->new_pods && !object->pods.same_images;
    (has_new ? all : others).insert(NameOfRole("ServiceAccount", object->name_space, object->account));
  }
  std::erase_if(all, [&](const std::string& account) { return others.contains(account); });
  return all;
}

// Returns the roles that bindings of the input give to such accounts only: the new programs may not need what goes.
std::set<std::string> RolesOfNewImages(const Objects& objects) {
  const std::set<std::string> accounts = AccountsOfNewImages(objects);
  std::set<std::string> roles, others;
  for (const ObjectReport* object : objects) {
    for (const std::string& subject : object->role.subjects) {
      (accounts.contains(subject) ? roles : others).insert(object->role.role);
    }
  }
  std::erase_if(roles, [&](const std::string& role) { return others.contains(role); });
  return roles;
}

void AddLostRights(const Objects& objects, std::vector<FoundWorries>& out) {
  const std::vector<Rights> lost = LostRights(objects);
  if (std::ranges::all_of(lost, [](const Rights& rights) { return rights.empty(); })) return;
  const std::set<std::string> of_new_images = RolesOfNewImages(objects);
  for (size_t i = 0; i < objects.size(); ++i) {
    if (lost[i].empty()) continue;
    WorryWords& words = out[i][Worry::kRightsGone] = LostInWords(lost[i]);
    const ObjectReport& role = *objects[i];
    if (!of_new_images.contains(NameOfRole(role.kind, role.name_space, role.name))) continue;
    words.all += "; its Pods get another image, too";
  }
}

// --- images that move to another workload

// The images that workloads of a namespace ran, and no longer run: by namespace and repository.
using GoneImages = std::map<std::pair<std::string_view, std::string>, std::vector<std::string>>;

void AddGone(const std::string& name_space, const std::vector<std::string>& images, GoneImages& out) {
  for (const std::string& image : images) out[{name_space, RepositoryOf(image)}].push_back(image);
}

GoneImages GoneImagesOf(const Objects& objects) {
  GoneImages out;
  for (const ObjectReport* object : objects) {
    if (object->action == Action::kChange) AddGone(object->name_space, object->pods.gone_images, out);
    AddGone(object->name_space, object->left_images, out);
  }
  return out;
}

// Adds "kong 2.5 → 3.4": a container that gets a workload of its own, with another version.
void AddMovedImages(const ObjectReport& created, const GoneImages& gone, FoundWorries& out) {
  std::map<VersionStep, NamesOnce> found;
  for (const std::string& image : created.pods.new_images) {
    const auto at = gone.find({created.name_space, RepositoryOf(image)});
    if (at == gone.end()) continue;
    for (const std::string& before : at->second) {
      const ChangeOfVersion version = DescribeVersions(before, image);
      if (version.step != VersionStep::kSmall) found[version.step].Add(version.words);
    }
  }
  AddVersions(found, Worry::kMajorVersionElsewhere, out);
}

void AddMovedImages(const Objects& objects, std::vector<FoundWorries>& out) {
  const GoneImages gone = GoneImagesOf(objects);
  for (size_t i = 0; i < objects.size() && !gone.empty(); ++i) {
    const bool is_new = objects[i]->action == Action::kCreate && !objects[i]->compared;
    if (is_new) AddMovedImages(*objects[i], gone, out[i]);
  }
}

// --- what only the server knew, which was asked after all objects were explained

// Adds "ConfigMap settings; by kubectl-edit 5m ago".
void AddUnread(const ObjectReport& object, FoundWorries& out) {
  NamesOnce names, managers;
  for (const auto& [setting, keys, changed_by, changes] : object.unread) {
    if (!changed_by.empty()) names.Add(StrCat(setting.kind, " ", setting.name, changes.empty() ? "" : ": ", changes));
    for (const FieldManager& manager : changed_by) managers.Add(ManagerInWords(manager, object));
  }
  if (!names.empty()) out[Worry::kUnread] = WithManagers(names, managers);
}

void AddLeftBehind(const Objects& objects, std::vector<FoundWorries>& out) {
  for (size_t i = 0; i < objects.size(); ++i) {
    if (!objects[i]->left_workload.empty()) out[i][Worry::kLeftWorkload] = {objects[i]->left_workload};
    AddUnread(*objects[i], out[i]);
  }
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

std::vector<FoundWorries> CrossWorries(const Objects& objects) {
  std::vector<FoundWorries> out(objects.size());
  AddDeleted(objects, out);
  AddOldValues(objects, out);
  AddUnreached(objects, out);
  AddLostHosts(objects, out);
  AddStillNeeded(objects, out);
  AddLostRights(objects, out);
  AddLeftBehind(objects, out);
  AddMovedImages(objects, out);
  return out;
}

}  // namespace smp::explain
