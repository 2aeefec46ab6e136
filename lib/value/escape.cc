#include "value/escape.h"

#include <cstdio>

#include "base/strings.h"
#include "value/utf8.h"

namespace smp {

namespace {

bool IsIn(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

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
    out += Hex(rune.code < 0x80 ? "\\x%02x" : "\\u%04x", static_cast<unsigned>(rune.code));
  }
}

}  // namespace

bool IsInvisible(char32_t c) {
  return c < 0x20 || IsIn(c, 0x7F, 0x9F) || c == 0x061C || IsIn(c, 0x200B, 0x200F) || IsIn(c, 0x202A, 0x202E) ||
         IsIn(c, 0x2066, 0x2069) || c == 0xFEFF;
}

std::string Visible(std::string_view text, Newlines newlines) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Rune rune = FirstRune(text);
    AppendVisible(out, rune, text.substr(0, rune.size), newlines);
    text.remove_prefix(rune.size);
  }
  return out;
}

std::string VisibleJson(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    const Rune rune = FirstRune(json);
    // Control characters can only be layout here: in strings they are escaped already.
    if (rune.code < 0x20 || !IsInvisible(rune.code)) {
      out += json.substr(0, rune.size);
    } else {
      out += Hex("\\u%04x", static_cast<unsigned>(rune.code));
    }
    json.remove_prefix(rune.size);
  }
  return out;
}

}  // namespace smp
