#include "value/escape.h"

#include <cstdio>

#include "base/strings.h"
#include "value/code_ranges.h"
#include "value/utf8.h"

namespace smp {

namespace {

// Above 0x7E: controls, bidirectional marks, line separators that some terminals obey, and what Unicode calls
// Default_Ignorable, but U+FE0F: it makes emojis of symbols.
constexpr CodeRange kInvisible[] = {
    {0x7F, 0x9F},     {0xAD, 0xAD},     {0x34F, 0x34F},   {0x61C, 0x61C},     {0x115F, 0x1160},   {0x17B4, 0x17B5},
    {0x180B, 0x180F}, {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F},   {0x3164, 0x3164},   {0xFE00, 0xFE0E},
    {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

std::string Hex(const char* format, unsigned code) {
  char text[16];
  std::snprintf(text, sizeof(text), format, code);
  return text;
}

void AppendVisible(std::string& out, const Rune& rune, std::string_view bytes, Newlines newlines) {
  if (!rune.valid) {
    out += Hex("\\x%02x", static_cast<unsigned char>(bytes.front()));
  } else if (rune.code == '\n' && newlines == Newlines::kEscape) {
    out += "\\n";
  } else if (rune.code == '\n' || rune.code == '\t' || !IsInvisible(rune.code)) {
    out += bytes;
  } else {
    out += EscapeOf(rune.code);
  }
}

void AppendJsonEscape(std::string& out, char32_t c) {
  auto unit = static_cast<unsigned>(c);
  if (c > 0xFFFF) {
    out += Hex("\\u%04x", 0xD800U + ((unit - 0x10000U) >> 10U));
    unit = 0xDC00U + ((unit - 0x10000U) & 0x3FFU);
  }
  out += Hex("\\u%04x", unit);
}

bool IsSpace(char32_t c) {
  return c == ' ' || c == '\t' || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F ||
         c == 0x205F || c == 0x3000;
}

}  // namespace

bool IsWorkflowCommand(std::string_view text, bool begins_line) {
  return (begins_line && text.starts_with("::")) || text.starts_with("##[") || text.starts_with("##vso[");
}

std::string WithoutWorkflowCommands(std::string_view lines) {
  std::string out;
  out.reserve(lines.size());
  bool begins_line = true;
  while (!lines.empty()) {
    const Rune rune = FirstRune(lines);
    if (IsWorkflowCommand(lines, begins_line)) {
      out += EscapeOf(rune.code);
    } else {
      out += lines.substr(0, rune.size);
    }
    begins_line = rune.code == '\n' || (begins_line && IsSpace(rune.code));
    lines.remove_prefix(rune.size);
  }
  return out;
}

bool IsInvisible(char32_t c) {
  if (c < 0x7F) return c < 0x20;  // the search is for few
  return IsIn(c, kInvisible);
}

std::string EscapeOf(char32_t c) {
  const char* const format = c < 0x80 ? "\\x%02x" : c > 0xFFFF ? "\\U%08x" : "\\u%04x";
  return Hex(format, static_cast<unsigned>(c));
}

std::string Visible(std::string_view text, Newlines newlines) {
  std::string out;
  out.reserve(text.size());
  bool begins_line = false;  // the first line goes on with what was printed before
  while (!text.empty()) {
    const Rune rune = FirstRune(text);
    if (IsWorkflowCommand(text, begins_line)) {
      out += EscapeOf(rune.code);
    } else {
      AppendVisible(out, rune, text.substr(0, rune.size), newlines);
    }
    begins_line = newlines == Newlines::kKeep && (rune.code == '\n' || (begins_line && IsSpace(rune.code)));
    text.remove_prefix(rune.size);
  }
  return out;
}

std::string VisibleJson(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    const Rune rune = FirstRune(json);
    // Control characters can only be layout here: in strings they are escaped already. A # can only be in a string, and no
    // line of JSON begins within one.
    const bool hidden = (rune.code >= 0x20 && IsInvisible(rune.code)) || IsWorkflowCommand(json, false);
    if (hidden) {
      AppendJsonEscape(out, rune.code);
    } else {
      out += json.substr(0, rune.size);
    }
    json.remove_prefix(rune.size);
  }
  return out;
}

}  // namespace smp
