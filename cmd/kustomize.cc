#include "cmd/kustomize.h"

#include <string_view>

#include "base/environment.h"
#include "base/process.h"
#include "base/strings.h"
#include "value/escape.h"
#include "value/json.h"

namespace smp::cmd {

namespace {

constexpr size_t kMaxOutputBytes = 256UL << 20;  // as for a file of -f
constexpr int64_t kTimeoutMs = 600'000;          // a target may be a git repository that has to be fetched

constexpr std::string_view kError = "error: ";
constexpr std::string_view kLogged = "] \"command failed\" err=";

Error CannotRun(const std::string& kubectl, const std::string& target, const Error& why) {
  if (why.code != ErrorCode::kNotFound) {
    return Error::InvalidArgument(StrCat("kubectl kustomize ", target, " failed: ", why.message));
  }
  return Error::InvalidArgument(
      StrCat("-k needs kubectl, which includes kustomize: ", why.message,
             kubectl == "kubectl" ? "; put kubectl on the PATH or set $KUBECTL_PATH" : " ($KUBECTL_PATH)"));
}

// Returns the position of the first line that begins with "error: " or is klog's entry for a failed command, which has
// a time stamp and a source position before the message. 0 if there is no such line.
size_t LastWords(std::string_view said) {
  size_t begin = 0;
  for (const std::string_view line : Split(said, '\n')) {
    if (line.starts_with(kError) || line.find(kLogged) != std::string_view::npos) return begin;
    begin += line.size() + 1;
  }
  return 0;
}

std::string InPlainWords(std::string_view said) {
  if (said.starts_with(kError)) return std::string(said.substr(kError.size()));
  const size_t logged = said.find(kLogged);
  if (logged == std::string_view::npos) return std::string(said);
  // The message is quoted by Go's strconv.Quote, whose result is valid JSON for all likely messages.
  const Result<Document> quoted = ParseJson(said.substr(logged + kLogged.size()));
  return std::string(quoted.ok() && quoted->root().is_string() ? quoted->root().AsString() : said);
}

// Returns kubectl's final error, so that it is reported once; prints its earlier messages to io.err.
Error Failure(const std::string& target, const ProcessResult& done, Io& io) {
  const std::string_view said = Trim(done.err);
  if (said.empty()) {
    return Error::InvalidArgument(StrCat("kubectl kustomize ", target, " failed with exit status ", done.exit_code));
  }
  const size_t at = LastWords(said);
  Tell(io, Visible(said.substr(0, at)));
  return Error::InvalidArgument(InPlainWords(said.substr(at)));
}

}  // namespace

Result<std::string> Kustomize(const std::string& target, Io& io) {
  const std::string kubectl = Environment("KUBECTL_PATH", "kubectl");
  const Result<ProcessResult> done = RunProcess({.argv = {kubectl, "kustomize", "--", target},
                                                 .errors = ChildErrors::kCapture,
                                                 .max_output_bytes = kMaxOutputBytes,
                                                 .timeout_ms = kTimeoutMs});
  if (!done.ok()) return CannotRun(kubectl, target, done.error());
  if (done->exit_code != 0) return Failure(target, *done, io);
  Tell(io, Visible(done->err));
  return done->out;
}

std::string KustomizeSourceName(const std::string& target) {
  return StrCat("output of \"kubectl kustomize ", target, "\"");
}

}  // namespace smp::cmd
