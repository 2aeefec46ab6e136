// JSON pointers (RFC 6901). JSON patches and override policies use them to name fields and places in texts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace smp {

using JsonPointer = std::vector<std::string>;  // reference tokens, unescaped

// Strict: the text is empty or begins with `/`, and has no escapes but ~0 and ~1. Error: invalid-argument. Differs from
// karmada, whose library takes other escapes literally and drops the first token if there is no leading slash.
Result<JsonPointer> ParseJsonPointer(std::string_view text);

std::string ToString(const JsonPointer& pointer);
std::string EscapedToken(std::string_view token);  // as written between two slashes

// Parses digits without leading zeros (section 4). nullopt for anything else, including `-`.
std::optional<size_t> ParseListIndex(std::string_view token);

}  // namespace smp
