// What a value means, as against how it is written: a null member of a map is no member, and 1.0 is 1.
// Differs from kubectl: it sends such differences at every apply.
#ifndef SMP_SMP_MEANING_H_
#define SMP_SMP_MEANING_H_

#include "value/document.h"
#include "value/value.h"

namespace smp {

// Equal but for null members of maps (absent = null) and for how numbers are written. Linear.
bool SameMeaning(const Value& a, const Value& b);

// Without the null members of maps, at any depth. Shares `value` where nothing changes.
Value WithoutNulls(const Value& value, Arena& arena);

}  // namespace smp

#endif  // SMP_SMP_MEANING_H_
