// The command table, and the way from argv to a command's Run.
#ifndef SMP_CMD_COMMAND_H_
#define SMP_CMD_COMMAND_H_

#include <istream>
#include <ostream>
#include <string>
#include <vector>

#include "cmd/flags.h"

namespace smp {

// Everything a command may touch besides files and the network.
struct Io {
  std::istream& in;
  std::ostream& out;  // results
  std::ostream& err;  // warnings, errors, progress
};

struct Command {
  std::string name;
  std::string summary;      // one line
  std::string description;  // of --help
  std::string usage;        // "apply -f FILE [flags]"
  std::string examples;
  std::vector<Flag> flags;
  int (*run)(const ParsedFlags& flags, Io& io);
  int usage_error = 1;  // exit status for a wrong command line
};

const std::vector<Command>& Commands();

// `arguments` without the program's name. `program` is what help calls us: "kubectl smp" as a plugin, else
// "kubectl-smp".
int RunProgram(const std::string& program, const std::vector<std::string>& arguments, Io& io);

// "error: …" on io.err, escaped and scrubbed of secrets; returns `exit`.
int Fail(Io& io, const Error& error, int exit);

Command ApplyCommand();
Command ExplainDiffCommand();
Command CreatePatchCommand();
Command MergeCommand();

}  // namespace smp

#endif  // SMP_CMD_COMMAND_H_
