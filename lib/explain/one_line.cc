#include "explain/one_line.h"

#include <vector>

#include "base/strings.h"
#include "value/escape.h"
#include "value/json.h"
#include "value/utf8.h"
#include "yaml/write_yaml.h"

namespace smp::explain {

namespace {

constexpr size_t kLongestPlain = 60;  // bytes of a string without quotes; the YAML of longer ones may be folded

bool IsPlain(std::string_view text) {
  return !text.empty() && text.size() <= kLongestPlain &&
         yaml::WriteYaml(Value::UnownedString(text)) == StrCat(text, "\n");
}

// Within braces and brackets, these signs separate values.
std::string InFlow(std::string_view text) {
  const bool plain = text.find_first_of(",[]{}") == text.npos && IsPlain(text);
  return plain ? std::string(text) : WriteJson(Value::UnownedString(text));
}

// The recursion is bounded by the parser's kMaxDepth.
std::string Flow(const Value& value) {
  std::vector<std::string> parts;
  if (value.is_object()) {
    for (const Member& member : value.Members()) parts.push_back(StrCat(InFlow(member.name), ": ", Flow(member.value)));
    return StrCat("{", Join(parts, ", "), "}");
  }
  if (value.is_array()) {
    for (const Value& item : value.Items()) parts.push_back(Flow(item));
    return StrCat("[", Join(parts, ", "), "]");
  }
  return value.is_string() ? InFlow(value.AsString()) : WriteJson(value);
}

}  // namespace

std::string OneLine(const Value& value) {
  const bool plain = value.is_string() && IsPlain(value.AsString());
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
