// Text → TextTree. Both readers accept the same texts as the ordinary parsers, with the same values. The YAML reader
// uses the events of lib/yaml, whose marks are offsets in the text. Neither reader is recursive.
#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "edit/text_tree.h"

namespace smp::edit {

// Both return a pointer because the tree has views of its own text and must not move. Error: parse, with the line.
Result<std::unique_ptr<TextTree>> ReadJsonText(std::string_view text);
// Reads the first document and ignores what follows it.
Result<std::unique_ptr<TextTree>> ReadYamlText(std::string_view text);

}  // namespace smp::edit
