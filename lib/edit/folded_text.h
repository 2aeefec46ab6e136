// Texts whose lines are folded, in a block (`>`) or over several lines of a plain or quoted scalar: a line break between two
// lines is a space, and each blank line is a line end.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smp::edit {

// Lines as they are in the text, without indentation, for each line of the value; none for an empty one.
using FoldedLines = std::vector<std::vector<std::string>>;

// Groups the lines of a text by the lines of the value that they are. `written`: "" for a blank line.
FoldedLines Grouped(const std::vector<std::string_view>& written);

// Returns the lines that are written, with a blank line for each line end of the value.
std::vector<std::string> Ungrouped(const FoldedLines& folded);

// Returns the lines for the text `now`, broken as those of `before`, its former text, where both have the same words. nullopt
// if `written` is not the form of `before`, or `now` cannot be folded: a line that begins or ends with a blank.
std::optional<FoldedLines> Refolded(const FoldedLines& written, std::string_view before, std::string_view now);

}  // namespace smp::edit
