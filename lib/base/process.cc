#include "base/process.h"

#include <algorithm>
#include <memory>

#include "base/child.h"
#include "base/clock.h"
#include "base/strings.h"

namespace smp {
namespace {

// Longest delay until the end of a child is noticed while a pipe is still open.
constexpr int kLongestPollMs = 50;

Status CheckArguments(const std::vector<std::string>& argv) {
  return argv.empty() ? Status(Error::InvalidArgument("no program to run")) : Ok();
}

ChildSetup SetupFor(const ProcessOptions& options) {
  const InputFrom input = options.input == ChildInput::kText      ? InputFrom::kPipe
                          : options.input == ChildInput::kInherit ? InputFrom::kOurs
                                                                  : InputFrom::kNothing;
  return {.argv = options.argv,
          .environment = options.environment,
          .removed_variables = options.removed_variables,
          .folder = options.folder,
          .input = input,
          .output = OutputTo::kPipe,
          .errors = options.errors == ChildErrors::kCapture ? OutputTo::kPipe : OutputTo::kOurs};
}

Error Stopped(Child& child, const ProcessOptions& options, std::string_view why) {
  child.Stop();
  return Error::InvalidArgument(StrCat(options.argv.front(), " ", why, " and was killed"));
}

// Returns the error for a lost exit code: the program may have failed, so its output must not be used.
Error Lost(const std::vector<std::string>& argv) {
  return Error::InvalidArgument(
      StrCat("cannot determine whether ", argv.front(), " succeeded: its exit status was lost"));
}

int PollMs(const Child& child, int64_t left_ms) {
  // If no pipe is open to wake us, the child will end soon: poll often.
  return static_cast<int>(std::clamp<int64_t>(left_ms, 0, child.gives_output() ? kLongestPollMs : 2));
}

}  // namespace

Result<ProcessResult> RunProcess(const ProcessOptions& options) {
  SMP_TRY(CheckArguments(options.argv));
  const int64_t deadline_ms = MonotonicMs() + options.timeout_ms;
  SMP_ASSIGN(const std::unique_ptr<Child> child, Child::Start(SetupFor(options)));
  std::string_view input = options.input_text;
  ProcessResult result;
  for (;;) {
    if (child->takes_input()) child->Feed(input);
    // Check for the end before draining: what a child wrote before it ended is then in the pipe. Its own children may
    // keep the pipe open for longer; they are not waited for.
    const Waited waited = child->TryWait();
    if (waited.state == ChildState::kLost) return Lost(options.argv);
    const bool ended = waited.state == ChildState::kEnded;
    const bool fits = child->DrainOutput(options.max_output_bytes, result.out) &&
                      child->DrainErrors(options.max_output_bytes, result.err);
    if (ended && fits) {
      result.exit_code = waited.exit_code;
      return result;
    }
    const std::string too_much = StrCat("printed more than ", options.max_output_bytes, " bytes");
    if (ended) return Error::InvalidArgument(StrCat(options.argv.front(), " ", too_much));
    if (!fits) return Stopped(*child, options, too_much);
    const int64_t left_ms = deadline_ms - MonotonicMs();
    if (left_ms <= 0) {
      return Stopped(*child, options, StrCat("did not exit within ", options.timeout_ms, " ms"));
    }
    child->WaitForPipes(PollMs(*child, left_ms));
  }
}

Result<int> RunInTerminal(const std::vector<std::string>& argv, const Interrupt& interrupt) {
  SMP_TRY(CheckArguments(argv));
  const InterruptsLeftToChild left;
  SMP_ASSIGN(const std::unique_ptr<Child> child, Child::Start({.argv = argv, .input = InputFrom::kOurs}));
  for (int64_t pause_ms = 1;; pause_ms = std::min<int64_t>(2 * pause_ms, kLongestPollMs)) {
    const Waited waited = child->TryWait();
    if (waited.state == ChildState::kEnded) return waited.exit_code;
    if (waited.state == ChildState::kLost) return Lost(argv);
    if (interrupt.SleepMs(pause_ms)) continue;
    child->Stop();
    return Error::Refused(StrCat("interrupted, and ended ", argv.front()));
  }
}

Result<int> RunPager(const std::vector<std::string>& argv, std::string_view text,
                     const std::vector<std::pair<std::string, std::string>>& environment) {
  SMP_TRY(CheckArguments(argv));
  const InterruptsLeftToChild left;
  SMP_ASSIGN(
      const std::unique_ptr<Child> child,
      Child::Start({.argv = argv, .environment = environment, .input = InputFrom::kPipe, .waits_for_reader = true}));
  do {
    child->Feed(text);
  } while (child->takes_input());
  const Waited waited = child->Wait();
  if (waited.state == ChildState::kLost) return Lost(argv);
  return waited.exit_code;
}

}  // namespace smp
