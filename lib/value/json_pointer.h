// JSON pointers (RFC 6901), by which JSON patches and override policies name fields and places in texts.
#ifndef SMP_VALUE_JSON_POINTER_H_
#define SMP_VALUE_JSON_POINTER_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace smp {

using JsonPointer = std::vector<std::string>;  // reference tokens, unescaped

// Strict: begins with `/` (or is empty), no escapes but ~0 and ~1. Error: invalid-argument. Differs from karmada, whose
// library takes other escapes literally and drops the first token of what begins without a slash.
Result<JsonPointer> ParseJsonPointer(std::string_view text);

std::string ToString(const JsonPointer& pointer);
std::string EscapedToken(std::string_view token);  // as it stands between two slashes

// Digits without leading zeros (section 4); nothing for everything else, `-` included.
std::optional<size_t> ParseListIndex(std::string_view token);

}  // namespace smp

#endif  // SMP_VALUE_JSON_POINTER_H_
