// The command table, and the way from argv to a command's Run.
#ifndef SMP_CMD_COMMAND_H_
#define SMP_CMD_COMMAND_H_

#include <string>
#include <vector>

#include "cmd/flags.h"
#include "cmd/io.h"

namespace smp {

struct Command {
  std::string name;
  std::string summary;      // one line
  std::string description;  // of --help
  std::string usage;        // "apply -f FILE [flags]"
  std::string examples;
  std::vector<Flag> flags;  // besides the global ones
  int (*run)(const ParsedFlags& flags, Io& io);
  int usage_error = 1;           // exit status for a wrong command line
  bool takes_arguments = false;  // else arguments that are no flags are refused
};

const std::vector<Command>& Commands();

// `arguments` without the program's name; global flags may stand before the command's. `program` is what help calls us:
// "kubectl smp" as a plugin, else "kubectl-smp".
int RunProgram(const std::string& program, const std::vector<std::string>& arguments, Io& io);

Command ApplyCommand();
Command ExplainDiffCommand();
Command CreatePatchCommand();
Command MergeCommand();

}  // namespace smp

#endif  // SMP_CMD_COMMAND_H_
