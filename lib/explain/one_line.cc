#include "explain/one_line.h"

#include <utility>
#include <vector>

#include "base/strings.h"
#include "value/escape.h"
#include "value/json.h"
#include "value/utf8.h"
#include "yaml/write_yaml.h"

namespace smp::explain {

namespace {

// Long texts are folded in YAML: at spaces, each continued on an indented line.
std::string Unfolded(std::string_view yaml) {
  std::string out;
  for (size_t at = 0; at < yaml.size(); ++at) {
    const bool folds = yaml.substr(at, 3) == "\n  ";
    out += folds ? ' ' : yaml[at];
    at += folds ? 2 : 0;
  }
  return out;
}

bool IsPlainWord(std::string_view text) {
  return !text.empty() && text.find('\n') == text.npos &&
         Unfolded(yaml::WriteYaml(Value::UnownedString(text))) == StrCat(text, "\n");
}

// Within braces and brackets, these signs separate values.
std::string InFlow(std::string_view text) {
  const bool plain = text.find_first_of(",[]{}") == text.npos && IsPlainWord(text);
  return plain ? std::string(text) : WriteJson(Value::UnownedString(text));
}

std::string Flow(const Value& value);

// With quotes, several words in a list are seen to be one item.
std::string Item(const Value& value) {
  const bool words = value.is_string() && value.AsString().find(' ') != std::string_view::npos;
  return words ? WriteJson(value) : Flow(value);
}

// The recursion is bounded by the parser's kMaxDepth.
std::string Flow(const Value& value) {
  std::vector<std::string> parts;
  if (value.is_object()) {
    for (const Member& member : value.Members()) parts.push_back(StrCat(InFlow(member.name), ": ", Flow(member.value)));
    return StrCat("{", Join(parts, ", "), "}");
  }
  if (value.is_array()) {
    for (const Value& item : value.Items()) parts.push_back(Item(item));
    return StrCat("[", Join(parts, ", "), "]");
  }
  return value.is_string() ? InFlow(value.AsString()) : WriteJson(value);
}

// Returns the fewest bytes that the value can have in one line, and no more than about `most`: the texts, and two signs for
// each member and item.
size_t LeastBytes(const Value& value, size_t most) {
  if (value.is_string()) return value.AsString().size();
  size_t bytes = 0;
  if (value.is_object()) {
    for (const Member& member : value.Members()) {
      if (bytes > most) break;
      bytes += 2 + member.name.size() + LeastBytes(member.value, most - bytes);
    }
  } else if (value.is_array()) {
    for (const Value& item : value.Items()) {
      if (bytes > most) break;
      bytes += 2 + LeastBytes(item, most - bytes);
    }
  }
  return bytes;
}

}  // namespace

std::optional<std::string> OneLineUpTo(size_t most, const Value& value) {
  if (LeastBytes(value, most) > most) return std::nullopt;
  std::string line = OneLine(value);
  return line.size() > most ? std::nullopt : std::optional(std::move(line));
}

std::string OneLine(const Value& value) {
  const bool plain = value.is_string() && IsPlainWord(value.AsString());
  return VisibleBlanks(plain ? std::string(value.AsString()) : Flow(value));
}

std::string VisibleBlanks(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const Rune rune = FirstRune(text.substr(at));
    if (rune.code == 0xA0 || (rune.code >= 0x2000 && rune.code <= 0x200A) || rune.code == 0x202F) {
      out += EscapeOf(rune.code);
    } else {
      out += text.substr(at, rune.size);
    }
    at += rune.size;
  }
  return Visible(out, Newlines::kEscape);
}

}  // namespace smp::explain
