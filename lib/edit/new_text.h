// Writes values whose text is not kept from their place: new, copied or moved ones.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "edit/block_scalar.h"
#include "edit/draft.h"
#include "edit/scalar_text.h"

namespace smp::edit {

enum class Literals { kAllowed, kForbidden };

struct BlockStyle {
  size_t step = 2;         // indentation of a mapping below its key
  size_t list_offset = 0;  // indentation of a list below its key
  std::string_view line_end = "\n";
  Literals literals = Literals::kAllowed;
  bool may_keep = true;  // a literal may end with `|+`: no blank line follows that would become a part of it
  Quotes key_quotes = Quotes::kNone;
};

struct FlowStyle {
  DataFormat format = DataFormat::kYaml;
  bool in_lines = false;        // each entry on a line of its own
  std::string indent = {};      // if in_lines: precedes each entry
  std::string unit = "  ";      // if in_lines: added to `indent` per nested level
  std::string separator = " ";  // if not in_lines: follows each comma
  std::string colon = ": ";
  Quotes quotes = Quotes::kNone;  // for strings and keys
  std::string_view line_end = "\n";
};

// Returns the text of a scalar or an empty collection, on one line.
std::string ScalarLine(Draft& draft, const FlowStyle& style);
std::string ScalarLine(Draft& draft, YamlPlace place, Quotes quotes);
// Returns the key of a member, without a colon.
std::string KeyLine(const Draft& member, const FlowStyle& style);
std::string KeyLine(const Draft& member, YamlPlace place, Quotes quotes);

// Returns the entries of a collection in block style: the first without indentation, each further one on its own line,
// indented to `column`. The last has no line end.
std::string BlockText(Draft& draft, size_t column, const BlockStyle& style);
// Returns one entry as in BlockText.
std::string BlockEntryText(Draft& entry, bool is_item, size_t column, const BlockStyle& style);
// Returns the text to put after a colon or dash; it begins with a space or line end. `column`: that of the entry.
std::string BlockValueText(Draft& draft, bool is_item, size_t column, const BlockStyle& style);

// Returns how a value that is not copied is written as a block scalar in this style; nullopt if it is not.
std::optional<BlockScalar> LiteralOf(const Draft& draft, const BlockStyle& style);

// Returns a collection in brackets, or a scalar. `style`: the style of the enclosing collection.
std::string FlowText(Draft& draft, const FlowStyle& style);
std::string FlowEntryText(Draft& entry, bool is_item, const FlowStyle& style);

}  // namespace smp::edit
