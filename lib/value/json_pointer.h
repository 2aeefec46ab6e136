// JSON pointers (RFC 6901), by which JSON patches and override policies refer to fields.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace smp {

using JsonPointer = std::vector<std::string>;  // reference tokens, unescaped

// Error: invalid-argument unless the text is empty or begins with `/` and has no escapes except ~0 and ~1. Differs from
// karmada, whose library reads other escapes literally and drops the first token if there is no leading slash.
Result<JsonPointer> ParseJsonPointer(std::string_view text);

std::string ToString(const JsonPointer& pointer);
std::string EscapedToken(std::string_view token);  // escaped for use between two slashes

// Parses a list index: digits without leading zeros (section 4). Returns nullopt for other text, including `-`.
std::optional<size_t> ParseListIndex(std::string_view token);

}  // namespace smp
