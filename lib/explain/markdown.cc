#include "explain/markdown.h"

#include <algorithm>
#include <vector>

#include "base/strings.h"
#include "explain/changed_fields.h"
#include "explain/in_words.h"
#include "explain/new_object.h"
#include "explain/row_values.h"
#include "explain/style.h"
#include "explain/text.h"
#include "explain/worry_lines.h"
#include "value/escape.h"
#include "value/utf8.h"

namespace smp::explain {

namespace {

constexpr size_t kMostWorryBytes = 10'000;
constexpr size_t kMostTableBytes = 20'000;  // so that there is room for details
constexpr size_t kTailBytes = 500;          // more than the last sentence has
constexpr size_t kLongestInTable = 200;
constexpr size_t kLongestText = 600;
constexpr std::string_view kSpecial = "\\`*_[]<>#|&~:@$";  // inside of a line

// Returns the text so that Markdown and HTML show it as it is. A comment after @ and # keeps GitHub from reading a mention
// or the number of an issue, a comment in "www." a link.
std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : Visible(text, Newlines::kEscape)) {
    out += kSpecial.find(c) == kSpecial.npos ? std::string(1, c) : StrCat("&#", static_cast<int>(c), ";");
    if (c == '@' || c == '#' || (c == 'w' && out.ends_with("www"))) out += "<!-- -->";
  }
  return out;
}

std::string Code(std::string_view text) { return text.empty() ? "" : StrCat("<code>", Escaped(text), "</code>"); }

std::string Shortened(std::string_view text) { return Escaped(CutEnd(text, kLongestText)); }

std::string TableLine(const ObjectReport& object) {
  const std::string fields = object.action == Action::kCreate ? "" : ChangedFields(object);
  return StrCat("| ", object.compared ? NameInComparison(object.action) : ActionName(object.action), " | ",
                Code(NameOf(object)), " | ", Code(fields), " | ", Code(ToString(object.source)), " |\n");
}

std::string RowLine(const ReportRow& row) {
  const std::string place = row.source.file.empty() ? "" : StrCat(" (", ToString(row.source), ")");
  return StrCat("| ", Code(std::string(1, Sign(row))), " | ", Code(ToString(row.path)), " | ",
                Code(ValueBefore(row, kLongestInTable)), " | ", Code(ValueAfter(row, kLongestInTable)), " | ",
                ReasonName(row.reason), ": ", Shortened(row.message), Escaped(place), " |\n");
}

std::string DetailsHead(const ObjectReport& object) {
  std::string out = StrCat("\n<details><summary>", Code(NameOf(object)), " ", ActionWords(object), "</summary>\n\n");
  if (object.error) out += StrCat("- error: ", Shortened(ToString(*object.error)), "\n");
  for (const std::string& warning : object.warnings) out += StrCat("- warning: ", Shortened(warning), "\n");
  if (!object.unasked.empty()) out += StrCat("- not checked by the server: ", Shortened(object.unasked), "\n");
  if (!out.ends_with("\n\n")) out += "\n";
  return out;
}

constexpr std::string_view kRowsHead = "| | field | before | after | reason |\n|---|---|---|---|---|\n";

// Returns a fence that is longer than any in the text.
std::string FenceOf(std::string_view text) {
  constexpr size_t kShortest = 3;
  size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(std::max(kShortest, longest + 1), '`');
}

// Returns the manifest of a new object as a block of code, as the text has it; "" of any other.
std::string NewManifest(const ObjectReport& object) {
  constexpr size_t kMostLines = 100;
  if (object.action != Action::kCreate) return {};
  const std::string lines =
      WithoutWorkflowCommands(Rendered(PrintManifest(object, "", 0, {.most_lines = kMostLines}), Color::kNo));
  const std::string fence = FenceOf(lines);
  return lines.empty() ? "" : StrCat(fence, "diff\n", lines, fence, "\n");
}

bool IsInTable(const ObjectReport& object, const ReportRow& row) {
  return object.action != Action::kCreate || !IsPartOfManifest(row);
}

// Returns what the text ends with.
std::vector<std::string> WorryItems(const Report& report) {
  std::vector<std::string> out;
  for (const WorryLine& line : WorryLines(report)) {
    out.push_back(StrCat("- ", IsGrave(line) ? "**!** " : "", Escaped(line.text), "\n"));
    if (!line.way_out.empty()) out.back() += StrCat("  - ", Escaped(line.way_out), "\n");
  }
  return out;
}

constexpr std::string_view kDetailsEnd = "\n</details>\n";

// Collects texts up to a number of bytes, and counts what does not fit.
class Bounded {
 public:
  explicit Bounded(std::string head) : out_(std::move(head)) {}

  bool Add(const std::string& text, size_t most) {
    if (out_.size() + text.size() > most) return false;
    out_ += text;
    return true;
  }

  void AddWorries(const std::vector<std::string>& items) {
    if (!items.empty()) out_ += StrCat("\n**", kLookAtThis, ":**\n\n");
    for (const std::string& item : items) worries_ += Add(item, kMostWorryBytes) ? 0 : 1;
  }

  void AddTable(const std::vector<const ObjectReport*>& objects) {
    out_ += "\n| | object | fields | source |\n|---|---|---|---|\n";
    for (const ObjectReport* object : objects) lines_ += Add(TableLine(*object), kMostTableBytes) ? 0 : 1;
  }

  void AddDetails(const ObjectReport& object) {
    constexpr size_t kMost = kMostMarkdownBytes - kTailBytes - kDetailsEnd.size();
    if (!Add(DetailsHead(object), kMost)) return void(++details_);
    if (!Add(NewManifest(object), kMost)) ++manifests_;
    AddRows(object, kMost);
    out_ += kDetailsEnd;
  }

  std::string TakeText() {
    std::vector<std::string> left_out;
    const auto add = [&](size_t count, std::string_view one, std::string_view many) {
      if (count > 0) left_out.push_back(StrCat(count, " ", count == 1 ? one : many));
    };
    add(worries_, "thing to look at", "things to look at");
    add(lines_, "line of the table", "lines of the table");
    add(details_, "object's details", "objects' details");
    add(manifests_, "new object's manifest", "new objects' manifests");
    add(changes_, "change of an object whose details are cut", "changes of objects whose details are cut");
    if (!left_out.empty()) {
      out_ += StrCat("\nLeft out, as this text may have ", kMostMarkdownBytes, " bytes: ", Join(left_out, ", "), ".\n");
    }
    return std::move(out_);
  }

 private:
  void AddRows(const ObjectReport& object, size_t most) {
    std::string head = StrCat(out_.ends_with("\n\n") ? "" : "\n", kRowsHead);
    bool fits = true;
    for (const ReportRow& row : object.rows) {
      if (!IsInTable(object, row)) continue;
      fits = fits && Add(head + RowLine(row), most);
      changes_ += fits ? 0 : 1;
      head.clear();
    }
  }

  std::string out_;
  size_t worries_ = 0;  // left out, likewise
  size_t lines_ = 0;
  size_t details_ = 0;
  size_t manifests_ = 0;
  size_t changes_ = 0;
};

// Returns the objects to show, those with errors first.
std::vector<const ObjectReport*> Shown(const Report& report) {
  std::vector<const ObjectReport*> out;
  for (const ObjectReport& object : report.objects) {
    if (object.action != Action::kUnchanged || !object.warnings.empty()) out.push_back(&object);
  }
  std::stable_partition(out.begin(), out.end(), [](const ObjectReport* object) { return object->error.has_value(); });
  return out;
}

// Of a comparison with the namespace, which may be all that differs.
std::string Place(const ReportContext& context, const Report& report) {
  const std::string name = Code(Utf8Prefix(context.name, kLongestInTable));
  return report.here ? StrCat(name, ", namespace ", Code(Utf8Prefix(context.name_space, kLongestInTable))) : name;
}

std::string Head(const Report& report) {
  std::string of;
  if (report.context && !report.context->name.empty()) of = StrCat(" Context ", Place(*report.context, report));
  if (report.here) of += StrCat(" (there), compared with ", Place(*report.here, report), " (here)");
  std::string left_out = NotCompared(report);
  if (!left_out.empty()) left_out.front() = 'N';
  return StrCat("**explain-diff:** ", CountObjects(report), ".", of, of.empty() ? "" : ".",
                left_out.empty() ? "" : StrCat(" ", left_out, "."), "\n");
}

}  // namespace

std::string PrintMarkdown(const Report& report) {
  Bounded text(Head(report));
  const std::vector<const ObjectReport*> objects = Shown(report);
  text.AddWorries(WorryItems(report));
  if (!objects.empty()) text.AddTable(objects);
  for (const ObjectReport* object : objects) text.AddDetails(*object);
  return text.TakeText();
}

}  // namespace smp::explain
