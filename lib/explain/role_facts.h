// What a Role or a binding says of rights: whether somebody loses a right, only the roles and bindings of an input together tell.
#pragma once

#include <string>
#include <vector>

#include "explain/rights.h"
#include "value/value.h"

namespace smp::explain {

struct RoleFacts {
  Rights allowed;  // by a role, as it will be
  Rights lost;     // what it allowed before
  // Of a binding: "ClusterRole reader" or "Role shop/reader", and who has it: "ServiceAccount shop/web".
  std::string role;
  std::vector<std::string> subjects;
  std::vector<std::string> subjects_before;  // who has it now
  // Of a role that may no longer read custom resources of which there are some: "widgets.example.com: one, two".
  std::vector<std::string> unread;
};

// `before`: null if the object is new. Other objects have no facts; neither have roles that a controller fills in.
RoleFacts RoleFactsOf(const Value& before, const Value& after);

// Returns what RoleFacts::role says of a binding to it. `name_space`: "" for a ClusterRole.
std::string NameOfRole(std::string_view kind, std::string_view name_space, std::string_view name);

// Returns "ServiceAccount shop/web": what RoleFacts::subjects says of Pods that run as `account`. "": as the default one.
std::string SubjectOfPods(std::string_view name_space, std::string_view account);

std::vector<std::string> SubjectsOf(const Value& binding);  // {"ServiceAccount shop/web", "Group dev"}

}  // namespace smp::explain
