// The command table, and the dispatch from argv to a command.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cmd/flags.h"
#include "cmd/io.h"

namespace smp::cmd {

// A word of a command's output, for the manual page and the reference.
struct Term {
  std::string name;
  std::string meaning;
  std::vector<std::string> example;  // lines
};

struct Command {
  std::string name = {};    // "apply", or two words for a command of a group: "last-applied view"; of the table
  std::string summary;      // one line
  std::string description;  // for --help
  std::string usage;        // "apply -f FILE [flags]"
  std::string examples;
  std::vector<Flag> flags;  // without the global flags
  // Returns the exit status. If it returns an error, the caller prints it and exits with `usage_error`.
  Result<int> (*run)(const ParsedFlags& flags, Io& io);
  int usage_error = 1;                  // exit status if the command line is invalid or `run` returns an error
  bool takes_arguments = false;         // if false, arguments other than flags are an error
  Hint argument_hint = Hint::kNothing;  // what shell completion offers for arguments
  std::vector<Term> terms = {};
  std::string terms_title = {};               // "Reasons"; their flag prints them, too
  std::string terms_flag = {};                // "--reasons"
  std::vector<std::string> suggest_for = {};  // what other tools call it: "did you mean" says so, as in cobra
};

const std::vector<Command>& Commands();
std::optional<Command> FindCommand(std::string_view name);  // nullopt if there is no such command
// Returns the two-word commands whose first word is `name`; empty if there are none.
std::vector<const Command*> CommandsOfGroup(const std::string& name);
std::vector<Flag> AllFlags(const Command& command);  // followed by the global flags
std::string Examples(const Command& command, const std::string& program);

inline constexpr char kTagline[] = "an apply that is right, says why, and is fast";
// What the program does, for new users.
inline constexpr char kAbout[] =
    "Computes strategic merge patches (smp), the patches with which kubectl apply changes objects. Each patch is "
    "checked\n"
    "against the server's merge rules before it is sent, and its changes can be explained field by field.";

// Returns the program's name for help texts, given argv[0]: "kubectl smp" if kubectl started it as a plugin (argv[0] is
// then an absolute path, while a shell passes the name as it was typed), else the file name.
std::string ProgramName(const std::string& argv0);

// `arguments` excludes the program's name. Global flags may precede the command's name. Hidden commands: __complete
// (complete.h), __reference (reference.h).
int RunProgram(const std::string& program, const std::vector<std::string>& arguments, Io& io);

Command ApplyCommand();
Command ExplainDiffCommand();
Command CreatePatchCommand();
Command LastAppliedViewCommand();
Command LastAppliedSetCommand();
Command LastAppliedEditCommand();
Command LastAppliedForgetCommand();
Command LintCommand();
Command MergeCommand();
Command OverrideCommand();
Command PullCommand();
Command SchemaCommand();
Command VersionCommand();

}  // namespace smp::cmd
