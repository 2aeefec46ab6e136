#include "base/environment.h"
#include "base/shell_words.h"
#include "base/user_programs.h"

namespace smp {

std::vector<std::string> ShellCommand(const std::string& line) { return {"sh", "-c", line}; }

std::vector<std::string> UserShellCommand(const std::string& line) {
  return {Environment("SHELL", "/bin/bash"), "-c", line};
}

std::string DefaultEditor() { return "vi"; }

bool EditorsWantCarriageReturns() { return false; }

std::string PathInCommand(const std::string& path) { return ShellQuoted(path); }

}  // namespace smp
