// What a reader of YAML is told: yaml-cpp's words in plain ones, and what may be wrong with the file as a whole.
#pragma once

#include <string>
#include <string_view>

namespace smp::yaml_cpp {

// "illegal map value" → "a mapping cannot begin here; …". Words that are plain enough are given back.
std::string InPlainWords(std::string_view words_of_yaml_cpp);

}  // namespace smp::yaml_cpp
