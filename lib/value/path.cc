#include "value/path.h"

#include <algorithm>

#include "base/strings.h"
#include "value/json.h"
#include "value/number.h"
#include "value/utf8.h"

namespace smp {

namespace {

bool IsWordCharacter(char c) { return IsAlnum(c) || c == '_' || c == '-'; }

bool IsWord(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), IsWordCharacter); }

// Replaces invalid bytes first: WriteJson would escape each, and its output, once parsed, would print differently.
std::string Quoted(std::string_view text) { return WriteJson(Value::UnownedString(ReplaceInvalidUtf8(text))); }

// Returns true for text that JSON reads as a number, true, false or null: as a bare word it would not be a string.
bool IsJsonWord(std::string_view text) {
  const Result<Document> parsed = ParseJson(text);
  return parsed.ok() && parsed->root().is_scalar() && !parsed->root().is_string();
}

std::string KeyName(std::string_view name) { return IsWord(name) ? std::string(name) : Quoted(name); }

// Formats a key's value, given as JSON: a string that is a plain word needs no quotes.
std::string KeyValue(const std::string& json) {
  const Result<Document> parsed = ParseJson(json);
  if (!parsed.ok() || !parsed->root().is_string()) return json;
  const std::string_view text = parsed->root().AsString();
  return IsWord(text) && !IsJsonWord(text) ? std::string(text) : json;
}

std::string KeysText(const PathStep& step) {
  std::vector<std::string> parts;
  for (const auto& [name, json] : step.keys) parts.push_back(StrCat(KeyName(name), "=", KeyValue(json)));
  return Join(parts, ",");
}

// A number in brackets is an index, so elements that are not strings have a `=`.
std::string ElementText(const std::string& json) { return json.starts_with('"') ? json : StrCat("=", json); }

std::string Joined(std::string_view before, std::string_view after) {
  const bool dot = !before.empty() && !after.empty() && !after.starts_with('[');
  return StrCat(before, dot ? "." : "", after);
}

class PathParser {
 public:
  explicit PathParser(std::string_view text) : text_(text) {}

  Result<PathPattern> Parse() {
    PathPattern steps;
    while (at_ < text_.size()) {
      const bool bracket = Next() == '[';
      if (!bracket && !steps.empty()) SMP_TRY(Expect('.'));
      if (TakeWildcard(bracket ? "[*]" : "*")) {
        steps.push_back(std::nullopt);
        continue;
      }
      SMP_ASSIGN(PathStep step, bracket ? Bracket() : Field());
      steps.push_back(std::move(step));
    }
    return steps;
  }

 private:
  char Next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  std::string_view Rest() const { return text_.substr(at_); }

  bool TakeWildcard(std::string_view wildcard) {
    if (!Rest().starts_with(wildcard)) return false;
    at_ += wildcard.size();
    return true;
  }

  Error Fail(std::string_view why) const {
    return Error::InvalidArgument(StrCat("the path ", Quoted(text_), " is invalid at character ", at_ + 1, ": ", why));
  }

  Status Expect(char c) {
    if (Next() != c) return Fail(StrCat("expected ", std::string_view(&c, 1)));
    ++at_;
    return Ok();
  }

  std::string_view Word() {
    const size_t start = at_;
    while (at_ < text_.size() && IsWordCharacter(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }

  Result<PathStep> Field() {
    const std::string_view name = Word();
    if (name.empty())
      return Fail("expected a field name; put names with characters other than letters, digits, _ and - in [\"…\"]");
    return PathStep::Field(name);
  }

  Result<PathStep> Bracket() {
    SMP_TRY(Expect('['));
    SMP_ASSIGN(PathStep step, InBrackets());
    SMP_TRY(Expect(']'));
    return step;
  }

  Result<PathStep> InBrackets() {
    if (Next() == ']') return PathStep::Key({});
    if (Next() == '=') return Element();
    const size_t start = at_;
    if (Next() == '"') {
      SMP_ASSIGN(std::string name, String());
      if (Next() == ']') return IsWord(name) ? PathStep::Element(Value::UnownedString(name)) : PathStep::Field(name);
    } else if (const std::optional<int64_t> index = ParseInt64(Word()); index && Next() == ']') {
      return PathStep::Index(*index);
    }
    at_ = start;
    return Keys();
  }

  Result<PathStep> Element() {
    ++at_;
    SMP_ASSIGN(std::string json, JsonValue());
    PathStep step;
    step.kind = PathStep::Kind::kElement;
    step.element = std::move(json);
    return step;
  }

  Result<PathStep> Keys() {
    PathStep step = PathStep::Key({});
    while (true) {
      std::string name;
      if (Next() == '"') {
        SMP_ASSIGN(name, String());
      } else {
        name = Word();
        if (name.empty()) return Fail("expected a key, as in [name=web]");
      }
      SMP_TRY(Expect('='));
      SMP_ASSIGN(std::string json, JsonValue());
      step.keys.emplace_back(std::move(name), std::move(json));
      if (Next() != ',') return step;
      ++at_;
    }
  }

  Result<std::string> String() {
    SMP_ASSIGN(std::string json, JsonValue());
    SMP_ASSIGN(Document parsed, ParseJson(json));
    return std::string(parsed.root().AsString());
  }

  // Takes a JSON value, or a bare word, which is a string.
  Result<std::string> JsonValue() {
    const std::string_view text = Rest().substr(0, JsonEnd());
    if (text.empty()) return Fail("expected a value");
    const bool bare = std::string_view("\"{[").find(text.front()) == std::string_view::npos;
    if (bare && !IsJsonWord(text)) {
      at_ += text.size();
      return Quoted(text);
    }
    const Result<Document> parsed = ParseJson(text);
    if (!parsed.ok()) return Fail(parsed.error().message);
    at_ += text.size();
    return bare ? std::string(text) : WriteJson(parsed->root());
  }

  // Returns the length of the value that begins here: it ends before the first `,` or `]` outside of strings and
  // brackets.
  size_t JsonEnd() const {
    const std::string_view rest = Rest();
    size_t depth = 0;
    bool in_string = false;
    for (size_t i = 0; i < rest.size(); ++i) {
      const char c = rest[i];
      if (in_string) {
        if (c == '\\') ++i;
        if (c == '"') in_string = false;
        if (c == '"' && depth == 0) return i + 1;
      } else if (c == '"') {
        in_string = true;
      } else if (c == '[' || c == '{') {
        ++depth;
      } else if (depth == 0 && (c == ',' || c == ']')) {
        return i;
      } else if (c == ']' || c == '}') {
        if (depth > 0) --depth;
      }
    }
    return rest.size();
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

PathStep PathStep::Field(std::string_view name) {
  PathStep step;
  step.kind = Kind::kField;
  step.name = name;
  return step;
}

PathStep PathStep::Key(std::vector<std::pair<std::string, std::string>> keys) {
  PathStep step;
  step.kind = Kind::kKey;
  step.keys = std::move(keys);
  return step;
}

PathStep PathStep::Element(const Value& element) {
  PathStep step;
  step.kind = Kind::kElement;
  step.element = WriteJson(element);
  return step;
}

PathStep PathStep::Index(int64_t index) {
  PathStep step;
  step.kind = Kind::kIndex;
  step.index = index;
  return step;
}

std::string ToString(const PathStep& step) {
  switch (step.kind) {
    case PathStep::Kind::kField: return IsWord(step.name) ? step.name : StrCat("[", Quoted(step.name), "]");
    case PathStep::Kind::kKey: return StrCat("[", KeysText(step), "]");
    case PathStep::Kind::kElement: return StrCat("[", ElementText(step.element), "]");
    case PathStep::Kind::kIndex: return StrCat("[", step.index, "]");
  }
  return "";
}

std::string ToString(const FieldPath& path) {
  std::string out;
  for (const PathStep& step : path) out = Joined(out, ToString(step));
  return out;
}

Result<PathPattern> ParsePathPattern(std::string_view text) { return PathParser(text).Parse(); }

PathStep KeyStep(const Value& item, const std::vector<std::string>& names) {
  std::vector<std::pair<std::string, std::string>> keys;
  for (const std::string& name : names) {
    if (const Value* value = item.Find(name)) keys.emplace_back(name, WriteJson(*value));
  }
  return PathStep::Key(std::move(keys));
}

Error Under(const PathStep& step, Error error) {
  error.path = Joined(ToString(step), error.path);
  return error;
}

}  // namespace smp
