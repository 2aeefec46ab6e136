#include "cmd/flags.h"

#include <algorithm>
#include <boost/program_options.hpp>
#include <optional>

#include "base/spelling.h"
#include "base/strings.h"
#include "cmd/flag_values.h"

namespace smp::cmd {

namespace {

namespace po = boost::program_options;

constexpr char kArguments[] = " arguments";  // cannot be typed as a flag, because of the space

using Texts = std::vector<std::string>;

po::options_description ToOptions(const std::vector<Flag>& flags) {
  po::options_description options;
  for (const Flag& flag : flags) options.add_options()(flag.name.c_str(), po::value<Texts>()->composing());
  options.add_options()(kArguments, po::value<Texts>());
  return options;
}

// Returns pflag's NoOptDefVal: the value of a flag that is given without a value; "" if a value is required.
std::string Bare(const Flag& flag) { return flag.kind == FlagKind::kSwitch ? "true" : flag.bare; }

bool IsOneOf(const std::string& value, const Texts& values) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

std::string LetterIn(std::string_view letters) { return StrCat("'", letters.substr(0, 1), "' in -", letters); }

Error UnknownFlag(const std::vector<Flag>& flags, const std::string& name) {
  Texts names;
  for (const Flag& flag : flags) {
    if (flag.name.size() > 3) names.push_back(flag.name);  // short names, like --as, would be suggested too often
  }
  const Texts near = SpelledLike(name, names);
  return Error::InvalidArgument(
      StrCat("unknown flag: --", name, near.empty() ? "" : StrCat("\nDid you mean --", near[0], "?")));
}

// Parses one text given for a flag: several values for a list, "true" or "false" for a switch.
Result<Texts> ReadValue(const Flag& flag, const std::string& text) {
  switch (flag.kind) {
    case FlagKind::kSwitch: {
      SMP_ASSIGN(const bool on, ParseGoBool(text));
      return Texts{on ? "true" : "false"};
    }
    case FlagKind::kNumber: {
      SMP_ASSIGN(const int32_t number, ParseGoInt32(text));
      return Texts{std::to_string(number)};
    }
    case FlagKind::kList: return ParseGoCsv(text);
    case FlagKind::kText:
    case FlagKind::kArray: return Texts{text};
  }
  return Error::Internal("unknown kind of flag");
}

Error InvalidValue(const Flag& flag, std::string_view text, std::string_view why) {
  const std::string letter = flag.letter == 0 ? "" : StrCat("-", flag.letter, ", ");
  return Error::InvalidArgument(
      StrCat("invalid argument ", GoQuoted(text), " for \"", letter, "--", flag.name, "\" flag: ", why));
}

// pflag's rules (FlagSet.parseLongArg, parseShortArg) as an extra style of Boost's command line parser: it gets the
// remaining arguments, and removes those that it has parsed from the front.
class PflagStyle {
 public:
  explicit PflagStyle(const std::vector<Flag>& flags) : flags_(flags) {}

  std::vector<po::option> operator()(Texts& rest) {
    const std::string argument = rest.front();
    if (!argument.starts_with('-') || argument == "-" || argument == "--") return {};  // Boost handles these
    rest.erase(rest.begin());
    std::vector<po::option> options;
    const Status taken = argument[1] == '-' ? TakeLong(argument, rest, options) : TakeShort(argument, rest, options);
    if (!taken.ok()) {
      error_ = taken.error();
      rest.clear();
    }
    return options;
  }

  const std::optional<Error>& error() const { return error_; }
  const std::string& hint() const { return hint_; }
  const Flag* wants_value() const { return wants_value_; }

 private:
  Status TakeLong(const std::string& argument, Texts& rest, std::vector<po::option>& options) {
    const size_t equals = argument.find('=');
    const std::string name = argument.substr(2, equals - std::min<size_t>(2, equals));
    if (name.empty() || name[0] == '-') return Error::InvalidArgument("bad flag syntax: " + argument);
    const Flag* flag = FindFlag(flags_, name);
    if (flag == nullptr) return UnknownFlag(flags_, name);
    if (equals != argument.npos) return Take(*flag, argument.substr(equals + 1), options);
    if (!Bare(*flag).empty()) return TakeBare(*flag, rest, options);
    if (rest.empty()) return Lacks(*flag, "--" + name);
    return TakeNext(*flag, rest, options);
  }

  Status TakeShort(const std::string& argument, Texts& rest, std::vector<po::option>& options) {
    for (std::string_view letters = std::string_view(argument).substr(1); !letters.empty(); letters.remove_prefix(1)) {
      const Flag* flag = FindLetter(flags_, letters[0]);
      if (flag == nullptr) return Error::InvalidArgument("unknown shorthand flag: " + LetterIn(letters));
      if (letters.size() > 2 && letters[1] == '=') return Take(*flag, std::string(letters.substr(2)), options);
      if (!Bare(*flag).empty()) {
        SMP_TRY(letters.size() == 1 ? TakeBare(*flag, rest, options) : Take(*flag, Bare(*flag), options));
        continue;
      }
      if (letters.size() > 1) return Take(*flag, std::string(letters.substr(1)), options);
      if (rest.empty()) return Lacks(*flag, LetterIn(letters));
      return TakeNext(*flag, rest, options);
    }
    return Ok();
  }

  Error Lacks(const Flag& flag, std::string_view typed) {
    wants_value_ = &flag;
    return Error::InvalidArgument(StrCat("flag needs an argument: ", typed));
  }

  Status TakeNext(const Flag& flag, Texts& rest, std::vector<po::option>& options) {
    const std::string value = rest.front();
    rest.erase(rest.begin());
    return Take(flag, value, options);
  }

  // Takes a flag whose value can be omitted and has no "=": in "--dry-run server", "server" is a separate argument.
  Status TakeBare(const Flag& flag, const Texts& rest, std::vector<po::option>& options) {
    if (hint_.empty() && !rest.empty() && CouldBeValue(flag, rest.front())) {
      hint_ = StrCat("Did you mean --", flag.name, "=", rest.front(), "? The value of --", flag.name,
                     " must follow an equals sign");
    }
    return Take(flag, Bare(flag), options);
  }

  static bool CouldBeValue(const Flag& flag, const std::string& text) {
    return flag.kind == FlagKind::kSwitch ? ParseGoBool(text).ok() : IsOneOf(text, FixedValues(flag));
  }

  // Checks each value at once, so that the first of several errors is reported.
  Status Take(const Flag& flag, const std::string& text, std::vector<po::option>& options) {
    const Result<Texts> values = ReadValue(flag, text);
    if (!values.ok()) return InvalidValue(flag, text, values.error().message);
    po::option option;
    option.string_key = flag.name;
    option.value = {text};
    options.push_back(std::move(option));
    return Ok();
  }

  const std::vector<Flag>& flags_;
  std::optional<Error> error_;
  std::string hint_;
  const Flag* wants_value_ = nullptr;
};

Result<po::variables_map> Parse(const po::options_description& options, const Texts& arguments, PflagStyle& pflag) {
  namespace style = po::command_line_style;
  po::positional_options_description positional;
  positional.add(kArguments, -1);
  po::variables_map values;
  try {
    po::command_line_parser parser(arguments);
    parser.options(options).positional(positional);
    // Boost requires one of its own styles, which is never used: ours takes everything that begins with a dash.
    parser.style(style::allow_long | style::long_allow_adjacent);
    parser.extra_style_parser([&](Texts& rest) { return pflag(rest); });
    const auto parsed = parser.run();
    if (pflag.error()) return *pflag.error();
    po::store(parsed, values);
  } catch (const po::error& error) {
    return Error::Internal(error.what());
  }
  return values;
}

Status CheckChoices(const Flag& flag, const Texts& values) {
  if (flag.choices.empty()) return Ok();
  for (const std::string& value : values) {
    if (IsOneOf(value, flag.choices)) continue;
    // kubectl's message, which exists for this flag only.
    if (flag.name == "output") {
      return Error::InvalidArgument(StrCat("unable to match a printer suitable for the output format ", GoQuoted(value),
                                           ", allowed formats are: ", Join(flag.choices, ",")));
    }
    return InvalidValue(flag, value, "expected one of " + Join(flag.choices, ", "));
  }
  return Ok();
}

// -o "$FORMAT" with an empty variable counts as not given.
bool IsNotGiven(const Flag& flag, const Texts& values) { return flag.name == "output" && values == Texts{""}; }

}  // namespace

bool ParsedFlags::On(const std::string& name) const { return Text(name) == "true"; }

std::string ParsedFlags::Text(const std::string& name) const {
  const auto at = values_.find(name);
  if (at != values_.end() && !at->second.empty()) return at->second.back();
  const auto fallback = fallbacks_.find(name);
  return fallback == fallbacks_.end() ? std::string() : fallback->second;
}

int ParsedFlags::Number(const std::string& name) const {
  const Result<int32_t> number = ParseGoInt32(Text(name));
  return number.ok() ? *number : 0;
}

const std::vector<std::string>& ParsedFlags::List(const std::string& name) const {
  static const std::vector<std::string> kNone;
  const auto at = values_.find(name);
  return at == values_.end() ? kNone : at->second;
}

const Flag* FindFlag(const std::vector<Flag>& flags, std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  const auto at = std::find_if(flags.begin(), flags.end(), [&](const Flag& flag) { return flag.name == name; });
  return at == flags.end() ? nullptr : &*at;
}

const Flag* FindLetter(const std::vector<Flag>& flags, char letter) {
  const auto at = std::find_if(flags.begin(), flags.end(), [&](const Flag& flag) { return flag.letter == letter; });
  return at == flags.end() ? nullptr : &*at;
}

Result<ParsedFlags> ParseFlags(const std::vector<Flag>& flags, const std::vector<std::string>& arguments) {
  PflagStyle pflag(flags);
  SMP_ASSIGN(const po::variables_map values, Parse(ToOptions(flags), arguments, pflag));
  ParsedFlags out;
  out.argument_hint_ = pflag.hint();
  for (const Flag& flag : flags) {
    out.fallbacks_[flag.name] = flag.kind == FlagKind::kSwitch && flag.fallback.empty() ? "false" : flag.fallback;
    if (!values.contains(flag.name)) continue;
    Texts& all = out.values_[flag.name];
    for (const std::string& text : values[flag.name].as<Texts>()) {
      SMP_ASSIGN(const Texts some, ReadValue(flag, text));
      all.insert(all.end(), some.begin(), some.end());
    }
    if (IsNotGiven(flag, all)) {
      out.values_.erase(flag.name);
      continue;
    }
    SMP_TRY(CheckChoices(flag, all));
    if (const auto at = flag.deprecated.find(out.Text(flag.name)); at != flag.deprecated.end()) {
      out.warnings_.push_back(at->second);
    }
  }
  if (values.contains(kArguments)) out.arguments_ = values[kArguments].as<Texts>();
  return out;
}

size_t FindCommandArgument(const std::vector<Flag>& flags, const std::vector<std::string>& arguments) {
  // As simple as in cobra, which does not notice that "-Rf" needs a value.
  const auto takes_next = [&](const std::string& argument) {
    if (argument.find('=') != argument.npos) return false;
    const bool is_long = argument.starts_with("--");
    if (!is_long && argument.size() != 2) return false;
    const Flag* flag = is_long ? FindFlag(flags, argument.substr(2)) : FindLetter(flags, argument[1]);
    return flag == nullptr || Bare(*flag).empty();
  };
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--") return std::string::npos;
    if (argument.size() < 2 || argument[0] != '-') return i;
    if (takes_next(argument)) ++i;
  }
  return std::string::npos;
}

Flag Switch(const std::string& name, const std::string& help, const std::string& fallback) {
  return {.name = name, .kind = FlagKind::kSwitch, .help = help, .fallback = fallback};
}

Flag TextFlag(const std::string& name, const std::string& placeholder, const std::string& help, Hint hint) {
  return {.name = name, .placeholder = placeholder, .help = help, .hint = hint};
}

Flag FileFlag(const std::string& name, const std::string& help) { return TextFlag(name, "FILE", help, Hint::kFile); }

Flag DocumentFlag(const std::string& name, const std::string& help) {
  return In(FlagGroup::kInput, TextFlag(name, "FILE", help, Hint::kJsonOrYaml));
}

Flag Choice(const std::string& name, const Texts& choices, const std::string& help, const std::string& fallback) {
  return {.name = name, .placeholder = Join(choices, "|"), .help = help, .fallback = fallback, .choices = choices};
}

Flag OutputFlag(const Texts& formats, const std::string& help, const std::string& fallback) {
  Flag flag = Choice("output", formats, help, fallback);
  flag.letter = 'o';
  return In(FlagGroup::kOutput, std::move(flag));
}

Texts FixedValues(const Flag& flag) {
  if (flag.kind == FlagKind::kSwitch) return {"true", "false"};
  if (!flag.choices.empty()) return flag.choices;
  if (flag.placeholder.find('|') == std::string::npos) return {};
  const std::vector<std::string_view> words = Split(flag.placeholder, '|');
  return {words.begin(), words.end()};
}

bool MayRepeat(const Flag& flag) { return flag.kind == FlagKind::kList || flag.kind == FlagKind::kArray; }

const Flag* FlagThatWantsValue(const std::vector<Flag>& flags, const Texts& arguments) {
  PflagStyle pflag(flags);
  const bool complete = Parse(ToOptions(flags), arguments, pflag).ok();
  return complete ? nullptr : pflag.wants_value();
}

std::string FlagSynopsis(const Flag& flag) {
  const std::string letter = flag.letter == 0 ? "    " : StrCat("-", flag.letter, ", ");
  const std::string head = StrCat(letter, "--", flag.name);
  if (flag.kind != FlagKind::kSwitch) return StrCat(head, "=", flag.placeholder);
  return flag.fallback.empty() ? head : StrCat(head, "=", Join(FixedValues(flag), "|"));
}

std::string FlagHelp(const Flag& flag) {
  return flag.fallback.empty() ? flag.help : StrCat(flag.help, " (default ", flag.fallback, ")");
}

std::string_view HeadingOf(FlagGroup group) {
  switch (group) {
    case FlagGroup::kInput: return "Input";
    case FlagGroup::kOutput: return "Output";
    case FlagGroup::kChanges: return "Changes";
    case FlagGroup::kServerSide: return "Server-side apply";
    case FlagGroup::kDeletion: return "Deletion";
    case FlagGroup::kRequests: return "Requests";
    case FlagGroup::kPatch: return "Patch";
    case FlagGroup::kSchema: return "Schema";
    case FlagGroup::kPolicies: return "Override policies";
    case FlagGroup::kConnection: return "Connection";
    case FlagGroup::kCredentials: return "Credentials";
    case FlagGroup::kOther: return "Other";
  }
  return "";
}

Flag In(FlagGroup group, Flag flag) {
  flag.group = group;
  return flag;
}

std::vector<Flag> Grouped(FlagGroup group, std::vector<Flag> flags) {
  for (Flag& flag : flags) {
    if (flag.group == FlagGroup::kOther) flag.group = group;
  }
  return flags;
}

std::vector<std::pair<FlagGroup, std::vector<Flag>>> ByGroup(const std::vector<Flag>& flags) {
  std::map<FlagGroup, std::vector<Flag>> groups;
  for (const Flag& flag : flags) groups[flag.group].push_back(flag);
  return {groups.begin(), groups.end()};
}

}  // namespace smp::cmd
