// Texts → TextTree. Both readers accept what the readers of lib/value accept and read it as they do; the YAML one is a
// scanner and parser of its own (after the algorithm of libyaml, which Go's yaml.v2 uses), because yaml-cpp's events
// tell neither where a node ends nor where comments are. Nothing recurses on the text.
#ifndef SMP_OVERRIDE_TEXT_READER_H_
#define SMP_OVERRIDE_TEXT_READER_H_

#include <memory>
#include <string_view>

#include "base/result.h"
#include "override/text_tree.h"

namespace smp {

// A pointer, because the tree's views point into its own text. Error: parse, with the line.
Result<std::unique_ptr<TextTree>> ReadJsonText(std::string_view text);
// The first document; what follows it is not looked at.
Result<std::unique_ptr<TextTree>> ReadYamlText(std::string_view text);

}  // namespace smp

#endif  // SMP_OVERRIDE_TEXT_READER_H_
