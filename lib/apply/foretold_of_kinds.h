// Refusals that are peculiar to a kind of object, so that only code can foretell them; what a list of fields can say is in
// schema/facts/fixed.txt. For foretold_refusals.cc.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "apply/prepare.h"
#include "base/result.h"
#include "value/path.h"
#include "value/value.h"

namespace smp::apply {

using FieldNames = std::vector<std::string_view>;
FieldPath ToPath(const FieldNames& names);
const Value* ValueAt(const Value& object, const FieldNames& path);  // nullptr: it is not there

// Returns the error refused, "foretold: WORDS", of the field.
Error Foretell(const Prepared& prepared, const FieldPath& path, std::string_view words);
Error ForetellField(const Prepared& prepared, const FieldNames& names, std::string_view words);

bool IsClaim(const Prepared& prepared);
std::string_view SizeOf(const Value& claim);  // the storage that it asks for; "" if none

// Returns nullopt unless the server would refuse to turn live into the outcome of the patch. REQUIRES: both exist.
std::optional<Error> ForetoldOfChange(const Prepared& prepared);

// Returns nullopt unless the server would refuse to store the object, whatever it was before.
std::optional<Error> ForetoldOfObject(const Prepared& prepared, const Value& object);

}  // namespace smp::apply
