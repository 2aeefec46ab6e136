#include "yaml/scalars.h"

namespace smp::yaml {

namespace {

constexpr std::string_view kTab = "tab in the indentation; use spaces";

class PlainScanner {
 public:
  PlainScanner(Cursor& cursor, const ScalarContext& context)
      : cursor_(cursor),
        context_(context),
        least_column_(static_cast<uint32_t>(context.indent + 1)),
        stops_(kBlank | kLineEnd | kMayEndLine | kColon | (context.in_flow ? kFlowSign : 0)) {}

  ScannedScalar Scan() {
    const char* begin = cursor_.at();
    const char* end = ScanLine();
    out_.text = {begin, static_cast<size_t>(end - begin)};
    while (BreakSize(cursor_.at()) > 0 && ScanNextLine()) {
    }
    if (!out_.one_line) out_.text = context_.arena.Copy(context_.buffer);
    return out_;
  }

 private:
  // Scans words and the blanks between them. Returns the end of the last word; nullptr if there is no word.
  const char* ScanLine() {
    const char* end = nullptr;
    for (;;) {
      const char* word = cursor_.at();
      cursor_.MoveTo(EndOfWord(word));
      if (cursor_.at() > word) {
        end = cursor_.at();
        out_.end = cursor_.mark();
      }
      if (!IsBlank(cursor_.Next())) break;
      cursor_.SkipBlanks();
      if (cursor_.Next() == '#') break;
    }
    return end;
  }

  const char* EndOfWord(const char* at) const {
    for (;; ++at) {
      while (!HasClass(*at, stops_)) ++at;
      if (HasClass(*at, kMayEndLine)) {
        if (BreakSize(at) > 0) return at;
      } else if (*at != ':' || EndsWord(at + 1)) {
        return at;
      }
    }
  }

  // Returns false if the scalar does not continue on the lines below.
  bool ScanNextLine() {
    const char* line_end = cursor_.at();
    if (!SkipBlankLines()) return false;
    out_.at_new_line = true;
    if (!context_.in_flow && cursor_.Column() < least_column_) return false;
    if (cursor_.AtDocumentMarker() || cursor_.Next() == '#') return false;
    const char* begin = cursor_.at();
    const char* end = ScanLine();
    if (end == nullptr) return false;
    if (out_.one_line) context_.buffer.assign(out_.text);
    AppendFolded(context_.buffer, {line_end, static_cast<size_t>(begin - line_end)});
    context_.buffer.append(begin, end);
    out_.one_line = out_.at_new_line = false;
    return true;
  }

  bool SkipBlankLines() {
    while (cursor_.SkipBreak()) {
      for (; IsBlank(cursor_.Next()); cursor_.Skip(1)) {
        if (cursor_.Next() != '\t' || cursor_.Column() >= least_column_) continue;
        if (context_.tabs == BlankTabs::kRefuse || !cursor_.AtBlankRest()) return FailAtTab();
        break;
      }
      cursor_.SkipBlanks();
    }
    return true;
  }

  bool FailAtTab() {
    out_.problem = kTab;
    out_.problem_mark = cursor_.mark();
    return false;
  }

  Cursor& cursor_;
  const ScalarContext& context_;
  uint32_t least_column_;
  int stops_;
  ScannedScalar out_;
};

}  // namespace

ScannedScalar ScanPlain(Cursor& cursor, const ScalarContext& context) { return PlainScanner(cursor, context).Scan(); }

void AppendFolded(std::string& out, std::string_view between) {
  const char* at = between.data();
  const char* end = at + between.size();
  const size_t before = out.size();
  bool first = true;
  bool keep_first = false;
  while (at < end) {
    const size_t size = BreakSize(at);
    if (size > 0) {
      if (first) keep_first = IsLineSeparator(at);
      if (!first || keep_first) out += BreakText(at);
      first = false;
    }
    at += size > 0 ? size : 1;
  }
  if (out.size() == before) out += ' ';
}

}  // namespace smp::yaml
