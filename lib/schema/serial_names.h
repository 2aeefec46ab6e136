// Names in the text of a schema (serial.h): "-" is the empty one; blanks, control characters and , = # % are %XX.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace smp {

void AppendName(std::string& out, std::string_view name);
// nullopt if the word is empty or has an invalid escape.
std::optional<std::string> NameFrom(std::string_view word);

}  // namespace smp
