#include "explain/role_facts.h"

#include <string_view>

#include "base/name_some.h"
#include "base/strings.h"
#include "value/at.h"
#include "value/metadata.h"

namespace smp::explain {

namespace {

Rights RulesOf(const Value& role) {
  const Value* rules = role.is_object() ? role.Find("rules") : nullptr;
  return rules == nullptr ? Rights() : RightsOf(*rules).value_or(Rights());
}

RoleFacts FactsOfRole(const Value& before, const Value& after) {
  if (after.Find("aggregationRule") != nullptr) return {};
  RoleFacts out = {.allowed = RulesOf(after), .lost = RulesOf(before), .role = "", .subjects = {}};
  RemoveAllowed(out.allowed, out.lost);
  return out;
}

RoleFacts FactsOfBinding(const Value& binding) {
  const std::string_view kind = TextAt(binding, {"roleRef", "kind"});
  const std::string_view name_space = kind == "Role" ? TextAt(binding, {"metadata", "namespace"}) : "";
  return {.allowed = {},
          .lost = {},
          .role = NameOfRole(kind, name_space, TextAt(binding, {"roleRef", "name"})),
          .subjects = SubjectsOf(binding)};
}

}  // namespace

std::string NameOfRole(std::string_view kind, std::string_view name_space, std::string_view name) {
  return StrCat(kind, " ", name_space, name_space.empty() ? "" : "/", name);
}

std::string SubjectOfPods(std::string_view name_space, std::string_view account) {
  return NameOfRole("ServiceAccount", name_space, account.empty() ? "default" : account);
}

std::vector<std::string> SubjectsOf(const Value& binding) {
  NamesOnce out;
  const std::string_view own = TextAt(binding, {"metadata", "namespace"});
  for (const Value& subject : ItemsAt(binding, {"subjects"})) {
    const std::string_view kind = TextAt(subject, {"kind"}), stated = TextAt(subject, {"namespace"});
    const std::string_view name_space = stated.empty() && kind == "ServiceAccount" ? own : stated;
    out.Add(NameOfRole(kind, name_space, TextAt(subject, {"name"})));
  }
  return out.all();
}

RoleFacts RoleFactsOf(const Value& before, const Value& after) {
  if (!after.is_object() || GroupOf(after.StringOr("apiVersion")) != "rbac.authorization.k8s.io") return {};
  const std::string_view kind = after.StringOr("kind");
  if (kind.ends_with("RoleBinding")) {
    RoleFacts out = FactsOfBinding(after);
    if (before.is_object()) out.subjects_before = SubjectsOf(before);
    return out;
  }
  return kind.ends_with("Role") ? FactsOfRole(before, after) : RoleFacts();
}

}  // namespace smp::explain
