#include "schema/facts/values.h"

#include <algorithm>

#include "base/strings.h"
#include "schema/builtin.h"
#include "value/label_syntax.h"
#include "value/name_syntax.h"
#include "value/number.h"

namespace smp {

// The text of values.txt, in a source file that CMakeLists.txt generates.
std::string_view ValuesText();

namespace {

// A form of texts: its name in the file, what such a text is called, what it is in words, and its test.
struct Form {
  std::string_view name, noun, words;
  bool (*has)(std::string_view text);
};

bool IsPercent(std::string_view text) {
  return text.ends_with('%') && text.size() > 1 && text.find_first_not_of("0123456789") == text.size() - 1;
}

// "@daily", or five fields. What is in the fields is not looked at.
bool IsCron(std::string_view text) {
  if (text.starts_with('@')) return true;
  size_t fields = 0;
  for (size_t at = text.find_first_not_of(" \t"); at < text.size(); at = text.find_first_not_of(" \t", at)) {
    ++fields;
    at = std::min(text.find_first_of(" \t", at), text.size());
  }
  return fields == 5;
}

constexpr Form kForms[] = {
    {"dns-label", "name", "lower-case letters, digits and '-', a letter or digit first and last, at most 63",
     &IsDnsLabel},
    {"dns-1035", "name", "lower-case letters, digits and '-', a letter first, at most 63", &IsDns1035Label},
    {"dns-subdomain", "name", "lower-case letters, digits, '-' and '.', a letter or digit first and last, at most 253",
     &IsDnsSubdomain},
    {"port-name", "port name", "lower-case letters, digits and '-', with a letter, at most 15", &IsPortName},
    {"config-key", "key", "letters, digits, '-', '_' and '.', at most 253", &IsConfigKey},
    {"qualified-name", "key", "letters, digits, '-', '_' and '.', at most 63, after a DNS name and / if you like",
     [](std::string_view text) { return ProblemOfQualifiedName(text).empty(); }},
    {"lower-qualified-name", "key", "letters, digits, '-', '_' and '.', at most 63, after a DNS name and / if you like",
     [](std::string_view text) { return ProblemOfQualifiedName(ToLower(text)).empty(); }},
    {"label-value", "label value", "letters, digits, '-', '_' and '.', a letter or digit first and last, at most 63",
     [](std::string_view text) { return ProblemOfLabelValue(text).empty(); }},
    {"absolute-path", "absolute path", "a path that begins with /",
     [](std::string_view text) { return text.starts_with('/'); }},
    {"percent", "percentage", "a number, or a percentage like 50%", &IsPercent},
    {"cron", "schedule", "five fields: minute, hour, day of the month, month, day of the week", &IsCron},
};

const Form* FindForm(std::string_view name) {
  const Form* at = std::ranges::find(kForms, name, &Form::name);
  return at == std::end(kForms) ? nullptr : at;
}

// Parses "FIELD RULE …".
ValueRule ParseRule(const FactLine& line) {
  using Kind = ValueRule::Kind;
  const std::vector<std::string_view> words = Split(line.text, ' ');
  ValueRule out;
  out.line = line;
  out.path = Split(words[0], '.');
  const std::string_view rule = words[1];
  const size_t colon = rule.find(':');
  const std::string_view after = colon == rule.npos ? std::string_view() : rule.substr(colon + 1);
  if (rule == "required") return out;
  if (rule == "any-required") {
    out.kind = Kind::kAnyOf;
    out.path.clear();
    out.choices = Split(words[0], ',');
    return out;
  }
  out.kind = rule == "one-of"              ? Kind::kOneOf
             : rule == "range"             ? Kind::kRange
             : rule.starts_with("length:") ? Kind::kLength
             : rule.starts_with("keys:")   ? Kind::kKeys
             : rule.starts_with("values:") ? Kind::kValues
                                           : Kind::kForm;
  if (out.kind == Kind::kForm) out.form = rule;
  if (out.kind == Kind::kKeys || out.kind == Kind::kValues) out.form = after;
  if (out.kind == Kind::kOneOf) out.choices = Split(words[2], ',');
  if (out.kind == Kind::kLength) out.most = ParseInt64(after);
  if (out.kind == Kind::kRange) {
    const size_t dots = words[2].find("..");
    out.least = ParseInt64(words[2].substr(0, dots));
    out.most = ParseInt64(words[2].substr(dots + 2));
  }
  return out;
}

// A server that is newer than what the lines were tried on may take more choices.
bool KnowsAllChoices(const std::optional<Release>& server) { return !server || *server <= BuiltinRelease(); }

}  // namespace

std::vector<const ValueRule*> ValueRulesOf(const Type& type, const std::optional<Release>& release) {
  static const auto kTable = ParsedFacts(ValuesText(), ParseRule);
  std::vector<const ValueRule*> out;
  if (type.name.empty()) return out;
  const auto [begin, end] = kTable.equal_range(type.name);
  for (auto at = begin; at != end; ++at) {
    const ValueRule& rule = at->second;
    const bool holds = HoldsFor(rule.line, release);
    const bool lists = rule.kind == ValueRule::Kind::kOneOf || rule.kind == ValueRule::Kind::kAnyOf;
    if (holds && (!lists || KnowsAllChoices(release))) out.push_back(&rule);
  }
  return out;
}

bool HasForm(std::string_view text, std::string_view form) {
  const Form* known = FindForm(form);
  return known == nullptr || known->has(text);
}

std::string_view NounOfForm(std::string_view form) {
  const Form* known = FindForm(form);
  return known == nullptr ? form : known->noun;
}

std::string_view DescribeForm(std::string_view form) {
  const Form* known = FindForm(form);
  return known == nullptr ? form : known->words;
}

}  // namespace smp
