#include "lint/suppression.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "lint/lint.h"

namespace smp::lint {

namespace {

constexpr std::string_view kMark = "smp:ignore";

enum class Scope { kEntry, kObject, kFile };

struct Comment {
  size_t file = 0;
  int line = 0, column = 0;
  Scope scope = Scope::kEntry;
  std::vector<std::string> codes;  // empty: all
  int first = 0, last = 0;         // the lines that it is about
  Span span = {};
  bool used = false;
};

// Returns where a comment begins on the line; npos if there is none. A # in quotes or in a word begins none. It may still be
// part of a block scalar: a text that says `# smp:ignore` is no harm.
size_t FindComment(std::string_view line) {
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == '\\' && quote == '"') ++i;
      if (c == quote) quote = 0;
    } else if ((c == '"' || c == '\'') && (i == 0 || !IsAlnum(line[i - 1]))) {
      quote = c;
    } else if (c == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t')) {
      return i;
    }
  }
  return std::string_view::npos;
}

// Parses "smp:ignore-object code, code: reason".
std::optional<Comment> ParseComment(std::string_view text) {
  text = Trim(text.substr(1));
  if (!text.starts_with(kMark)) return std::nullopt;
  text.remove_prefix(kMark.size());
  Comment out;
  if (text.starts_with("-object")) out.scope = Scope::kObject;
  if (text.starts_with("-file")) out.scope = Scope::kFile;
  if (out.scope != Scope::kEntry) text.remove_prefix(out.scope == Scope::kObject ? 7 : 5);
  if (!text.empty() && text.front() != ' ' && text.front() != ':') return std::nullopt;
  text = text.substr(0, text.find(':'));
  for (const std::string_view part : Split(text, ',')) {
    if (const std::string_view code = Trim(part); !code.empty()) out.codes.emplace_back(code);
  }
  return out;
}

// --- the lines that a comment is about

struct Lines {
  int first, last;
};

// Returns the lines of the entry that begins on a line: the outermost one.
std::optional<Lines> LinesOfEntry(const SourceFile& file, size_t part, const edit::TextTree& tree, int line) {
  std::optional<Lines> out;
  for (const edit::TextEntry& entry : tree.entries) {
    const int first = file.At(file.SpanOf(part, entry.begin, entry.begin).begin).line;
    if (first != line) continue;
    const int last = file.At(file.SpanOf(part, entry.end, entry.end).begin).line;
    if (!out || last > out->last) out = Lines{first, last};
  }
  return out;
}

// Returns the first line after `line` that is neither empty nor a comment.
int NextLine(const SourceFile& file, int line) {
  const int end = file.LineCount();
  for (int next = line + 1; next <= end; ++next) {
    const std::string_view text = Trim(file.Line(next));
    if (!text.empty() && !text.starts_with('#')) return next;
  }
  return line;
}

Lines LinesAbout(const SourceFile& file, const Comment& comment, bool alone) {
  if (!alone) return {comment.line, comment.line};
  const int next = NextLine(file, comment.line);
  const size_t part = apply::PartAt(file.parts(), next);
  const edit::TextTree* tree = file.parts().empty() ? nullptr : file.Tree(part);
  if (tree == nullptr) return {next, next};
  return LinesOfEntry(file, part, *tree, next).value_or(Lines{next, next});
}

// Returns the lines of the object that the comment is in, or above.
Lines LinesOfObject(const Report& report, const SourceFile& file, size_t index, const Comment& comment) {
  std::vector<int> begins;
  for (const Object& object : report.objects) {
    if (object.file == index) begins.push_back(object.document.LineOf(&object.root()));
  }
  const int line = NextLine(file, comment.line);
  const auto after = std::ranges::upper_bound(begins, std::max(line, comment.line));
  const int first = after == begins.begin() ? 1 : *(after - 1);
  return {first, after == begins.end() ? file.LineCount() : *after - 1};
}

std::vector<Comment> CommentsOf(const Report& report, size_t index) {
  const SourceFile& file = report.files[index];
  std::vector<Comment> out;
  for (size_t at = file.text().find(kMark); at != std::string::npos; at = file.text().find(kMark, at + 1)) {
    const LineColumn place = file.At(at);
    const std::string_view line = file.Line(place.line);
    const size_t begin = FindComment(line);
    std::optional<Comment> comment = begin == line.npos ? std::nullopt : ParseComment(line.substr(begin));
    if (!comment) continue;
    comment->file = index;
    comment->line = place.line;
    comment->span = {file.OffsetOfLine(place.line) + begin, file.OffsetOfLine(place.line) + line.size()};
    comment->column = file.At(comment->span.begin).column;
    const bool alone = Trim(line.substr(0, begin)).empty();
    const Lines lines = comment->scope == Scope::kFile     ? Lines{0, file.LineCount()}
                        : comment->scope == Scope::kObject ? LinesOfObject(report, file, index, *comment)
                                                           : LinesAbout(file, *comment, alone);
    comment->first = lines.first;
    comment->last = lines.last;
    out.push_back(*std::move(comment));
  }
  return out;
}

// --- what is wrong with comments

Finding About(const Comment& comment, std::string message, std::string advice) {
  Finding out;
  out.rule = FindRule("unused-ignore");
  out.severity = out.rule->severity;
  out.file = comment.file;
  out.line = comment.line;
  out.column = comment.column;
  out.span = comment.span;
  out.message = std::move(message);
  out.advice = std::move(advice);
  return out;
}

void CheckComment(const Comment& comment, std::vector<Finding>& out) {
  for (const std::string& code : comment.codes) {
    if (FindRule(code) != nullptr) continue;
    out.push_back(About(comment, StrCat("there is no rule \"", code, "\""), "lint --rules prints all"));
    return;
  }
  if (!comment.used) out.push_back(About(comment, "this comment suppresses nothing", "remove it"));
}

bool Covers(const Comment& comment, const Finding& finding) {
  if (comment.file != finding.file || finding.line < comment.first || finding.line > comment.last) return false;
  return comment.codes.empty() || std::ranges::find(comment.codes, finding.rule->code) != comment.codes.end();
}

}  // namespace

void Suppress(Report& report, std::vector<Finding> all) {
  std::vector<Comment> comments;
  for (size_t i = 0; i < report.files.size(); ++i) {
    std::vector<Comment> of_file = CommentsOf(report, i);
    std::move(of_file.begin(), of_file.end(), std::back_inserter(comments));
  }
  for (Finding& finding : all) {
    const auto at = std::ranges::find_if(comments, [&](const Comment& comment) { return Covers(comment, finding); });
    if (at != comments.end()) at->used = true;
    (at == comments.end() ? report.findings : report.suppressed).push_back(std::move(finding));
  }
  for (const Comment& comment : comments) CheckComment(comment, report.findings);
}

}  // namespace smp::lint
