// What yaml.cc must look up in the text itself, because yaml-cpp forgives what Go's parser does not: it takes a last
// line without a colon for a key, ends an open quote at the end of the text, reads `[a, , b]`, and lets control
// characters pass. Places are offsets in bytes, as yaml-cpp's marks give them.
#ifndef SMP_VALUE_YAML_TEXT_H_
#define SMP_VALUE_YAML_TEXT_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace smp {

// False if the scalar that begins at `at` is quoted and the quote never ends.
bool IsClosed(std::string_view text, size_t at);

// True if a colon follows the block mapping key that begins at `at`, or a `?` stands before it.
bool HasColon(std::string_view text, size_t at);

// True if at the place of a null in a flow sequence there is nothing but the next comma or bracket.
bool IsEmptyFlowItem(std::string_view text, size_t at);

// A scalar of yaml-cpp that is no UTF-8: it writes the escapes \N and \_ as single bytes.
std::string RepairEscapes(std::string_view text);

struct BadCharacter {
  size_t place;
  std::string_view why;
};
// The first character that Go's reader (readerc.go) would refuse.
std::optional<BadCharacter> FindBadCharacter(std::string_view text);

// True if the indentation of the line (from 0) holds a tab.
bool IsIndentedByTab(std::string_view text, int line);

}  // namespace smp

#endif  // SMP_VALUE_YAML_TEXT_H_
