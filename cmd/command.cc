#include "cmd/command.h"

#include "base/strings.h"
#include "cmd/exit_code.h"
#include "value/escape.h"
#include "value/redact.h"

namespace smp {

namespace {

const Command* FindCommand(const std::string& name) {
  for (const Command& command : Commands()) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

void PrintOverview(const std::string& program, std::ostream& out) {
  out << "kubectl smp: an apply that is right, says why, and is fast.\n\nUsage:\n  " << program
      << " COMMAND [flags]\n\nCommands:\n";
  for (const Command& command : Commands()) {
    out << "  " << command.name << std::string(16 - std::min<size_t>(15, command.name.size()), ' ') << command.summary
        << "\n";
  }
  out << "\nUse \"" << program << " COMMAND --help\" for the flags and examples of a command.\n";
}

std::string WithProgram(std::string text, const std::string& program) {
  constexpr std::string_view kPlaceholder = "{program}";
  for (size_t at = text.find(kPlaceholder); at != std::string::npos; at = text.find(kPlaceholder, at)) {
    text.replace(at, kPlaceholder.size(), program);
  }
  return text;
}

void PrintHelp(const std::string& program, const Command& command, std::ostream& out) {
  out << command.description << "\n\nExamples:\n"
      << WithProgram(command.examples, program) << "\nUsage:\n  " << program << " " << command.usage << "\n\nFlags:\n"
      << DescribeFlags(command.flags);
}

bool AsksForHelp(const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (argument == "--") return false;
    if (argument == "-h" || argument == "--help") return true;
  }
  return false;
}

int RunVersion(const ParsedFlags&, Io& io) {
  io.out << "Client Version: " << SMP_VERSION << "\n";
  return kExitOk;
}

Command VersionCommand() {
  return {.name = "version",
          .summary = "print the version of this program",
          .description = "Print the version of this program.",
          .usage = "version",
          .examples = "  {program} version\n",
          .flags = {},
          .run = RunVersion};
}

}  // namespace

const std::vector<Command>& Commands() {
  static const std::vector<Command> kCommands = {ApplyCommand(), ExplainDiffCommand(), CreatePatchCommand(),
                                                 MergeCommand(), VersionCommand()};
  return kCommands;
}

int RunProgram(const std::string& program, const std::vector<std::string>& arguments, Io& io) {
  const std::string name = arguments.empty() ? "" : arguments[0];
  if (name.empty() || name == "-h" || name == "--help" || name == "help") {
    PrintOverview(program, io.out);
    return kExitOk;
  }
  const Command* command = FindCommand(name);
  if (command == nullptr) {
    return Fail(io, Error::InvalidArgument(StrCat("unknown command \"", name, "\"; ", program, " --help lists them")),
                kExitFailed);
  }
  const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
  if (AsksForHelp(rest)) {
    PrintHelp(program, *command, io.out);
    return kExitOk;
  }
  auto flags = ParseFlags(command->flags, rest);
  if (!flags.ok()) {
    Error error = std::move(flags).error();
    error.message += StrCat("\nSee '", program, " ", command->name, " --help' for usage.");
    return Fail(io, error, command->usage_error);
  }
  return command->run(*flags, io);
}

int Fail(Io& io, const Error& error, int exit) {
  io.err << "error: " << Visible(SecretRegistry::Instance().Scrub(ToString(error))) << "\n";
  return exit;
}

}  // namespace smp
