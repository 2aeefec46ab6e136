// What a reader of YAML is told: yaml-cpp's words in plain ones, and what may be wrong with the file as a whole.
#ifndef SMP_YAML_YAML_ERRORS_H_
#define SMP_YAML_YAML_ERRORS_H_

#include <string>
#include <string_view>

namespace smp {

// "illegal map value" → "a mapping cannot begin here; …". Words that are plain enough are given back.
std::string InPlainWords(std::string_view words_of_yaml_cpp);

// The end of an error about a text that cannot be read; "" where nothing is known.
std::string_view HintForText(std::string_view text);

}  // namespace smp

#endif  // SMP_YAML_YAML_ERRORS_H_
