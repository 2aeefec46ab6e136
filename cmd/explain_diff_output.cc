#include "cmd/explain_diff_output.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "base/clock.h"
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
#include "explain/summary.h"
#include "explain/text.h"
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

void TellErrors(const explain::Report& report, Io& io) {
  ErrorTeller teller(io);
  for (const explain::ObjectReport& object : report.objects) {
    if (object.error) teller.Tell(*object.error);
  }
  teller.Finish();
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
  PrintPaged(explain::Rendered(explain::WithRolesOfDiff(diff), ToColor(flags)), flags, io);
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

// Returns any --output but diff. Errors of objects go to io.err, unless the format includes them.
std::string Printed(const explain::Report& report, const ParsedFlags& flags, Io& io) {
  const std::string format = flags.Text("output");
  if (format == "json") return VisibleJson(WriteIndentedJson(explain::ToJson(report).root(), 2)) + "\n";
  if (format == "yaml") return yaml::WriteVisibleYaml(explain::ToJson(report).root());
  if (format == "markdown") return explain::PrintMarkdown(report);
  if (format == "github") {
    TellIgnored(report, io);
    return explain::PrintGithub(report);
  }
  TellErrors(report, io);
  if (format == "html") return explain::PrintHtml(report, ToHtmlOptions());
  if (format == "summary") return explain::PrintSummary(report, ToColor(flags));
  TellOfRedacted(report, io);
  if (format == "patch") return explain::PrintJsonLines(report);
  if (format == "curl") return explain::PrintCurl(report);
  return explain::PrintText(report, ToTextOptions(flags));
}

}  // namespace

Status PrintReport(const explain::Report& report, const ParsedFlags& flags, Io& io) {
  const std::string format = flags.Text("output");
  if (format == "diff") return PrintDiff(report, flags, io);
  const std::string text = Printed(report, flags, io);
  if (format == "text" || format == "summary") {
    PrintPaged(text, flags, io);
  } else {
    io.out << text << std::flush;
  }
  return Ok();
}

void PrintReasons(const ParsedFlags& flags, Io& io) {
  PrintPaged(explain::PrintReasons(ToTextOptions(flags)), flags, io);
}

}  // namespace smp::cmd
