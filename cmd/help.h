// The help, in the width of the terminal: descriptions are wrapped, flags are in groups, examples stay as they are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cmd/command.h"
#include "cmd/flags.h"
#include "cmd/io.h"

namespace smp::cmd {

// Returns the columns of the terminal that io.out is, but no more than can be read well; 80 without one.
size_t HelpWidth(const Io& io);

// Returns the text, whose paragraphs are separated by empty lines, with lines of at most `width` columns.
std::string Reflowed(std::string_view text, size_t width);

// Returns a line for each row, indented: a name and what it is, from one column on, or below a name that is too long.
std::string InColumns(const std::vector<std::pair<std::string, std::string>>& rows, size_t width);

// Returns the flags of each group below its heading: "Input:", "  -f, --filename=FILE   what it does".
std::string DescribeFlags(const std::vector<Flag>& flags, size_t width);

// Returns all that --help says. `program` is the name in examples.
std::string HelpOf(const Command& command, const std::string& program, size_t width);

}  // namespace smp::cmd
