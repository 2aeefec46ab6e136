#include "schema/facts/immutable.h"

#include <algorithm>

#include "base/strings.h"

namespace smp {

// The text of immutable.txt, in a source file that CMakeLists.txt generates.
std::string_view ImmutableText();

namespace {

constexpr std::string_view kEnds = "ends ";
constexpr std::string_view kStarts = "starts ";

// The causes ("field: what is wrong") in an error's message (kube/status_error.h), without the text before each.
std::vector<std::string_view> Causes(std::string_view message) {
  constexpr std::string_view kHead = "is invalid: ";
  constexpr std::string_view kItem = "\n* ";
  const size_t head = message.find(kHead);
  if (head == message.npos) return {};
  message.remove_prefix(head + kHead.size());
  if (!message.starts_with(kItem)) return {message};
  std::vector<std::string_view> out;
  while (!message.empty()) {
    message.remove_prefix(kItem.size());
    const size_t end = std::min(message.find(kItem), message.size());
    out.push_back(message.substr(0, end));
    message.remove_prefix(end);
  }
  return out;
}

bool Fits(const ImmutableRule& rule, std::string_view text) {
  constexpr std::string_view kForbidden = "Forbidden: ";
  const bool forbidden = text.starts_with(kForbidden);
  if (rule.kind == ImmutableRule::Kind::kStarts) {
    return forbidden && text.substr(kForbidden.size()).starts_with(rule.text);
  }
  // The server quotes the value before its own words, so a value in a manifest cannot imitate the end of the text.
  return (forbidden || text.starts_with("Invalid value: ")) && text.ends_with(rule.text);
}

bool FitsAny(std::string_view text, const std::optional<Release>& server) {
  const std::vector<ImmutableRule>& rules = ImmutableRules();
  return std::any_of(rules.begin(), rules.end(),
                     [&](const ImmutableRule& rule) { return HoldsFor(rule.line, server) && Fits(rule, text); });
}

bool IsImmutable(std::string_view cause, const std::optional<Release>& server) {
  const size_t colon = cause.find(": ");
  if (colon == cause.npos || cause.starts_with("metadata.")) return false;
  return FitsAny(cause.substr(colon + 2), server);
}

}  // namespace

const std::vector<ImmutableRule>& ImmutableRules() {
  static const std::vector<ImmutableRule> rules = [] {
    std::vector<ImmutableRule> out;
    for (const FactLine& line : FactLines(ImmutableText())) {
      const std::string_view text = line.text;
      if (text.starts_with(kEnds)) out.push_back({ImmutableRule::Kind::kEnds, text.substr(kEnds.size()), line});
      if (text.starts_with(kStarts)) out.push_back({ImmutableRule::Kind::kStarts, text.substr(kStarts.size()), line});
    }
    return out;
  }();
  return rules;
}

bool IsImmutableChange(const Error& refusal, const std::optional<Release>& server) {
  if (refusal.http_status != 422) return false;
  const std::vector<std::string_view> causes = Causes(refusal.message);
  return std::any_of(causes.begin(), causes.end(), [&](std::string_view cause) { return IsImmutable(cause, server); });
}

bool IsOnlyImmutableChange(const Error& refusal, const std::optional<Release>& server) {
  if (refusal.http_status != 422) return false;
  const std::vector<std::string_view> causes = Causes(refusal.message);
  const auto is_immutable = [&](std::string_view cause) { return IsImmutable(cause, server); };
  return !causes.empty() && std::all_of(causes.begin(), causes.end(), is_immutable);
}

bool MeansImmutable(std::string_view words, const std::optional<Release>& server) {
  return FitsAny(StrCat("Forbidden: ", words), server);
}

}  // namespace smp
