// What servers and files say must not reach the terminal raw: control characters, ESC, C1, bidirectional overrides and
// invalid UTF-8 are made visible. Tabs stay; newlines stay or become \n.
#ifndef SMP_VALUE_ESCAPE_H_
#define SMP_VALUE_ESCAPE_H_

#include <string>
#include <string_view>

namespace smp {

enum class Newlines { kKeep, kEscape };

std::string Visible(std::string_view text, Newlines newlines = Newlines::kKeep);

// The same for JSON text: the characters become \uXXXX, so that it is still JSON and means the same.
std::string VisibleJson(std::string_view json);

}  // namespace smp

#endif  // SMP_VALUE_ESCAPE_H_
