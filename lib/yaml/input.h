// A file before it is parsed: its encoding, its characters, and the documents it is split into.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "yaml/value_reader.h"

namespace smp::yaml {

// Splits where a line begins with `---`, before anything is parsed, as Kubernetes' YAMLReader does: so a broken
// document cannot hide the others. An error stands for a malformed separator.
std::vector<Result<Chunk>> SplitText(std::string_view text, const std::string& source_name);

struct BadCharacter {
  size_t place;
  std::string_view why;
};
// The first character that Go's reader (readerc.go) refuses.
std::optional<BadCharacter> FindBadCharacter(std::string_view text);

// Returns the end of an error about a text that cannot be read, if something about the text as a whole is known.
std::string_view HintForText(std::string_view text);

int LinesIn(std::string_view text);

}  // namespace smp::yaml
