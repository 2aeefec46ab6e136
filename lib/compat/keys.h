// The keys of list items as text, which the reference (compat.h) compares. (Our engine uses align.h.)
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "value/value.h"

namespace smp::compat {

// Returns kind and value as text, so 1, 1.0 and "1" differ. Error: merge-key for maps and lists (Go panics).
Result<std::string> ScalarIdentity(const Value& value);

// Formats a value like Go's %v. The reference pairs items by it when it creates a patch, so keys 1 and "1" are equal.
std::string GoText(const Value& value);

// A stable sort by GoText, as the reference sorts scalars.
std::vector<Value> SortedByText(std::vector<Value> values);

// The identity by which the server merges: the values of all fields `keys`; 1 and 1.0 differ. Error: merge-key if a
// field is missing, with its name.
Result<std::string> MergeKeyOf(const Value& item, const std::vector<std::string>& keys);

}  // namespace smp::compat
