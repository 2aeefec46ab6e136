// The three-way rule for a value that is decided as a whole (a scalar, an atomic list, a map that only the manifest
// has). A pure function:
//
//   o  m  l      op      reason              o  m  l          op      reason
//   –  –  l      keep    live-only           o  m  –          set     restored
//   –  m  –      set     added               o=m  l=m         none    in-sync
//   –  m  l=m    none    in-sync             o=m  l≠m         set     drift
//   –  m  l≠m    set     owned               o≠m  l=m         none    in-sync
//   o  –  l      delete  removed             o≠m  l=o         set     changed
//   o  –  –      none    (already gone)      o≠m  l≠o,l≠m     set     conflict
//
// An explicit null in the manifest means "absent": it deletes what live has (explicit-null), and where live has nothing
// there is nothing to do. Differs from kubectl: it sends such a null, and the deletion of what is already gone, again
// at every apply. Where the server stores nulls (`nullable` fields of custom resources) null is a value like any other.
// Differs from kubectl: its JSON merge patch cannot store one. A null in last-applied never was a value, so it counts
// as absent. Differs from kubectl: it deletes another manager's value then.
#pragma once

#include "smp/meaning.h"
#include "smp/plan.h"
#include "value/value.h"

namespace smp {

struct Decision {
  Op op;
  Reason reason;
};

// nullptr: absent. Values are compared by what they mean at `place`.
Decision Decide(const Value* original, const Value* modified, const Value* live, const Place& place = {});

}  // namespace smp
