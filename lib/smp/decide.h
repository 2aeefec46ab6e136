// The three-way rule for a value that is replaced as a whole (a scalar, an atomic list, a map that only the manifest
// has). A pure function of o (last-applied), m (manifest) and l (live); – means absent:
//
//   o  m  l      op      reason              o  m  l          op      reason
//   –  –  l      keep    live-only           o  m  –          set     restored
//   –  m  –      set     added               o=m  l=m         none    in-sync
//   –  m  l=m    none    in-sync             o=m  l≠m         set     drift
//   –  m  l≠m    set     owned               o≠m  l=m         none    in-sync
//   o  –  l      delete  removed             o≠m  l=o         set     changed
//   o  –  –      none    (already gone)      o≠m  l≠o,l≠m     set     conflict
//
// An explicit null in the manifest means "absent": it deletes the live value (explicit-null), or does nothing if there
// is no such value. Differs from kubectl: it sends such a null, and the deletion of what is already gone, again at
// every apply. Where the server stores nulls (`nullable` fields of custom resources), null is a value like any other.
// Differs from kubectl: its JSON merge patch cannot store one. A null in last-applied counts as absent, because it
// never set a value. Differs from kubectl: it deletes another manager's value in this case. A null in live counts as
// absent unless the server stores nulls: Go writes a required list that is empty as null.
#pragma once

#include "smp/meaning.h"
#include "smp/plan.h"
#include "value/value.h"

namespace smp {

struct Decision {
  Op op;
  Reason reason;
};

// nullptr: absent. Values are compared by meaning, with the schema's rules for `place` (meaning.h).
Decision Decide(const Value* original, const Value* modified, const Value* live, const Place& place = {});

}  // namespace smp
