// Programs that a system's users have, and what these expect.
#pragma once

#include <string>
#include <vector>

namespace smp {

// Returns the words that run a line of the shell: sh, on Windows cmd.exe.
std::vector<std::string> ShellCommand(const std::string& line);

// The same for the shell that the user has chosen: $SHELL, default /bin/bash.
std::vector<std::string> UserShellCommand(const std::string& line);

// The editor of who has chosen none: vi, on Windows notepad.
std::string DefaultEditor();

// Whether the system's editors want lines to end in CR LF.
bool EditorsWantCarriageReturns();

// Returns the path as one word of a command line that the user may type.
std::string PathInCommand(const std::string& path);

}  // namespace smp
