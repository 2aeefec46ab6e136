#include "cmd/flags.h"

#include <algorithm>
#include <boost/program_options.hpp>

#include "base/strings.h"

namespace smp {

namespace {

namespace po = boost::program_options;

constexpr char kArguments[] = " arguments";  // the blank keeps it off the command line

using Texts = std::vector<std::string>;

po::options_description ToOptions(const std::vector<Flag>& flags) {
  po::options_description options;
  for (const Flag& flag : flags) {
    auto* value = po::value<Texts>()->composing();
    const std::string bare = flag.kind == FlagKind::kSwitch ? "true" : flag.bare;
    if (!bare.empty()) value->implicit_value(Texts{bare}, bare);
    const std::string names = flag.letter == 0 ? flag.name : StrCat(flag.name, ",", std::string(1, flag.letter));
    options.add_options()(names.c_str(), value);
  }
  options.add_options()(kArguments, po::value<Texts>());
  return options;
}

std::string Shown(const std::string& name) { return name.size() == 1 ? "-" + name : "--" + name; }

Error ToError(const po::error_with_option_name& error) {
  std::string name = error.get_option_name();
  name.erase(0, std::min(name.find_first_not_of('-'), name.size()));
  name.erase(std::min(name.find('='), name.size()));  // --as=bob is about --as
  if (dynamic_cast<const po::unknown_option*>(&error) != nullptr) {
    return Error::InvalidArgument(name.size() == 1 ? StrCat("unknown shorthand flag: '", name, "'")
                                                   : "unknown flag: " + Shown(name));
  }
  if (const auto* syntax = dynamic_cast<const po::invalid_command_line_syntax*>(&error)) {
    if (syntax->kind() == po::invalid_command_line_syntax::missing_parameter) {
      return Error::InvalidArgument("flag needs an argument: " + Shown(name));
    }
  }
  return Error::InvalidArgument(error.what());
}

Result<po::variables_map> Parse(const po::options_description& options, const Texts& arguments) {
  namespace style = po::command_line_style;
  const int pflag_style = style::allow_long | style::allow_short | style::long_allow_adjacent | style::long_allow_next |
                          style::short_allow_adjacent | style::short_allow_next | style::allow_dash_for_short |
                          style::allow_sticky;
  po::positional_options_description positional;
  positional.add(kArguments, -1);
  po::variables_map values;
  try {
    po::store(po::command_line_parser(arguments).options(options).positional(positional).style(pflag_style).run(),
              values);
  } catch (const po::error_with_option_name& error) {
    return ToError(error);
  } catch (const po::error& error) {
    return Error::InvalidArgument(error.what());
  }
  return values;
}

// "a,b" is two values; -n=x reads as x.
Texts Normalised(const Flag& flag, const Texts& given) {
  Texts out;
  for (const std::string& text : given) {
    if (flag.kind != FlagKind::kList) {
      out.push_back(text);
      continue;
    }
    for (const std::string_view part : Split(text, ',')) out.emplace_back(part);
  }
  return out;
}

Status CheckValue(const Flag& flag, const Texts& values) {
  const auto allowed = [&](const std::string& value) {
    const Texts& choices = flag.choices;
    return choices.empty() || std::find(choices.begin(), choices.end(), value) != choices.end();
  };
  for (const std::string& value : values) {
    if (flag.kind == FlagKind::kSwitch && value != "true" && value != "false") {
      return Error::InvalidArgument(
          StrCat("invalid argument \"", value, "\" for \"--", flag.name, "\": expected true or false"));
    }
    if (!allowed(value)) {
      return Error::InvalidArgument(StrCat("invalid argument \"", value, "\" for \"--", flag.name,
                                           "\": expected one of ", Join(flag.choices, ", ")));
    }
  }
  return Ok();
}

// pflag reads "-n=x" as x, and "-f=x" likewise; Boost keeps the sign.
Texts WithoutShortEquals(const std::vector<Flag>& flags, const Texts& arguments) {
  Texts out;
  for (const std::string& argument : arguments) {
    const bool short_equals = argument.size() > 2 && argument[0] == '-' && argument[1] != '-' && argument[2] == '=';
    const bool known =
        short_equals && std::any_of(flags.begin(), flags.end(), [&](const Flag& f) { return f.letter == argument[1]; });
    if (argument == "--") {
      out.insert(out.end(), arguments.begin() + static_cast<std::ptrdiff_t>(out.size()), arguments.end());
      return out;
    }
    out.push_back(known ? argument.substr(0, 2) + argument.substr(3) : argument);
  }
  return out;
}

}  // namespace

bool ParsedFlags::On(const std::string& name) const { return Text(name) == "true"; }

std::string ParsedFlags::Text(const std::string& name) const {
  const auto at = values_.find(name);
  if (at != values_.end() && !at->second.empty()) return at->second.back();
  const auto fallback = fallbacks_.find(name);
  return fallback == fallbacks_.end() ? std::string() : fallback->second;
}

const std::vector<std::string>& ParsedFlags::List(const std::string& name) const {
  static const std::vector<std::string> kNone;
  const auto at = values_.find(name);
  return at == values_.end() ? kNone : at->second;
}

Result<ParsedFlags> ParseFlags(const std::vector<Flag>& flags, const std::vector<std::string>& arguments) {
  SMP_ASSIGN(const po::variables_map values, Parse(ToOptions(flags), WithoutShortEquals(flags, arguments)));
  ParsedFlags out;
  for (const Flag& flag : flags) {
    out.fallbacks_[flag.name] = flag.kind == FlagKind::kSwitch && flag.fallback.empty() ? "false" : flag.fallback;
    if (!values.contains(flag.name)) continue;
    Texts texts = Normalised(flag, values[flag.name].as<Texts>());
    SMP_TRY(CheckValue(flag, texts));
    out.values_[flag.name] = std::move(texts);
  }
  if (values.contains(kArguments)) out.arguments_ = values[kArguments].as<Texts>();
  return out;
}

std::string DescribeFlags(const std::vector<Flag>& flags) {
  std::vector<std::string> left;
  size_t width = 0;
  for (const Flag& flag : flags) {
    std::string text = flag.letter == 0 ? "      " : StrCat("  -", std::string(1, flag.letter), ", ");
    text += "--" + flag.name;
    if (flag.kind != FlagKind::kSwitch) text += StrCat("=", flag.placeholder);
    width = std::max(width, text.size());
    left.push_back(std::move(text));
  }
  std::string out;
  for (size_t i = 0; i < flags.size(); ++i) {
    out += StrCat(left[i], std::string(width + 3 - left[i].size(), ' '), flags[i].help);
    if (!flags[i].fallback.empty()) out += StrCat(" (default ", flags[i].fallback, ")");
    out += "\n";
  }
  return out;
}

}  // namespace smp
