#include "cmd/complete.h"

#include "base/strings.h"
#include "cmd/command.h"
#include "cmd/complete_values.h"
#include "cmd/exit_code.h"
#include "cmd/global_flags.h"
#include "value/escape.h"

namespace smp::cmd {

namespace {

using Words = std::vector<std::string>;

void AddIfBegun(const std::string& typed, Candidate candidate, Completion& out) {
  if (candidate.text.starts_with(typed)) out.candidates.push_back(std::move(candidate));
}

Completion Begun(const std::string& typed, const Words& words) {
  Completion out;
  for (const std::string& word : words) AddIfBegun(typed, {word}, out);
  return out;
}

// A path may go on after each name.
Completion PathBegun(const std::string& typed, const ParsedFlags& flags, const ValueLookup& lookup) {
  Completion out = Begun(typed, lookup(Hint::kKindAndPath, flags, typed));
  out.directive = Directive::kNoSpaceNoFiles;
  return out;
}

Completion FlagNames(const std::vector<Flag>& flags, const ParsedFlags& given, const std::string& typed) {
  Completion out;
  for (const Flag& flag : flags) {
    if (given.Given(flag.name) && !MayRepeat(flag)) continue;
    AddIfBegun(typed, {"--" + flag.name, flag.help}, out);
    if (flag.letter != 0) AddIfBegun(typed, {StrCat("-", flag.letter), flag.help}, out);
  }
  return out;
}

Completion Values(const Flag& flag, const std::string& typed, const ParsedFlags& flags, const ValueLookup& lookup) {
  if (const Words fixed = FixedValues(flag); !fixed.empty()) return Begun(typed, fixed);
  switch (flag.hint) {
    case Hint::kNothing: return {};
    case Hint::kFile: return {.directive = Directive::kFiles};
    case Hint::kJsonOrYaml: return {{{"json"}, {"yaml"}, {"yml"}}, Directive::kExtensions};
    case Hint::kFolder: return {.directive = Directive::kFolders};
    case Hint::kContext:
    case Hint::kCluster:
    case Hint::kUser:
    case Hint::kNamespace:
    case Hint::kGvk:
    case Hint::kPruneKind:
    case Hint::kObject:
    case Hint::kPathAndObject:
    case Hint::kKindAndPath: return Begun(typed, lookup(flag.hint, flags, typed));
  }
  return {};
}

// Returns the flag in "--output=y" and "-Rf=x"; `head` is the part before the equals sign. nullptr if it is unknown.
const Flag* FlagBeforeEquals(const std::vector<Flag>& flags, const std::string& head) {
  return head.starts_with("--") ? FindFlag(flags, head.substr(2)) : FindLetter(flags, head.back());
}

// The flags and arguments that are possible for the word being typed.
struct Place {
  std::vector<Flag> flags;
  std::vector<Candidate> arguments = {};
  Hint argument_hint = Hint::kNothing;
};

// Returns all commands; those of a group are listed once, by their first word.
std::vector<Candidate> Topics() {
  std::vector<Candidate> out;
  for (const Command& command : Commands()) {
    const std::string word = command.name.substr(0, command.name.find(' '));
    const bool group = word != command.name;
    if (!group) out.push_back({word, command.summary});
    if (group && (out.empty() || out.back().text != word)) out.push_back({word, "view, set, edit, forget"});
  }
  out.push_back({"options", "list the global flags"});
  return out;
}

std::vector<Candidate> CommandsBehind(const std::string& group) {
  std::vector<Candidate> out;
  for (const Command* command : CommandsOfGroup(group)) {
    out.push_back({command->name.substr(group.size() + 1), command->summary});
  }
  return out;
}

std::vector<Candidate> CommandNames() {
  std::vector<Candidate> out = Topics();
  out.push_back({"help", "help for a command"});
  return out;
}

std::string TakeWord(Words& words, size_t at) {
  std::string word = words[at];
  words.erase(words.begin() + static_cast<std::ptrdiff_t>(at));
  return word;
}

// Returns the possible flags and arguments after `words`, and removes the command's name from `words`.
Place FindPlace(Words& words) {
  const size_t at = FindCommandArgument(GlobalFlagTable(), words);
  if (at == std::string::npos) return {GlobalFlagTable(), CommandNames()};
  std::string name = TakeWord(words, at);
  if (name == "help") return {GlobalFlagTable(), Topics()};
  if (name == "options") return {GlobalFlagTable()};
  if (!CommandsOfGroup(name).empty()) {
    const size_t second = FindCommandArgument(GlobalFlagTable(), words);
    if (second == std::string::npos) return {GlobalFlagTable(), CommandsBehind(name)};
    name += " " + TakeWord(words, second);
  }
  const std::optional<Command> command = FindCommand(name);
  return command ? Place{AllFlags(*command), {}, command->argument_hint} : Place();
}

// Returns true if `words` contain "--", after which all words are arguments. Tests this as cobra does: after "--",
// another "--" is an argument.
bool FlagsHaveEnded(const std::vector<Flag>& flags, Words words, size_t arguments) {
  words.push_back("--");
  const auto parsed = ParseFlags(flags, words);
  return parsed.ok() && parsed->arguments().size() > arguments;
}

}  // namespace

Completion Complete(const Words& words, const ValueLookup& lookup) {
  Words before = words;
  const std::string typed = before.empty() ? "" : before.back();
  if (!before.empty()) before.pop_back();
  const Place place = FindPlace(before);
  const Flag* wants_value = FlagThatWantsValue(place.flags, before);
  if (wants_value != nullptr) before.pop_back();

  const auto parsed = ParseFlags(place.flags, before);
  if (!parsed.ok() || parsed->On("help")) return {};
  if (wants_value != nullptr) return Values(*wants_value, typed, *parsed, lookup);
  const size_t arguments = parsed->arguments().size();
  if (typed.starts_with('-') && !FlagsHaveEnded(place.flags, before, arguments)) {
    const size_t equals = typed.find('=');
    if (equals == typed.npos) return FlagNames(place.flags, *parsed, typed);
    const Flag* flag = FlagBeforeEquals(place.flags, typed.substr(0, equals));
    return flag == nullptr ? Completion() : Values(*flag, typed.substr(equals + 1), *parsed, lookup);
  }
  if (place.argument_hint == Hint::kKindAndPath)
    return arguments > 0 ? Completion() : PathBegun(typed, *parsed, lookup);
  if (place.argument_hint != Hint::kNothing) return Begun(typed, lookup(place.argument_hint, *parsed, typed));
  Completion out;
  if (arguments > 0) return out;
  for (const Candidate& candidate : place.arguments) AddIfBegun(typed, candidate, out);
  return out;
}

std::string PrintCompletion(const Completion& completion) {
  std::string out;
  for (const Candidate& candidate : completion.candidates) {
    if (Visible(candidate.text, Newlines::kEscape) != candidate.text) continue;
    out += StrCat(candidate.text, candidate.description.empty() ? "" : "\t", candidate.description, "\n");
  }
  return StrCat(out, ":", static_cast<int>(completion.directive), "\n");
}

int RunComplete(const Words& words, Io& io) {
  io.out << PrintCompletion(Complete(words, &LookUpValues)) << std::flush;
  return kExitOk;
}

}  // namespace smp::cmd
