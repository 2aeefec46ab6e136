// The input of the engine's targets: a text whose first line is a kind, "v1/Pod", and whose rest is JSON values, one
// behind the other. Mutated as values and not as bytes, so that what reaches the engine is well formed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "schema/schema.h"
#include "value/document.h"

namespace smp {

struct FuzzObjects {
  TypeId type = kNoType;  // of the built-in schema; kNoType for a kind that it does not know
  std::vector<Document> values;
};

// Nothing unless there are exactly `count` values.
std::optional<FuzzObjects> ReadObjects(std::string_view text, size_t count);

// For LLVMFuzzerCustomMutator.
size_t MutateObjects(uint8_t* data, size_t size, size_t max_size, unsigned seed);

}  // namespace smp
