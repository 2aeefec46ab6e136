// The command table, and the way from argv to a command's Run.
#ifndef SMP_CMD_COMMAND_H_
#define SMP_CMD_COMMAND_H_

#include <string>
#include <vector>

#include "cmd/flags.h"
#include "cmd/io.h"

namespace smp {

struct Command {
  std::string name;         // "apply"; of two words for one of a group: "last-applied view"
  std::string summary;      // one line
  std::string description;  // of --help
  std::string usage;        // "apply -f FILE [flags]"
  std::string examples;
  std::vector<Flag> flags;  // besides the global ones
  int (*run)(const ParsedFlags& flags, Io& io);
  int usage_error = 1;                  // exit status for a wrong command line
  bool takes_arguments = false;         // else arguments that are no flags are refused
  Hint argument_hint = Hint::kNothing;  // what a shell may offer for arguments
};

const std::vector<Command>& Commands();

const Command* FindCommand(const std::string& name);  // nullptr: there is none
// The commands of two words that begin with `name`; empty: it is no group.
std::vector<const Command*> CommandsOfGroup(const std::string& name);
std::vector<Flag> AllFlags(const Command& command);  // the global ones last
std::string Examples(const Command& command, const std::string& program);

inline constexpr char kTagline[] = "an apply that is right, says why, and is fast";
// What the program does, for who sees it for the first time.
inline constexpr char kAbout[] =
    "Makes strategic merge patches (smp), the patches by which kubectl apply changes objects; checks by the rules of "
    "the\n"
    "server that each does what the manifest says, before it is sent; and explains them field by field.";

// What help calls us, by argv[0]: "kubectl smp" as a plugin, else the name of the file. kubectl starts a plugin by the
// absolute path where it found it on PATH; a shell passes on what was typed.
std::string ProgramName(const std::string& argv0);

// `arguments` without the program's name; global flags may stand before the command's. Hidden commands: __complete
// (complete.h), __reference (reference.h).
int RunProgram(const std::string& program, const std::vector<std::string>& arguments, Io& io);

Command ApplyCommand();
Command ExplainDiffCommand();
Command CreatePatchCommand();
Command LastAppliedViewCommand();
Command LastAppliedSetCommand();
Command LastAppliedEditCommand();
Command LastAppliedForgetCommand();
Command MergeCommand();
Command OverrideCommand();
Command VersionCommand();

}  // namespace smp

#endif  // SMP_CMD_COMMAND_H_
