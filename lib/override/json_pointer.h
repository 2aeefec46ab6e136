// JSON pointers (RFC 6901), by which override policies name fields.
#ifndef SMP_OVERRIDE_JSON_POINTER_H_
#define SMP_OVERRIDE_JSON_POINTER_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace smp {

using JsonPointer = std::vector<std::string>;  // reference tokens, unescaped

// Error: invalid-argument, when it neither is empty nor begins with /, or has a ~ that is followed by neither 0 nor 1,
// or more than kMaxDepth (value/json.h) tokens. Differs from karmada, whose library takes both literally.
Result<JsonPointer> ParseJsonPointer(std::string_view text);

std::string ToString(const JsonPointer& pointer);

// Digits without leading zeros (section 4); nothing for everything else, `-` included.
std::optional<size_t> ParseListIndex(std::string_view token);

}  // namespace smp

#endif  // SMP_OVERRIDE_JSON_POINTER_H_
