// What a row undoes, in a few words: of a list, map or text that the manifest replaces as a whole, often only a part was changed in live,
// and the rest is the manifest's own change. Nothing is escaped here.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "explain/report.h"

namespace smp::explain {

// What UndoneInWords says of rules of a Role that are written anew, and give what they gave.
inline constexpr std::string_view kRightsStay = "(what was added stays allowed)";

// Returns "args --level debug → info", "replsets[name=rs0].size 5 → 3", "rules -delete pods": only what was changed in live since the
// last apply. Returns ChangeInWords for other values, and where nobody can tell. `own_name`: of the object.
std::string UndoneInWords(const ReportRow& row, std::string_view own_name);

// Returns true for a value that the manifest and live have both changed, if none of what live changed is changed back: the manifest has
// taken it over, and changes something else.
bool UndoesNothing(const ReportRow& row);

// Returns "app.conf mode encap → noEncap" for what somebody changed in the data of a ConfigMap since it was applied; of what is long, only
// the keys. `keys`: which count; empty: all. `base`: what was applied before `applied` was changed: of what is long, only those changes
// count then; nullptr: unknown.
std::string ChangedDataInWords(const Value& applied, const Value& live, const std::set<std::string>& keys,
                               const Value* base = nullptr);

}  // namespace smp::explain
