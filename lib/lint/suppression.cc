#include "lint/suppression.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
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

// Where objects and entries begin and end, for the comments of a file.
class Layout {
 public:
  Layout(const Report& report, size_t index) : file_(report.files[index]) {
    for (const Object& object : report.objects) {
      if (object.file == index) objects_.push_back(object.document.LineOf(&object.root()));
    }
  }

  // Returns the lines of the outermost entry that begins on a line.
  Lines Entry(int line) {
    const size_t part = apply::PartAt(file_.parts(), line);
    const edit::TextTree* tree = file_.parts().empty() ? nullptr : file_.Tree(part);
    if (tree != nullptr && read_.insert(part).second) AddEntries(part, *tree);
    const auto at = entries_.find(line);
    return {line, at == entries_.end() ? line : at->second};
  }

  // Returns the lines of the object that has this line.
  Lines ObjectAt(int line) const {
    const auto after = std::ranges::upper_bound(objects_, line);
    const int first = after == objects_.begin() ? 1 : *(after - 1);
    return {first, after == objects_.end() ? file_.LineCount() : *after - 1};
  }

 private:
  void AddEntries(size_t part, const edit::TextTree& tree) {
    const auto line_at = [&](size_t offset) { return file_.At(file_.SpanOf(part, offset, offset).begin).line; };
    for (const edit::TextEntry& entry : tree.entries) {
      int& last = entries_[line_at(entry.begin)];
      last = std::max(last, line_at(entry.end));
    }
  }

  const SourceFile& file_;
  std::vector<int> objects_;    // their first lines
  std::set<size_t> read_;       // parts whose entries are known
  std::map<int, int> entries_;  // the last lines, by the first
};

// Returns the first line after `line` that is neither empty nor a comment.
int NextLine(const SourceFile& file, int line) {
  const int end = file.LineCount();
  for (int next = line + 1; next <= end; ++next) {
    const std::string_view text = Trim(file.Line(next));
    if (!text.empty() && !text.starts_with('#')) return next;
  }
  return line;
}

// `alone`: the comment has the line to itself.
Lines LinesAbout(const SourceFile& file, const Comment& comment, bool alone, Layout& layout) {
  if (comment.scope == Scope::kFile) return {0, file.LineCount()};
  if (comment.scope == Scope::kObject) return layout.ObjectAt(NextLine(file, comment.line));
  return alone ? layout.Entry(NextLine(file, comment.line)) : Lines{comment.line, comment.line};
}

std::vector<Comment> CommentsOf(const Report& report, size_t index) {
  const SourceFile& file = report.files[index];
  if (file.text().find(kMark) == std::string::npos) return {};
  Layout layout(report, index);
  std::vector<Comment> out;
  for (size_t at = file.text().find(kMark); at != std::string::npos; at = file.text().find(kMark, at)) {
    const LineColumn place = file.At(at);
    const std::string_view line = file.Line(place.line);
    at = file.OffsetOfLine(place.line) + line.size();  // a line has one comment
    const size_t begin = FindComment(line);
    std::optional<Comment> comment = begin == line.npos ? std::nullopt : ParseComment(line.substr(begin));
    if (!comment) continue;
    comment->file = index;
    comment->line = place.line;
    comment->span = {file.OffsetOfLine(place.line) + begin, file.OffsetOfLine(place.line) + line.size()};
    comment->column = file.At(comment->span.begin).column;
    const Lines lines = LinesAbout(file, *comment, Trim(line.substr(0, begin)).empty(), layout);
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
  if (finding.line < comment.first || finding.line > comment.last) return false;
  return comment.codes.empty() || std::ranges::find(comment.codes, finding.rule->code) != comment.codes.end();
}

// The comments of a file by the lines that they are about: as these are nested, few are about one line.
class CommentIndex {
 public:
  explicit CommentIndex(std::vector<Comment>& comments) : comments_(comments), around_(comments.size(), kNone) {
    for (size_t i = 0; i < comments.size(); ++i) order_.push_back(i);
    std::ranges::stable_sort(order_, {}, [&](size_t i) { return comments[i].first; });
    size_t above = kNone;
    for (const size_t i : order_) {
      while (above != kNone && comments[above].last < comments[i].first) above = around_[above];
      around_[i] = above;
      above = i;
    }
  }

  // Returns the first comment of the file that suppresses the finding; nullptr if none does.
  Comment* FirstFor(const Finding& finding) const {
    const auto after = std::ranges::upper_bound(order_, finding.line, {}, [&](size_t i) { return comments_[i].first; });
    size_t first = kNone;
    for (size_t i = after == order_.begin() ? kNone : *(after - 1); i != kNone; i = around_[i]) {
      if (Covers(comments_[i], finding)) first = std::min(first, i);
    }
    return first == kNone ? nullptr : &comments_[first];
  }

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);

  std::vector<Comment>& comments_;
  std::vector<size_t> order_;   // by their first lines
  std::vector<size_t> around_;  // the nearest one before it, in this order, that may end after it begins
};

}  // namespace

void Suppress(Report& report, std::vector<Finding> all) {
  std::vector<std::vector<Comment>> comments;  // of each file
  for (size_t i = 0; i < report.files.size(); ++i) comments.push_back(CommentsOf(report, i));
  std::vector<CommentIndex> indices;
  for (std::vector<Comment>& of_file : comments) indices.emplace_back(of_file);
  for (Finding& finding : all) {
    Comment* comment = indices[finding.file].FirstFor(finding);
    if (comment != nullptr) comment->used = true;
    (comment == nullptr ? report.findings : report.suppressed).push_back(std::move(finding));
  }
  for (const std::vector<Comment>& of_file : comments) {
    for (const Comment& comment : of_file) CheckComment(comment, report.findings);
  }
}

}  // namespace smp::lint
