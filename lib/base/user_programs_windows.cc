#include "base/user_programs.h"

namespace smp {

std::vector<std::string> ShellCommand(const std::string& line) { return {"cmd.exe", "/c", line}; }

std::vector<std::string> UserShellCommand(const std::string& line) { return ShellCommand(line); }

std::string DefaultEditor() { return "notepad"; }

bool EditorsWantCarriageReturns() { return true; }

}  // namespace smp
