// What is done to a file before it is parsed: check its characters and split it into documents.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "yaml/value_reader.h"

namespace smp::yaml {

// Splits the text at lines that begin with `---`, without parsing it, as Kubernetes' YAMLReader does, so that an
// invalid document does not affect the others. Returns an error in place of each malformed separator.
std::vector<Result<Chunk>> SplitText(std::string_view text, const std::string& source_name);

struct BadCharacter {
  size_t place;
  std::string_view why;
};
// Returns the first character that Go's reader (readerc.go) refuses; nullopt if there is none. `place` is its offset.
std::optional<BadCharacter> FindBadCharacter(std::string_view text);

// Returns the number of lines before the last one that looks like part of a Helm template; nullopt if none does.
std::optional<int> LastTemplateLine(std::string_view text);

// Returns the first `count` lines of the text.
std::string_view FirstLines(std::string_view text, int count);

// The error of a text with such a line, which says more than what it is that the parser cannot read.
inline constexpr std::string_view kTemplateMessage =
    "this is a Helm template ({{ … }}) that was not rendered; apply the output of helm template instead";
Error TemplateError(Source source);

int LinesIn(std::string_view text);

}  // namespace smp::yaml
