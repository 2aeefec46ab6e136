// How a scalar is written into a text.
#ifndef SMP_OVERRIDE_SCALAR_TEXT_H_
#define SMP_OVERRIDE_SCALAR_TEXT_H_

#include <string>
#include <string_view>

#include "value/value.h"

namespace smp {

// With no more escapes than JSON asks for: <, > and & stay.
std::string JsonScalar(const Value& value);

enum class YamlPlace { kBlock, kFlow };
enum class Quotes { kNone, kSingle, kDouble };

// In one line. Strings get quotes where YAML 1.1 or 1.2 would read them as anything else; `preferred` where they can
// have these.
std::string YamlScalarLine(const Value& value, YamlPlace place, Quotes preferred = Quotes::kNone);

// Whether the text can be a block behind `|` or `|-`, whatever follows it, and has more than one line or ends with one.
bool FitsLiteral(std::string_view text);

}  // namespace smp

#endif  // SMP_OVERRIDE_SCALAR_TEXT_H_
