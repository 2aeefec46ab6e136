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

// Kind and value: 1 and "1" differ; a whole double equals the integer. Error: merge-key for maps, lists and null.
Result<std::string> ScalarIdentity(const Value& value);

// By the fields `keys`, all of which must be there: what the server merges by. Error: merge-key, naming the field.
Result<std::string> MergeKeyOf(const Value& item, const std::vector<std::string>& keys);

// By the list's pairing keys (PairingKeys); an absent key field counts as its schema default (protocol: TCP).
Result<std::string> IdentityOf(const Value& item, const Field& list, const Schema& schema);

}  // namespace smp

#endif  // SMP_SMP_KEYS_H_
