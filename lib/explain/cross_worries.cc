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
#include "explain/deleted_worries.h"
#include "explain/image_words.h"
#include "explain/image_worries.h"
#include "explain/lost_rights.h"
#include "explain/missing_lines.h"
#include "explain/needed_keys.h"
#include "explain/port_worries.h"
#include "explain/rights_worries.h"
#include "explain/scale_worries.h"

namespace smp::explain {

namespace {

// --- workloads whose Pods do not learn of a change

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

// --- Services whose Pods get other labels

// Adds "Deployment web": whose Pods the Service selects now, and no Pods of the input after the apply.
void AddLostPods(const Objects& objects, std::vector<FoundWorries>& out) {
  const auto gets_others = [](const ObjectReport* object) {
    const ReachFacts& reach = object->reach;
    return object->action == Action::kChange && !reach.pods_before.empty() && reach.pods_before != reach.pods_after;
  };
  if (std::ranges::none_of(objects, gets_others)) return;
  for (size_t i = 0; i < objects.size(); ++i) {
    const ObjectReport& service = *objects[i];
    const bool stays = service.action == Action::kChange || service.action == Action::kUnchanged;
    if (!stays || service.compared || service.reach.selector.empty() || service.reach.selects_anew) continue;
    NamesOnce lost;
    bool has_some = false;
    for (const ObjectReport* object : objects) {
      if (object->name_space != service.name_space) continue;
      const ReachFacts& reach = object->reach;
      const bool keeps = object->action == Action::kError;
      const bool did = Selects(service.reach.selector, reach.pods_before);
      const bool does = Selects(service.reach.selector, keeps ? reach.pods_before : reach.pods_after);
      has_some = has_some || does;
      if (did && !does && object->action == Action::kChange) lost.Add(StrCat(object->kind, " ", object->name));
    }
    if (!lost.empty() && !has_some) out[i][Worry::kLosesPods] = NameInBoth(lost, kMostTold);
  }
}

// --- policies of traffic that come and go

// A new policy limits the traffic of the Pods that it selects, unless it allows all; one that goes may have limited it, or allowed what
// others refuse. Under another name, it is the same.
void AddPolicies(const Objects& objects, std::vector<FoundWorries>& out) {
  struct OfNamespace {
    std::map<std::string_view, int> gone, come;  // by what they say
    size_t stays = 0;
  };
  std::map<std::string_view, OfNamespace> all;
  for (const ObjectReport* object : objects) {
    if (object->policy.spec.empty() || object->compared) continue;
    OfNamespace& here = all[object->name_space];
    if (object->action == Action::kPrune) {
      ++here.gone[object->policy.spec];
    } else if (object->action == Action::kCreate) {
      ++here.come[object->policy.spec];
    } else {
      ++here.stays;
    }
  }
  for (size_t i = 0; i < objects.size(); ++i) {
    const auto& [spec, allows_all] = objects[i]->policy;
    const bool goes = objects[i]->action == Action::kPrune, comes = objects[i]->action == Action::kCreate;
    if (spec.empty() || objects[i]->compared || (!goes && !comes)) continue;
    const OfNamespace& here = all[objects[i]->name_space];
    const bool is_renamed = here.gone.contains(spec) && here.come.contains(spec);
    const bool beside_others = here.stays > 0 || here.gone.size() + here.come.size() > 1;
    if (is_renamed || (allows_all && !beside_others)) continue;
    if (comes && !allows_all) out[i][Worry::kTraffic];
    if (goes || allows_all) out[i][Worry::kOtherTraffic] = {goes ? "deleted" : "new"};
  }
}

// --- what is opened to the outside

// Returns the Services to which a changed Ingress newly sends requests, if it has none of before in their place, and no other Ingress does.
NamesOnce NewBackends(const ObjectReport& ingress, const Objects& objects) {
  NamesOnce out;
  const ReachFacts& reach = ingress.reach;
  if (ingress.action != Action::kChange || !std::ranges::includes(reach.backends, reach.backends_before)) return out;
  for (const std::string& backend : reach.backends) {
    const bool is_reached = std::ranges::any_of(objects, [&](const ObjectReport* object) {
      return object->name_space == ingress.name_space && object->reach.backends_before.contains(backend);
    });
    if (!is_reached) out.Add(StrCat("Service ", backend));
  }
  return out;
}

// Of an application that is all new, everybody expects it.
void AddOpened(const Objects& objects, std::vector<FoundWorries>& out) {
  const bool is_upgrade = std::ranges::any_of(objects, [](const ObjectReport* object) {
    return object->action == Action::kChange || object->action == Action::kUnchanged;
  });
  for (size_t i = 0; i < objects.size() && is_upgrade; ++i) {
    const ObjectReport& object = *objects[i];
    const bool is_sent =
        object.action == Action::kCreate || object.action == Action::kChange || object.action == Action::kRecreate;
    if (!is_sent || object.compared) continue;
    NamesOnce opens = NewBackends(object, objects);
    if (!object.reach.opens.empty()) opens.Add(object.reach.opens);
    if (!opens.empty()) out[i][Worry::kOpens] = NameInBoth(opens, kMostTold);
  }
}

// --- Services that reach what answers no requests

// Returns "Service web": those that will select the Pods of the object, and do not yet.
NamesOnce NewServicesOf(const ObjectReport& task, const Objects& services) {
  NamesOnce out;
  for (const ObjectReport* service : services) {
    if (service->name_space != task.name_space || !Selects(service->reach.selector, task.reach.pods_after)) continue;
    const bool did = !service->reach.selects_anew && Selects(service->reach.selector, task.reach.pods_before);
    if (!did) out.Add(StrCat("Service ", service->name));
  }
  return out;
}

// While such a Pod runs, it is one of those to which the Service sends requests.
void AddReachedTasks(const Objects& objects, std::vector<FoundWorries>& out) {
  const Objects services = ServicesOf(objects);
  for (size_t i = 0; i < objects.size(); ++i) {
    const ObjectReport& object = *objects[i];
    const bool starts = object.action == Action::kCreate || object.action == Action::kChange;
    if (!starts || object.compared || (object.kind != "Job" && object.kind != "CronJob")) continue;
    const NamesOnce reached_by = NewServicesOf(object, services);
    if (!reached_by.empty()) out[i][Worry::kTaskIsReached] = NameInBoth(reached_by, kMostTold);
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
  for (const ObjectReport* object : objects) {
    if (deleted.empty() || object->action == Action::kPrune) continue;
    for (const NeededObject& need : object->pods.needs) {
      const auto at = deleted.find(NameOfNeed(need, *object));
      if (at != deleted.end()) needed[at->second].Add(StrCat(object->kind, " ", object->name));
    }
  }
  for (const auto& [index, names] : needed) out[index][Worry::kStillNeeded] = NameInBoth(names, kMost);
}

// --- hosts that no Ingress serves any more

// Returns "a.example.com → b.example.com", or "a.example.com; now b.example.com, c.example.com".
WorryWords WithNewHosts(const NamesOnce& lost, const ReachFacts& reach) {
  constexpr size_t kMost = 3;
  std::vector<std::string> come;
  std::ranges::set_difference(reach.hosts_after, reach.hosts_before, std::back_inserter(come));
  WorryWords out = NameInBoth(lost, kMost);
  if (come.empty()) return out;
  const bool is_pair = lost.all().size() == 1 && come.size() == 1;
  const std::string now = StrCat(is_pair ? " → " : "; now ", NameSome(std::move(come), kMostBrief));
  return {StrCat(out.all, now), StrCat(out.brief, now)};
}

// A wildcard stands for one label.
bool IsServed(const std::string& host, const std::set<std::string_view>& served) {
  const size_t dot = host.find('.');
  return served.contains(host) || (dot != host.npos && served.contains(StrCat("*", host.substr(dot))));
}

void AddLostHosts(const Objects& objects, std::vector<FoundWorries>& out) {
  std::set<std::string_view> served;
  for (const ObjectReport* object : objects) {
    const bool stays = object->action == Action::kError;
    const std::set<std::string>& hosts = stays ? object->reach.hosts_before : object->reach.hosts_after;
    served.insert(hosts.begin(), hosts.end());
  }
  for (size_t i = 0; i < objects.size(); ++i) {
    const bool may_lose = objects[i]->action == Action::kChange || objects[i]->action == Action::kPrune;
    if (!may_lose || objects[i]->compared || objects[i]->kind != "Ingress") continue;
    NamesOnce lost;
    for (const std::string& host : objects[i]->reach.hosts_before) {
      if (!IsServed(host, served)) lost.Add(host);
    }
    if (lost.empty()) continue;
    if (!served.contains(kEveryHost)) out[i][Worry::kHostsGone] = WithNewHosts(lost, objects[i]->reach);
  }
}

// --- roles that allow less

// The ServiceAccounts of which all workloads get new Pods with other images, named as in RoleFacts.
std::set<std::string> AccountsOfNewImages(const Objects& objects) {
  std::set<std::string> all, others;
  for (const ObjectReport* object : objects) {
    if (object->account.empty()) continue;
    const bool has_new = object->action == Action::kChange && object->new_pods && !object->pods.same_images;
    (has_new ? all : others).insert(SubjectOfPods(object->name_space, object->account));
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

// Returns "Deployment web": the refused workloads that stay as they are, with fewer rights, by the names of their roles.
std::map<std::string, NamesOnce> RefusedByRoles(const Objects& objects) {
  std::map<std::string, NamesOnce> by_account, out;
  for (const ObjectReport* object : objects) {
    if (object->action != Action::kError || object->account.empty()) continue;
    by_account[SubjectOfPods(object->name_space, object->account)].Add(StrCat(object->kind, " ", object->name));
  }
  for (const ObjectReport* object : objects) {
    for (const std::string& subject : object->role.subjects) {
      const auto at = by_account.find(subject);
      if (at == by_account.end()) continue;
      for (const std::string& name : at->second.all()) out[object->role.role].Add(name);
    }
  }
  return out;
}

void AddLostRights(const Objects& objects, std::vector<FoundWorries>& out) {
  const std::vector<Rights> lost = LostRights(objects);
  if (std::ranges::all_of(lost, [](const Rights& rights) { return rights.empty(); })) return;
  const std::set<std::string> of_new_images = RolesOfNewImages(objects);
  const std::map<std::string, NamesOnce> refused = RefusedByRoles(objects);
  for (size_t i = 0; i < objects.size(); ++i) {
    if (lost[i].empty()) continue;
    const auto& unread = objects[i]->role.unread;
    if (!unread.empty()) out[i][Worry::kUnreadObjects] = NameInBoth(unread, kMostTold);
    WorryWords& words = out[i][Worry::kRightsGone] = LostInWords(WithVerbsThatStay(lost[i], objects[i]->role.allowed));
    const ObjectReport& role = *objects[i];
    const std::string name = NameOfRole(role.kind, role.name_space, role.name);
    if (const auto stays = refused.find(name); stays != refused.end()) {
      const std::string from = StrCat("; also from what stays, as it is refused: ", stays->second.Some(kMostBrief));
      words.all += from;
      words.brief += from;
    }
    if (of_new_images.contains(name)) words.all += "; its Pods get another image, which may not need them";
  }
}

// Adds "RoleBinding web": of a new role that only bindings name which are refused.
void AddRightsOfNobody(const Objects& objects, std::vector<FoundWorries>& out) {
  std::map<std::string_view, NamesOnce> refused;
  std::set<std::string_view> bound;
  for (const ObjectReport* object : objects) {
    const std::string& role = object->role.role;
    if (role.empty()) continue;
    if (object->action == Action::kError) refused[role].Add(StrCat(object->kind, " ", object->name));
    if (object->action != Action::kError && object->action != Action::kPrune) bound.insert(role);
  }
  for (size_t i = 0; i < objects.size() && !refused.empty(); ++i) {
    const ObjectReport& role = *objects[i];
    const std::string name = NameOfRole(role.kind, role.name_space, role.name);
    const auto bindings = refused.find(name);
    const bool is_new = role.action == Action::kCreate && !role.compared;
    if (is_new && bindings != refused.end() && !bound.contains(name))
      out[i][Worry::kRightsOfNobody] = NameInBoth(bindings->second, kMostTold);
  }
}

// --- who has a role
// Not with the other worries of an object, as who has it by another binding loses nothing (ForgetRegranted).

// Returns "shop/web" of "ServiceAccount shop/web", which the slash says; others with their kinds.
std::string NameOfSubject(std::string_view subject) {
  constexpr std::string_view kAccount = "ServiceAccount ";
  return std::string(subject.substr(subject.starts_with(kAccount) ? kAccount.size() : 0));
}

// Adds "lost by ServiceAccount shop/a; given to ServiceAccount shop/b".
void AddSubjects(const AccessFacts& access, FoundWorries& out) {
  const WorryWords lost = NameInBoth(access.lost_by, kMostTold), given = NameInBoth(access.given_to, kMostTold);
  const auto in_words = [](const std::string& from, const std::string& to) {
    return StrCat(from.empty() ? "" : "lost by ", from, from.empty() || to.empty() ? "" : "; ",
                  to.empty() ? "" : "given to ", to);
  };
  if (!lost.names.empty() || !given.names.empty()) {
    WorryWords& words = out[Worry::kSubjects] = {in_words(lost.all, given.all), in_words(lost.brief, given.brief)};
    for (const std::string& subject : access.lost_by) words.names.push_back(in_words(NameOfSubject(subject), ""));
    for (const std::string& subject : access.given_to) words.names.push_back(in_words("", NameOfSubject(subject)));
  }
  if (!access.lost_by_running.empty()) out[Worry::kRolesOfRunning] = NameInBoth(access.lost_by_running, kMostTold);
}

// --- databases that come

// Returns "postgres:15", and what is known of where it will keep its data; "" where it may find some. `claims`: those that the input creates.
std::string NewDatabaseInWords(const Database& database, const std::string& name_space,
                               const std::set<std::pair<std::string_view, std::string_view>>& claims) {
  const auto is_new = [&](const std::string& volume) { return claims.contains({name_space, volume}); };
  const auto is_template = [](const std::string& volume) { return volume.starts_with("template "); };
  const std::string image = NameOfImage(database.image);
  if (database.volumes.empty()) return StrCat(image, ", without a volume that outlives its Pods");
  if (std::ranges::any_of(database.volumes, is_template)) return StrCat(image, ", unless its claims exist");
  return std::ranges::all_of(database.volumes, is_new) ? image : "";
}

// Of an application that is all new, everybody expects it.
void AddNewDatabases(const Objects& objects, std::vector<FoundWorries>& out) {
  const bool is_upgrade = IsUpgrade(objects);
  std::set<std::pair<std::string_view, std::string_view>> claims;
  for (const ObjectReport* object : objects) {
    const bool is_new = object->kind == "PersistentVolumeClaim" && object->action == Action::kCreate;
    if (is_new) claims.emplace(object->name_space, object->name);
  }
  for (size_t i = 0; i < objects.size(); ++i) {
    const ObjectReport& object = *objects[i];
    const bool comes = object.action == Action::kCreate || object.action == Action::kChange;
    if (!comes || object.compared || (!is_upgrade && !object.replaces_left)) continue;
    NamesOnce words;
    for (const Database& database : object.pods.new_databases) {
      const std::string found = NewDatabaseInWords(database, object.name_space, claims);
      if (!found.empty()) words.Add(found);
    }
    if (!words.empty()) out[i][Worry::kNewDatabase] = NameInBoth(words, kMostTold);
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

// Returns " (settings-b7 now)" where Pods read one other ConfigMap or Secret with the beginning of the setting's name in its place.
std::string TakesItsPlace(const ObjectReport& object, const NeededObject& setting) {
  std::vector<std::string_view> names;
  const std::string_view beginning = std::string_view(setting.name).substr(0, setting.name.rfind('-'));
  for (const NeededObject& need : object.pods.needs) {
    const auto& now = object.needs_now;
    const bool is_new = need.kind == setting.kind && std::ranges::find(now, need) == now.end();
    if (is_new && need.name.find(beginning) != need.name.npos) names.push_back(need.name);
  }
  return names.size() == 1 ? StrCat(" (", names.front(), " now)") : "";
}

// Adds "ConfigMap settings; by kubectl-edit 5m ago".
void AddUnread(const ObjectReport& object, FoundWorries& out) {
  FieldsByManagers unread;
  for (const auto& [setting, keys, changed_by, changes] : object.unread) {
    NamesOnce managers;
    for (const FieldManager& manager : changed_by) managers.Add(ManagerInWords(manager, object));
    const std::string name =
        StrCat(setting.kind, " ", setting.name, TakesItsPlace(object, setting), changes.empty() ? "" : ": ", changes);
    if (!managers.empty()) unread.Add(name, managers);
  }
  if (!unread.empty()) out[Worry::kUnread] = unread.Words();
}

void AddMissing(const ObjectReport& object, FoundWorries& out) {
  if (object.compared || !object.differs()) return;
  NamesOnce missing, missing_today;
  for (const NeededObject& need : object.pods.missing) {
    const std::string key = need.key.empty() ? "" : StrCat(" key ", need.key);
    if (need.as_file && NeedsToday(object, need)) continue;  // they start
    (NeedsToday(object, need) ? missing_today : missing).Add(StrCat(need.kind, " ", need.name, key));
  }
  if (!missing.empty()) out[Worry::kMissing] = NameInBoth(missing, kMostTold);
  if (!missing_today.empty()) out[Worry::kMissingToday] = NameInBoth(missing_today, kMostTold);
}

void AddNodesAndServices(const ObjectReport& object, FoundWorries& out) {
  if (object.compared || !object.differs()) return;
  if (!object.no_service.empty()) out[Worry::kNoService] = NameInBoth(object.no_service, kMostTold);
  if (!object.other_defaults.empty()) out[Worry::kOtherDefault] = NameInBoth(object.other_defaults, kMostTold);
  if (!object.no_class.empty()) out[Worry::kNoClass] = NameInBoth(object.no_class, kMostTold);
  if (!object.no_certificate.empty()) out[Worry::kNoCertificate] = NameInBoth(object.no_certificate, kMostTold);
  if (!object.refused_pods.empty()) out[Worry::kPodsRefused] = NameInBoth(object.refused_pods, kMostTold);
  const auto& [nodes, no_node] = std::tie(object.pods.nodes, object.pods.no_node);
  if (!no_node.empty()) out[Worry::kNoNode] = NameInBoth(no_node, kMostTold);
  if (!nodes.empty() && object.action != Action::kCreate) out[Worry::kNodes] = NameInBoth(nodes, kMostTold);
}

void AddLeftBehind(const Objects& objects, std::vector<FoundWorries>& out) {
  for (size_t i = 0; i < objects.size(); ++i) {
    if (!objects[i]->not_carried.empty()) out[i][Worry::kNotCarried] = {objects[i]->not_carried};
    if (!objects[i]->left_workload.empty()) out[i][Worry::kLeftWorkload] = {objects[i]->left_workload};
    if (const auto& shared = objects[i]->shares_hosts; !shared.empty()) {
      out[i][Worry::kSharesHosts] = NameInBoth(shared, kMostTold);
    }
    if (const auto& invalid = objects[i]->invalid; !invalid.empty()) {
      out[i][Worry::kInvalid] = NameInBoth(invalid, kMostTold);
    }
    AddUnread(*objects[i], out[i]);
    AddMissing(*objects[i], out[i]);
    AddNodesAndServices(*objects[i], out[i]);
  }
}

}  // namespace

std::vector<FoundWorries> CrossWorries(const Objects& objects) {
  std::vector<FoundWorries> out(objects.size());
  AddMayBeDeleted(objects, out);
  AddOldValues(objects, out);
  AddUnreached(objects, out);
  AddOpened(objects, out);
  AddPolicies(objects, out);
  AddLostPods(objects, out);
  AddReachedTasks(objects, out);
  AddGonePorts(objects, out);
  AddLostHosts(objects, out);
  AddScalesDown(objects, out);
  AddStillNeeded(objects, out);
  AddLostKeys(objects, out);
  AddLostRights(objects, out);
  AddRightsOfNobody(objects, out);
  for (size_t i = 0; i < objects.size(); ++i) {
    if (!objects[i]->compared && objects[i]->differs()) AddSubjects(objects[i]->access, out[i]);
  }
  AddNewDatabases(objects, out);
  AddLeftBehind(objects, out);
  AddMovedImages(objects, out);
  return out;
}

}  // namespace smp::explain
