// Keys as text: how the reference compares the items of lists, for compat.h. (The engine's own way is align.h.)
#ifndef SMP_COMPAT_KEYS_H_
#define SMP_COMPAT_KEYS_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "value/value.h"

namespace smp {

// Kind and value: 1, 1.0 and "1" differ. Error: merge-key for maps and lists (Go panics).
Result<std::string> ScalarIdentity(const Value& value);

// Go's %v: what the reference pairs items by while it creates a patch, so that key 1 and key "1" are the same item to
// it.
std::string GoText(const Value& value);

// By the fields `keys`, all of which must be there, numbers by kind: what the server merges by. Error: merge-key,
// naming the field.
Result<std::string> MergeKeyOf(const Value& item, const std::vector<std::string>& keys);

}  // namespace smp

#endif  // SMP_COMPAT_KEYS_H_
