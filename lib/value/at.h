// Values at a path of member names: read, with a default if the path does not exist, or changed in a copy.
//
//   TextAt(pod, {"metadata", "name"})                              "" if it is absent
//   WithAt(pod, {"metadata", "namespace"}, namespace, arena)       creates missing maps
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

// Return an empty value, false or `fallback` if the path does not exist or has another kind of value.
std::string_view TextAt(const Value& value, Names path);
int64_t IntAt(const Value& value, Names path, int64_t fallback = 0);
bool IsTrueAt(const Value& value, Names path);
std::span<const Value> ItemsAt(const Value& value, Names path);
std::vector<std::string> TextsAt(const Value& value, Names path);  // of a list, only the items that are strings

// Returns a copy of `value` with `member` at the path; values on the path that are not maps are replaced by maps. The
// copy shares the memory of `value`, of `member` and of the names in `path`.
Value WithAt(const Value& value, Names path, const Value& member, Arena& arena);

// Returns a copy of `value` without these members of the map at the path. The copy shares the memory of `value`.
Value WithoutAt(const Value& value, Names path, std::span<const std::string_view> members, Arena& arena);
Value WithoutAt(const Value& value, Names path, Names members, Arena& arena);

}  // namespace smp
