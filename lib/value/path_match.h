// What a path names in an object: a member, an item or an element. A step that is nullopt names all of them.
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

// Returns the value at the path; nullptr if there is none. An item may lack keys of the step: those with a default.
const Value* ValueAt(const Value& object, const FieldPath& path);

}  // namespace smp
