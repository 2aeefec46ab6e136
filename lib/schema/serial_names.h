// Names in the text of a schema (serial.h): "-" is the empty name; blanks, control characters and , = # % are %XX.
#pragma once

#include <string>
#include <string_view>

namespace smp {

void AppendName(std::string& out, std::string_view name);
// False if the word is empty or has an invalid escape.
bool ReadName(std::string_view word, std::string& out);

}  // namespace smp
