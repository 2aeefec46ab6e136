#include "explain/text_lines.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/strings.h"
#include "explain/line_diff.h"
#include "value/columns.h"
#include "value/escape.h"
#include "yaml/write_yaml.h"

namespace smp::explain {

namespace {

constexpr size_t kContext = 2;        // unchanged lines around a change
constexpr size_t kLongestBlock = 20;  // lines; longer ones are folded
constexpr std::string_view kNoNewline = "\\ no newline at end";

bool EndsWithoutNewline(const Value& value) { return value.is_string() && !value.AsString().ends_with('\n'); }

// Returns the items of a list of scalars, one a line; nullopt for another value, or if an item has several lines.
std::optional<std::string> ItemsByLine(const Value& value) {
  const auto is_scalar = [](const Value& item) { return item.is_scalar(); };
  if (!value.is_array() || value.empty() || !std::all_of(value.Items().begin(), value.Items().end(), is_scalar)) {
    return std::nullopt;
  }
  std::string out;
  for (const Value& item : value.Items()) {
    const std::string line = yaml::WriteYaml(item);
    if (line.find('\n') + 1 != line.size()) return std::nullopt;
    out += line;
  }
  return out;
}

std::string TextOf(const Value& value) {
  if (value.is_string()) return std::string(value.AsString());
  const std::optional<std::string> items = ItemsByLine(value);
  return items ? *items : yaml::WriteYaml(value);
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  if (text.empty()) return {};
  if (text.back() == '\n') text.remove_suffix(1);
  return Split(text, '\n');
}

// Makes blanks visible that nobody would see: tabs, and those at the end of a line.
std::string WithVisibleBlanks(std::string_view line) {
  const size_t end = line.find_last_not_of(' ') + 1;
  std::string out;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\t') {
      out += "\\t";
    } else if (i >= end) {
      out += "·";
    } else {
      out += line[i];
    }
  }
  return Visible(out, Newlines::kEscape);
}

std::string Spaces(size_t count) { return std::string(count, ' '); }

std::string Line(std::string_view text, char sign, size_t indent) {
  return StrCat(Spaces(indent), sign, text.empty() ? "" : " ", text, "\n");
}

std::string Folded(size_t lines, size_t indent) {
  return StrCat(Spaces(indent), "… ", lines, " more lines (--wide)\n");
}

// The lines of two texts and what becomes of them.
class Diff {
 public:
  Diff(std::string_view before, std::string_view after, size_t indent, const TextOptions& options)
      : before_(LinesOf(before)), after_(LinesOf(after)), indent_(indent), options_(options) {}

  // One of the texts lacks the newline at its end.
  void AddEnd(bool before_lacks, bool after_lacks) {
    if (before_lacks == after_lacks) return;
    (before_lacks ? before_ : after_).push_back(kNoNewline);
  }

  std::string Print() const {
    const std::vector<LineEdit> edits = DiffLines(before_, after_);
    std::string out;
    for (auto at = edits.begin(); at != edits.end();) {
      const bool keeps = at->kind == LineEdit::Kind::kKeep;
      const auto end = std::find_if(
          at, edits.end(), [keeps](const LineEdit& edit) { return (edit.kind == LineEdit::Kind::kKeep) != keeps; });
      out += keeps ? Unchanged(at, end, at == edits.begin(), end == edits.end()) : Changed(at, end);
      at = end;
    }
    return out;
  }

 private:
  using Edits = std::vector<LineEdit>::const_iterator;

  std::string Unchanged(Edits begin, Edits end, bool first, bool last) const {
    const auto count = static_cast<size_t>(end - begin);
    const size_t head = first ? 0 : kContext, tail = last ? 0 : kContext;
    if (count <= head + tail + 1) return Kept(begin, end);
    const auto head_end = begin + static_cast<std::ptrdiff_t>(head),
               tail_begin = end - static_cast<std::ptrdiff_t>(tail);
    return StrCat(Kept(begin, head_end), Spaces(indent_), "… ", count - head - tail, " unchanged lines\n",
                  Kept(tail_begin, end));
  }

  std::string Kept(Edits begin, Edits end) const {
    std::string out;
    for (; begin != end; ++begin) {
      const std::string text = WithVisibleBlanks(before_[begin->before]);
      out += Line(options_.wide ? text : CutMiddle(text, Room()), ' ', indent_);
    }
    return out;
  }

  // Removals come before additions.
  std::string Changed(Edits begin, Edits end) const {
    const auto added = std::find_if(begin, end, [](const auto& edit) { return edit.kind == LineEdit::Kind::kAdd; });
    std::vector<std::string> removals, additions;
    for (auto at = begin; at != added; ++at) removals.push_back(WithVisibleBlanks(before_[at->before]));
    for (auto at = added; at != end; ++at) additions.push_back(WithVisibleBlanks(after_[at->after]));
    return Signed(removals, additions, '-') + Signed(additions, removals, '+');
  }

  // `others`: the lines on the other side. If there are as many, each line is cut around what differs.
  std::string Signed(const std::vector<std::string>& lines, const std::vector<std::string>& others, char sign) const {
    const size_t shown = options_.wide || lines.size() <= kLongestBlock ? lines.size() : kLongestBlock - 1;
    std::string out;
    for (size_t i = 0; i < shown; ++i) {
      const std::string other = lines.size() == others.size() ? others[i] : "";
      out += Line(options_.wide ? lines[i] : CutAroundChange(lines[i], other, Room()), sign, indent_);
    }
    return shown == lines.size() ? out : StrCat(out, Folded(lines.size() - shown, indent_));
  }

  size_t Room() const { return options_.width > indent_ + 12 ? options_.width - indent_ - 2 : 10; }

  std::vector<std::string_view> before_, after_;
  size_t indent_;
  const TextOptions& options_;
};

}  // namespace

std::string CutAroundChange(std::string_view text, std::string_view other, size_t most) {
  const size_t head =
      static_cast<size_t>(std::mismatch(text.begin(), text.end(), other.begin(), other.end()).first - text.begin());
  const auto tail = static_cast<size_t>(std::mismatch(text.rbegin(), text.rend(), other.rbegin(), other.rend()).first -
                                        text.rbegin());
  if (other.empty() || head + tail == 0) return CutMiddle(text, most);
  return CutAround(text, head, std::max(head, text.size() - std::min(tail, text.size() - head)), most);
}

std::string PrintBlock(const Value& value, char sign, size_t indent, const TextOptions& options) {
  const std::string text = TextOf(value);
  const std::vector<std::string_view> lines = LinesOf(text);
  const size_t shown = options.wide || lines.size() <= kLongestBlock ? lines.size() : kLongestBlock - 1;
  std::string out;
  for (size_t i = 0; i < shown; ++i) {
    const std::string line = WithVisibleBlanks(lines[i]);
    const size_t room = options.width > indent + 12 ? options.width - indent - 2 : 10;
    out += Line(options.wide ? line : CutMiddle(line, room), sign, indent);
  }
  return shown == lines.size() ? out : StrCat(out, Folded(lines.size() - shown, indent));
}

std::string PrintLineDiff(const Value& before, const Value& after, size_t indent, const TextOptions& options) {
  const std::string old = TextOf(before), now = TextOf(after);
  Diff diff(old, now, indent, options);
  diff.AddEnd(EndsWithoutNewline(before), EndsWithoutNewline(after));
  return diff.Print();
}

}  // namespace smp::explain
