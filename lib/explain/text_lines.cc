#include "explain/text_lines.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "base/line_diff.h"
#include "base/strings.h"
#include "explain/changed_in_live.h"
#include "explain/changed_words.h"
#include "explain/one_line.h"
#include "explain/style.h"
#include "value/columns.h"
#include "value/json.h"
#include "yaml/write_yaml.h"

namespace smp::explain {

namespace {

constexpr size_t kContext = 2;        // unchanged lines around a change
constexpr size_t kMostPartners = 10;  // that a line is compared with
constexpr std::string_view kNoNewline = "\\ no newline at end";

bool EndsWithoutNewline(const Value& value) { return value.is_string() && !value.AsString().ends_with('\n'); }

// With quotes, a flag such as -f is not taken for the sign of a list item.
std::string ItemLine(const Value& item) {
  const std::string_view text = item.is_string() ? item.AsString() : std::string_view();
  return text.starts_with('-') && !text.starts_with("--") ? WriteJson(item) : OneLine(item);
}

// Returns the items of a list of scalars, one a line; nullopt for another value, or if an item has several lines.
std::optional<std::string> ItemsByLine(const Value& value) {
  const auto is_line = [](const Value& item) {
    return item.is_scalar() && !(item.is_string() && item.AsString().find('\n') != std::string_view::npos);
  };
  if (!value.is_array() || value.empty() || !std::all_of(value.Items().begin(), value.Items().end(), is_line)) {
    return std::nullopt;
  }
  std::string out;
  for (const Value& item : value.Items()) out += ItemLine(item) + "\n";
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

// Makes visible what nobody would see: tabs, carriage returns, blanks that are no spaces, and spaces at the end.
std::string WithVisibleBlanks(std::string_view line) {
  const size_t end = line.find_last_not_of(" \t\r") + 1;
  std::string out;
  for (size_t i = 0; i < line.size(); ++i) {
    switch (line[i]) {
      case '\t': out += "\\t"; break;
      case '\r': out += "\\r"; break;
      case ' ': out += i < end ? " " : "·"; break;
      default: out += line[i];
    }
  }
  return VisibleBlanks(out);
}

std::string Line(std::string_view text, char sign, size_t indent) {
  const std::string line = StrCat(Spaces(indent), sign, text.empty() ? "" : " ", text, "\n");
  return sign == ' ' ? line : As(RoleOfSign(sign), line);
}

// Returns the columns for the text of a line, after its sign and a blank.
size_t RoomFor(size_t indent, const TextOptions& options) {
  return options.width > indent + 12 ? options.width - indent - 2 : 10;
}

std::string CutLineMiddle(std::string_view line, char sign, size_t indent, const TextOptions& options) {
  const std::string text = WithVisibleBlanks(line);
  return Line(options.wide ? text : CutMiddle(text, RoomFor(indent, options)), sign, indent);
}

// Returns what `print` returns for each of `count` lines. If there are more than `most`, they are folded.
template <class PrintLine>
std::string Folded(size_t count, size_t most, size_t indent, const TextOptions& options, const PrintLine& print) {
  const size_t shown = options.wide || count <= most ? count : most - 1;
  std::string out;
  for (size_t i = 0; i < shown; ++i) out += print(i);
  if (shown == count) return out;
  return StrCat(out, Spaces(indent), As(Role::kDim, StrCat("… ", count - shown, " more lines (--wide)")), "\n");
}

size_t SharedEnds(std::string_view a, std::string_view b) {
  const auto head = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
  const auto tail = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend()).first - a.rbegin();
  return static_cast<size_t>(head + tail);
}

// Returns the line on the other side that lines[i] became, or that it comes from; "" if there is none. Of several that it
// may be, as the sides have different numbers of lines, the one with the most in common, if that is a third.
std::string_view PartnerOf(const std::vector<std::string>& lines, size_t i, const std::vector<std::string>& others) {
  const size_t more = others.size() > lines.size() ? others.size() - lines.size() : lines.size() - others.size();
  const size_t least = others.size() > lines.size() ? i : i - std::min(i, more);
  const size_t end =
      std::min({others.size(), (others.size() > lines.size() ? i + more : i) + 1, least + kMostPartners});
  std::string_view best;
  size_t shared = more == 0 ? 0 : lines[i].size() / 3;
  for (size_t j = least; j < end; ++j) {
    const size_t ends = SharedEnds(lines[i], others[j]);
    if (ends < shared) continue;
    best = others[j];
    shared = ends + 1;
  }
  return best;
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

  // Marks the removed lines that `applied` does not have.
  void MarkUnless(std::string_view applied) {
    applied_.emplace();
    for (const std::string_view line : LinesOf(applied)) applied_->insert(WithVisibleBlanks(line));
  }

  std::string Print(size_t most) const {
    const std::vector<LineEdit> edits = DiffLines(before_, after_);
    std::string out;
    size_t lines = 0;
    for (auto at = edits.begin(); at != edits.end();) {
      const bool keeps = IsKept(*at);
      const auto end = std::find_if(at, edits.end(), [keeps](const LineEdit& edit) { return IsKept(edit) != keeps; });
      if (!options_.wide && lines >= most && !(keeps && end == edits.end())) return out + MoreChanges(at, edits.end());
      const std::string run = keeps ? Unchanged(at, end, at == edits.begin(), end == edits.end()) : Changed(at, end);
      lines += static_cast<size_t>(std::count(run.begin(), run.end(), '\n'));
      out += run;
      at = end;
    }
    return out;
  }

 private:
  using Edits = std::vector<LineEdit>::const_iterator;

  static bool IsKept(const LineEdit& edit) { return edit.kind == LineEdit::Kind::kKeep; }

  std::string MoreChanges(Edits begin, Edits end) const {
    const auto count = end - begin - std::count_if(begin, end, IsKept);
    return StrCat(Spaces(indent_), As(Role::kDim, StrCat("… ", count, " more changed lines (--wide)")), "\n");
  }

  std::string Unchanged(Edits begin, Edits end, bool first, bool last) const {
    const auto count = static_cast<size_t>(end - begin);
    const size_t head = first ? 0 : kContext, tail = last ? 0 : kContext;
    if (count <= head + tail + 1) return Kept(begin, end);
    const auto head_end = begin + static_cast<std::ptrdiff_t>(head),
               tail_begin = end - static_cast<std::ptrdiff_t>(tail);
    const std::string left_out = As(Role::kDim, StrCat("… ", count - head - tail, " unchanged lines"));
    return StrCat(Kept(begin, head_end), Spaces(indent_), left_out, "\n", Kept(tail_begin, end));
  }

  std::string Kept(Edits begin, Edits end) const {
    std::string out;
    for (; begin != end; ++begin) out += CutLineMiddle(before_[begin->before], ' ', indent_, options_);
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

  // `others`: the lines on the other side. Long lines are cut around what differs from their partner there.
  std::string Signed(const std::vector<std::string>& lines, const std::vector<std::string>& others, char sign) const {
    return Folded(lines.size(), kLongestBlock, indent_, options_, [&](size_t i) {
      const std::string mark = MarkOf(lines[i], sign);
      const size_t room = RoomFor(indent_ + Columns(mark), options_);
      if (options_.wide || Columns(lines[i]) <= room) return Line(lines[i] + mark, sign, indent_);
      const CutLine cut = CutAroundChanges(lines[i], PartnerOf(lines, i, others), room);
      const std::string text = Line(cut.text + mark, sign, indent_);
      if (cut.hidden == 0 || sign == '-') return text;
      return StrCat(text, Spaces(indent_), "… ", Counted(cut.hidden, "more change"), " in this line (--wide)\n");
    });
  }

  std::string MarkOf(const std::string& line, char sign) const {
    const bool is_marked = sign == '-' && applied_ && !applied_->contains(line);
    return is_marked ? StrCat("  ", kUndoesLive) : "";
  }

  std::vector<std::string_view> before_, after_;
  std::optional<std::set<std::string>> applied_;  // lines
  size_t indent_;
  const TextOptions& options_;
};

}  // namespace

std::string PrintBlock(const Value& value, char sign, size_t indent, const TextOptions& options, size_t most) {
  const std::string text = TextOf(value);
  const std::vector<std::string_view> lines = LinesOf(text);
  return Folded(lines.size(), most, indent, options,
                [&](size_t i) { return CutLineMiddle(lines[i], sign, indent, options); });
}

std::string PrintLineDiff(const Value& before, const Value& after, size_t indent, const TextOptions& options,
                          size_t most, const Value* applied) {
  const std::string old = TextOf(before), now = TextOf(after);
  Diff diff(old, now, indent, options);
  if (applied != nullptr) diff.MarkUnless(TextOf(*applied));
  diff.AddEnd(EndsWithoutNewline(before), EndsWithoutNewline(after));
  return diff.Print(most);
}

}  // namespace smp::explain
