#include "explain/placeholders.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "explain/changed_fields.h"
#include "explain/danger.h"
#include "value/at.h"
#include "value/base64.h"
#include "value/json.h"

namespace smp::explain {

namespace {

constexpr std::string_view kBetweenWords = " \t\r\n\"'`,;=()[]{}|&";

bool IsPlaceholder(std::string_view word) {
  constexpr std::string_view kWords[] = {"changeme",   "change_me",   "change-me",    "replaceme",
                                         "replace_me", "replace-me",  "replace_with", "replace-with",
                                         "<your",      "insert_your", "insert-your"};
  constexpr std::string_view kOwner = "your";  // "YOUR_CLUSTER", "your-domain.com"; not "yours" or "/yourls"
  constexpr size_t kLongest = 60;              // bytes
  if (word.size() > kLongest) return false;
  const std::string lower = ToLower(word);
  const auto has = [&](std::string_view known) {
    const size_t at = lower.find(known);
    return at != lower.npos && !std::string_view(lower).substr(at).starts_with("replacement");  // of Prometheus' rules
  };
  if (std::ranges::any_of(kWords, has)) return true;
  for (size_t at = lower.find(kOwner); at != lower.npos; at = lower.find(kOwner, at + 1)) {
    const bool begins = at == 0 || !IsAlnum(lower[at - 1]);
    const size_t end = at + kOwner.size();
    if (begins && end < lower.size() && (lower[end] == '_' || lower[end] == '-')) return true;
  }
  return lower == "placeholder";
}

// Returns the first placeholder in a text that `before` does not have; comments do not count.
std::string_view PlaceholderIn(std::string_view text, std::string_view before) {
  for (const std::string_view line : Split(text, '\n')) {
    if (Trim(line).starts_with('#')) continue;
    for (size_t at = line.find_first_not_of(kBetweenWords); at < line.size();) {
      const size_t end = std::min(line.find_first_of(kBetweenWords, at), line.size());
      const std::string_view word = line.substr(at, end - at);
      if (IsPlaceholder(word) && before.find(word) == before.npos) return word;
      at = line.find_first_not_of(kBetweenWords, end);
    }
  }
  return {};
}

class Finder {
 public:
  Finder(const ReportRow& row, bool is_secret, NamesOnce& out)
      : before_(row.live == nullptr ? "" : WriteJson(*row.live)), is_secret_(is_secret), out_(out) {}

  // `field`: the words for it, which are those of the nearest map or item that has a name.
  void Look(const Value& value, const std::string& field) {
    if (value.is_string()) return LookAt(value.AsString(), field);
    if (value.is_array()) {
      for (const Value& item : value.Items()) Look(item, field);
    }
    if (!value.is_object()) return;
    const std::string_view name = TextAt(value, {"name"});
    for (const Member& member : value.Members()) {
      const bool says_little = member.name == "value" && !name.empty();
      Look(member.value, std::string(says_little ? name : member.name));
    }
  }

 private:
  void LookAt(std::string_view text, const std::string& field) {
    const std::optional<std::string> decoded = is_secret_ ? DecodeBase64(text) : std::nullopt;
    const std::string_view found = PlaceholderIn(decoded ? *decoded : text, before_);
    const bool is_hidden = is_secret_ || NamesPassword(field);
    if (!found.empty()) out_.Add(is_hidden ? field : StrCat(field, " ", found));
  }

  std::string before_;  // what live has there, as JSON
  bool is_secret_;
  NamesOnce& out_;
};

}  // namespace

void AddPlaceholders(const ReportRow& row, const ObjectReport& object, NamesOnce& out) {
  const bool sets = row.op == RowOp::kSet && row.outcome != nullptr && object.kind != "CustomResourceDefinition";
  if (sets) Finder(row, object.kind == "Secret", out).Look(*row.outcome, FieldInWords(row.path));
}

}  // namespace smp::explain
