// When are two values equal? Each use needs one of these, from the strictest to the most tolerant:
//
//   a == b (value.h)    as they were read: 1 != 1.0. What differs so may be written differently.
//   SameByNumber        JSON has one type of number, so 1 is 1.0; but 2^53 + 1 is not the double 2^53. For the tests of
//                       JSON patches (RFC 6902 section 4.6), and for edits that keep a text that says the same.
//   SameAsFloat64       2^53 + 1 is 2^53, as for Go's json.Unmarshal into an interface. Only to answer as kubectl does.
//   SameMeaning         (smp/meaning.h) as the server stores them, by the schema.
//
// Objects are equal if their members are, by name; lists if their items are, in order. All are linear.
#pragma once

#include "value/value.h"

namespace smp {

bool SameByNumber(const Value& a, const Value& b);
bool SameAsFloat64(const Value& a, const Value& b);

}  // namespace smp
