// Names in the text of a schema (serial.h): "-" is the empty one; blanks, control characters and , = # % are %XX.
#ifndef SMP_SCHEMA_SERIAL_NAMES_H_
#define SMP_SCHEMA_SERIAL_NAMES_H_

#include <optional>
#include <string>
#include <string_view>

namespace smp {

void AppendName(std::string& out, std::string_view name);
// nullopt if the word is empty or has an invalid escape.
std::optional<std::string> NameFrom(std::string_view word);

}  // namespace smp

#endif  // SMP_SCHEMA_SERIAL_NAMES_H_
