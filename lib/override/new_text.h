// The text of nodes that an edit made.
#ifndef SMP_OVERRIDE_NEW_TEXT_H_
#define SMP_OVERRIDE_NEW_TEXT_H_

#include <string>
#include <string_view>

#include "override/scalar_text.h"
#include "override/text_tree.h"

namespace smp {

enum class Literals { kAllowed, kForbidden };

struct BlockStyle {
  size_t step = 2;         // of a mapping, deeper than its key
  size_t list_offset = 0;  // of a list, deeper than its key
  std::string_view line_end = "\n";
  Literals literals = Literals::kAllowed;
  Quotes key_quotes = Quotes::kNone;
};

struct FlowStyle {
  DataFormat format = DataFormat::kYaml;
  bool in_lines = false;        // each entry in a line of its own
  std::string indent = {};      // then: before entries
  std::string unit = "  ";      // then: what is added for each level
  std::string separator = " ";  // else: behind the comma
  std::string colon = ": ";
  Quotes quotes = Quotes::kNone;  // of strings and keys
  std::string_view line_end = "\n";
};

// One line: scalars (empty collections too).
std::string ScalarLine(const TextNode* node, const FlowStyle& style);
std::string ScalarLine(const TextNode* node, YamlPlace place, Quotes quotes);

// The entries of a collection, the first without indentation, the others in lines of their own at `column`. No line
// end behind the last.
std::string BlockText(const TextNode* node, size_t column, const BlockStyle& style);
// One entry, as BlockText writes it.
std::string BlockEntryText(const TextEntry* entry, size_t column, const BlockStyle& style);
// The value behind a colon or dash in `column`: begins with a space or line end.
std::string BlockValueText(const TextNode* node, bool is_item, size_t column, const BlockStyle& style);

// In brackets, or a scalar. `style` is that of the collection around it.
std::string FlowText(const TextNode* node, const FlowStyle& style);
std::string FlowEntryText(const TextEntry* entry, const FlowStyle& style);

}  // namespace smp

#endif  // SMP_OVERRIDE_NEW_TEXT_H_
