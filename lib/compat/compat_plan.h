// The walk that makes kubectl's patches: like diff.h, but with the decisions of the reference (compat.h). Private to
// compat.cc.
//
// Each node carries two bits, drops (original had it, modified lacks it) and sets (live differs from modified), and is
// sent if either is set; so one walk gives the same result as the reference's merge(diff(original→modified, deletions
// only), diff(live→modified, no deletions)).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "schema/schema.h"
#include "smp/sides.h"
#include "value/document.h"
#include "value/path.h"

namespace smp::compat {

enum class CompatOp { kNone, kKeep, kSet, kDelete, kMap, kList };

struct CompatNode {
  std::string_view name;    // of a field
  std::vector<Member> key;  // of a list item: its merge key fields
  CompatOp op = CompatOp::kNone;
  Value value;                   // kSet: what is sent
  Sides sides;                   // original absent: nothing drops here; live absent: there is no such map or list
  const Field* field = nullptr;  // kList
  bool drops = false;
  bool sets = false;
  bool verbatim = false;  // live has no such value, so modified is sent as it is
  std::vector<CompatNode> children;
  std::vector<Value> retain;  // names for $retainKeys; empty: not sent
  std::vector<Value> order;   // entries for $setElementOrder; empty: not sent
  bool scalars = false;       // a list of scalars (if modified is empty, `children` may still be deletions of maps)
  std::vector<Value> adds, removes;
};

struct CompatPlan {
  CompatNode root;
  bool irregular = false;  // a list has items with equal keys
};

// kIgnore (for the conflict check): sends no $setElementOrder, and treats lists in another order as equal.
enum class CompatOrder { kKeep, kIgnore };

Result<CompatPlan> PlanAsKubectl(const Sides& sides, const Schema& schema, TypeId type, CompatOrder order,
                                 Arena& arena);

// The reference removes a duplicate by overwriting it with the last element and shortening the list by one. `rest`
// holds the elements that remain in memory after the shortened list.
struct Deduplicated {
  std::vector<Value> kept, rest;
};
Deduplicated DeduplicateAsGo(std::vector<Value> values);

// "map does not contain declared merge key". Error: merge-key.
Result<std::string> KeyText(const Value& item, const std::vector<std::string>& keys);

// LookUp returns the field `name`, used as a map or list like `value`. Error: schema if the type has no such field.
struct FieldUse {
  const Field* field;
  TypeId type;  // of the map, or of the list's elements
};
Result<FieldUse> LookUp(const Schema& schema, TypeId type, std::string_view name, const Value& value);

}  // namespace smp::compat
