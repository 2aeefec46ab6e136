#include "explain/text_rows.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/changed_in_live.h"
#include "explain/inner_changes.h"
#include "explain/nested_changes.h"
#include "explain/one_line.h"
#include "explain/rights.h"
#include "explain/same_changes.h"
#include "explain/schema_changes.h"
#include "explain/style.h"
#include "explain/text_lines.h"
#include "value/columns.h"
#include "value/escape.h"

namespace smp::explain {

namespace {

using Rows = std::span<const TextRow>;

constexpr size_t kLeastSaved = 24;      // columns, by a line with the path that rows share
constexpr size_t kGap = 2;              // columns before the reason
constexpr size_t kLongestCell = 4096;   // bytes
constexpr size_t kLongestObject = 120;  // lines of its rows; of longer ones, each value gets fewer
constexpr size_t kFewLines = 12;
constexpr size_t kMostRules = 6;      // of a schema, which neither refuse nor allow anything
constexpr size_t kMostFields = 4;     // of a schema, with the same change
constexpr size_t kLongestNested = 4;  // lines of a new or removed value, where many values of a row change

// A line, or lines that are complete.
struct Printed {
  std::string text;        // of a row: without its tail
  std::string tail = {};   // "": none
  std::string below = {};  // lines
  char sign = ' ';         // of a row; ' ': what rows are below
  std::string path = {};   // of a row, below its heads
  size_t indent = 0;       // of a row
};

// How much is shown of the values of rows.
enum class Detail { kAll, kFolded };

std::string PathBelow(const FieldPath& path, size_t depth) {
  return Visible(ToString(FieldPath(path.begin() + static_cast<std::ptrdiff_t>(depth), path.end())), Newlines::kEscape);
}

size_t CountLines(std::string_view text) { return static_cast<size_t>(std::count(text.begin(), text.end(), '\n')); }

// nullopt: a text of several lines, or a value that is too long for any line.
std::optional<std::string> Cell(const TextRow& row) {
  if (!row.cell.empty()) return row.cell;
  if (IsTextBlock(row.before) || IsTextBlock(row.after)) return std::nullopt;
  std::vector<std::string> values;
  for (const Value* value : {row.before, row.after}) {
    if (value == nullptr) continue;
    std::optional<std::string> text = OneLineUpTo(kLongestCell, *value);
    if (!text) return std::nullopt;
    values.push_back(*std::move(text));
  }
  return Join(values, " → ");
}

// Marks the values of a cell: before and after, or the only one as the sign says.
std::string WithRoles(const TextRow& row, std::string_view cell) {
  if (row.sign != '~') return row.sign == '>' ? std::string(cell) : As(RoleOfSign(row.sign), cell);
  if (!row.cell.empty() || row.before == nullptr || row.after == nullptr) return std::string(cell);
  const std::string before = OneLine(*row.before);
  const std::string_view arrow = " → ";
  return StrCat(As(Role::kRemoved, before), arrow, As(Role::kAdded, cell.substr(before.size() + arrow.size())));
}

class RowPrinter {
 public:
  // `documents`: the number of documents that the rows are in, one in another.
  explicit RowPrinter(const TextOptions& options, size_t documents = 0, Detail detail = Detail::kAll)
      : options_(options), documents_(documents), detail_(detail) {}

  // Paths are printed without the first `depth` steps, which are above the rows. The rows share the first `from` steps.
  void Add(Rows rows, size_t depth, size_t from, size_t indent) {
    if (lines_.empty()) indent_ = indent;
    for (size_t begin = 0; begin < rows.size();) {
      const size_t end = EndOfRun(rows, begin, from);
      AddRun(rows.subspan(begin, end - begin), depth, from, indent);
      begin = end;
    }
  }

  std::string Print() const {
    size_t widest = 0;
    for (const Printed& line : lines_) {
      const size_t columns = Columns(line.text);
      if (!line.tail.empty() && columns + kGap + Columns(line.tail) <= options_.width)
        widest = std::max(widest, columns);
    }
    std::string out;
    size_t lines = 0;
    for (size_t i = 0; i < lines_.size(); ++i) {
      const std::string text = Aligned(lines_[i], widest);
      lines += CountLines(text);
      if (detail_ == Detail::kFolded && lines > options_.most_lines && i > 0) return out + MoreChanges(i);
      out += text;
    }
    return out;
  }

 private:
  // Returns the line that counts the rows from lines_[first] on.
  std::string MoreChanges(size_t first) const {
    size_t changes = 0;
    std::vector<std::string> removed, changed;
    for (size_t i = first; i < lines_.size(); ++i) {
      changes += lines_[i].sign == ' ' ? 0 : 1;
      if (lines_[i].sign == '-') removed.push_back(lines_[i].path);
      if (lines_[i].sign == '~') changed.push_back(lines_[i].path);
    }
    std::string text = StrCat("… ", Counted(changes, "more change"), " (--wide)");
    const bool names_removed = !removed.empty();
    if (names_removed) text += StrCat(", of which these remove something: ", NameSome(std::move(removed), kMostFields));
    if (!changed.empty()) {
      text += StrCat(names_removed ? "; and" : ", of which",
                     " these change a value: ", NameSome(std::move(changed), kMostFields));
    }
    return As(Role::kDim, PrintWrapped(text, indent_, options_));
  }

  // Returns the end of the rows whose paths have the same next step.
  static size_t EndOfRun(Rows rows, size_t begin, size_t from) {
    size_t end = begin + 1;
    if (rows[begin].path.size() <= from) return end;
    while (end < rows.size() && rows[end].path.size() > from && rows[end].path[from] == rows[begin].path[from]) ++end;
    return end;
  }

  // Returns the number of steps that all the paths share, without the last step of any.
  static size_t SharedSteps(Rows rows) {
    const FieldPath& first = rows.front().path;
    size_t shared = first.size();
    for (const TextRow& row : rows) {
      const size_t most = std::min(shared, row.path.size() - 1);
      size_t same = 0;
      while (same < most && row.path[same] == first[same]) ++same;
      shared = same;
    }
    return shared;
  }

  void AddRun(Rows rows, size_t depth, size_t from, size_t indent) {
    const size_t shared = rows.size() == 1 ? 0 : SharedSteps(rows);
    if (shared <= from) {
      for (const TextRow& row : rows) AddRow(row, depth, indent);
      return;
    }
    const FieldPath& path = rows.front().path;
    const std::string head =
        PathBelow(FieldPath(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(shared)), depth);
    if ((rows.size() - 1) * Columns(head) < kLeastSaved) return Add(rows, depth, shared, indent);
    lines_.push_back({StrCat(Spaces(indent), head, "\n")});
    Add(rows, shared, shared, indent + 2);
  }

  void AddRow(const TextRow& row, size_t depth, size_t indent) {
    const std::string lead =
        WithSign(RoleOfSign(row.sign), StrCat(Spaces(indent), row.sign, " ", row.some_of, PathBelow(row.path, depth)));
    Printed line = {
        .text = lead, .tail = row.tail, .sign = row.sign, .path = PathBelow(row.path, depth), .indent = indent};
    const std::optional<std::string> cell = Cell(row);
    const size_t used = Columns(lead) + 2 + (row.tail.empty() ? 0 : kGap + Columns(row.tail));
    const size_t room = options_.width > used ? options_.width - used : 0;
    if (cell && (cell->empty() || options_.wide || Columns(*cell) <= room)) {
      if (!cell->empty()) line.text += StrCat(": ", WithRoles(row, *cell));
    } else if (cell && (!row.cell.empty() || FitsBelow(row, *cell, indent + 4))) {
      line.text += ":";
      line.below = PrintWrapped(*cell, indent + 4, options_);
    } else {
      line.text += ":";
      AddValues(row, indent + 4, room, line);
    }
    lines_.push_back(std::move(line));
    if (!row.note.empty()) lines_.back().below += PrintWrapped(row.note, indent + 4, options_);
  }

  // One value may take two lines: as a block it would take more.
  bool FitsBelow(const TextRow& row, const std::string& cell, size_t indent) const {
    const bool one = row.before == nullptr || row.after == nullptr;
    const size_t room = options_.width - std::min(options_.width, indent);
    return Columns(cell) <= (one && room > 40 ? 2 * room - 12 : room);
  }

  void AddValues(const TextRow& row, size_t indent, size_t room, Printed& line) {
    const Value* only = row.before != nullptr ? row.before : row.after;
    if (row.before != nullptr && row.after != nullptr) {
      line.below = TwoValues(row, indent);
    } else if (const auto rights = options_.wide ? std::nullopt : AllRights(row)) {
      line.below = PrintRights(*rights, indent);
    } else if (only->is_scalar() && !IsTextBlock(only) && room >= 24) {
      line.text += StrCat(" ", CutMiddle(OneLine(*only), room));
    } else {
      line.below = PrintBlock(*only,
                              row.sign == '-'   ? '-'
                              : row.sign == '=' ? '='
                                                : '+',
                              indent, options_, detail_ == Detail::kFolded ? kLongestNested : kLongestBlock);
    }
  }

  // Returns the rights of RBAC rules that are all new, or all removed.
  static std::optional<std::vector<ChangedRight>> AllRights(const TextRow& row) {
    const Value none = Value::UnownedArray({});
    return ChangedRights(row.before != nullptr ? *row.before : none, row.after != nullptr ? *row.after : none);
  }

  // Lost rights are not folded: they are what breaks a controller.
  std::string PrintRights(const std::vector<ChangedRight>& rights, size_t indent) const {
    if (rights.empty()) return StrCat(Spaces(indent), "the same rights in other rules\n");
    std::string out;
    for (const ChangedRight& right : rights) {
      const std::string line = StrCat(std::string(1, right.sign), " ", right.resources, ": ", right.verbs,
                                      right.sign == '=' ? " (stays)" : "");
      out += WithSign(RoleOfSign(right.sign), PrintWrapped(line, indent, options_));
    }
    return out;
  }

  std::string PrintSchema(const SchemaOfVersions& schema, size_t indent) const {
    std::string out = PrintWrapped(StrCat(Join(schema.versions, ", "), ":"), indent, options_);
    size_t others = 0;
    for (const SchemaChange& change : schema.changes) {
      const bool is_other =
          change.effect == SchemaChange::Effect::kOther || change.effect == SchemaChange::Effect::kDefault;
      const bool folded = is_other && ++others > kMostRules;
      if (!folded) out += PrintSchemaChange(change, indent + 2);
    }
    std::vector<std::string> more;
    if (others > kMostRules) more.push_back(StrCat(others - kMostRules, " more rules"));
    if (schema.descriptions > 0) {
      more.push_back(schema.changes.empty() ? "only descriptions"
                                            : Counted(schema.descriptions, "changed description"));
    }
    return more.empty()
               ? out
               : StrCat(out, Spaces(indent + 2), As(Role::kDim, StrCat("… ", Join(more, ", "), " (--wide)")), "\n");
  }

  // What may break objects is not folded.
  std::string PrintSchemaChange(const SchemaChange& change, size_t indent) const {
    const auto& [effect, rule, fields, is_other_pattern] = change;
    const std::string counted = Counted(fields.size(), "field");
    const auto line = [&](char sign, std::string_view text, size_t most) {
      const std::string named =
          PrintWrapped(StrCat(std::string(1, sign), " ", text, NameFields(fields, most)), indent, options_);
      return sign == '~' ? named : WithSign(RoleOfSign(sign), named);
    };
    switch (effect) {
      case SchemaChange::Effect::kUnknownGone: return line('-', "unknown fields gone: in ", kMostFields);
      case SchemaChange::Effect::kFieldsGone: return line('-', StrCat(counted, " gone: "), fields.size());
      case SchemaChange::Effect::kMayRefuse:
        return As(
            Role::kWarning,
            line('~', rule == "required" ? "may refuse objects without " : StrCat("may refuse objects: ", rule, " in "),
                 kMostFields));
      case SchemaChange::Effect::kFixed: return line('~', StrCat("refuses changes: ", rule, " in "), kMostFields);
      case SchemaChange::Effect::kAllowsMore: return line('~', StrCat("allows more: ", rule, " in "), kMostFields);
      case SchemaChange::Effect::kNewFields: return line('+', StrCat(counted, ": "), kMostFields);
      case SchemaChange::Effect::kDefault:
      case SchemaChange::Effect::kOther: return line('~', StrCat(rule, " in "), 1);
    }
    return {};
  }

  // Returns two lines for two values without line ends; nullopt if one is too long.
  std::optional<std::string> OneAboveTheOther(const Value& before, const Value& after, size_t indent) const {
    if (!before.is_scalar() || !after.is_scalar() || IsTextBlock(&before) || IsTextBlock(&after)) return std::nullopt;
    const std::string arrow = "→ ", old = OneLine(before), now = OneLine(after);
    if (indent + 2 + std::max(Columns(old), Columns(now)) > options_.width) return std::nullopt;
    return StrCat(Spaces(indent + 2), As(Role::kRemoved, old), "\n", Spaces(indent), arrow, As(Role::kAdded, now),
                  "\n");
  }

  // Returns the lines of an image that fits into no line, divided before its name, which with the tag is what matters.
  std::string ImageLines(const Value& image, char sign, std::string_view mark, size_t indent) const {
    const std::string text = OneLine(image);
    const size_t at = text.find_last_of('/') + 1;  // 0: none
    const std::string first = StrCat(Spaces(indent), std::string(1, sign), " ");
    const std::string name = StrCat(text.substr(at), mark.empty() ? "" : StrCat("  ", mark));
    const std::string out = at == 0 || Columns(first) + Columns(text) + 2 + Columns(mark) <= options_.width
                                ? StrCat(first, text.substr(0, at), name, "\n")
                                : StrCat(first, text.substr(0, at), "\n", Spaces(indent + 4), name, "\n");
    return WithSign(RoleOfSign(sign), out);
  }

  // Returns nullopt if a line would be longer than the width.
  std::optional<std::string> TwoImages(const TextRow& row, size_t indent) const {
    const bool are_images = !row.path.empty() && row.path.back().name == "image" && row.before->is_string() &&
                            row.after->is_string() && !IsTextBlock(row.before) && !IsTextBlock(row.after);
    if (!are_images) return std::nullopt;
    const bool undoes = row.applied != nullptr && !(*row.applied == *row.before);
    std::string out = StrCat(ImageLines(*row.before, '-', undoes ? kUndoesLive : "", indent),
                             ImageLines(*row.after, '+', "", indent));
    for (const std::string_view line : Split(out, '\n')) {
      if (Columns(line) > options_.width) return std::nullopt;
    }
    return out;
  }

  // REQUIRES: the row has both.
  std::string TwoValues(const TextRow& row, size_t indent) const {
    const Value &before = *row.before, &after = *row.after;
    const Value& now = row.stored != nullptr && !after.is_scalar() ? *row.stored : after;
    const auto lines = [&](size_t most) { return PrintLineDiff(before, now, indent, options_, most, row.applied); };
    if (const auto rights = options_.wide ? std::nullopt : ChangedRights(before, now))
      return PrintRights(*rights, indent);
    if (const auto images = options_.wide ? std::nullopt : TwoImages(row, indent)) return *images;
    ChangedInLive in_live(row.applied, before);
    const Value& stored = row.stored != nullptr ? *row.stored : after;
    auto changes = NestedChanges(before, stored);
    const bool moved = !changes && !options_.wide && AreVersions(before) && AreVersions(stored);
    if (moved) changes = ChangesOfVersions(before, stored);
    if (changes) in_live.NoteMoves(*changes);
    if (changes && !(moved && changes->empty())) {
      std::string schemas = moved ? StrCat(Spaces(indent), "the versions have another order\n") : "";
      if (!options_.wide) {
        SchemaChanges divided = DivideSchemaChanges(*changes, before, now);
        for (const SchemaOfVersions& schema : divided.schemas) schemas += PrintSchema(schema, indent);
        *changes = std::move(divided.others);
      }
      return Folded(Nested(*changes, in_live, indent, documents_), *changes, indent, documents_) + schemas;
    }
    const auto inner = documents_ < kMostDocuments ? ChangesInside(before, after) : std::nullopt;
    if (!inner) return OneAboveTheOther(before, after, indent).value_or(lines(options_.most_lines));
    if (inner->changes.empty()) return StrCat(Spaces(indent), kOnlyLayout, "\n");
    in_live.NoteMoves(inner->changes);
    const std::string rows = Nested(inner->changes, in_live, indent, documents_ + 1);
    const std::string layout = inner->layout ? StrCat(Spaces(indent), kAlsoLayout, "\n") : "";
    const bool has_lines = IsTextBlock(&before) || IsTextBlock(&after);  // of JSON in one line the rows say more
    const size_t count = CountLines(rows) + CountLines(layout);
    if (has_lines && count > CountLines(lines(count + 1))) return lines(options_.most_lines);
    return Folded(rows, inner->changes, indent, documents_ + 1) + layout;
  }

  // Returns the rows of the changes if they are few. Else what many paths have alike is shown once, the descriptions in
  // schemas are counted, and so is what does not fit into the lines of a value.
  std::string Folded(const std::string& rows, const std::vector<NestedChange>& changes, size_t indent,
                     size_t documents) const {
    if (options_.wide || CountLines(rows) <= options_.most_lines) return rows;
    const FoldedChanges folded = FoldChanges(changes);
    std::vector<TextRow> shown;
    for (const auto& [change, others] : folded.shown) {
      shown.push_back(RowOf(*change));
      if (others > 0) shown.back().tail = StrCat("and at ", Counted(others, "more path"));
    }
    RowPrinter printer(options_, documents, Detail::kFolded);
    printer.Add(shown, 0, 0, indent);
    const std::string out = printer.Print();
    if (folded.descriptions == 0) return out;
    return StrCat(out, Spaces(indent),
                  As(Role::kDim, StrCat("… ", Counted(folded.descriptions, "changed description"), " (--wide)")), "\n");
  }

  std::string Nested(const std::vector<NestedChange>& changes, const ChangedInLive& in_live, size_t indent,
                     size_t documents) const {
    std::vector<TextRow> rows;
    for (const NestedChange& change : changes) {
      rows.push_back(RowOf(change));
      if (in_live.Has(change.path)) rows.back().tail = kUndoesLive;
    }
    RowPrinter printer(options_, documents);
    printer.Add(rows, 0, 0, indent);
    return printer.Print();
  }

  // Returns true for one line with room for so many columns.
  bool IsOneLineFor(std::string_view below, size_t columns) const {
    return CountLines(below) == 1 && Columns(below) - 1 + columns <= options_.width;
  }

  std::string Aligned(const Printed& line, size_t widest) const {
    if (line.tail.empty()) return StrCat(line.text, line.text.ends_with('\n') ? "" : "\n", line.below);
    const size_t columns = Columns(line.text), tail = kGap + Columns(line.tail);
    if (columns + tail > options_.width && !options_.wide) {
      if (IsOneLineFor(line.below, tail)) {
        return StrCat(line.text, "\n", line.below.substr(0, line.below.size() - 1), Spaces(kGap), line.tail, "\n");
      }
      return StrCat(line.text, "\n", Spaces(line.indent + 4), line.tail, "\n", line.below);
    }
    const size_t room = options_.width > tail ? options_.width - tail : 0;  // a longer tail begins further to the left
    const size_t column = std::max(options_.wide ? widest : std::min(widest, room), columns);
    return StrCat(line.text, Spaces(column - columns + kGap), line.tail, "\n", line.below);
  }

  const TextOptions& options_;
  size_t documents_;
  Detail detail_;
  size_t indent_ = 0;  // of the first row
  std::vector<Printed> lines_;
};

// Leaves a note that successive rows share with the last of them.
std::vector<TextRow> WithoutRepeatedNotes(const std::vector<TextRow>& rows) {
  std::vector<TextRow> out = rows;
  for (size_t begin = 0; begin < rows.size();) {
    size_t end = begin + 1;
    while (end < rows.size() && rows[end].note == rows[begin].note) ++end;
    for (size_t i = begin; i + 1 < end; ++i) out[i].note.clear();
    if (end - begin > 1 && !rows[begin].note.empty()) {
      out[end - 1].note =
          StrCat(end - begin == 2 ? "both rows: " : StrCat("these ", end - begin, " rows: "), rows[begin].note);
    }
    begin = end;
  }
  return out;
}

}  // namespace

bool IsTextBlock(const Value* value) {
  return value != nullptr && value->is_string() && value->AsString().find('\n') != std::string_view::npos;
}

TextRow RowOf(const NestedChange& change) {
  const char sign = change.before == nullptr ? '+' : change.after == nullptr ? '-' : '~';
  return {.path = change.path, .sign = sign, .before = change.before, .after = change.after};
}

std::string PrintRows(const std::vector<TextRow>& rows, size_t indent, const TextOptions& options) {
  const std::vector<TextRow> shown = WithoutRepeatedNotes(rows);
  const auto print = [&](const TextOptions& how) {
    RowPrinter printer(how);
    printer.Add(shown, 0, 0, indent);
    return printer.Print();
  };
  std::string out = print(options);
  if (options.wide || CountLines(out) <= kLongestObject) return out;
  TextOptions shorter = options;
  shorter.most_lines = kFewLines;
  return print(shorter);
}

std::string PrintWrapped(std::string_view text, size_t indent, const TextOptions& options) {
  constexpr size_t kHang = 2;
  if (text.empty()) return {};
  const size_t width = options.width > indent + 20 ? options.width - indent - kHang : 20;
  const std::string visible = Visible(text, Newlines::kEscape);
  if (options.wide || Columns(visible) <= width + kHang) return StrCat(Spaces(indent), visible, "\n");
  const std::vector<std::string> lines = Wrapped(visible, width);
  return StrCat(Spaces(indent), Join(lines, StrCat("\n", Spaces(indent + kHang))), "\n");
}

}  // namespace smp::explain
