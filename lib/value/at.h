// Values at a path of member names: read without caring where the path ends, and changed in a copy.
//
//   TextAt(pod, {"metadata", "name"})                              "" if there is none
//   WithAt(pod, {"metadata", "namespace"}, namespace, arena)       makes the maps on the way
//   WithoutAt(pod, {"metadata"}, {"uid", "generation"}, arena)
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "value/document.h"

namespace smp {

using Names = std::initializer_list<std::string_view>;

// These return nothing (or `fallback`) where the path leads nowhere or to another kind of value.
std::string_view TextAt(const Value& value, Names path);
int64_t IntAt(const Value& value, Names path, int64_t fallback = 0);
bool IsTrueAt(const Value& value, Names path);
std::span<const Value> ItemsAt(const Value& value, Names path);
std::vector<std::string> TextsAt(const Value& value, Names path);  // the strings among the items

// Returns a copy of `value` with `member` at the path; what is no map on the way is replaced by one. Shares the memory
// of all three, the names of the path included.
Value WithAt(const Value& value, Names path, const Value& member, Arena& arena);

// Returns a copy of `value` without these members of the map at the path. Shares memory.
Value WithoutAt(const Value& value, Names path, std::span<const std::string_view> members, Arena& arena);
Value WithoutAt(const Value& value, Names path, Names members, Arena& arena);

}  // namespace smp
