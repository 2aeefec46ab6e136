#include "cmd/wait_ready_flag.h"

#include <utility>

#include "apply/manifests.h"
#include "base/clock.h"
#include "base/duration.h"
#include "base/interrupt.h"
#include "base/strings.h"
#include "cmd/exit_code.h"
#include "cmd/object_printer.h"
#include "value/escape.h"

namespace smp::cmd {

namespace {

constexpr char kDefault[] = "5m";

void SayState(const apply::WaitedObject& object, Io& io) {
  const bool ready = object.state.readiness == apply::Readiness::kReady;
  const bool unknown = object.state.readiness == apply::Readiness::kUnknown;
  const std::string what =
      ready ? "is ready" : StrCat(unknown ? "is not waited for: " : "waiting: ", object.state.reason);
  // Failures are reported at the end of the wait.
  if (object.state.readiness == apply::Readiness::kFailed) return;
  Tell(io, StrCat(LabelOf(object.ref), " ", Visible(what, Newlines::kEscape), "\n"));
}

std::string NotReadyWhen(const apply::WaitedObject& object, int64_t timeout_ms) {
  if (object.state.readiness == apply::Readiness::kFailed) return "is not ready";
  if (ProcessInterrupt().raised()) return "was not ready when the wait was interrupted";
  return StrCat("is not ready after ", timeout_ms / 1000, " s");
}

Error NotReady(const apply::WaitedObject& object, int64_t timeout_ms) {
  const std::string reason = Visible(object.state.reason, Newlines::kEscape);
  Error error{ErrorCode::kServer, StrCat(NotReadyWhen(object, timeout_ms), ": ", reason)};
  error.path = apply::Label(object.ref.gvk, object.ref.name);
  return error;
}

}  // namespace

Flag WaitReadyFlag() {
  return {.name = "wait-ready",
          .placeholder = "DURATION",
          .help =
              "wait until the applied objects are ready, for this long at most (5m without a value): Deployments, "
              "StatefulSets, DaemonSets, Jobs, Pods, CustomResourceDefinitions and kinds with a Ready condition",
          .bare = kDefault,
          .group = FlagGroup::kRequests};
}

Result<std::optional<int64_t>> ToWaitReady(const ParsedFlags& flags) {
  if (!flags.Given("wait-ready")) return std::optional<int64_t>();
  const Result<int64_t> timeout_ms = ParseTimeoutMs(flags.Text("wait-ready"));
  if (!timeout_ms.ok()) return Error::InvalidArgument(StrCat("--wait-ready: ", timeout_ms.error().message));
  return std::optional(*timeout_ms);
}

int RunWaitReady(const Connection& connection, std::vector<apply::WaitedObject> objects, int64_t timeout_ms, Io& io) {
  apply::WaitOptions options;
  options.timeout_ms = timeout_ms;
  options.changed = [&io](const apply::WaitedObject& object) { SayState(object, io); };
  int exit = kExitOk;
  for (const apply::WaitedObject& object :
       apply::WaitUntilReady(*connection.client, std::move(objects), options, ProcessClock())) {
    const bool good =
        object.state.readiness == apply::Readiness::kReady || object.state.readiness == apply::Readiness::kUnknown;
    if (!good) exit = Fail(io, NotReady(object, timeout_ms), kExitFailed);
  }
  return ProcessInterrupt().raised() ? kExitInterrupted : exit;
}

}  // namespace smp::cmd
