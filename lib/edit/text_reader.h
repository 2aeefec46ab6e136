// Texts → TextTree. Both readers accept what the readers of values accept and read it the same way. The YAML one is built
// on the events of lib/yaml, whose marks tell where everything is. Nothing recurses on the text.
#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "edit/text_tree.h"

namespace smp::edit {

// Return a pointer, because the tree's views point into its own text. Error: parse, with the line.
Result<std::unique_ptr<TextTree>> ReadJsonText(std::string_view text);
// Reads the first document and ignores what follows it.
Result<std::unique_ptr<TextTree>> ReadYamlText(std::string_view text);

}  // namespace smp::edit
