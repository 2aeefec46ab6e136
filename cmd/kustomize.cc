#include "cmd/kustomize.h"

#include <cstdlib>

#include "base/process.h"
#include "base/strings.h"

namespace smp {

namespace {

constexpr size_t kMaxOutputBytes = 256UL << 20;  // as a file of -f
constexpr int64_t kTimeoutMs = 600'000;          // a target may be a git repository that has to be fetched

std::string KubectlPath() {
  const char* path = std::getenv("KUBECTL_PATH");
  return path == nullptr || *path == '\0' ? "kubectl" : path;
}

Error CannotRun(const std::string& kubectl, const Error& why) {
  return Error::InvalidArgument(
      StrCat("-k needs kubectl, which has kustomize inside: ", why.message,
             kubectl == "kubectl" ? "; put kubectl on the PATH, or name it by $KUBECTL_PATH" : " ($KUBECTL_PATH)"));
}

}  // namespace

Result<std::string> Kustomize(const std::string& target, Io& io) {
  const std::string kubectl = KubectlPath();
  const Result<ProcessResult> done = RunProcess({.argv = {kubectl, "kustomize", "--", target},
                                                 .errors = ChildErrors::kCapture,
                                                 .max_output_bytes = kMaxOutputBytes,
                                                 .timeout_ms = kTimeoutMs});
  if (!done.ok()) return CannotRun(kubectl, done.error());
  io.err << Printable(done->err) << std::flush;
  if (done->exit_code == 0) return done->out;
  return Error::InvalidArgument(StrCat("kubectl kustomize ", target, " failed with exit status ", done->exit_code));
}

}  // namespace smp
