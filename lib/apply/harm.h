// Warnings about what a plan takes from others, before it is carried out. For apply and explain-diff.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "apply/prepare.h"
#include "smp/managed_fields.h"
#include "value/path.h"

namespace smp::apply {

struct Harm {
  enum class Kind { kTakesField, kLosesItems, kMore };
  Kind kind;
  FieldPath path;    // empty for kMore, which counts what is not listed
  std::string text;  // a sentence for people
};

// Returns what HarmWarnings tells, with its paths.
std::vector<Harm> FindHarm(const Prepared& prepared, std::optional<std::chrono::sys_seconds> now,
                           const FieldOwners& owners);

// Returns a line for each field that the plan takes from a controller (with the command that leaves it to the
// controller), and for each list that it replaces as a whole and that loses items of others. Empty if nothing changes.
// `now`: see Describe in managed_fields.h. `owners`: of live; nullptr: they are read from its managedFields.
std::vector<std::string> HarmWarnings(const Prepared& prepared,
                                      std::optional<std::chrono::sys_seconds> now = std::nullopt,
                                      const FieldOwners* owners = nullptr);

// Returns a line that names the fields that the manifest and live both changed; "" if there are none. explain-diff needs
// none: its rows say it.
std::string ConflictWarning(const Prepared& prepared);

// Returns a line that names what the plan deletes because it is adopted; "" if that is nothing.
std::string AdoptionWarning(const Prepared& prepared);

}  // namespace smp::apply
