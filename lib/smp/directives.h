// The names of the directives of a strategic merge patch. Source: the strategic merge patch proposal ($patch,
// $deleteFromPrimitiveList, $setElementOrder) and the retainKeys proposal.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace smp {

inline constexpr std::string_view kPatchDirective = "$patch";
inline constexpr std::string_view kRetainKeysDirective = "$retainKeys";
inline constexpr std::string_view kOrderDirective = "$setElementOrder";
inline constexpr std::string_view kDeleteFromListDirective = "$deleteFromPrimitiveList";

inline constexpr std::string_view kPatchReplace = "replace";
inline constexpr std::string_view kPatchDelete = "delete";

// "$setElementOrder/containers"
std::string OrderKey(std::string_view list);
std::string DeleteFromListKey(std::string_view list);

// Compare only the prefix, as the server does: "$setElementOrderX" counts, too (ParallelList returns an error for it).
bool IsOrderKey(std::string_view member);
bool IsDeleteFromListKey(std::string_view member);
bool IsDirective(std::string_view member);

// Returns the name of the list that a directive refers to: "containers" for "$setElementOrder/containers". Error:
// patch-format if the directive has no "/name".
Result<std::string_view> ParallelList(std::string_view member);

}  // namespace smp
