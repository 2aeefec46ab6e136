// Parses flag values as kubectl does, with Go's library: strconv.ParseBool, strconv.ParseInt, encoding/csv. Errors have
// the library's messages, which kubectl prints.
#ifndef SMP_CMD_FLAG_VALUES_H_
#define SMP_CMD_FLAG_VALUES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace smp {

Result<bool> ParseGoBool(std::string_view text);
Result<int32_t> ParseGoInt32(std::string_view text);  // decimal

// Returns the fields of the first record: a,"b,c",d has three. "" has none.
Result<std::vector<std::string>> ParseGoCsv(std::string_view text);

// Puts `text` in double quotes, as Go's %q prints it.
std::string GoQuoted(std::string_view text);

}  // namespace smp

#endif  // SMP_CMD_FLAG_VALUES_H_
