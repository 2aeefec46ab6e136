#include <charconv>

#include "value/utf8.h"
#include "yaml/scalars.h"

namespace smp::yaml {

namespace {

constexpr std::string_view kNotClosed = "the quote that opens here is not closed";
constexpr std::string_view kUnknownEscape = "invalid escape in double quotes";

// kEscaped has the character for each escape: the character after the backslash is at the same index of kEscapes.
constexpr std::string_view kEscapes = "0abt\tnvfre \"'\\N_LP";
constexpr char32_t kEscaped[] = {0, 7, 8, 9, 9, 10, 11, 12, 13, 27, ' ', '"', '\'', '\\', 0x85, 0xA0, 0x2028, 0x2029};

// Returns the closing quote if the scalar from `at` to there has no escapes and line breaks to decode; else nullptr.
const char* EndOfSimple(const char* at, char quote) {
  for (;; ++at) {
    while (!HasClass(*at, kQuoteSign | kLineEnd | kMayEndLine)) ++at;
    if (*at == quote) return quote == '\'' && at[1] == '\'' ? nullptr : at;
    if (HasClass(*at, kLineEnd) || (*at == '\\' && quote == '"') || BreakSize(at) > 0) return nullptr;
  }
}

class QuotedScanner {
 public:
  QuotedScanner(Cursor& cursor, std::string& buffer) : cursor_(cursor), out_(buffer), quote_(cursor.Next()) {}

  // Returns why the scalar is invalid; empty if it is valid. Sets `problem_mark` if the problem is inside the scalar.
  std::string_view Scan(Mark& problem_mark) {
    out_.clear();
    cursor_.Skip(1);
    for (;;) {
      if (cursor_.AtDocumentMarker()) return "the document ends within quotes";
      if (cursor_.AtEnd()) return kNotClosed;
      if (cursor_.Next() == quote_) {
        if (!IsDoubledQuote()) return {};
        AppendPart(2, "'");
      } else if (cursor_.Next() == '\\' && quote_ == '"') {
        problem_mark = cursor_.mark();
        if (!Escape()) return kUnknownEscape;
      } else if (EndsWord(cursor_.at())) {
        Blanks(false);
      } else {
        AppendWord();
      }
    }
  }

 private:
  bool IsDoubledQuote() const { return quote_ == '\'' && cursor_.at()[1] == '\''; }

  void AppendPart(size_t bytes, std::string_view text) {
    out_ += text;
    cursor_.Skip(bytes);
  }

  void AppendWord() {
    const char* begin = cursor_.at();
    const char* end = begin + 1;
    while (!HasClass(*end, kQuoteSign | kBlank | kLineEnd | kMayEndLine)) ++end;
    AppendPart(static_cast<size_t>(end - begin), {begin, static_cast<size_t>(end - begin)});
  }

  // Keeps blanks within a line and folds line breaks. `after_escape`: an escaped line break precedes; keep all others.
  void Blanks(bool after_escape) {
    const char* begin = cursor_.at();
    cursor_.SkipBlanks();
    if (!after_escape && BreakSize(cursor_.at()) == 0) {
      out_.append(begin, cursor_.at());
      return;
    }
    const char* breaks = cursor_.at();
    while (cursor_.SkipBreak()) {
      if (after_escape) out_ += BreakText(breaks);
      cursor_.SkipBlanks();
      if (after_escape) breaks = cursor_.at();
    }
    if (!after_escape) AppendFolded(out_, {breaks, static_cast<size_t>(cursor_.at() - breaks)});
  }

  bool Escape() {
    cursor_.Skip(1);
    if (cursor_.SkipBreak()) return Blanks(true), true;
    const char c = cursor_.Next();
    if (c == 'x' || c == 'u' || c == 'U') return Hexadecimal(c == 'x' ? 2 : c == 'u' ? 4 : 8);
    const size_t named = c == '\0' ? std::string_view::npos : kEscapes.find(c);
    if (named == std::string_view::npos) return false;
    AppendUtf8(out_, kEscaped[named]);
    cursor_.Skip(1);
    return true;
  }

  bool Hexadecimal(size_t digits) {
    const char* begin = cursor_.at() + 1;
    size_t size = 0;
    while (size < digits && HasClass(begin[size], kWord)) ++size;
    uint32_t code = 0;
    const char* end = std::from_chars(begin, begin + size, code, 16).ptr;
    if (end != begin + digits || (code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF) return false;
    AppendUtf8(out_, code);
    cursor_.Skip(1 + digits);
    return true;
  }

  Cursor& cursor_;
  std::string& out_;
  char quote_;
};

}  // namespace

ScannedScalar ScanQuoted(Cursor& cursor, const ScalarContext& context) {
  ScannedScalar out;
  const char* begin = cursor.at() + 1;
  if (const char* end = EndOfSimple(begin, cursor.Next()); end != nullptr) {
    out.text = {begin, static_cast<size_t>(end - begin)};
    cursor.MoveTo(end);
  } else {
    out.problem_mark = cursor.mark();
    const Mark opening = out.problem_mark;
    out.problem = QuotedScanner(cursor, context.buffer).Scan(out.problem_mark);
    if (out.problem != kUnknownEscape) out.problem_mark = opening;
    out.text = context.arena.Copy(context.buffer);
    out.one_line = cursor.line() == opening.line;
  }
  if (out.problem.empty()) cursor.Skip(1);
  out.end = cursor.mark();
  return out;
}

}  // namespace smp::yaml
