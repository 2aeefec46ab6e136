// What people, and other tools than kubectl and ours, have set in an object that stays as it is.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "explain/report.h"
#include "smp/managed_fields.h"
#include "value/value.h"

namespace smp::cmd {

// Returns true for people and other tools: controllers, and who writes the status, write settings of their own.
bool IsOther(const FieldManager& manager);

// Returns who set what of an entry; nullopt for what we applied, and the like.
std::optional<FieldManager> OtherOf(const Value& entry);

// Returns "others set args, replicas; by kubectl-edit" where people, or other tools, own something of what was applied.
std::string ChangesOfOthers(const Value& object);

// Returns "replicas 6 → 3; by kubectl (scale)": what others have set in an object that stays, and the new one has otherwise.
std::string NotCarriedOver(const Value& left, const Value& manifest, const explain::ObjectReport& created);

// Returns the keys of a ConfigMap that others have written.
std::set<std::string> KeysOfOthers(const Value& map);

}  // namespace smp::cmd
