// Whether a step of a path names a member, an item or an element of an object. A step that is nullopt names all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "value/path.h"
#include "value/value.h"

namespace smp {

// Accepts an element, too: in a path, a quoted name may mean a field or an element of a set.
bool NamesField(const std::optional<PathStep>& step, std::string_view name);

// Returns true if the step names this item of a list: by its keys, as an element of a set, or by its index.
bool NamesItem(const std::optional<PathStep>& step, const Value& item, int64_t index);

}  // namespace smp
