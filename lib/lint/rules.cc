#include "lint/rules.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace smp {

// The text of rules.txt, in a source file that CMakeLists.txt generates.
std::string_view RulesText();

}  // namespace smp

namespace smp::lint {

namespace {

constexpr std::array<std::string_view, 3> kSeverities = {"error", "warning", "info"};

// Removes and returns the text before the next line that begins with `mark`; `text` then begins with that line.
std::string_view TakeUntil(std::string_view& text, std::string_view mark) {
  size_t at = 0;
  while (at < text.size() && !text.substr(at).starts_with(mark)) {
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  }
  const std::string_view out = text.substr(0, at);
  text.remove_prefix(at);
  return out;
}

std::string_view TakeLine(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

// A section is "-- NAME", and its text up to the next one.
void TakeSection(std::string_view& text, Rule& rule) {
  const std::string_view name = TakeLine(text).substr(3);
  const std::string_view content = TakeUntil(text, "-- ");
  if (name == "shows") {
    rule.shows = content;
  } else if (name.starts_with("flags ")) {
    rule.flags = name.substr(6);
  } else {
    rule.files.push_back({name, content});
  }
}

// A rule begins with "== CODE SEVERITY".
Rule TakeRule(std::string_view& text) {
  const std::vector<std::string_view> words = Split(TakeLine(text), ' ');
  Rule rule = {words[1], ParseSeverity(words[2]).value_or(Severity::kError)};
  std::string_view rest = TakeUntil(text, "== ");
  rule.meaning = Trim(TakeUntil(rest, "-- "));
  while (!rest.empty()) TakeSection(rest, rule);
  return rule;
}

std::vector<Rule> ParseRules() {
  std::string_view text = RulesText();
  std::vector<Rule> out;
  TakeUntil(text, "== ");
  while (!text.empty()) out.push_back(TakeRule(text));
  return out;
}

}  // namespace

std::string_view SeverityName(Severity severity) { return kSeverities[static_cast<size_t>(severity)]; }

std::optional<Severity> ParseSeverity(std::string_view name) {
  const auto at = std::ranges::find(kSeverities, name);
  if (at == kSeverities.end()) return std::nullopt;
  return static_cast<Severity>(at - kSeverities.begin());
}

const std::vector<Rule>& Rules() {
  static const std::vector<Rule> kRules = ParseRules();
  return kRules;
}

const Rule* FindRule(std::string_view code) {
  const auto at = std::ranges::find(Rules(), code, &Rule::code);
  return at == Rules().end() ? nullptr : &*at;
}

std::vector<std::string> LinesOfExample(const Rule& rule) {
  std::vector<std::string> out;
  const auto add = [&](std::string_view text, std::string_view indent) {
    for (std::string_view line : Split(text, '\n')) {
      if (!line.empty()) out.push_back(StrCat(indent, line));
    }
  };
  for (const Rule::File& file : rule.files) {
    if (rule.files.size() > 1) out.push_back(StrCat("# ", file.name));
    add(file.text, "");
  }
  add(rule.shows, "→ ");
  return out;
}

}  // namespace smp::lint
