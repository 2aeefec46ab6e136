// What an apply has to come to, said once more and in another way than the engine says it: not how to get there, but
// what must hold of (original, modified, live, outcome). Knows nothing of plans and patches.
//
//   A field of the manifest      has the manifest's value in the outcome; maps and merged lists are looked into, but
//                                not maps that are replaced whole (strategy replace; atomic ones of custom resources).
//   A field that the manifest    is gone, whoever changed it.
//   had, and has no longer
//   (null in the manifest        asks for the same, or for the default that the schema states)
//   A field only in live         stays as it is; where the manifest chooses one of several ($retainKeys), it is gone.
//   An item of a merged list     is what its identity says: there are as many of one identity as the manifest has, and
//                                as many more as live had beyond what the manifest has or had.
//   Items of the manifest        stand in its order; of equal ones they are the last, so that where the last counts
//                                (environment variables) they count.
//   Items only in live           are untouched and keep their order among themselves.
#pragma once

#include <string>
#include <vector>

#include "schema/schema.h"
#include "value/document.h"
#include "value/value.h"

namespace smp {

// Is the list merged, or replaced whole?
bool IsMerged(const Field& list);
// The fields that identify an item of a merged list; empty: it is a set of scalars.
std::vector<std::string> IdentityFields(const Field& list);
// As text, an absent field or null by the default that the schema states, or by "" if it is a text that Go leaves out where it is
// empty; "" if a field is missing.
std::string IdentityOf(const Value& item, const Field& list, const Schema& schema);

// Does a merged list in the object hold an item without its identity?
bool HasItemWithoutIdentity(const Value& object, const Schema& schema, TypeId type);

// As JSON text in which equal objects are equal: without nulls, and sets in order.
std::string CanonicalText(const Value& object, const Schema& schema, TypeId type);

struct FourSides {
  const Value* original = nullptr;  // nullptr: there is none
  const Value* modified = nullptr;
  const Value* live = nullptr;
  const Value* outcome = nullptr;
};

struct Findings {
  std::vector<std::string> broken;             // what does not hold, "spec.ports: …" each
  std::vector<std::string> written_otherwise;  // where the outcome is not literally what the rule wants, alike
  Value expected;                              // the outcome with what the rule wants in these places
};

// The rule holds if nothing is broken, and if `expected` and the outcome are the same object to the server. That is for
// Go to say (op "same" of the oracle), as the judge must not share the engine's idea of equality.
// REQUIRES: modified, live and outcome are objects. `expected` points into all four, and into `arena`.
Findings CheckRule(const FourSides& objects, const Schema& schema, TypeId type, Arena& arena);

}  // namespace smp
