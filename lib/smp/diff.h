// Diff: the walk over original (last-applied), modified (manifest) and live. All decisions are made here.
#pragma once

#include <vector>

#include "base/result.h"
#include "schema/schema.h"
#include "smp/plan.h"
#include "value/value.h"

namespace smp {

struct DiffInput {
  const Value* original = nullptr;  // nullptr: there is no last-applied configuration
  const Value* modified = nullptr;  // REQUIRES: modified and live are objects
  const Value* live = nullptr;
  const Schema* schema = nullptr;
  TypeId type = kNoType;
};

// Linear in the size of the three objects, except O(n log n) where lists are ordered. Errors carry the field path:
// merge-key (an item of the manifest without its key), patch-format (a directive written in the manifest).
Result<Plan> Diff(const DiffInput& input);

// Returns the items of a live list that neither the last-applied list nor that of the manifest has. REQUIRES: `live` and
// `modified` are lists.
std::vector<const Value*> ForeignItems(const Value& live, const Value* original, const Value& modified);

}  // namespace smp
