// What a server-side apply does (KEP-555), as a plan, by reading alone: the server merges the manifest into live, and
// removes what our entry in managedFields owns, the manifest lacks and nobody else owns. Source: structured-merge-diff,
// merge/update.go (Apply, prune) and typed/merge.go.
//
// An entry is a set of paths without values, so the reasons are fewer than those of decide.h:
//
//   manifest  live    our entry       others' entries   operation  reason
//   –         value   has it          have it           keep       given-up
//   –         value   has it          –                 delete     removed
//   –         value   –                                 keep       live-only
//   value     –                                         set        added
//   value     other                   have it           set        conflict: refused unless forced
//   value     other   has it          –                 set        changed
//   value     other   –               –                 set        owned
//   null      value                                     delete     explicit-null
//   {} or []  value   nothing is left after the merge   delete     removed
//
// What the merge leaves is found by server_side_merge.h.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "smp/managed_fields.h"
#include "smp/refused_nulls.h"
#include "smp/smp.h"
#include "value/document.h"
#include "value/path.h"

namespace smp {

// A field that the manifest sets, and that others own with another value.
struct FieldConflict {
  FieldPath path;
  const Value* modified;
  const Value* live;
  std::vector<FieldManager> owners;  // except us
};

struct ServerSideInput {
  const Value* manifest = nullptr;
  // Of a Secret that is sent with stringData, which `manifest` has as data, too: the stringData and the data that are sent. The server
  // first merges data, and then writes stringData into what is left.
  const Value* string_data = nullptr;
  const Value* sent_data = nullptr;
  const Value* live = nullptr;  // its managedFields decide what is a conflict
  // The last-applied object: the server lets the manager "kubectl" take what live has as it was applied client-side
  // (apimachinery, managedfields/internal/lastappliedmanager.go). nullptr: there is none.
  const Value* last_applied = nullptr;
  std::vector<Value> entries;  // managedFields that decide what is removed: live's, or those after a migration
  std::string manager;         // ours
  const Schema* schema = nullptr;
  TypeId type = kNoType;
};

struct ServerSidePlan {
  VerifiedPatch patch;                   // plan and outcome; the body is the manifest, which the caller fills in
  std::vector<FieldConflict> conflicts;  // in the order of the plan
  // Members of unions that stay beside what the manifest chooses, so that the server refuses the object: what no entry of
  // ours owns is not removed, such as the default rollingUpdate of a Deployment that becomes Recreate.
  std::vector<FieldPath> clashes;
  std::vector<Refused> refused;
  // Our entry was written in this other API version, so that fields with another name there are not seen; "": none.
  std::string other_version;
};

// Linear in the size of manifest, live and entries, except O(n log n) in the number of members of a map of fields. The
// values of `input` must outlive the result. Errors carry the field path: merge-key (an item without its key),
// refused (two items with the same key, which the server refuses).
Result<ServerSidePlan> PlanServerSide(const ServerSideInput& input);

}  // namespace smp
