#include "net/warning_header.h"

#include <optional>

#include "base/strings.h"

namespace smp::net {
namespace {

// Takes `word ` off the front; nullopt if no space follows.
std::optional<std::string_view> TakeWord(std::string_view& rest) {
  const size_t space = rest.find(' ');
  if (space == rest.npos || space == 0) return std::nullopt;
  const std::string_view word = rest.substr(0, space);
  rest.remove_prefix(space + 1);
  return word;
}

// Takes `"…"` with its quoted pairs off the front.
std::optional<std::string> TakeQuoted(std::string_view& rest) {
  if (!rest.starts_with('"')) return std::nullopt;
  std::string text;
  for (size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] == '"') {
      rest = Trim(rest.substr(i + 1));
      return text;
    }
    if (rest[i] == '\\' && i + 1 < rest.size()) ++i;
    text += rest[i];
  }
  return std::nullopt;
}

struct Warning {
  std::string_view code;
  std::string text;
};

// Takes one warning with its optional date and the comma after it.
std::optional<Warning> TakeWarning(std::string_view& rest) {
  rest = Trim(rest);
  const std::optional<std::string_view> code = TakeWord(rest);
  if (!code || code->size() != 3 || !TakeWord(rest)) return std::nullopt;
  std::optional<std::string> text = TakeQuoted(rest);
  if (!text) return std::nullopt;
  if (rest.starts_with('"') && !TakeQuoted(rest)) rest = {};
  if (rest.starts_with(',')) {
    rest.remove_prefix(1);
  } else {
    rest = {};
  }
  return Warning{*code, *std::move(text)};
}

}  // namespace

std::vector<std::string> ParseWarnings(std::string_view header) {
  std::vector<std::string> texts;
  while (!header.empty()) {
    std::optional<Warning> warning = TakeWarning(header);
    if (!warning) break;
    if (warning->code == "299" && !warning->text.empty()) texts.push_back(std::move(warning->text));
  }
  return texts;
}

}  // namespace smp::net
