#include "lint/print.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/name_some.h"
#include "base/strings.h"
#include "value/columns.h"
#include "value/escape.h"
#include "value/utf8.h"
#include "value/workflow_command.h"

namespace smp::lint {

namespace {

std::string OneLine(std::string_view text) { return Visible(text, Newlines::kEscape); }

const Object* ObjectOf(const Report& report, const Finding& finding) {
  return finding.object == kNone ? nullptr : &report.objects[finding.object];
}

// Returns "deployment.apps/web", "deployment.apps" without a name; "" if there is no object.
std::string NameOf(const Report& report, const Finding& finding) {
  const Object* object = ObjectOf(report, finding);
  if (object == nullptr || object->gvk.kind.empty()) return {};
  const std::string label = object->Label();
  return object->name.empty() ? label.substr(0, label.size() - 1) : label;
}

std::string PlaceText(const Report& report, const Finding& finding) {
  std::string out = report.files[finding.file].name();
  if (finding.line > 0) out += StrCat(":", finding.line);
  if (finding.column > 0) out += StrCat(":", finding.column);
  return out;
}

// --- text

// The files that may have values of Secrets: those with a Secret, and those of which a part could not be read.
std::vector<bool> FilesWithSecrets(const Report& report) {
  std::vector<bool> out;
  for (const SourceFile& file : report.files) out.push_back(file.text().find("Secret") != std::string::npos);
  for (const Object& object : report.objects) {
    if (object.is_secret()) out[object.file] = true;
  }
  for (const Finding& finding : report.findings) {
    if (finding.rule->code == "unreadable") out[finding.file] = true;
  }
  return out;
}

class TextPrinter {
 public:
  TextPrinter(const Report& report, const TextStyle& style)
      : report_(report), style_(style), secret_files_(FilesWithSecrets(report)) {}

  std::string Print() {
    for (const Finding& finding : report_.findings) {
      if (finding.severity > style_.least && !finding.fixed) continue;
      if (IsFolded(finding)) continue;
      Add(finding);
    }
    for (const auto& [where, count] : seen_) {
      if (count <= kMostOfARule || !style_.fold) continue;
      out_ += StrCat(OneLine(report_.files[where.first].name()), ": and ", count - kMostOfARule, " more [",
                     where.second, "] (--show=all)\n");
    }
    return std::move(out_);
  }

 private:
  static constexpr size_t kMostOfARule = 5;  // of a file, but for errors
  static constexpr size_t kWidth = 100;
  static constexpr size_t kMostBytes = 4;  // of a character

  bool IsFolded(const Finding& finding) {
    if (!style_.fold || finding.severity == Severity::kError || finding.fixed) return false;
    return ++seen_[{finding.file, finding.rule->code}] > kMostOfARule;
  }

  std::string Colored(Severity severity, std::string_view text) const {
    return style_.color ? style_.color(severity, text) : std::string(text);
  }

  void Add(const Finding& finding) {
    const std::string_view word = finding.fixed ? "fixed" : SeverityName(finding.severity);
    out_ += StrCat(OneLine(PlaceText(report_, finding)), ": ", Colored(finding.severity, StrCat(word, ":")), " ",
                   OneLine(finding.message), " [", finding.rule->code, "]\n");
    if (finding.fixed) return;
    const std::string number = std::to_string(finding.line);
    const std::string margin = StrCat(Spaces(number.size() + 1), "| ");
    const bool shows = !finding.span.empty() && MayShowLine(finding);
    if (shows) AddLine(finding, number, margin);
    const std::string advice = AdviceOf(finding);
    if (!shows && !advice.empty()) out_ += StrCat(margin, OneLine(advice), "\n");
    if (const std::string where = Where(finding); !where.empty()) out_ += StrCat(margin, "in ", OneLine(where), "\n");
  }

  // A comment is of no object: its line may have a value before it.
  bool MayShowLine(const Finding& finding) const {
    const Object* object = ObjectOf(report_, finding);
    return object == nullptr ? !secret_files_[finding.file] : !object->is_secret();
  }

  static std::string AdviceOf(const Finding& finding) {
    return finding.edit && !finding.advice.empty() ? StrCat(finding.advice, " (--fix does it)") : finding.advice;
  }

  std::string Where(const Finding& finding) const {
    const std::string name = NameOf(report_, finding);
    return name.empty() || finding.path.empty() ? StrCat(name, finding.path) : StrCat(name, " ", finding.path);
  }

  // The line with a mark below, of a long line only what is around the mark.
  void AddLine(const Finding& finding, const std::string& number, const std::string& margin) {
    const SourceFile& file = report_.files[finding.file];
    const std::string_view line = file.Line(finding.line);
    const size_t begin = finding.span.begin - file.OffsetOfLine(finding.line);
    const size_t end = std::max(begin + 1, std::min(line.size(), begin + (finding.span.end - finding.span.begin)));
    size_t first = line.find_first_not_of(' ');
    first = std::min(first, begin);
    if (begin - first > kWidth / 2) first = begin - kWidth / 2;
    while (first < begin && IsContinuation(line[first])) ++first;
    // More than is shown of any character, and no more: there may be a finding for each of a line's many bytes.
    const auto part = [&](size_t from, size_t to) {
      return OneLine(Utf8Prefix(line.substr(std::min(from, line.size()), to - from), kWidth * kMostBytes));
    };
    const std::string before = part(first, begin), marked = part(begin, end), after = part(end, line.npos);
    const std::string shown = std::string(FirstColumns(StrCat(before, marked, after), kWidth));
    const size_t width = std::clamp<size_t>(Columns(marked), 1, kWidth - std::min(kWidth - 1, Columns(before)));
    const std::string advice = OneLine(AdviceOf(finding));
    out_ += StrCat(number, " | ", shown, "\n", margin, Spaces(Columns(before)),
                   Colored(finding.severity, std::string(width, '^')), advice.empty() ? "" : " ", advice, "\n");
  }

  const Report& report_;
  const TextStyle& style_;
  const std::vector<bool> secret_files_;
  std::string out_;
  std::map<std::pair<size_t, std::string_view>, size_t> seen_;  // by file and rule
};

// --- JSON

class JsonPrinter {
 public:
  explicit JsonPrinter(const Report& report) : report_(report) {}

  Document Print() {
    const Value root = arena_.Object({{"version", Value::Int(1)},
                                      {"findings", Findings(report_.findings)},
                                      {"suppressed", Findings(report_.suppressed)},
                                      {"summary", SummaryValue()}});
    return Document(std::move(arena_), root);
  }

 private:
  Value Text(std::string_view text) { return arena_.String(text); }

  Value Findings(const std::vector<Finding>& findings) {
    std::vector<Value> out;
    for (const Finding& finding : findings) out.push_back(FindingValue(finding));
    return arena_.Array(out);
  }

  Value FindingValue(const Finding& finding) {
    std::vector<Member> out = {{"rule", Text(finding.rule->code)},
                               {"severity", Text(SeverityName(finding.severity))},
                               {"file", Text(report_.files[finding.file].name())},
                               {"message", Text(finding.message)}};
    if (finding.line > 0) out.push_back({"line", Value::Int(finding.line)});
    if (finding.column > 0) out.push_back({"column", Value::Int(finding.column)});
    if (const Object* object = ObjectOf(report_, finding)) out.push_back({"object", ObjectValue(*object)});
    if (!finding.path.empty()) out.push_back({"path", Text(finding.path)});
    if (!finding.advice.empty()) out.push_back({"fix", Text(finding.advice)});
    if (finding.edit) out.push_back({"safe", Value::Bool(true)});
    if (finding.fixed) out.push_back({"fixed", Value::Bool(true)});
    return arena_.Object(std::move(out));
  }

  Value ObjectValue(const Object& object) {
    std::vector<Member> out = {{"apiVersion", Text(object.gvk.ApiVersion())}, {"kind", Text(object.gvk.kind)}};
    if (!object.name_space.empty()) out.push_back({"namespace", Text(object.name_space)});
    if (!object.name.empty()) out.push_back({"name", Text(object.name)});
    return arena_.Object(std::move(out));
  }

  Value SummaryValue() {
    const auto count = [](size_t n) { return Value::Int(static_cast<int64_t>(n)); };
    const auto fixed = std::ranges::count_if(report_.findings, &Finding::fixed);
    return arena_.Object({{"files", count(report_.files.size())},
                          {"objects", count(report_.objects.size())},
                          {"error", count(report_.Count(Severity::kError))},
                          {"warning", count(report_.Count(Severity::kWarning))},
                          {"info", count(report_.Count(Severity::kInfo))},
                          {"fixed", Value::Int(fixed)},
                          {"suppressed", count(report_.suppressed.size())}});
  }

  const Report& report_;
  Arena arena_;
};

// --- the summary

// Returns "Widget of example.com/v1 (3)" for each kind without a schema.
std::vector<std::string> UncheckedKinds(const Report& report) {
  std::map<GroupVersionKind, size_t> kinds;
  for (const Finding& finding : report.findings) {
    if (finding.rule->code == "no-schema") ++kinds[report.objects[finding.object].gvk];
  }
  std::vector<std::string> out;
  for (const auto& [gvk, count] : kinds) out.push_back(StrCat(gvk.ApiVersion(), "/", gvk.kind, " (", count, ")"));
  return out;
}

std::string Counts(const Report& report) {
  std::string out = Counted(report.Count(Severity::kError), "error");
  out += StrCat(", ", Counted(report.Count(Severity::kWarning), "warning"));
  if (const size_t infos = report.Count(Severity::kInfo)) out += StrCat(", ", Counted(infos, "info"));
  if (!report.suppressed.empty()) out += StrCat(", ", report.suppressed.size(), " suppressed");
  return out;
}

}  // namespace

std::string PrintText(const Report& report, const TextStyle& style) { return TextPrinter(report, style).Print(); }

Document ToJson(const Report& report) { return JsonPrinter(report).Print(); }

std::string PrintGithub(const Report& report, Severity least) {
  constexpr std::array<std::string_view, 3> kLevels = {"error", "warning", "notice"};
  std::array<std::string, 3> lines;
  for (const Finding& finding : report.findings) {
    if (finding.severity > least || finding.fixed) continue;
    const auto level = static_cast<size_t>(finding.severity);
    const std::string text =
        StrCat(finding.path.empty() ? "" : StrCat(finding.path, ": "), finding.message,
               finding.advice.empty() ? "" : StrCat("; ", finding.advice), " [", finding.rule->code, "]");
    lines[level] += WorkflowCommand({kLevels[level],
                                     {report.files[finding.file].name(), finding.line},
                                     finding.column,
                                     NameOf(report, finding),
                                     text});
  }
  return StrCat(lines[0], lines[1], lines[2]);
}

std::string Summary(const Report& report, Severity least) {
  std::string out = StrCat(Counted(report.objects.size(), "object"), " in ", Counted(report.files.size(), "file"), ": ",
                           Counts(report), "\n");
  const size_t fixable = static_cast<size_t>(std::ranges::count_if(
      report.findings, [](const Finding& finding) { return finding.edit.has_value() && !finding.fixed; }));
  if (fixable > 0) out += StrCat(fixable, " can be fixed with --fix\n");
  if (least < Severity::kInfo && report.Count(Severity::kInfo) > 0) out += "infos are shown with --show=all\n";
  std::vector<std::string> unchecked = UncheckedKinds(report);
  if (!unchecked.empty()) {
    out += StrCat("not checked, as no schema is known (--schema, --from-server): ",
                  OneLine(NameSome(std::move(unchecked), kMostNamed)), "\n");
  }
  return out;
}

}  // namespace smp::lint
