#include "yaml/write_kyaml.h"

// WriteKyaml: writes the same bytes as FromObject of sigs.k8s.io/yaml/kyaml.
#include <algorithm>
#include <charconv>
#include <iterator>
#include <span>
#include <string_view>

#include "base/strings.h"
#include "value/escape.h"
#include "value/json.h"
#include "value/utf8.h"
#include "yaml/yaml_scalar.h"

namespace smp::yaml {

namespace {

struct Range {
  char32_t first, last;
};

// What unicode.IsPrint of Go refuses, by the Unicode Character Database 15.0.0: categories Cc, Cf, Co, Cs, Zl, Zp and Zs.
// Characters that are not assigned count as printable here.
constexpr Range kUnprintable[] = {
    {0, 0x1F},          {0x7F, 0xA0},       {0xAD, 0xAD},         {0x600, 0x605},     {0x61C, 0x61C},
    {0x6DD, 0x6DD},     {0x70F, 0x70F},     {0x890, 0x891},       {0x8E2, 0x8E2},     {0x1680, 0x1680},
    {0x180E, 0x180E},   {0x2000, 0x200F},   {0x2028, 0x202F},     {0x205F, 0x2064},   {0x2066, 0x206F},
    {0x3000, 0x3000},   {0xD800, 0xF8FF},   {0xFEFF, 0xFEFF},     {0xFFF9, 0xFFFB},   {0x110BD, 0x110BD},
    {0x110CD, 0x110CD}, {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3},   {0x1D173, 0x1D17A}, {0xE0001, 0xE0001},
    {0xE0020, 0xE007F}, {0xF0000, 0xFFFFD}, {0x100000, 0x10FFFD},
};

bool IsPrint(char32_t c) {
  if (c >= 0x20 && c < 0x7F) return true;
  const Range* range = std::lower_bound(std::begin(kUnprintable), std::end(kUnprintable), c,
                                        [](const Range& r, char32_t code) { return r.last < code; });
  return range == std::end(kUnprintable) || c < range->first;
}

// Returns true if some YAML parser could read the unquoted text as a value other than a string.
bool IsAmbiguous(std::string_view text) {
  constexpr std::string_view kWords[] = {"null", "true", "false", "yes", "no",       "on",  "off",
                                         "y",    "n",    "t",     "f",   "infinity", "inf", "nan"};
  const std::string lower = ToLower(text);
  if (std::find(std::begin(kWords), std::end(kWords), lower) != std::end(kWords)) return true;
  std::string number = lower;
  number.erase(std::remove(number.begin(), number.end(), '_'), number.end());
  if (!number.empty() && ResolvePlain(number).type != YamlScalar::Type::kString) return true;
  if (!number.starts_with("0x") || number.find('p') == std::string::npos) return false;
  double value = 0;
  const char* const end = number.data() + number.size();
  return std::from_chars(number.data() + 2, end, value, std::chars_format::hex).ptr == end;
}

// Differs from kubectl: it leaves letters and digits beyond ASCII unquoted, too.
bool NeedsQuotes(std::string_view key) {
  constexpr std::string_view kInside = "-./";
  for (size_t i = 0; i < key.size(); ++i) {
    const bool inside = i > 0 && i + 1 < key.size() && kInside.find(key[i]) != std::string_view::npos;
    if (!IsAlnum(key[i]) && key[i] != '_' && !inside) return true;
  }
  return key.empty() || IsAmbiguous(key);
}

bool IsNested(const Value& value) { return value.is_array() || value.is_object(); }

// The escape in double quotes of a character that is not written as it is.
std::string KyamlEscape(char32_t c) {
  constexpr std::string_view kNamed = "\a\b\t\n\v\f\r\x1b\"\\";
  constexpr std::string_view kNames = "abtnvfre\"\\";
  const size_t named = c < 0x80 ? kNamed.find(static_cast<char>(c)) : std::string_view::npos;
  if (c == 0) return "\\0";
  if (named != std::string_view::npos) return StrCat('\\', kNames[named]);
  switch (c) {
    case 0x85: return "\\N";
    case 0xA0: return "\\_";
    case 0x2028: return "\\L";
    case 0x2029: return "\\P";
    default: return EscapeOf(c);
  }
}

class Writer {
 public:
  std::string Write(const Value& value) && {
    out_ = "---\n";
    Node(value, 0);
    return std::move(out_) + "\n";
  }

 private:
  void Node(const Value& value, size_t indent) {
    switch (value.kind()) {
      case Kind::kString: return String(value.AsString(), indent + 1);
      case Kind::kArray: return Sequence(value.Items(), indent);
      case Kind::kObject: return Mapping(value.Members(), indent);
      default: out_ += WriteJson(value);
    }
  }

  void Sequence(std::span<const Value> items, size_t indent) {
    if (std::all_of(items.begin(), items.end(), IsNested)) return NestedSequence(items, indent);  // also []
    out_ += "[\n";
    for (const Value& item : items) {
      Indent(indent + 1);
      Node(item, indent + 1);
      out_ += ",\n";
    }
    Indent(indent);
    out_ += ']';
  }

  // Lists of maps or lists need no lines of their own: [{ …}, {…}].
  void NestedSequence(std::span<const Value> items, size_t indent) {
    out_ += '[';
    for (const Value& item : items) {
      if (&item != items.data()) out_ += ", ";
      Node(item, indent);
    }
    out_ += ']';
  }

  void Mapping(std::span<const Member> members, size_t indent) {
    if (members.empty()) return Raw("{}");
    out_ += "{\n";
    for (const Member& member : members) {
      Indent(indent + 1);
      Key(member.name);
      out_ += ": ";
      Node(member.value, indent + 1);
      out_ += ",\n";
    }
    Indent(indent);
    out_ += '}';
  }

  void Key(std::string_view name) {
    if (!NeedsQuotes(name)) return Raw(name);
    out_ += '"';
    for (size_t at = 0; at < name.size();) at += Character(name.substr(at));
    out_ += '"';
  }

  // Text of several lines has a line of the output for each: a \ at the end of a line continues the string, and the
  // parser drops the indentation.
  void String(std::string_view text, size_t indent) {
    const bool several_lines = text.find('\n') != std::string_view::npos;
    out_ += several_lines ? "\"\\\n" : "\"";
    for (size_t at = 0; at < text.size();) at += CharacterOfString(text.substr(at), indent);
    if (several_lines) {
      if (out_.back() != '\n') out_ += "\\\n";
      Indent(indent);
    }
    out_ += '"';
  }

  // Writes the first character of `text`. Returns its size in bytes. At the beginning of a line, the parser would drop a
  // space or a tab without a backslash. Differs from kubectl: it puts a backslash before the escape of other white space,
  // too, and so changes the text.
  size_t CharacterOfString(std::string_view text, size_t indent) {
    if (out_.back() == '\n') {
      Indent(indent);
      out_ += text[0] == ' ' || text[0] == '\t' ? '\\' : ' ';
    }
    if (text[0] != '\n' && text[0] != '\t') return Character(text);
    out_ += text[0] == '\n' ? "\\n\\\n" : "\t";
    return 1;
  }

  // As CharacterOfString, in a string of one line.
  size_t Character(std::string_view text) {
    const Rune rune = FirstRune(text);
    const bool as_it_is = rune.valid && IsPrint(rune.code) && rune.code != '"' && rune.code != '\\' &&
                          !IsWorkflowCommand(text, text[0] == ':' && BeginsLine());
    if (as_it_is) {
      out_ += text.substr(0, rune.size);
    } else if (rune.valid) {
      out_ += KyamlEscape(rune.code);
    } else {
      AppendUtf8(out_, rune.code);
    }
    return rune.size;
  }

  bool BeginsLine() const {
    const size_t last = out_.find_last_not_of(" \t");
    return last == std::string::npos || out_[last] == '\n';
  }

  void Raw(std::string_view text) { out_ += text; }

  void Indent(size_t levels) { out_.append(2 * levels, ' '); }

  std::string out_;
};

}  // namespace

std::string WriteKyaml(const Value& value) { return Writer().Write(value); }

}  // namespace smp::yaml
