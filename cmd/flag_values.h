// Parses flag values as kubectl does, with Go's library: strconv.ParseBool, strconv.ParseInt, encoding/csv. Errors have
// the library's messages, which kubectl prints.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace smp::cmd {

Result<bool> ParseGoBool(std::string_view text);
Result<int32_t> ParseGoInt32(std::string_view text);  // decimal

// Returns kubectl's warnings, by deprecated value, for a flag that once was boolean: `on` replaces true, `off` false.
std::map<std::string, std::string> DeprecatedBooleans(std::string_view flag, std::string_view on, std::string_view off);

// Returns the fields of the first record: a,"b,c",d has three. "" has none.
Result<std::vector<std::string>> ParseGoCsv(std::string_view text);

// Puts `text` in double quotes, as Go's %q prints it.
std::string GoQuoted(std::string_view text);

}  // namespace smp::cmd
