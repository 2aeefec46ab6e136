// The sentence for each reason code: what happened, in words a user of kubectl knows. A sentence names a manager only if
// managedFields do: they name programs, never people, and do not record who removed a field.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explain/of_others.h"
#include "smp/keep_live.h"
#include "smp/managed_fields.h"
#include "smp/plan.h"
#include "value/path.h"

namespace smp::explain {

// How the object is applied. kForced: conflicts with other managers do not stop a server-side apply.
enum class SentAs { kClientSide, kServerSide, kForced };

// What is known about a field of live, beside its values.
struct Evidence {
  std::vector<FieldManager> owners = {};  // empty if live does not have the field
  bool applied = false;                   // a server-side apply set it
  bool unset = false;                     // nobody is known to have set it: a default, or admission
  bool recorded = false;                  // live has managedFields
  bool last_applied = true;               // there is a last-applied object to compare with
  bool drifted = false;                   // live has another value than last-applied
  bool edited = false;                    // the manifest has another value than last-applied
  bool stored = true;                     // the last-applied value is one that the server stores ("" often is not)
  bool answered = false;                  // what live will have is the server's answer
  bool is_default = false;                // live has the default that the schema states
  bool is_allocated = false;              // the server chooses a value where nobody names one
  bool recreated = false;                 // the object is deleted and created again
  bool stored_otherwise = false;          // ServerStoredOtherwise
  bool may_have_lost_parts = false;       // ReportRow::may_have_lost_parts
  // Where nobody is known to have set it: who may have, through another API version.
  std::vector<OtherVersionManager> of_other_versions = {};
  SentAs sent_as = SentAs::kClientSide;
  // The sentence says how long ago an owner wrote; nullopt: it gives the time as it is in managedFields.
  std::optional<std::chrono::sys_seconds> now = std::nullopt;
};

// Explains node.reason. `parent` gives the context (the siblings that $retainKeys keeps, the list of an item).
std::string MessageFor(const PlanNode& node, const PlanNode& parent, const Evidence& evidence);

// The messages of rows that compare two live objects (comparison.h).
inline constexpr std::string_view kOnlyHere = "only here", kOnlyThere = "only there", kDiffers = "differs";

// Returns true if the message says no more than the name of its reason does to whoever knows MeaningOf.
bool IsPlain(std::string_view message);

// Returns true if the message says that nobody but whoever applied the object may have set what live has: a default, or what
// admission filled in.
bool BlamesNobody(std::string_view message);

// Returns a sentence for the legend: when a change has this reason.
std::string_view MeaningOf(Reason reason);

// Returns the first five paths, and how many more there are.
std::string NamedPaths(const std::vector<FieldPath>& paths);

// Names what a manager set and apply keeps.
std::string PrivilegeWarning(const FieldsOfManager& fields, std::optional<std::chrono::sys_seconds> now);

// Says who asked to keep the field, and how it differs from the manifest.
std::string KeptMessage(const KeptField& field, const Evidence& evidence);

// An item of a list that has another order in live.
struct OrderedItem {
  std::string name;
  size_t place_in_live = 0;  // among these items
};

// The items that live and the manifest both have, in the manifest's order. Items are named by their key values.
std::vector<OrderedItem> ItemOrder(const PlanNode& list);

// Tells the order of the items in live and in the manifest.
std::string ReorderMessage(const std::vector<OrderedItem>& items);

// Names the items that move, few if few do: "REGION before LOG_LEVEL".
std::string MovesOf(const std::vector<OrderedItem>& items);

// Returns the first line of a refusal. Of several causes, which the server lists below 'The Pod "p" is invalid: ', returns the first.
std::string_view FirstCause(std::string_view message);

}  // namespace smp::explain
