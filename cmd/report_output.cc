#include "cmd/report_output.h"

#include "base/strings.h"
#include "cmd/exit_code.h"
#include "explain/json.h"
#include "explain/text.h"
#include "value/escape.h"
#include "value/json.h"

namespace smp::cmd {

namespace {

void Note(Io& io, const explain::ObjectReport& object, std::string_view text) {
  const std::string line = StrCat(object.kind, "/", object.name, ": ", text);
  Tell(io, StrCat(Printable(line, Newlines::kEscape), "\n"));
}

// The patch bodies as they would be sent, one JSON value for each object that changes.
std::string PrintPatches(const explain::Report& report, Io& io) {
  std::string out;
  for (const explain::ObjectReport& object : report.objects) {
    if (object.action == explain::Action::kCreate)
      Note(io, object, "does not exist; apply would create it, not patch it");
    if (object.action == explain::Action::kPrune) Note(io, object, "would be deleted, not patched");
    if (!object.patch) continue;
    if (object.patch->redacted) Note(io, object, "redacted, not replayable; use --show-secrets to show the values");
    out += VisibleJson(WriteIndentedJson(object.patch->body.root(), 2)) + "\n";
  }
  return out;
}

// Prints repeated errors of an unreachable server only once.
void TellErrors(const explain::Report& report, Io& io) {
  const Error* told = nullptr;
  size_t same = 0;
  for (const explain::ObjectReport& object : report.objects) {
    if (!object.error) continue;
    const bool again = told != nullptr && object.error->message == told->message;
    same += again ? 1 : 0;
    if (!again) (void)Fail(io, *object.error, kExitDiffError);
    if (object.error->code == ErrorCode::kTransport) told = &*object.error;
  }
  if (same > 0)
    Tell(io, StrCat("error: ", same, same == 1 ? " more object" : " more objects", " failed for the same reason\n"));
}

}  // namespace

std::string PrintReport(const explain::Report& report, const std::string& format, Io& io) {
  if (format == "json") return VisibleJson(WriteIndentedJson(explain::ToJson(report).root(), 2)) + "\n";
  TellErrors(report, io);
  return format == "patch" ? PrintPatches(report, io) : explain::PrintText(report);
}

int ExitStatus(const explain::Report& report, const std::string& mode) {
  bool differs = false;
  for (const explain::ObjectReport& object : report.objects) {
    if (object.error) return mode == "detailed" ? DetailedExitCode(object.error->code) : kExitDiffError;
    differs |= object.differs();
  }
  return differs && mode != "never" ? kExitDifferences : kExitOk;
}

}  // namespace smp::cmd
