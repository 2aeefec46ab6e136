#include "cmd/command.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "base/spelling.h"
#include "base/strings.h"
#include "base/terminal.h"
#include "cmd/complete.h"
#include "cmd/exit_code.h"
#include "cmd/global_flags.h"
#include "cmd/help.h"
#include "cmd/reference.h"
#include "value/escape.h"

namespace smp::cmd {

namespace {

using Words = std::vector<std::string>;

using List = std::vector<const Command*>;

// The name and the rest of a command are made when they are needed: one command has dozens of flags with their help.
struct Maker {
  std::string_view name;
  Command (*make)();
};

constexpr Maker kMakers[] = {
    {"apply", &ApplyCommand},
    {"explain-diff", &ExplainDiffCommand},
    {"last-applied view", &LastAppliedViewCommand},
    {"last-applied set", &LastAppliedSetCommand},
    {"last-applied edit", &LastAppliedEditCommand},
    {"last-applied forget", &LastAppliedForgetCommand},
    {"pull", &PullCommand},
    {"lint", &LintCommand},
    {"schema", &SchemaCommand},
    {"create-patch", &CreatePatchCommand},
    {"merge", &MergeCommand},
    {"override", &OverrideCommand},
    {"version", &VersionCommand},
};

Command Made(const Maker& maker) {
  Command command = maker.make();
  command.name = maker.name;
  return command;
}

List AllCommands() {
  List out;
  for (const Command& command : Commands()) out.push_back(&command);
  return out;
}

std::string DescribeCommands(const List& commands, size_t width) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Command* command : commands) rows.emplace_back(command->name, command->summary);
  return InColumns(rows, width);
}

void PrintOverview(const std::string& program, Io& io) {
  const size_t width = HelpWidth(io);
  io.out << "kubectl smp: " << kTagline << ".\n\n"
         << Reflowed(kAbout, width) << "\nUsage:\n  " << program << " COMMAND [flags]\n\nCommands:\n"
         << DescribeCommands(AllCommands(), width) << "\nUse \"" << program
         << " COMMAND --help\" for the flags and examples of a command.\nUse \"" << program
         << " options\" for the global flags.\n";
}

int PrintHelp(const std::string& program, const Command& command, Io& io) {
  io.out << HelpOf(command, program, HelpWidth(io));
  return kExitOk;
}

int PrintGroup(const std::string& program, const std::string& group, Io& io) {
  io.out << "Usage:\n  " << program << " " << group << " COMMAND [flags]\n\nCommands:\n"
         << DescribeCommands(CommandsOfGroup(group), HelpWidth(io)) << "\nUse \"" << program << " " << group
         << " COMMAND --help\" for the flags and examples of a command.\n";
  return kExitOk;
}

int PrintOptions(Io& io) {
  const size_t width = HelpWidth(io);
  io.out << Reflowed("The following options can be passed to any command, before or after its name:", width) << "\n"
         << DescribeFlags(GlobalFlagTable(), width);
  return kExitOk;
}

// Return "last-applied" and "view" for "last-applied view".
std::string FirstWord(const std::string& name) { return name.substr(0, name.find(' ')); }
std::string LastWord(const std::string& name) { return name.substr(name.rfind(' ') + 1); }

// Returns suggestions in cobra's wording. `group` is the group command before the typed word, or "".
std::string DidYouMean(const std::string& group, const std::string& typed) {
  std::set<std::string> names = group.empty() ? std::set<std::string>{"help", "options"} : std::set<std::string>();
  for (const Command* command : group.empty() ? AllCommands() : CommandsOfGroup(group)) {
    names.insert(group.empty() ? FirstWord(command->name) : LastWord(command->name));
  }
  const Words known(names.begin(), names.end());
  std::string out;
  for (const Command& command : Commands()) {
    const Words& words = command.suggest_for;
    if (group.empty() && std::find(words.begin(), words.end(), typed) != words.end()) out += "\n\t" + command.name;
  }
  for (const std::string& name : SpelledLike(typed, known)) out += "\n\t" + name;
  return out.empty() ? out : "\n\nDid you mean this?" + out;
}

int FailUnknown(std::string_view what, const std::string& name, const std::string& program, Io& io) {
  return Fail(io,
              Error::InvalidArgument(StrCat("unknown ", what, " \"", name, "\" for \"", program, "\"",
                                            DidYouMean("", name), "\nSee '", program, " --help' for the commands.")),
              kExitFailed);
}

int RunHelp(const std::string& program, const ParsedFlags& flags, Io& io) {
  if (flags.arguments().empty()) {
    PrintOverview(program, io);
    return kExitOk;
  }
  const std::string topic = Join(flags.arguments(), " ");
  if (topic == "options") return PrintOptions(io);
  if (!CommandsOfGroup(topic).empty()) return PrintGroup(program, topic, io);
  const std::optional<Command> command = FindCommand(topic);
  if (!command) return FailUnknown("help topic", topic, program, io);
  return PrintHelp(program, *command, io);
}

// Returns a hint if the arguments are a kubectl command: "apply view-last-applied" is "last-applied view" here.
std::string HintForKubectlsWords(const std::string& program, const ParsedFlags& flags) {
  const std::string& word = flags.arguments().front();
  const size_t end = word.find("-last-applied");
  if (end == word.npos) return "";
  const std::string name = StrCat("last-applied ", word.substr(0, end));
  return !FindCommand(name) ? "" : StrCat("Did you mean '", program, " ", name, "'?");
}

Error UnexpectedArguments(const std::string& program, const Command& command, const ParsedFlags& flags) {
  std::string hint = flags.argument_hint();
  if (hint.empty()) hint = HintForKubectlsWords(program, flags);
  return Error::InvalidArgument(StrCat("Unexpected args: [", Join(flags.arguments(), " "), "]",
                                       hint.empty() ? "" : "\n", hint, "\nSee '", program, " ", command.name,
                                       " -h' for help and examples"));
}

// Turns success into an error if the server sent warnings. As in kubectl, a failed command keeps its own exit status.
int WithWarningsAsErrors(const Command& command, const ParsedFlags& flags, int exit, Io& io) {
  if (!flags.On("warnings-as-errors") || io.server_warnings == 0 || exit >= command.usage_error) return exit;
  const char* plural = io.server_warnings == 1 ? "" : "s";
  io.out << std::flush;
  return Fail(io, Error::InvalidArgument(StrCat(io.server_warnings, " warning", plural, " received")),
              command.usage_error);
}

// Returns an error status if the output could not be written. Prints no message if the reader closed the pipe (| head).
int Flushed(const Command& command, int exit, Io& io) {
  if (io.out.flush()) return exit;
  if (IsReaderGone()) return exit >= command.usage_error ? exit : kExitReaderGone;
  return Fail(io, Error::Internal("cannot write the output; is the disk full?"), command.usage_error);
}

int RunCommand(const std::string& program, const Command& command, const Words& arguments, Io& io) {
  auto flags = ParseFlags(AllFlags(command), arguments);
  if (!flags.ok()) {
    Error error = std::move(flags).error();
    error.message += StrCat("\nSee '", program, " ", command.name, " --help' for usage.");
    return Fail(io, error, command.usage_error);
  }
  if (flags->On("help")) return PrintHelp(program, command, io);
  if (!command.takes_arguments && !flags->arguments().empty()) {
    return Fail(io, UnexpectedArguments(program, command, *flags), command.usage_error);
  }
  if (const Status checked = CheckGlobalFlags(*flags); !checked.ok()) {
    return Fail(io, checked.error(), command.usage_error);
  }
  for (const std::string& warning : flags->warnings()) Warn(io, warning);
  const Result<int> run = command.run(*flags, io);
  const int exit = Flushed(command, run.ok() ? *run : Fail(io, run.error(), command.usage_error), io);
  return WithWarningsAsErrors(command, *flags, exit, io);
}

// The word of the command line that names the command, and all other words.
struct Taken {
  std::string word;
  Words rest;
};

std::optional<Taken> TakeCommandWord(const Words& arguments) {
  const size_t at = FindCommandArgument(GlobalFlagTable(), arguments);
  if (at == std::string::npos) return std::nullopt;
  Taken out{arguments[at], arguments};
  out.rest.erase(out.rest.begin() + static_cast<std::ptrdiff_t>(at));
  return out;
}

int RunGroup(const std::string& program, const std::string& group, const Words& arguments, Io& io) {
  const std::optional<Taken> second = TakeCommandWord(arguments);
  if (!second) return PrintGroup(program, group, io);
  const std::optional<Command> command = FindCommand(StrCat(group, " ", second->word));
  if (command) return RunCommand(program, *command, second->rest, io);
  return Fail(io,
              Error::InvalidArgument(StrCat("unknown command \"", second->word, "\" for \"", program, " ", group, "\"",
                                            DidYouMean(group, second->word), "\nSee '", program, " ", group,
                                            " --help' for the commands.")),
              kExitFailed);
}

// Handles `help`, `options` and a command line without a command.
int RunWithoutCommand(const std::string& program, const std::string& name, const Words& arguments, Io& io) {
  auto flags = ParseFlags(GlobalFlagTable(), arguments);
  if (!flags.ok()) {
    Error error = std::move(flags).error();
    error.message += StrCat("\nSee '", program, " --help' for usage.");
    return Fail(io, error, kExitFailed);
  }
  return name == "options" && !flags->On("help") ? PrintOptions(io) : RunHelp(program, *flags, io);
}

}  // namespace

const std::vector<Command>& Commands() {
  static const std::vector<Command> kCommands = [] {
    std::vector<Command> commands;
    for (const Maker& maker : kMakers) commands.push_back(Made(maker));
    return commands;
  }();
  return kCommands;
}

std::optional<Command> FindCommand(std::string_view name) {
  for (const Maker& maker : kMakers) {
    if (maker.name == name) return Made(maker);
  }
  return std::nullopt;
}

List CommandsOfGroup(const std::string& name) {
  List out;
  for (const Command& command : Commands()) {
    if (command.name.starts_with(name + " ")) out.push_back(&command);
  }
  return out;
}

std::vector<Flag> AllFlags(const Command& command) {
  std::vector<Flag> flags = command.flags;
  for (Flag& flag : GlobalFlagTable()) flags.push_back(std::move(flag));
  return flags;
}

std::string Examples(const Command& command, const std::string& program) {
  constexpr std::string_view kPlaceholder = "{program}";
  std::string text = command.examples;
  for (size_t at = text.find(kPlaceholder); at != std::string::npos; at = text.find(kPlaceholder, at)) {
    text.replace(at, kPlaceholder.size(), program);
  }
  return text;
}

std::string ProgramName(const std::string& argv0) {
  const std::filesystem::path path = argv0;
  const std::string name = Visible(path.filename().string(), Newlines::kEscape);
  return path.is_absolute() && name.starts_with("kubectl-") ? "kubectl smp" : name;
}

int RunProgram(const std::string& program, const Words& arguments, Io& io) {
  const std::string_view first = arguments.empty() ? "" : std::string_view(arguments[0]);
  if (first == "__complete") return RunComplete({arguments.begin() + 1, arguments.end()}, io);
  if (first == "__reference") return RunReference({arguments.begin() + 1, arguments.end()}, io);
  const std::optional<Taken> taken = TakeCommandWord(arguments);
  if (!taken) return RunWithoutCommand(program, "", arguments, io);
  const auto& [name, rest] = *taken;
  if (name == "help" || name == "options") return RunWithoutCommand(program, name, rest, io);
  if (const std::optional<Command> command = FindCommand(name)) return RunCommand(program, *command, rest, io);
  if (!CommandsOfGroup(name).empty()) return RunGroup(program, name, rest, io);
  return FailUnknown("command", name, program, io);
}

}  // namespace smp::cmd
