#include "kube/label_selector.h"

#include <algorithm>
#include <optional>

#include "base/strings.h"
#include "net/percent.h"
#include "value/label_syntax.h"
#include "value/number.h"

namespace smp::kube {
namespace {

constexpr std::string_view kSpecial = "=!(),<>";
constexpr std::string_view kSpace = " \t\r\n";

// Returns the words and symbols of `text`, followed by "" as the end marker.
std::vector<std::string_view> Tokens(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    size_t size = 1;
    if (kSpace.find(text[0]) != kSpace.npos) {
      text.remove_prefix(1);
      continue;
    }
    if (text.starts_with("==") || text.starts_with("!=")) {
      size = 2;
    } else if (kSpecial.find(text[0]) == kSpecial.npos) {
      size = std::min(text.find_first_of(kSpecial), text.find_first_of(kSpace));
    }
    out.push_back(text.substr(0, size));
    text.remove_prefix(std::min(size, text.size()));
  }
  out.emplace_back();
  return out;
}

bool IsWord(std::string_view token) { return !token.empty() && kSpecial.find(token[0]) == kSpecial.npos; }

// Accepts a plus sign, as Go's ParseInt does.
std::optional<int64_t> ToInteger(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  return ParseInt64(text);
}

class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(Tokens(text)) {}

  Result<LabelSelector> Parse() {
    LabelSelector out;
    if (Peek().empty()) return out;
    for (;;) {
      SMP_ASSIGN(LabelRequirement requirement, Requirement());
      SMP_TRY(CheckValues(requirement));
      out.push_back(std::move(requirement));
      const std::string_view separator = Next();
      if (separator.empty()) return out;
      if (separator != ",") return Found(separator, "',' or 'end of string'");
      if (Peek() != "!" && !IsWord(Peek())) return Found(Peek(), "identifier after ','");
    }
  }

 private:
  static Error Found(std::string_view token, std::string_view expected) {
    return Error::InvalidArgument(StrCat("found '", token, "', expected: ", expected));
  }

  std::string_view Peek() const { return tokens_[at_]; }
  // Returns "" at the end, however often it is called.
  std::string_view Next() { return at_ + 1 < tokens_.size() ? tokens_[at_++] : std::string_view(); }

  Result<LabelRequirement> Requirement() {
    const bool absent = Peek() == "!";
    if (absent) (void)Next();
    const std::string_view key = Next();
    if (!IsWord(key)) return Found(key, absent ? "identifier" : "!, identifier, or 'end of string'");
    if (!ProblemOfQualifiedName(key).empty()) {
      return Error::InvalidArgument(StrCat("Invalid value: \"", key, "\": is not a valid label key"));
    }
    LabelRequirement out{std::string(key), absent ? LabelRequirement::Op::kAbsent : LabelRequirement::Op::kExists, {}};
    if (absent || Peek().empty() || Peek() == ",") return out;
    SMP_TRY(Restriction(out));
    return out;
  }

  Status Restriction(LabelRequirement& out) {
    using Op = LabelRequirement::Op;
    const std::string_view word = Next();
    out.op = word == "in" || word == "=" || word == "==" ? Op::kIn : Op::kNotIn;
    if (word == "in" || word == "notin") return Values(out.values);
    if (word == ">") out.op = Op::kGreater;
    if (word == "<") out.op = Op::kLess;
    const bool known = word == "=" || word == "==" || word == "!=" || word == ">" || word == "<";
    if (!known) return Found(word, "in, notin, =, ==, !=, gt, lt");
    const bool is_empty = Peek().empty() || Peek() == ",";
    const std::string_view value = is_empty ? std::string_view() : Next();
    if (!is_empty && !IsWord(value)) return Found(value, "identifier");
    out.values = {std::string(value)};
    return Ok();
  }

  // Parses "(a,b)"; "(a,,b)" contains an empty value.
  Status Values(std::vector<std::string>& out) {
    if (const std::string_view open = Next(); open != "(") return Found(open, "'('");
    for (;;) {
      out.emplace_back(IsWord(Peek()) ? Next() : std::string_view());
      const std::string_view separator = Next();
      if (separator == ")") return Ok();
      if (separator != ",") return Found(separator, "',' or ')'");
    }
  }

  static Status CheckValues(const LabelRequirement& requirement) {
    using Op = LabelRequirement::Op;
    for (const std::string& value : requirement.values) {
      if (!ProblemOfLabelValue(value).empty()) {
        return Error::InvalidArgument(
            StrCat("[", requirement.key, "]: Invalid value: \"", value, "\": is not a valid label value"));
      }
      const bool wants_integer = requirement.op == Op::kGreater || requirement.op == Op::kLess;
      if (wants_integer && !ToInteger(value)) {
        return Error::InvalidArgument(
            StrCat("Invalid value: \"", value, "\": for 'Gt', 'Lt' operators, the value must be an integer"));
      }
    }
    return Ok();
  }

  const std::vector<std::string_view> tokens_;
  size_t at_ = 0;
};

bool Compares(const LabelRequirement& requirement, std::string_view label) {
  const std::optional<int64_t> have = ToInteger(label);
  const std::optional<int64_t> bound = ToInteger(requirement.values.front());
  if (!have || !bound) return false;
  return requirement.op == LabelRequirement::Op::kGreater ? *have > *bound : *have < *bound;
}

// `label` is nullptr if the object has no such key.
bool Holds(const LabelRequirement& requirement, const Value* label) {
  using Op = LabelRequirement::Op;
  const std::string_view text = label != nullptr && label->is_string() ? label->AsString() : std::string_view();
  const auto& values = requirement.values;
  const bool listed = std::find(values.begin(), values.end(), text) != values.end();
  switch (requirement.op) {
    case Op::kIn: return label != nullptr && listed;
    case Op::kNotIn: return label == nullptr || !listed;
    case Op::kExists: return label != nullptr;
    case Op::kAbsent: return label == nullptr;
    case Op::kGreater:
    case Op::kLess: return label != nullptr && Compares(requirement, text);
  }
  return false;
}

}  // namespace

Result<LabelSelector> ParseLabelSelector(std::string_view text) {
  Result<LabelSelector> selector = Parser(text).Parse();
  if (selector.ok()) return selector;
  return Error::InvalidArgument(
      StrCat("the provided selector \"", text, "\" is not valid: ", selector.error().message));
}

bool Matches(const LabelSelector& selector, const Value& object) {
  const Value* labels = object.FindPath({"metadata", "labels"});
  return std::all_of(selector.begin(), selector.end(), [&](const LabelRequirement& requirement) {
    const Value* label = labels == nullptr ? nullptr : labels->Find(requirement.key);
    return Holds(requirement, label);
  });
}

}  // namespace smp::kube
