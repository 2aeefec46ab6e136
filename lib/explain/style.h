// Roles of the parts of a text for people, from which its colors are made. A part is enclosed in marks: control
// characters that take no columns and that nobody else can write, because Visible() escapes them in everything that comes
// from files and servers. Mark a part after it was escaped, cut and wrapped. Rendered() turns the marks into colors, or
// removes them: no text leaves this room with marks.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace smp::explain {

enum class Role { kAdded, kRemoved, kChanged, kHeading, kDim, kWarning, kError };

// Returns the text with each line marked, without the spaces at its beginning.
std::string As(Role role, std::string_view text);

// Returns the text with its first character that is no space marked: the sign of a line.
std::string WithSign(Role role, std::string_view text);

// + added, - removed, ! error, = dim, any other: changed
Role RoleOfSign(char sign);

enum class Color { kNo, kYes };

// Colors are among the eight that every theme of a terminal maps to its own. They add nothing that signs and words do not
// say.
std::string Rendered(std::string_view marked, Color color);

// Returns the columns of a line that Rendered() returned.
size_t ColumnsShown(std::string_view rendered);

// Returns the lines of a unified diff with the roles of their kinds.
std::string WithRolesOfDiff(std::string_view diff);

}  // namespace smp::explain
