// How much harm the change of a field may do: where there is room for few fields only, those are named that matter most.
#pragma once

#include <string_view>

#include "value/path.h"

namespace smp::explain {

// The most dangerous first.
enum class Danger {
  kImage,
  kContainers,  // a whole one
  kData,
  kCredentials,
  kProgram,
  kRollout,
  kSelector,
  kAccount,
  kSecurity,
  kProbes,
  kOther,
  kResources,
  kLabels
};
Danger DangerOf(const FieldPath& path);

// Returns true for a text with a URL: a value that matters more than others.
bool HasUrl(std::string_view text);

// Return true for a variable or key whose name says that its value is a password or a token, which short lines leave out: they are
// copied to more places than the rows.
bool NamesPassword(std::string_view name);
bool IsPassword(const FieldPath& path);
bool EndsInPassword(
    const FieldPath& path);  // of a path within a value: its last field, or the item whose value it is, has such a name
// Returns true for a line, or a command, that sets such a name: "db.password=…", "run --token=…", or has a user's password in a URL.
bool MentionsPassword(std::string_view text);

}  // namespace smp::explain
