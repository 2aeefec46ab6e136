// This program as the system sees it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace smp {

// Prepares the process, before anything else is done: signals that must not end it, files that must not be left, streams
// that must be open.
void PrepareProgram();

// Returns the arguments of main(), argv[0] included, in UTF-8.
std::vector<std::string> ProgramArguments(int argc, char** argv);

// Ends the program at once with `exit_code`, after printing `text` to standard error.
[[noreturn]] void EndProgram(int exit_code, std::string_view text);

int ProcessId();

// While one exists, the program ends with exit code 0 after so many seconds, and prints `last_words` to standard output. One at
// a time.
class EndAfter {
 public:
  EndAfter(int seconds, std::string_view last_words);
  ~EndAfter();
  EndAfter(const EndAfter&) = delete;
  EndAfter& operator=(const EndAfter&) = delete;
};

}  // namespace smp
