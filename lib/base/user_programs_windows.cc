#include "base/strings.h"
#include "base/user_programs.h"

namespace smp {

std::vector<std::string> ShellCommand(const std::string& line) { return {"cmd.exe", "/c", line}; }

std::vector<std::string> UserShellCommand(const std::string& line) { return ShellCommand(line); }

std::string DefaultEditor() { return "notepad"; }

bool EditorsWantCarriageReturns() { return true; }

// No path has a double quote, and neither cmd.exe nor PowerShell takes a backslash in them for more than it is.
std::string PathInCommand(const std::string& path) { return StrCat("\"", path, "\""); }

}  // namespace smp
