// Writes scalars as JSON or YAML.
#pragma once

#include <string>
#include <string_view>

#include "value/value.h"

namespace smp::edit {

// Escapes only what JSON requires: <, > and & stay.
std::string JsonScalar(const Value& value);

enum class YamlPlace { kBlock, kFlow };
enum class Quotes { kNone, kSingle, kDouble };

// Writes a scalar on one line. Quotes strings that YAML 1.1 or 1.2 would read as anything else; uses `preferred` where
// possible.
std::string YamlScalarLine(const Value& value, YamlPlace place, Quotes preferred = Quotes::kNone);

// Returns true if the text can be a block after `|` or `|-`, whatever follows it, and has more than one line or ends
// with a line end.
bool FitsLiteral(std::string_view text);

}  // namespace smp::edit
