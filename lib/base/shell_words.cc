#include "base/shell_words.h"

#include <algorithm>
#include <utility>

#include "base/path_syntax.h"
#include "base/strings.h"

namespace smp {

namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

// Reads one word at a time. Source: POSIX, Shell Command Language, 2.2 Quoting.
class Words {
 public:
  Words(std::string_view text, Backslash backslash) : rest_(text), escapes_(backslash == Backslash::kEscapes) {}

  // Returns false after the last word.
  bool SkipBlanks() {
    while (!rest_.empty() && IsBlank(rest_.front())) (void)Take();
    return !rest_.empty();
  }

  // REQUIRES: SkipBlanks() returned true.
  Result<std::string> Next() {
    std::string word;
    while (!rest_.empty() && !IsBlank(rest_.front())) SMP_TRY(Part(word));
    return word;
  }

 private:
  char Take() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  Status Part(std::string& word) {
    const char c = Take();
    if (c == '\'' || c == '"') return Quoted(c, word);
    if (c != '\\' || !escapes_) return word += c, Ok();
    if (rest_.empty()) return Error::InvalidArgument("backslash at the end");
    const char escaped = Take();
    if (escaped != '\n') word += escaped;
    return Ok();
  }

  Status Quoted(char quote, std::string& word) {
    while (!rest_.empty()) {
      const char c = Take();
      if (c == quote) return Ok();
      const bool escapes = escapes_ && c == '\\' && quote == '"' && !rest_.empty() &&
                           std::string_view("$`\"\\\n").find(rest_.front()) != std::string_view::npos;
      const char meant = escapes ? Take() : c;
      if (!escapes || meant != '\n') word += meant;
    }
    return Error::InvalidArgument(StrCat("unclosed ", quote));
  }

  std::string_view rest_;
  bool escapes_;
};

bool NeedsNoQuotes(char c) { return IsAlnum(c) || std::string_view("_-./:=@%+,").find(c) != std::string_view::npos; }

}  // namespace

Backslash BackslashOfSystem() { return IsPathSeparator('\\') ? Backslash::kIsItself : Backslash::kEscapes; }

Result<std::vector<std::string>> ShellWords(std::string_view text, Backslash backslash) {
  Words words(text, backslash);
  std::vector<std::string> out;
  while (words.SkipBlanks()) {
    SMP_ASSIGN(std::string word, words.Next());
    out.push_back(std::move(word));
  }
  return out;
}

std::string ShellQuoted(std::string_view text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), NeedsNoQuotes)) return std::string(text);
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace smp
