#include "yaml/write_yaml.h"

// WriteYaml: writes the same bytes as sigs.k8s.io/yaml's Marshal. The choice of style and the folding at column 80
// follow the emitter of go.yaml.in/yaml/v2 (emitterc.go), the order of members its sorter.go.
#include <algorithm>
#include <vector>

#include "base/strings.h"
#include "value/escape.h"
#include "value/json.h"
#include "value/number.h"
#include "value/utf8.h"
#include "yaml/yaml_scalar.h"

namespace smp::yaml {

namespace {

constexpr size_t kBestWidth = 80;
constexpr size_t kLongestSimpleKey = 128;

bool IsBreak(char32_t c) { return c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029; }

// Returns true if the character needs no escape. Those above U+FFFF need one, a limit of the emitter kubectl uses.
// Differs from kubectl: U+2028 and U+2029 are always escaped, because parsers of YAML 1.2 do not fold them back.
bool IsPrintable(char32_t c) {
  if (c < 0xA0) return c == '\n' || (c >= 0x20 && c <= 0x7E);
  return c <= 0xFFFD && c != 0xFEFF && c != 0x2028 && c != 0x2029;
}

// Which styles can represent a text; see yaml_emitter_analyze_scalar.
struct Analysis {
  bool multiline = false;
  bool plain = true;
  bool single_quoted = true;
  bool block = true;
};

bool IsIndicatorAtStart(char32_t c, bool space_follows) {
  if (c == '?' || c == ':' || c == '-') return space_follows;
  return c < 0x80 && std::string_view("#,[]{}&*!|>'\"%@`").find(static_cast<char>(c)) != std::string_view::npos;
}

// Which characters need no escape.
using Shown = bool (*)(char32_t);

bool IsVisible(char32_t c) { return IsPrintable(c) && (c == '\n' || !IsInvisible(c)); }

Analysis Analyze(std::string_view text, Shown shown) {
  Analysis result;
  if (text.empty()) return {false, true, true, false};
  if (text.starts_with("---") || text.starts_with("...")) result.plain = false;
  bool space_before = true;
  char32_t before = 0;
  for (size_t at = 0; at < text.size();) {
    const Rune rune = FirstRune(text.substr(at));
    const char32_t c = rune.code;
    const size_t next = at + rune.size;
    const bool at_edge = at == 0 || next == text.size();
    const bool space_follows = next == text.size() || text[next] == ' ' || text[next] == '\t';
    if (at == 0 ? IsIndicatorAtStart(c, space_follows) : (c == ':' && space_follows) || (c == '#' && space_before)) {
      result.plain = false;
    }
    if (!shown(c)) result.plain = result.single_quoted = result.block = false;
    if (c == ' ') {
      if (at_edge) result.plain = false;
      if (next == text.size()) result.block = false;
      if (IsBreak(before)) result.plain = result.single_quoted = false;
    } else if (IsBreak(c)) {
      result.multiline = true;
      result.plain = false;
      if (before == ' ') result.single_quoted = result.block = false;
    }
    space_before = c == ' ' || c == '\t' || c == 0 || IsBreak(c);
    before = c;
    at = next;
  }
  return result;
}

enum class Style { kPlain, kSingleQuoted, kDoubleQuoted, kLiteral };
enum class Role { kKey, kComplexKey, kValue };

Style ChooseStyle(std::string_view text, const Analysis& analysis, Role role) {
  if (text.find('\n') != std::string_view::npos) {
    return analysis.block && role != Role::kKey ? Style::kLiteral : Style::kDoubleQuoted;
  }
  if (analysis.multiline && role == Role::kKey) return Style::kDoubleQuoted;
  if (ResolvePlain(text).type != YamlScalar::Type::kString || IsBase60(text)) return Style::kDoubleQuoted;
  if (analysis.plain) return Style::kPlain;
  return analysis.single_quoted ? Style::kSingleQuoted : Style::kDoubleQuoted;
}

// Approximates unicode.IsLetter: exact for ASCII, and nearly all other characters used in names are letters.
bool IsLetter(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0xAA; }

bool IsDigitRune(char32_t c) { return c >= '0' && c <= '9'; }

std::u32string Runes(std::string_view text) {
  std::u32string runes;
  for (size_t at = 0; at < text.size();) {
    const Rune rune = FirstRune(text.substr(at));
    runes += rune.code;
    at += rune.size;
  }
  return runes;
}

// The value of the digits in `text` from `at` on; it overflows by wrapping around, like Go's int64.
struct DigitRun {
  int64_t value;
  size_t end;
};
DigitRun ReadDigits(const std::u32string& text, size_t at, uint64_t before) {
  uint64_t value = before;
  for (; at < text.size() && IsDigitRune(text[at]); ++at) value = value * 10 + (text[at] - U'0');
  return {static_cast<int64_t>(value), at};
}

bool FollowsNonZeroDigit(const std::u32string& text, size_t at) {
  for (size_t i = at; i > 0 && IsDigitRune(text[i - 1]); --i) {
    if (text[i - 1] != U'0') return true;
  }
  return false;
}

// As keyList.Less of sorter.go: compares runs of digits by value and sorts letters after all other characters.
bool NaturalLess(std::string_view first, std::string_view second) {
  const std::u32string a = Runes(first);
  const std::u32string b = Runes(second);
  const auto [at_a, at_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (at_a == a.end() || at_b == b.end()) return a.size() < b.size();
  const size_t i = static_cast<size_t>(at_a - a.begin());
  const bool letter_a = IsLetter(a[i]);
  const bool letter_b = IsLetter(b[i]);
  if (letter_a && letter_b) return a[i] < b[i];
  if (letter_a || letter_b) return letter_b;
  const uint64_t before = (a[i] == U'0' || b[i] == U'0') && FollowsNonZeroDigit(a, i) ? 1 : 0;
  const DigitRun run_a = ReadDigits(a, i, before);
  const DigitRun run_b = ReadDigits(b, i, before);
  if (run_a.value != run_b.value) return run_a.value < run_b.value;
  if (run_a.end != run_b.end) return run_a.end < run_b.end;
  return a[i] < b[i];
}

// Uses std::stable_sort: with NaturalLess, which like Go's is not quite a strict weak order, std::sort could crash.
std::vector<const Member*> InYamlOrder(std::span<const Member> members) {
  std::vector<const Member*> sorted;
  for (const Member& member : members) sorted.push_back(&member);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Member* a, const Member* b) { return NaturalLess(a->name, b->name); });
  return sorted;
}

// Formats a number like JSONToYAML, which parses JSON text again: whole numbers as integers, others with %g.
std::string NumberText(double d) {
  const std::string json = WriteNumber(d);
  const YamlScalar scalar = ResolvePlain(json);
  if (scalar.type == YamlScalar::Type::kInt) return std::to_string(scalar.value.AsInt());
  if (scalar.type == YamlScalar::Type::kUnsigned) return json;
  return GeneralNotation(ShortestDecimal(d));
}

// The state machine of emitterc.go, restricted to block style.
class Emitter {
 public:
  explicit Emitter(Shown shown) : shown_(shown) {}

  std::string Emit(const Value& value) && {
    Node(value, Context::kOther);
    indent_ = 0;
    WriteIndent();
    return std::move(out_);
  }

 private:
  enum class Context { kMemberValue, kOther };

  void Node(const Value& value, Context context) {
    switch (value.kind()) {
      case Kind::kNull: return Raw("null");
      case Kind::kBool: return Raw(value.AsBool() ? "true" : "false");
      case Kind::kInt: return Raw(std::to_string(value.AsInt()));
      case Kind::kDouble: return Raw(NumberText(value.AsDouble()));
      case Kind::kString: return String(value.AsString(), Role::kValue);
      case Kind::kArray: return value.empty() ? Indicator("[]", true, false) : Sequence(value.Items(), context);
      case Kind::kObject: return value.empty() ? Indicator("{}", true, false) : Mapping(value.Members());
    }
  }

  void Sequence(std::span<const Value> items, Context context) {
    const int outer = indent_;
    const bool indentless = context == Context::kMemberValue && !indention_;
    indent_ = indent_ < 0 ? 0 : indentless ? indent_ : indent_ + 2;
    for (const Value& item : items) {
      WriteIndent();
      Indicator("-", true, true);
      Node(item, Context::kOther);
    }
    indent_ = outer;
  }

  void Mapping(std::span<const Member> members) {
    const int outer = indent_;
    indent_ = indent_ < 0 ? 0 : indent_ + 2;
    for (const Member* member : InYamlOrder(members)) {
      WriteIndent();
      Key(member->name);
      Node(member->value, Context::kMemberValue);
    }
    indent_ = outer;
  }

  void Key(std::string_view name) {
    const bool simple = name.size() <= kLongestSimpleKey && !Analyze(name, shown_).multiline;
    if (simple) {
      String(name, Role::kKey);
      return Indicator(":", false, false);
    }
    Indicator("?", true, true);
    String(name, Role::kComplexKey);
    WriteIndent();
    Indicator(":", true, true);
  }

  void String(std::string_view text, Role role) {
    if (!IsValidUtf8(text)) return String(ReplaceInvalidUtf8(text), role);
    const int outer = indent_;
    indent_ = indent_ < 0 ? 2 : indent_ + 2;
    const bool fold = role != Role::kKey;
    const bool command = HasHiddenCommand(text, role);
    switch (command ? Style::kDoubleQuoted : ChooseStyle(text, Analyze(text, shown_), role)) {
      case Style::kPlain: Plain(text, fold); break;
      case Style::kSingleQuoted: SingleQuoted(text, fold); break;
      case Style::kDoubleQuoted: DoubleQuoted(text, fold); break;
      case Style::kLiteral: Literal(text); break;
    }
    indent_ = outer;
  }

  // Returns true if a runner of workflows may take what is at `at` for a command. Lines may be broken at any white space.
  // In visible YAML only: the bytes of the other are kubectl's.
  bool IsHiddenCommand(std::string_view text, size_t at) const {
    const bool may_be = shown_ == IsVisible && (text[at] == ':' || text[at] == '#');
    const unsigned char before = at > 0 ? text[at - 1] : 'x';
    return may_be && IsWorkflowCommand(text.substr(at), before <= ' ' || before >= 0x80);
  }

  bool HasHiddenCommand(std::string_view text, Role role) const {
    if (shown_ != IsVisible) return false;
    bool found = role == Role::kKey && text.starts_with("::");
    for (size_t at = 0; at < text.size() && !found; ++at) found = IsHiddenCommand(text, at);
    return found;
  }

  void Raw(std::string_view text) { Indicator(text, true, false); }

  void Plain(std::string_view text, bool fold) {
    if (!whitespace_) Put(' ');
    Folded(text, fold, 0);
    whitespace_ = indention_ = false;
  }

  void SingleQuoted(std::string_view text, bool fold) {
    Indicator("'", true, false);
    Folded(text, fold, '\'');
    Indicator("'", false, false);
  }

  // Writes text that may be broken at single spaces if `fold` is true. `doubled`: a character to be written twice.
  void Folded(std::string_view text, bool fold, char doubled) {
    bool after_space = false;
    for (size_t at = 0; at < text.size();) {
      const bool space = text[at] == ' ';
      const bool inside = at > 0 && at + 1 < text.size() && text[at + 1] != ' ';
      if (space && fold && !after_space && column_ > kBestWidth && inside) {
        WriteIndent();
        ++at;
      } else {
        if (doubled != 0 && text[at] == doubled) Put(doubled);
        at += Character(text.substr(at));
        if (!space) indention_ = false;
      }
      after_space = space;
    }
  }

  void DoubleQuoted(std::string_view text, bool fold) {
    Indicator("\"", true, false);
    bool after_space = false;
    for (size_t at = 0; at < text.size();) {
      const Rune rune = FirstRune(text.substr(at));
      const bool space = rune.code == ' ';
      if (space && fold && !after_space && column_ > kBestWidth && at > 0 && at + 1 < text.size()) {
        WriteIndent();
        if (text[at + 1] == ' ') Put('\\');
      } else if (!shown_(rune.code) || rune.code == '\n' || rune.code == '"' || rune.code == '\\' ||
                 IsHiddenCommand(text, at)) {
        Escape(rune.code);
      } else {
        Character(text.substr(at));
      }
      after_space = space;
      at += rune.size;
    }
    Indicator("\"", false, false);
  }

  void Escape(char32_t c) {
    constexpr std::string_view kNamed = "\a\b\t\n\v\f\r\x1b\"\\";
    constexpr std::string_view kNames = "abtnvfre\"\\";
    Put('\\');
    const size_t named = c < 0x80 ? kNamed.find(static_cast<char>(c)) : std::string_view::npos;
    if (c == 0) return Put('0');
    if (named != std::string_view::npos) return Put(kNames[named]);
    if (c == 0x85) return Put('N');
    if (c == 0x2028 || c == 0x2029) return Put(c == 0x2028 ? 'L' : 'P');
    const int digits = c <= 0xFF ? 2 : c <= 0xFFFF ? 4 : 8;
    Put(digits == 2 ? 'x' : digits == 4 ? 'u' : 'U');
    for (int i = digits - 1; i >= 0; --i) Put("0123456789ABCDEF"[(c >> (4 * i)) & 0xF]);
  }

  void Literal(std::string_view text) {
    Indicator("|", true, false);
    if (text.front() == ' ' || text.front() == '\n') Put('2');
    if (!text.ends_with('\n')) {
      Put('-');
    } else if (text.size() == 1 || text.ends_with("\n\n")) {
      Put('+');
    }
    Break();
    indention_ = whitespace_ = true;
    for (size_t at = 0; at < text.size();) {
      if (text[at] == '\n') {
        Break();
        indention_ = true;
        ++at;
      } else {
        if (column_ == 0) WriteIndent();
        at += Character(text.substr(at));
        indention_ = false;
      }
    }
  }

  void WriteIndent() {
    const size_t indent = static_cast<size_t>(std::max(indent_, 0));
    if (!indention_ || column_ > indent || (column_ == indent && !whitespace_)) Break();
    while (column_ < indent) Put(' ');
    whitespace_ = indention_ = true;
  }

  void Indicator(std::string_view text, bool needs_space, bool keeps_indention) {
    if (needs_space && !whitespace_) Put(' ');
    for (const char c : text) Put(c);
    whitespace_ = false;
    indention_ = indention_ && keeps_indention;
  }

  void Put(char c) {
    out_ += c;
    ++column_;
  }

  // Writes the first character of `text`, which counts as one column. Returns its size in bytes.
  size_t Character(std::string_view text) {
    const size_t size = FirstRune(text).size;
    out_.append(text.substr(0, size));
    ++column_;
    return size;
  }

  void Break() {
    out_ += '\n';
    column_ = 0;
  }

  const Shown shown_;
  std::string out_;
  int indent_ = -1;
  size_t column_ = 0;
  bool whitespace_ = true;  // the last character was a space, or no space is needed
  bool indention_ = true;   // only spaces and indicators in this line so far
};

}  // namespace

std::string WriteYaml(const Value& value) { return Emitter(IsPrintable).Emit(value); }

std::string WriteVisibleYaml(const Value& value) { return Emitter(IsVisible).Emit(value); }

}  // namespace smp::yaml
