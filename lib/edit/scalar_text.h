// Writes scalars as JSON or YAML.
#pragma once

#include <string>
#include <string_view>

#include "value/value.h"

namespace smp::edit {

// Returns the scalar as JSON. Escapes only what JSON requires, so not <, > and &.
std::string JsonScalar(const Value& value);

enum class YamlPlace { kBlock, kFlow };
enum class Quotes { kNone, kSingle, kDouble };

// Returns the scalar on one line. Quotes a string that YAML 1.1 or 1.2 would read as something else. Uses the quotes
// `preferred` where possible.
std::string YamlScalarLine(const Value& value, YamlPlace place, Quotes preferred = Quotes::kNone);

// Returns true if every YAML reader accepts the text unescaped, without line ends and tabs.
bool IsAllPrintable(std::string_view text);

}  // namespace smp::edit
