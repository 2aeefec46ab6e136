#include "cmd/explain_diff_output.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/name_some.h"
#include "base/strings.h"
#include "cmd/color.h"
#include "cmd/error_teller.h"
#include "cmd/external_diff.h"
#include "cmd/pager.h"
#include "explain/github.h"
#include "explain/html.h"
#include "explain/in_words.h"
#include "explain/json.h"
#include "explain/markdown.h"
#include "explain/reasons.h"
#include "explain/requests.h"
#include "explain/style.h"
#include "explain/text.h"
#include "smp/foretell.h"
#include "value/escape.h"
#include "value/json.h"
#include "yaml/write_yaml.h"

namespace smp::cmd {

namespace {

void Note(Io& io, const explain::ObjectReport& object, std::string_view text) {
  const std::string line = StrCat(object.kind, "/", object.name, ": ", text);
  Tell(io, StrCat(Visible(line, Newlines::kEscape), "\n"));
}

void TellOfRedacted(const explain::Report& report, Io& io) {
  for (const explain::ObjectReport& object : report.objects) {
    const bool redacted = std::any_of(object.requests.begin(), object.requests.end(),
                                      [](const explain::Request& request) { return request.redacted; });
    if (redacted) Note(io, object, "redacted, not replayable; use --show-secrets to show the values");
  }
}

// Says in plain words that nobody has refused the object yet.
Error InPlainWords(Error error) {
  if (!error.message.starts_with(kForetold)) return error;
  error.message.replace(0, kForetold.size(), "will be refused: ");
  return error;
}

constexpr size_t kNamedPlaces = 3;

// Returns each error once, with the places of the objects that have the same one.
std::vector<std::pair<Error, std::vector<std::string>>> DistinctErrors(const explain::Report& report) {
  std::vector<std::pair<Error, std::vector<std::string>>> out;
  std::map<std::string, size_t> seen;
  for (const explain::ObjectReport& object : report.objects) {
    if (!object.error) continue;
    Error error = InPlainWords(*object.error);
    // Errors without a place are told each: nothing else tells them apart.
    const std::string place = error.source.line > 0 ? ToString(error.source) : "";
    const std::string key = place.empty() ? StrCat(out.size()) : StrCat(error.path, "\n", error.message);
    const auto [at, is_new] = seen.try_emplace(key, out.size());
    if (is_new) {
      out.push_back({std::move(error), {}});
    } else {
      out[at->second].second.push_back(place);
    }
  }
  return out;
}

// For the formats without an end that counts the objects.
void TellIgnored(const explain::Report& report, Io& io) {
  if (const std::string ignored = explain::CountIgnored(report); !ignored.empty()) Tell(io, StrCat(ignored, "\n"));
}

Status PrintDiff(const explain::Report& report, const ParsedFlags& flags, Io& io) {
  TellErrors(report, io);
  TellIgnored(report, io);
  Tell(io, explain::ComparedPlaces(report));
  for (const explain::ObjectReport& object : report.objects) {
    if (object.action == explain::Action::kRecord) Note(io, object, explain::ActionWords(object));
  }
  io.out << std::flush;
  SMP_ASSIGN(const std::string diff, ShowDifferences(report));
  PrintPaged(WithoutWorkflowCommands(explain::Rendered(explain::WithRolesOfDiff(diff), ToColor(flags))), flags, io);
  return Ok();
}

explain::TextOptions ToTextOptions(const ParsedFlags& flags) {
  const std::optional<size_t> terminal = TerminalWidth();
  std::error_code error;
  return {.width = terminal.value_or(explain::TextOptions().width),
          .wide = flags.On("wide"),
          .unchanged = flags.Text("show") == "all",
          .legend = terminal.has_value(),
          .color = ToColor(flags),
          .directory = std::filesystem::current_path(error).string()};
}

explain::HtmlOptions ToHtmlOptions() {
  std::error_code error;
  return {.directory = std::filesystem::current_path(error).string(), .made_at = ProcessClock().WallTime()};
}

}  // namespace

ReportPrinter::ReportPrinter(const ParsedFlags& flags, Io& io)
    : flags_(flags), io_(io), format_(flags.Text("output")), text_(ToTextOptions(flags)) {}

void ReportPrinter::Take(explain::ObjectReport& object) {
  if (format_ == "text") {
    text_.Add(object);
  } else if (format_ == "summary") {
    summary_.Add(object);
  } else {
    return;
  }
  explain::ForgetRows(object);
}

// Returns any --output but diff.
std::string ReportPrinter::Printed(const explain::Report& report) {
  if (format_ == "json") return VisibleJson(WriteIndentedJson(explain::ToJson(report).root(), 2)) + "\n";
  if (format_ == "yaml") return yaml::WriteVisibleYaml(explain::ToJson(report).root());
  if (format_ == "markdown") return explain::PrintMarkdown(report);
  if (format_ == "github") {
    TellIgnored(report, io_);
    return explain::PrintGithub(report);
  }
  TellErrors(report, io_);
  if (format_ == "html") return explain::PrintHtml(report, ToHtmlOptions());
  if (format_ == "summary") return summary_.Print(report, ToColor(flags_));
  TellOfRedacted(report, io_);
  if (format_ == "patch") return explain::PrintJsonLines(report);
  if (format_ == "curl") return explain::PrintCurl(report);
  return text_.Print(report);
}

Status ReportPrinter::Print(const explain::Report& report) {
  if (format_ == "diff") return PrintDiff(report, flags_, io_);
  const std::string text = Printed(report);
  if (format_ == "text" || format_ == "summary") {
    PrintPaged(text, flags_, io_);
  } else {
    io_.out << text << std::flush;
  }
  return Ok();
}

void TellErrors(const explain::Report& report, Io& io) {
  ErrorTeller teller(io);
  for (auto& [error, elsewhere] : DistinctErrors(report)) {
    if (!elsewhere.empty()) {
      const std::string others = StrCat(" (likewise ", NameSome(std::move(elsewhere), kNamedPlaces), ")");
      error.message.insert(std::min(error.message.find('\n'), error.message.size()), others);  // advice is below
    }
    teller.Tell(error);
  }
  teller.Finish();
}

void PrintReasons(const ParsedFlags& flags, Io& io) {
  PrintPaged(explain::PrintReasons(ToTextOptions(flags)), flags, io);
}

}  // namespace smp::cmd
