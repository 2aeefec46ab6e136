// What identifies an item of a merging list: the values of its key fields, as one hashable string. Several fields ("k1,k2", the
// multi-fields merge key proposal) are simply several values.
#ifndef SMP_SMP_KEYS_H_
#define SMP_SMP_KEYS_H_

#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "schema/schema.h"
#include "value/value.h"

namespace smp {

// Go keeps 1 (int64) and 1.0 (float64) apart, and so does the server's merge; to a person they are one number.
enum class Numbers { kByKind, kByValue };

// Kind and value: 1 and "1" differ. Error: merge-key for maps, lists and null (Go panics).
Result<std::string> ScalarIdentity(const Value& value, Numbers numbers);

// Go's %v: what the reference pairs items by while it creates a patch, so that key 1 and key "1" are the same item to it.
std::string GoText(const Value& value);

// By the fields `keys`, all of which must be there, numbers by kind: what the server merges by. Error: merge-key, naming
// the field.
Result<std::string> MergeKeyOf(const Value& item, const std::vector<std::string>& keys);

// By the list's pairing keys (PairingKeys); an absent key field counts as its schema default (protocol: TCP).
Result<std::string> IdentityOf(const Value& item, const Field& list, const Schema& schema);

}  // namespace smp

#endif  // SMP_SMP_KEYS_H_
