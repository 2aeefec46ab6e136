// The different equalities of values, from the strictest to the most tolerant:
//
//   a == b (value.h)    The kinds of numbers differ: 1 != 1.0.
//   SameByNumber        JSON has one type of number: 1 equals 1.0, but 2^53 + 1 is not the double 2^53. For "test" in
//                       JSON patches (RFC 6902 section 4.6), and for edits that keep the text of unchanged values.
//   SameAsFloat64       2^53 + 1 equals 2^53, as in Go's json.Unmarshal into an interface. Only to match kubectl.
//   SameMeaning         (smp/meaning.h) Equal after the server has stored them, according to the schema.
//
// Objects are equal if they have equal members in any order, lists if they have equal items in order. Linear time.
#pragma once

#include "value/value.h"

namespace smp {

bool SameByNumber(const Value& a, const Value& b);
bool SameAsFloat64(const Value& a, const Value& b);

}  // namespace smp
