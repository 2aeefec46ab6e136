// What the HTML page shows of a report, in the words and lines of the text printer.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "explain/about_rows.h"
#include "explain/changed_fields.h"
#include "explain/html.h"
#include "explain/in_words.h"
#include "explain/inner_changes.h"
#include "explain/message.h"
#include "explain/nested_changes.h"
#include "explain/new_object.h"
#include "explain/object_names.h"
#include "explain/one_line.h"
#include "explain/row_values.h"
#include "explain/style.h"
#include "explain/text_lines.h"
#include "explain/text_managers.h"
#include "explain/text_object.h"
#include "explain/text_rows.h"
#include "value/columns.h"
#include "value/escape.h"
#include "value/metadata.h"
#include "value/utf8.h"

namespace smp::explain {

namespace {

constexpr size_t kLongestInline = 90;  // columns of two values beside each other

// Returns "Deployment.apps/default/web", which names an object in every report that has it.
std::string IdOf(const ObjectReport& object) {
  if (object.kind.empty()) return NameOf(object);
  const std::string_view group = GroupOf(object.api_version);
  return StrCat(OwnKind(object), group.empty() ? "" : ".", group, "/", object.name_space,
                object.name_space.empty() ? "" : "/", object.name);
}

// Returns the text, with a number if it was there before.
std::string Unique(const std::string& text, std::map<std::string, size_t>& seen) {
  const size_t count = ++seen[text];
  return count == 1 ? text : StrCat(text, " (", count, ")");
}

// The part of a line that another one has differently.
struct Marked {
  std::string_view head, changed, tail;
};

Marked MarkChange(std::string_view line, std::string_view other) {
  const size_t shorter = std::min(line.size(), other.size());
  size_t head = 0, tail = 0;
  while (head < shorter && line[head] == other[head]) ++head;
  while (head > 0 && head < line.size() && IsContinuation(line[head])) --head;
  while (tail < shorter - head && line[line.size() - 1 - tail] == other[other.size() - 1 - tail]) ++tail;
  while (tail > 0 && IsContinuation(line[line.size() - tail])) --tail;
  return {line.substr(0, head), line.substr(head, line.size() - head - tail), line.substr(line.size() - tail)};
}

// Returns true if so much is the same that the rest is worth a mark.
bool IsWorthAMark(const Marked& marked) { return marked.head.size() + marked.tail.size() > marked.changed.size() / 2; }

std::vector<std::string_view> LinesOf(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  return text.empty() ? std::vector<std::string_view>() : Split(text, '\n');
}

class PageData {
 public:
  PageData(const Report& report, const HtmlOptions& options)
      : report_(report), options_(options), text_({.wide = true, .directory = options.directory}) {}

  Document Take() {
    std::vector<Member> out = {{"summary", Text(CountObjects(report_))}, {"actions", Actions()}};
    if (report_.context) out.push_back({"context", Context(*report_.context)});
    if (options_.made_at) out.push_back({"madeAt", Text(MadeAt(*options_.made_at))});
    out.push_back({"objects", Objects()});
    out.push_back({"reasons", Reasons()});
    AddTexts(out, "notes", {OnlyInLive(report_), LeftObjects(report_), NotAsked(report_)});
    const Value root = arena_.Object(std::move(out));
    return Document(std::move(arena_), root);
  }

 private:
  Value Text(std::string_view text) { return arena_.String(Visible(text, Newlines::kEscape)); }

  void AddText(std::vector<Member>& out, std::string_view name, std::string_view text) {
    if (!text.empty()) out.push_back({name, Text(text)});
  }

  void AddTexts(std::vector<Member>& out, std::string_view name, const std::vector<std::string>& texts) {
    std::vector<Value> values;
    for (const std::string& text : texts) {
      if (!text.empty()) values.push_back(Text(text));
    }
    if (!values.empty()) out.push_back({name, arena_.Array(values)});
  }

  static Value Count(size_t count) { return Value::Int(static_cast<int64_t>(count)); }

  static std::string MadeAt(std::chrono::sys_seconds time) {
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(time - day);
    const auto two = [](auto number) { return StrCat(number < 10 ? "0" : "", number); };
    return StrCat(static_cast<int>(date.year()), "-", two(static_cast<unsigned>(date.month())), "-",
                  two(static_cast<unsigned>(date.day())), " ", two(clock.hours().count()), ":",
                  two(clock.minutes().count()), " UTC");
  }

  Value Context(const ReportContext& context) {
    std::vector<Member> out;
    AddText(out, "name", context.name);
    AddText(out, "server", context.server);
    AddText(out, "user", context.user);
    AddText(out, "namespace", context.name_space);
    return arena_.Object(std::move(out));
  }

  // The words by which actions are counted, in the order in which they matter.
  Value Actions() {
    constexpr std::array kOrder = {Action::kError,  Action::kPrune,  Action::kRecreate, Action::kChange,
                                   Action::kCreate, Action::kRecord, Action::kUnchanged};
    std::vector<Value> out;
    for (const Action action : kOrder) {
      out.push_back(arena_.Object({{"name", Text(ActionName(action))}, {"words", Text(CountedAs(action))}}));
    }
    return arena_.Array(out);
  }

  // The legend.
  Value Reasons() {
    std::set<Reason> reasons;
    for (const ObjectReport& object : report_.objects) {
      for (const ReportRow& row : object.rows) {
        if (object.action != Action::kCreate || !IsPartOfManifest(row)) reasons.insert(row.reason);
      }
    }
    std::vector<Value> out;
    for (const Reason reason : reasons) {
      out.push_back(arena_.Object({{"name", Text(ReasonName(reason))},
                                   {"meaning", Text(MeaningOf(reason))},
                                   {"surprise", Value::Bool(IsSurprise(reason))}}));
    }
    return arena_.Array(out);
  }

  // --- objects

  // Those with errors first.
  Value Objects() {
    std::vector<Value> out;
    for (const bool with_error : {true, false}) {
      for (const ObjectReport& object : report_.objects) {
        if (object.error.has_value() == with_error) out.push_back(Object(object));
      }
    }
    return arena_.Array(out);
  }

  Value Object(const ObjectReport& object) {
    std::vector<Member> out = {{"id", Text(Unique(IdOf(object), object_ids_))},
                               {"action", Text(ActionName(object.action))},
                               {"words", Text(ActionWords(object))},
                               {"changes", Count(CountChanges(object))}};
    AddText(out, "kind", object.kind);
    AddText(out, "name", object.kind.empty() ? NameOf(object) : NameOf(object).substr(object.kind.size() + 1));
    AddText(out, "place", PlaceOf(object.source, text_));
    if (object.action != Action::kCreate) AddText(out, "fields", ChangedFields(object));
    if (object.error) AddText(out, "error", ToString(*object.error));
    AddTexts(out, "warnings", object.warnings);
    AddText(out, "unasked", object.unasked);
    AddTexts(out, "notes", Notes(object));
    AddTexts(out, "managers", OtherManagers(object));
    AddRows(object, out);
    return arena_.Object(std::move(out));
  }

  // What the text printer says below the rows.
  std::vector<std::string> Notes(const ObjectReport& object) const {
    std::vector<std::string> out = {PatchNote(object)};
    const AboutRows about = DescribeRows(object);
    const std::string who = about.says_who_applied ? LastApplied({&object}) : "";
    const std::string managers = PrintFieldsOfOthers({&object}, text_) + PrintWrapped(who, 2, text_);
    for (const std::string_view line : LinesOf(managers)) out.push_back(std::string(Trim(line)));
    return out;
  }

  static std::vector<std::string> OtherManagers(const ObjectReport& object) {
    std::vector<std::string> out;
    for (const FieldsOfManager& fields : object.of_others) out.push_back(fields.manager.name);
    return out;
  }

  void AddRows(const ObjectReport& object, std::vector<Member>& out) {
    const bool is_new = object.action == Action::kCreate;
    const std::string manifest = is_new ? Rendered(PrintManifest(object, "", 0, text_), Color::kNo) : "";
    if (!manifest.empty()) out.push_back({"manifest", Lines(manifest)});
    std::vector<Value> rows;
    std::map<std::string, size_t> ids;
    for (const ReportRow& row : object.rows) {
      if (!is_new || !IsPartOfManifest(row)) rows.push_back(Row(row, object, ids));
    }
    if (!rows.empty()) out.push_back({"rows", arena_.Array(rows)});
  }

  // --- rows

  Value Row(const ReportRow& row, const ObjectReport& object, std::map<std::string, size_t>& ids) {
    Arena arena;
    const TextRow shown = ToTextRow(row, object, {}, text_, arena);
    std::vector<Member> out = {{"id", Text(Unique(ToString(row.path), ids))}, {"reason", Text(ReasonName(row.reason))}};
    AddPath(row.path, out);
    if (IsLastAppliedAnnotation(row.path)) {
      AddText(out, "sign", shown.sign == '+' ? "+" : "~");
      AddText(out, "note", row.message);  // says it shorter than the values
    } else {
      AddChange(shown, out);
      AddText(out, "note", shown.note);
    }
    const bool here = row.source.file == object.source.file && row.source.line > 0;
    AddText(out, "place", here ? StrCat("line ", row.source.line) : "");
    AddManagers(row, out);
    return arena_.Object(std::move(out));
  }

  void AddManagers(const ReportRow& row, std::vector<Member>& out) {
    std::vector<std::string> names;
    for (const FieldManager& manager : row.managers) names.push_back(manager.name);
    AddTexts(out, "managers", names);
  }

  // The last field is what a reader looks for.
  void AddPath(const FieldPath& path, std::vector<Member>& out) {
    const std::string whole = ToString(path);
    size_t last = path.size();
    while (last > 0 && path[last - 1].kind != PathStep::Kind::kField) --last;
    const FieldPath above(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(last == 0 ? 0 : last - 1));
    const std::string head = ToString(above);
    AddText(out, "above", head);
    AddText(out, "path", std::string_view(whole).substr(head.size()));
  }

  void AddChange(const TextRow& row, std::vector<Member>& out) {
    AddText(out, "sign", std::string(1, row.sign));
    if (!row.cell.empty()) return AddText(out, "cell", row.cell);
    if (AddInline(row, out)) return;
    if (row.before != nullptr && row.after != nullptr) return AddTwoValues(row, out);
    const char sign = row.sign == '-' || row.sign == '=' ? row.sign : '+';
    out.push_back({"lines", Lines(Rendered(PrintBlock(row.before != nullptr ? *row.before : *row.after, sign, 0, text_),
                                           Color::kNo))});
  }

  bool AddInline(const TextRow& row, std::vector<Member>& out) {
    if (IsTextBlock(row.before) || IsTextBlock(row.after)) return false;
    constexpr size_t kMostBytes = 4 * kLongestInline;  // four in a column
    const auto before = row.before == nullptr ? "" : OneLineUpTo(kMostBytes, *row.before);
    const auto after = row.after == nullptr ? "" : OneLineUpTo(kMostBytes, *row.after);
    if (!before || !after || Columns(*before) + Columns(*after) > kLongestInline) return false;
    AddText(out, "before", *before);
    AddText(out, "after", *after);
    return true;
  }

  void AddTwoValues(const TextRow& row, std::vector<Member>& out) {
    const Value& after = row.stored != nullptr && !row.after->is_scalar() ? *row.stored : *row.after;
    if (const auto changes = NestedChanges(*row.before, after)) return AddNested(*changes, out);
    const std::string diff = PrintLineDiff(*row.before, after, 0, text_, text_.most_lines);
    const std::string lines = Rendered(diff, Color::kNo);
    const auto inner = documents_ < kMostDocuments ? ChangesInside(*row.before, *row.after) : std::nullopt;
    if (inner && inner->changes.empty()) return AddText(out, "cell", kOnlyLayout);
    const bool has_lines = IsTextBlock(row.before) || IsTextBlock(row.after);
    if (!inner || (has_lines && inner->changes.size() > LinesOf(lines).size())) {
      out.push_back({"lines", Lines(lines)});
      return;
    }
    ++documents_;
    AddNested(inner->changes, out);
    --documents_;
    if (inner->layout) AddText(out, "cell", kAlsoLayout);
  }

  // The recursion is bounded by the parser's kMaxDepth and kMostDocuments.
  void AddNested(const std::vector<NestedChange>& changes, std::vector<Member>& out) {
    std::vector<Value> rows;
    for (const NestedChange& change : changes) {
      std::vector<Member> row;
      AddPath(change.path, row);
      AddChange(RowOf(change), row);
      rows.push_back(arena_.Object(std::move(row)));
    }
    out.push_back({"rows", arena_.Array(rows)});
  }

  // --- lines

  // Returns the lines of the text printer as lists: the sign, or … for lines that are left out, and the text. A line
  // that replaces another is in three parts, the second of which differs.
  Value Lines(std::string_view text) {
    const std::vector<std::string_view> lines = LinesOf(text);
    std::vector<Value> out;
    for (size_t begin = 0; begin < lines.size();) {
      const size_t added = EndOf(lines, begin, '-'), end = EndOf(lines, added, '+');
      if (end == begin) {
        out.push_back(Line(lines[begin]));
        ++begin;
        continue;
      }
      const size_t pairs = added - begin == end - added ? added - begin : 0;
      for (size_t i = begin; i < end; ++i) {
        const bool paired = pairs > 0;
        out.push_back(paired ? Replaced(lines[i], lines[i < added ? i + pairs : i - pairs]) : Line(lines[i]));
      }
      begin = end;
    }
    return arena_.Array(out);
  }

  static size_t EndOf(const std::vector<std::string_view>& lines, size_t begin, char sign) {
    while (begin < lines.size() && lines[begin].starts_with(sign)) ++begin;
    return begin;
  }

  static std::string_view TextOf(std::string_view line) { return line.size() > 2 ? line.substr(2) : ""; }

  Value Line(std::string_view line) {
    constexpr std::string_view kLeftOut = "…";
    if (line.starts_with(kLeftOut)) {
      return arena_.Array(std::array{arena_.String(kLeftOut), Text(Trim(line.substr(kLeftOut.size())))});
    }
    return arena_.Array(std::array{arena_.String(line.substr(0, 1)), Text(TextOf(line))});
  }

  Value Replaced(std::string_view line, std::string_view other) {
    const Marked marked = MarkChange(TextOf(line), TextOf(other));
    if (!IsWorthAMark(marked)) return Line(line);
    return arena_.Array(
        std::array{arena_.String(line.substr(0, 1)), Text(marked.head), Text(marked.changed), Text(marked.tail)});
  }

  const Report& report_;
  const HtmlOptions& options_;
  TextOptions text_;
  std::map<std::string, size_t> object_ids_;
  size_t documents_ = 0;  // that the current value is inside of
  Arena arena_;
};

}  // namespace

Document HtmlData(const Report& report, const HtmlOptions& options) { return PageData(report, options).Take(); }

}  // namespace smp::explain
