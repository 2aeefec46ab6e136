#include "pull/unified_diff.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <set>
#include <utility>

#include "base/line_diff.h"
#include "base/strings.h"
#include "value/escape.h"

namespace smp::pull {

namespace {

using Kind = LineEdit::Kind;

constexpr size_t kContext = 3;

// Returns the lines with their ends, so that a last line without one differs from one with it.
std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    out.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

// Edits [begin, end), with the context around them.
struct Hunk {
  size_t begin, end;
};

std::vector<Hunk> HunksOf(const std::vector<LineEdit>& edits) {
  std::vector<Hunk> out;
  for (size_t i = 0; i < edits.size(); ++i) {
    if (edits[i].kind == Kind::kKeep) continue;
    const size_t begin = i - std::min(i, kContext), end = std::min(i + 1 + kContext, edits.size());
    if (!out.empty() && begin <= out.back().end) {
      out.back().end = end;
    } else {
      out.push_back({begin, end});
    }
  }
  return out;
}

bool IsOdd(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '"' || c == '\\'; }

// Returns the name of a file as git quotes it, if it has characters that a line of its own cannot have.
std::string Quoted(const std::string& name) {
  if (std::ranges::none_of(name, IsOdd)) return name;
  std::string out = "\"";
  for (const char c : name) {
    char octal[8];
    std::snprintf(octal, sizeof(octal), "\\%03o", static_cast<unsigned>(static_cast<unsigned char>(c)));
    IsOdd(c) ? out += octal : out += c;
  }
  return out + "\"";
}

// They would be shown as escapes at the end of each line.
std::string WithoutCarriageReturns(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) != "\r\n") out += text[i];
  }
  return out;
}

class Printer {
 public:
  explicit Printer(const DiffOf& diff) : diff_(diff), before_(LinesOf(diff.before)), after_(LinesOf(diff.after)) {}

  std::string Print() {
    edits_ = DiffLines(before_, after_);
    hunks_ = HunksOf(edits_);
    if (hunks_.empty()) return "";
    const std::vector<std::vector<std::string>> remarks = RemarksByHunk();
    out_ = StrCat("--- ", Quoted(StrCat("a/", diff_.name)), "\n+++ ", Quoted(StrCat("b/", diff_.name)), "\n");
    for (size_t i = 0; i < hunks_.size(); ++i) {
      for (const std::string& remark : remarks[i]) out_ += StrCat("# ", remark, "\n");
      Header(hunks_[i]);
      for (size_t k = hunks_[i].begin; k < hunks_[i].end; ++k) Line(edits_[k]);
    }
    return out_;
  }

 private:
  // Each remark belongs to the hunk that is nearest to its line.
  std::vector<std::vector<std::string>> RemarksByHunk() const {
    std::vector<std::vector<std::string>> out(hunks_.size());
    std::set<std::pair<size_t, std::string_view>> known;
    for (const Remark& remark : diff_.remarks) {
      const size_t hunk = NearestTo(remark.line);
      if (known.emplace(hunk, remark.text).second) out[hunk].push_back(remark.text);
    }
    return out;
  }

  // The hunks are in the order of the lines.
  size_t NearestTo(int line) const {
    const auto first_line = [&](const Hunk& hunk) { return static_cast<int64_t>(edits_[hunk.begin].before) + 1; };
    const auto last_line = [&](const Hunk& hunk) { return static_cast<int64_t>(edits_[hunk.end - 1].before) + 1; };
    const auto after = std::ranges::upper_bound(hunks_, static_cast<int64_t>(line), {}, first_line);
    const auto at = static_cast<size_t>(after - hunks_.begin());
    if (at == 0) return 0;
    if (at == hunks_.size() || line <= last_line(hunks_[at - 1])) return at - 1;
    return line - last_line(hunks_[at - 1]) <= first_line(hunks_[at]) - line ? at - 1 : at;
  }

  static std::string Range(size_t first, size_t count) {
    const size_t line = count == 0 ? first : first + 1;  // as diff prints it
    return count == 1 ? std::to_string(line) : StrCat(line, ",", count);
  }

  void Header(const Hunk& hunk) {
    size_t old_lines = 0, new_lines = 0;
    for (size_t i = hunk.begin; i < hunk.end; ++i) {
      old_lines += edits_[i].kind != Kind::kAdd ? 1 : 0;
      new_lines += edits_[i].kind != Kind::kRemove ? 1 : 0;
    }
    const LineEdit& first = edits_[hunk.begin];
    out_ += StrCat("@@ -", Range(first.before, old_lines), " +", Range(first.after, new_lines), " @@\n");
  }

  void Line(const LineEdit& edit) {
    const bool is_new = edit.kind == Kind::kAdd;
    const std::string_view line = is_new ? after_[edit.after] : before_[edit.before];
    const std::vector<std::string>& shown = is_new ? diff_.shown_after : diff_.shown_before;
    const size_t at = is_new ? edit.after : edit.before;
    out_ += edit.kind == Kind::kKeep ? ' ' : is_new ? '+' : '-';
    out_ += shown.empty() ? std::string(line.substr(0, line.size() - (line.ends_with('\n') ? 1 : 0))) : shown[at];
    out_ += '\n';
    if (!line.ends_with('\n')) out_ += "\\ No newline at end of file\n";
  }

  const DiffOf& diff_;
  const std::vector<std::string_view> before_, after_;
  std::vector<LineEdit> edits_;
  std::vector<Hunk> hunks_;
  std::string out_;
};

}  // namespace

std::string UnifiedDiff(const DiffOf& diff) { return Printer(diff).Print(); }

std::string VisibleDiff(std::string_view diff) { return Visible(WithoutCarriageReturns(diff)); }

}  // namespace smp::pull
