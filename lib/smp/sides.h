// The three sides of a decision, and the walk over the members of three maps. For diff.cc and the compat folder.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "value/names.h"
#include "value/value.h"

namespace smp {

// nullptr: absent
struct Sides {
  const Value* original = nullptr;
  const Value* modified = nullptr;
  const Value* live = nullptr;
};

inline bool IsAbsentOrNull(const Value* value) { return value == nullptr || value->is_null(); }

// A side of another kind than the manifest's value counts as absent.
inline const Value* IfKind(const Value* value, Kind kind) {
  return value != nullptr && value->kind() == kind ? value : nullptr;
}

// Calls `visit(name, sides)` for each member that any of the three maps has, in order of the names. A null map has
// none.
template <class Visit>
Status ForEachMember(const Sides& maps, Visit visit) {
  const auto members = [](const Value* map) { return map == nullptr ? std::span<const Member>() : map->Members(); };
  std::span<const Member> rest[3] = {members(maps.original), members(maps.modified), members(maps.live)};
  while (!rest[0].empty() || !rest[1].empty() || !rest[2].empty()) {
    std::string_view least;
    unsigned at_least = 0;  // a bit for each side that stands at the least name so far
    for (unsigned i = 0; i < 3; ++i) {
      if (rest[i].empty()) continue;
      const int order = at_least == 0 ? -1 : CompareNames(rest[i].front().name, least);
      if (order < 0) least = rest[i].front().name;
      if (order <= 0) at_least = (order == 0 ? at_least : 0U) | (1U << i);
    }
    const Value* values[3] = {};
    for (unsigned i = 0; i < 3; ++i) {
      if ((at_least & (1U << i)) == 0) continue;
      values[i] = &rest[i].front().value;
      rest[i] = rest[i].subspan(1);
    }
    SMP_TRY(visit(least, Sides{values[0], values[1], values[2]}));
  }
  return Ok();
}

}  // namespace smp
