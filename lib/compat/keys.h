// Keys as text, by which the reference compares the items of lists. (The engine uses align.h.)
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "value/value.h"

namespace smp::compat {

// Kind and value: 1, 1.0 and "1" differ. Error: merge-key for maps and lists (Go panics).
Result<std::string> ScalarIdentity(const Value& value);

// Go's %v. The reference pairs items by it when it creates a patch, so it takes key 1 and key "1" for the same item.
std::string GoText(const Value& value);

// A stable sort by GoText, as the reference sorts scalars.
std::vector<Value> SortedByText(std::vector<Value> values);

// The identity by which the server merges: the values of all fields `keys`; 1 and 1.0 differ. Error: merge-key if a
// field is missing, with its name.
Result<std::string> MergeKeyOf(const Value& item, const std::vector<std::string>& keys);

}  // namespace smp::compat
