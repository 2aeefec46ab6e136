// What a path names in an object: a member, an item or an element. A step that is nullopt names all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "value/document.h"
#include "value/path.h"
#include "value/value.h"

namespace smp {

using PatternSteps = std::span<const std::optional<PathStep>>;

// Accepts an element, too: in a path, a quoted name may mean a field or an element of a set.
bool NamesField(const std::optional<PathStep>& step, std::string_view name);

// Returns true if the step names this item of a list: by its keys, as an element of a set, or by its index.
bool NamesItem(const std::optional<PathStep>& step, const Value& item, int64_t index);

// Returns true if the steps name something in `value`. An index names nothing: it does not identify an item. Recursion
// depth: no more than the number of steps.
bool NamesPart(PatternSteps steps, const Value& value);

// Returns a copy without what the steps name, and without maps and lists that this leaves empty in maps; `value` itself if
// they name nothing. The copy shares the memory of `value`. Recursion depth: as of NamesPart.
Value WithoutNamed(const Value& value, PatternSteps steps, Arena& arena);

// Makes a pattern into stringData of a Secret one into data: stringData is only the manifest's way to write data.
void LeadIntoData(PathPattern& pattern);

// Returns the value at the path; nullptr if there is none. An item may lack keys of the step: those with a default.
const Value* ValueAt(const Value& object, const FieldPath& path);

}  // namespace smp
