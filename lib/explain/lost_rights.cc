#include "explain/lost_rights.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/strings.h"

namespace smp::explain {

namespace {

// Who has a role, and in which namespace ("": in all).
struct Holder {
  std::string_view subject, name_space;
};

// A role that a subject has.
struct HeldRole {
  const ObjectReport* role = nullptr;
  std::string_view name_space;
};

bool WillExist(const ObjectReport& object) {
  return object.action != Action::kError && object.action != Action::kPrune && !object.compared;
}

class Bindings {
 public:
  explicit Bindings(const Objects& objects) {
    std::map<std::string, const ObjectReport*> roles;
    for (const ObjectReport* object : objects) {
      const bool is_role = object->role.role.empty() && !object->role.allowed.empty();
      if (is_role && WillExist(*object)) roles.emplace(NameOf(*object), object);
    }
    for (const ObjectReport* object : objects) {
      if (object->role.role.empty()) continue;
      if (object->action == Action::kPrune) {
        for (const std::string& subject : object->role.subjects_before)
          holders_[object->role.role].push_back({subject, object->name_space});
      }
      if (!WillExist(*object)) continue;
      const auto at = roles.find(object->role.role);
      for (const std::string& subject : object->role.subjects) {
        holders_[object->role.role].push_back({subject, object->name_space});
        has_.insert({subject, object->role.role, object->name_space});
        if (at != roles.end()) held_[subject].push_back({at->second, object->name_space});
      }
    }
  }

  // Returns true if the subject has the role in the namespace, or in all.
  bool Has(std::string_view subject, std::string_view role, std::string_view name_space) const {
    return has_.contains({subject, role, name_space}) || has_.contains({subject, role, ""});
  }

  // Returns true if the subject has all of the rights in the namespace, by roles of the input.
  bool HasAll(std::string_view subject, std::string_view name_space, Rights rights) const {
    if (rights.empty()) return false;
    RemoveHeld({subject, name_space}, rights);
    return rights.empty();
  }

  // Removes what every holder of the role has by other roles.
  void RemoveGivenBack(const ObjectReport& role, Rights& lost) const {
    const auto at = holders_.find(NameOf(role));
    if (at == holders_.end() || at->second.size() > kMost) return;
    Rights left;
    for (const Holder& holder : at->second) {
      Rights of_holder = lost;
      RemoveHeld(holder, of_holder);
      for (auto& [resource, verbs] : of_holder) left[resource].merge(verbs);
    }
    lost = std::move(left);
  }

 private:
  static constexpr size_t kMost = 32;  // holders of a role, and roles of a holder: of more, all that is lost is told

  static std::string NameOf(const ObjectReport& role) { return NameOfRole(role.kind, role.name_space, role.name); }

  void RemoveHeld(const Holder& holder, Rights& lost) const {
    const auto at = held_.find(holder.subject);
    if (at == held_.end() || at->second.size() > kMost) return;
    for (const auto& [role, name_space] : at->second) {
      const bool covers = name_space.empty() || name_space == holder.name_space;
      if (covers) RemoveAllowed(role->role.allowed, lost);
    }
  }

  std::map<std::string, std::vector<Holder>>
      holders_;  // by the name of the role, also of those whose bindings are deleted
  std::set<std::tuple<std::string_view, std::string_view, std::string_view>> has_;  // subject, role and namespace
  std::map<std::string_view, std::vector<HeldRole>> held_;                          // by the subject
};

}  // namespace

std::vector<Rights> LostRights(const Objects& objects) {
  const auto loses = [](const ObjectReport* object) {
    return (WillExist(*object) || object->action == Action::kPrune) && !object->role.lost.empty();
  };
  std::vector<Rights> out(objects.size());
  if (std::ranges::none_of(objects, loses)) return out;
  const Bindings bindings(objects);
  for (size_t i = 0; i < objects.size(); ++i) {
    if (!loses(objects[i])) continue;
    out[i] = objects[i]->role.lost;
    bindings.RemoveGivenBack(*objects[i], out[i]);
    std::erase_if(out[i], [](const auto& right) { return IsNowhere(right.first); });
  }
  return out;
}

void ForgetRegranted(Report& report) {
  Objects objects;
  std::map<std::string, const ObjectReport*> roles;
  bool any = false;
  for (const ObjectReport& object : report.objects) {
    objects.push_back(&object);
    any = any || !object.access.lost_by.empty();
    const bool is_role = object.role.role.empty() && (!object.role.allowed.empty() || !object.role.lost.empty());
    if (is_role) roles.emplace(NameOfRole(object.kind, object.name_space, object.name), &object);
  }
  if (!any) return;
  const Bindings bindings(objects);
  for (ObjectReport& object : report.objects) {
    const auto role = roles.find(object.role.role);
    std::erase_if(object.access.lost_by, [&](const std::string& subject) {
      if (bindings.Has(subject, object.role.role, object.name_space)) return true;
      if (role == roles.end()) return false;
      const RoleFacts& facts = role->second->role;
      return bindings.HasAll(subject, object.name_space, WillExist(*role->second) ? facts.allowed : facts.lost);
    });
  }
}

void NoteWhoLosesRoles(Report& report) {
  std::map<std::string, std::vector<std::string>> running;  // by their ServiceAccounts
  const auto name_of = [](const auto& object) { return StrCat(object.kind, " ", object.name_space, "/", object.name); };
  if (report.left) {
    for (const LeftObject& object : *report.left) {
      if (!object.account.empty()) running[object.account].push_back(name_of(object));
    }
  }
  for (const ObjectReport& object : report.objects) {
    if (object.action != Action::kError || object.reach.pods_before.empty()) continue;
    const auto account = std::ranges::find(object.needs_now, "ServiceAccount", &NeededObject::kind);
    const std::string_view name = account == object.needs_now.end() ? "" : std::string_view(account->name);
    running[SubjectOfPods(object.name_space, name)].push_back(name_of(object));
  }
  for (ObjectReport& object : report.objects) {
    for (const std::string& subject : object.access.lost_by) {
      const auto at = running.find(subject);
      if (at == running.end()) continue;
      auto& names = object.access.lost_by_running;
      names.insert(names.end(), at->second.begin(), at->second.end());
    }
  }
}

}  // namespace smp::explain
