// How a server-side apply merges what is at a place.
#pragma once

#include <string_view>

#include "schema/schema.h"
#include "smp/meaning.h"
#include "value/value.h"

namespace smp {

struct MergePlace {
  Place place;
  const Field* field = nullptr;  // nullptr: unknown, or an item

  // x-kubernetes-list-type, and for lists that state none, the patch strategy, as the server reads it.
  ListMerge merge() const;
  // Returns true for a map or list that is merged member by member, or item by item.
  bool is_granular(const Value& map) const;
  bool is_merged(const Value& list) const { return list.is_array() && merge() != ListMerge::kAtomic; }
  bool is_branch(const Value& value) const { return is_granular(value) || is_merged(value); }

  MergePlace Member(std::string_view name) const;
  MergePlace Item() const { return {PlaceOfItem(place), nullptr}; }
};

}  // namespace smp
