#include "cmd/jsonpath_template.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "value/number.h"
#include "value/utf8.h"

namespace smp::cmd::jsonpath {
namespace {

constexpr std::string_view kLineEnds = "\r\n";
constexpr std::string_view kTerminators = " \t\r\n.,[]$@{}";
constexpr std::string_view kDigits = "0123456789";

bool Contains(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }

// Non-ASCII bytes count as letters, because names may contain them.
bool IsWord(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || Contains(kDigits, c) || byte >= 0x80;
}

// Returns the character as Go's %#U prints it.
std::string CodePoint(char c) {
  char text[16];
  (void)std::snprintf(text, sizeof(text), "U+%04X", static_cast<unsigned>(static_cast<unsigned char>(c)));
  return c > ' ' && c < 0x7F ? StrCat(text, " '", c, "'") : text;
}

// --- quoted strings, as strconv.UnquoteChar reads them with either quote

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Takes exactly `count` digits of `base`.
std::optional<uint32_t> TakeDigits(std::string_view& text, size_t count, int base) {
  if (text.size() < count) return std::nullopt;
  uint32_t value = 0;
  for (const char c : text.substr(0, count)) {
    const int digit = HexDigit(c);
    if (digit < 0 || digit >= base) return std::nullopt;
    value = value * static_cast<uint32_t>(base) + static_cast<uint32_t>(digit);
  }
  text.remove_prefix(count);
  return value;
}

bool AppendByte(std::string& out, std::optional<uint32_t> value) {
  if (!value || *value > 0xFF) return false;
  out += static_cast<char>(*value);
  return true;
}

bool AppendCharacter(std::string& out, std::optional<uint32_t> value) {
  if (!value || *value > 0x10FFFF || (*value >= 0xD800 && *value < 0xE000)) return false;
  AppendUtf8(out, *value);
  return true;
}

// `text` begins after the backslash.
bool TakeEscape(std::string_view& text, char quote, std::string& out) {
  if (text.empty()) return false;
  const char c = text.front();
  if (c >= '0' && c <= '7') return AppendByte(out, TakeDigits(text, 3, 8));
  text.remove_prefix(1);
  if (c == 'x') return AppendByte(out, TakeDigits(text, 2, 16));
  if (c == 'u') return AppendCharacter(out, TakeDigits(text, 4, 16));
  if (c == 'U') return AppendCharacter(out, TakeDigits(text, 8, 16));
  if (c == '\\' || c == quote) {
    out += c;
    return true;
  }
  constexpr std::string_view kNames = "abfnrtv", kValues = "\a\b\f\n\r\t\v";
  const size_t at = kNames.find(c);
  if (at == kNames.npos) return false;
  out += kValues[at];
  return true;
}

// `text` includes its quotes. nullopt if it is not a valid string.
std::optional<std::string> Unquote(std::string_view text) {
  if (text.size() < 2 || text.front() != text.back()) return std::nullopt;
  const char quote = text.front();
  text = text.substr(1, text.size() - 2);
  if (text.find('\\') == text.npos && text.find(quote) == text.npos) return std::string(text);
  std::string out;
  while (!text.empty()) {
    const char c = text.front();
    if (c == quote) return std::nullopt;
    if (c == '\\') {
      text.remove_prefix(1);
      if (!TakeEscape(text, quote, out)) return std::nullopt;
      continue;
    }
    const Rune rune = FirstRune(text);
    AppendUtf8(out, rune.code);
    text.remove_prefix(rune.size);
  }
  return out;
}

// --- [a:b:c]

// Go's Atoi, which accepts a plus sign.
std::optional<int64_t> Integer(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  return text.starts_with('+') || (text.starts_with('-') && text.size() == 1) ? std::nullopt : ParseInt64(text);
}

// Takes the digits, with an optional "-", that the text begins with.
std::string_view TakeIndex(std::string_view& text) {
  const size_t sign = text.starts_with('-') ? 1 : 0;
  const size_t end = std::min(text.find_first_not_of(kDigits, sign), text.size());
  const std::string_view index = text.substr(0, end);
  text.remove_prefix(end);
  return index;
}

Error NotANumber(std::string_view text) { return Error::Parse(StrCat("array index ", text, " is not a number")); }

Result<Bound> KnownBound(std::string_view text) {
  const std::optional<int64_t> value = Integer(text);
  if (!value) return NotANumber(text);
  return Bound{*value, true, false};
}

// Wraps around, as in Go.
int64_t OneMore(int64_t value) { return static_cast<int64_t>(static_cast<uint64_t>(value) + 1); }

Result<Node> Slice(std::string_view text) {
  Node node{.kind = Node::Kind::kSlice};
  std::string_view rest = text;
  std::array<std::optional<std::string_view>, 3> parts;  // nullopt: absent
  if (const std::string_view start = TakeIndex(rest); !start.empty()) parts[0] = start;
  for (const size_t i : {1, 2}) {
    if (!rest.starts_with(':')) break;
    rest.remove_prefix(1);
    parts[i] = TakeIndex(rest);
  }
  if (!rest.empty()) return Error::Parse(StrCat("invalid array index ", text));
  for (size_t i = 0; i < 3; ++i) {
    if (!parts[i] || parts[i]->empty()) continue;
    SMP_ASSIGN(node.bounds[i], KnownBound(*parts[i]));
  }
  if (!parts[1]) node.bounds[1] = {OneMore(node.bounds[0].value), true, true};
  return node;
}

// --- filters

struct FilterComparison {
  std::string_view left, op, right;
};

// Splits "left op right". nullopt unless there is an operator with text on both sides.
std::optional<FilterComparison> SplitComparison(std::string_view text) {
  constexpr std::string_view kOperators = "!<>=";
  const size_t begin = text.find_first_of(kOperators);
  if (begin == text.npos || begin == 0) return std::nullopt;
  size_t end = std::min(text.find_first_not_of(kOperators, begin), text.size());
  if (end == text.size()) --end;  // the last operator character becomes the right side
  if (end == begin) return std::nullopt;
  return FilterComparison{text.substr(0, begin), text.substr(begin, end - begin), text.substr(end)};
}

class Parser {
 public:
  Parser(std::string_view text, int nesting) : text_(text), nesting_(nesting) {}

  Result<Nodes> Parse() {
    if (nesting_ > kMaxNesting) return Error::Parse("filters are nested too deeply");
    Nodes out;
    while (true) {
      const size_t open = std::min(text_.find('{', at_), text_.size());
      if (open > at_) out.push_back({.kind = Node::Kind::kText, .text = std::string(text_.substr(at_, open - at_))});
      if (open == text_.size()) return out;
      at_ = open + 1;
      SMP_ASSIGN(Nodes action, Action());
      Node node{.kind = Node::Kind::kAction};
      node.lists.push_back(std::move(action));
      out.push_back(std::move(node));
    }
  }

 private:
  std::string_view Rest() const { return text_.substr(at_); }
  bool AtEnd() const { return at_ >= text_.size(); }
  char Next() const { return AtEnd() ? '\0' : text_[at_]; }

  // Parses up to and including the closing brace.
  Result<Nodes> Action() {
    Nodes out;
    while (!Rest().starts_with('}')) SMP_TRY(Step(out));
    ++at_;
    return out;
  }

  Status Step(Nodes& out) {
    if (AtEnd() || Contains(kLineEnds, Next())) return Error::Parse("unclosed action");
    if (Rest().starts_with("[?(")) return Filter(out);
    if (Rest().starts_with("..")) return Recursive(out);
    const char c = Next();
    switch (c) {
      case ' ':
      case '@':  // the current object, where every path begins
      case '$': ++at_; return Ok();
      case '[': return Brackets(out);
      case '"':
      case '\'': return Quote(out);
      case '.': ++at_; return FieldName(out);
      default: break;
    }
    if (c == '+' || c == '-' || Contains(kDigits, c)) return Number(out);
    if (IsWord(c)) return Identifier(out);
    return Error::Parse("unrecognized character in action: " + CodePoint(c));
  }

  Status Identifier(Nodes& out) {
    const size_t end = std::min(text_.find_first_of(kTerminators, at_), text_.size());
    const std::string_view word = text_.substr(at_, end - at_);
    at_ = end;
    if (word == "true" || word == "false") {
      out.push_back({.kind = Node::Kind::kBool, .boolean = word == "true"});
    } else {
      out.push_back({.kind = Node::Kind::kIdentifier, .text = std::string(word)});
    }
    return Ok();
  }

  Status Recursive(Nodes& out) {
    if (!out.empty() && out.back().kind == Node::Kind::kRecursive) {
      return Error::Parse("invalid multiple recursive descent");
    }
    at_ += 2;
    out.push_back({.kind = Node::Kind::kRecursive});
    return IsWord(Next()) ? FieldName(out) : Ok();
  }

  Status Number(Nodes& out) {
    size_t end = at_ + (Next() == '+' || Next() == '-' ? 1 : 0);
    while (end < text_.size() && (text_[end] == '.' || Contains(kDigits, text_[end]))) ++end;
    const std::string_view text = text_.substr(at_, end - at_);
    at_ = end;
    if (const std::optional<int64_t> integer = Integer(text)) {
      out.push_back({.kind = Node::Kind::kInteger, .integer = *integer});
      return Ok();
    }
    const std::optional<double> number = ParseDouble(text.starts_with('+') ? text.substr(1) : text);
    if (!number) return Error::Parse(StrCat("cannot parse number ", text));
    out.push_back({.kind = Node::Kind::kFloat, .number = *number});
    return Ok();
  }

  // A backslash escapes the next character and is removed.
  Status FieldName(Nodes& out) {
    const size_t begin = at_;
    while (!AtEnd() && !Contains(kTerminators, Next())) {
      const bool escape = Next() == '\\';
      ++at_;
      if (escape && !AtEnd()) at_ += FirstRune(Rest()).size;
    }
    std::string name(text_.substr(begin, at_ - begin));
    if (name == "*") {
      out.push_back({.kind = Node::Kind::kWildcard});
      return Ok();
    }
    std::erase(name, '\\');
    out.push_back({.kind = Node::Kind::kField, .text = std::move(name)});
    return Ok();
  }

  Status Quote(Nodes& out) {
    const char quote = Next();
    size_t end = at_ + 1;
    while (true) {
      if (end >= text_.size() || text_[end] == '\n') return Error::Parse("unterminated quoted string");
      if (text_[end] == quote && text_[end - 1] != '\\') break;
      ++end;
    }
    const std::string_view quoted = text_.substr(at_, end + 1 - at_);
    at_ = end + 1;
    std::optional<std::string> text = Unquote(quoted);
    if (!text) return Error::Parse(StrCat("unquote string ", quoted, " error invalid syntax"));
    out.push_back({.kind = Node::Kind::kText, .text = *std::move(text)});
    return Ok();
  }

  Status Brackets(Nodes& out) {
    const size_t end = text_.find_first_of("]\n", at_);
    if (end == text_.npos || text_[end] == '\n') return Error::Parse("unterminated array");
    const std::string_view inner = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    if (inner.find(',') != inner.npos) return Union(inner, out);
    const bool quoted = inner.size() >= 2 && inner.front() == '\'' && inner.back() == '\'';
    if (quoted && inner.find('\'', 1) == inner.size() - 1) return Key(inner.substr(1, inner.size() - 2), out);
    SMP_ASSIGN(Node slice, Slice(inner == "*" ? ":" : inner));
    out.push_back(std::move(slice));
    return Ok();
  }

  // Parses `text` as if it were an action in braces.
  Result<Nodes> Inner(const std::string& text) const {
    const std::string action = StrCat("{", text, "}");
    SMP_ASSIGN(Nodes nodes, Parser(action, nesting_ + 1).Parse());
    return std::move(nodes.front().lists.front());
  }

  Status Union(std::string_view inner, Nodes& out) {
    Node node{.kind = Node::Kind::kUnion};
    for (std::string_view part : Split(inner, ',')) {
      while (part.starts_with(' ')) part.remove_prefix(1);
      while (part.ends_with(' ')) part.remove_suffix(1);
      SMP_ASSIGN(Nodes nodes, Inner(StrCat("[", part, "]")));
      node.lists.push_back(std::move(nodes));
    }
    out.push_back(std::move(node));
    return Ok();
  }

  Status Key(std::string_view name, Nodes& out) {
    SMP_ASSIGN(Nodes nodes, Inner(StrCat(".", name)));
    for (Node& node : nodes) out.push_back(std::move(node));
    return Ok();
  }

  // Returns the position of the `)` that ends a filter. Quotes hide a `)`, but only the first pair of quotes counts.
  Result<size_t> FilterEnd() const {
    bool open = false, closed = false;
    char quote = 0;
    for (size_t i = at_; i < text_.size() && text_[i] != '\n'; ++i) {
      const char c = text_[i];
      if (c == ')' && open == closed) return i;
      if (c != '"' && c != '\'') continue;
      if (!open) {
        open = true;
        quote = c;
      } else if (c == quote && text_[i - 1] != '\\') {
        closed = true;
      }
    }
    return Error::Parse("unterminated filter");
  }

  Status Filter(Nodes& out) {
    at_ += 3;
    SMP_ASSIGN(const size_t end, FilterEnd());
    const std::string_view text = text_.substr(at_, end - at_);
    at_ = end + 1;
    if (Next() != ']') return Error::Parse("unclosed array expect ]");
    ++at_;
    Node node{.kind = Node::Kind::kFilter, .text = "exists"};
    const std::optional<FilterComparison> comparison = SplitComparison(text);
    SMP_ASSIGN(Nodes left, Inner(std::string(comparison ? comparison->left : text)));
    node.lists.push_back(std::move(left));
    if (comparison) {
      node.text = comparison->op;
      SMP_ASSIGN(Nodes right, Inner(std::string(comparison->right)));
      node.lists.push_back(std::move(right));
    }
    out.push_back(std::move(node));
    return Ok();
  }

  std::string_view text_;
  int nesting_;
  size_t at_ = 0;
};

}  // namespace

Result<Nodes> ParseTemplate(std::string_view text) { return Parser(text, 0).Parse(); }

}  // namespace smp::cmd::jsonpath
