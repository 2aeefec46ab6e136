#include "base/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

namespace smp {
namespace {

ProcessResult Sh(const std::string& script, ProcessOptions options = {}) {
  options.argv = {"/bin/sh", "-c", script};
  options.errors = ChildErrors::kCapture;
  Result<ProcessResult> result = RunProcess(options);
  EXPECT_TRUE(result.ok()) << result.error().message;
  return result.ok() ? *result : ProcessResult{-1, "", ""};
}

std::string ErrorOf(const ProcessOptions& options) {
  const Result<ProcessResult> result = RunProcess(options);
  return result.ok() ? "no error" : result.error().message;
}

TEST(RunProcess, GivesOutputErrorsAndExitCodeApart) {
  const ProcessResult result = Sh("echo out; echo err >&2; exit 3");
  EXPECT_EQ(result.out, "out\n");
  EXPECT_EQ(result.err, "err\n");
  EXPECT_EQ(result.exit_code, 3);
}

TEST(RunProcess, CountsSignalsAsAShellDoes) { EXPECT_EQ(Sh("kill -9 $$").exit_code, 128 + 9); }

TEST(RunProcess, TakesArgumentsAsTheyAre) {
  const Result<ProcessResult> result = RunProcess({.argv = {"printf", "%s|", "a b", "$HOME", "*", ""}});
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->out, "a b|$HOME|*||");
}

TEST(RunProcess, SetsVariablesOverItsOwnAndTheLastOneCounts) {
  setenv("SMP_PROCESS_TEST", "ours", 1);
  setenv("SMP_PROCESS_KEPT", "kept", 1);
  const ProcessResult result = Sh("echo $SMP_PROCESS_TEST $SMP_PROCESS_KEPT; env | grep -c ^SMP_PROCESS_TEST=",
                                  {.environment = {{"SMP_PROCESS_TEST", "1"}, {"SMP_PROCESS_TEST", "2"}}});
  EXPECT_EQ(result.out, "2 kept\n1\n");
}

TEST(RunProcess, InputIsEmptyUnlessGiven) {
  EXPECT_EQ(Sh("cat").out, "");
  EXPECT_EQ(Sh("cat", {.input = ChildInput::kText, .input_text = "text"}).out, "text");
}

TEST(RunProcess, LargeInputAndOutputPassAtOnce) {
  const std::string text(3 << 20, 'x');
  EXPECT_EQ(Sh("cat", {.input = ChildInput::kText, .input_text = text}).out, text);
}

TEST(RunProcess, ChildThatDoesNotReadItsInputIsNoError) {
  const std::string text(3 << 20, 'x');
  EXPECT_EQ(Sh("exec <&-; echo done", {.input = ChildInput::kText, .input_text = text}).out, "done\n");
}

TEST(RunProcess, EndsAChildThatPrintsTooMuch) {
  const ProcessOptions options = {.argv = {"yes"}, .max_output_bytes = 100'000};
  EXPECT_EQ(ErrorOf(options), "yes printed more than 100000 bytes and was killed");
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a zombie is left";
}

TEST(RunProcess, EndsAChildThatDoesNotEnd) {
  EXPECT_EQ(ErrorOf({.argv = {"sleep", "100"}, .timeout_ms = 50}), "sleep did not exit within 50 ms and was killed");
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a zombie is left";
}

TEST(RunProcess, DoesNotWaitForTheChildrenOfTheChild) {
  const ProcessResult result = Sh("sleep 600 & echo $!");
  EXPECT_EQ(kill(std::stoi(result.out), SIGKILL), 0) << "it has ended";
}

TEST(RunProcess, PassesNoDescriptorsButTheThree) {
  const int leaky = open("/dev/null", O_RDONLY);  // without CLOEXEC, as a library might
  const ProcessResult result = Sh("for n in 0 1 2 3 4 5 6 7 8 9; do (: <&$n) 2>/dev/null && echo $n; done");
  EXPECT_EQ(result.out, "0\n1\n2\n");
  close(leaky);
}

TEST(RunProcess, ChildBlocksAndIgnoresNoSignals) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const auto pipe_before = signal(SIGPIPE, SIG_IGN);
  const ProcessResult result = Sh("grep SigBlk /proc/self/status; kill -PIPE $$; echo still there");
  signal(SIGPIPE, pipe_before);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(result.out, "SigBlk:\t0000000000000000\n");
  EXPECT_EQ(result.exit_code, 128 + SIGPIPE);
}

TEST(RunProcess, AFailureIsSeenWhereChildrenAreIgnored) {
  struct sigaction before;
  sigaction(SIGCHLD, nullptr, &before);
  struct sigaction ignoring = {};
  ignoring.sa_handler = SIG_IGN;
  struct sigaction not_waiting = {};
  not_waiting.sa_handler = SIG_DFL;
  not_waiting.sa_flags = SA_NOCLDWAIT;
  for (const struct sigaction& action : {ignoring, not_waiting}) {
    sigaction(SIGCHLD, &action, nullptr);
    EXPECT_EQ(Sh("exit 3").exit_code, 3);
  }
  sigaction(SIGCHLD, &before, nullptr);
}

TEST(RunProcess, TheChildIgnoresNoChildren) {
  const auto before = signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(Sh("grep -c 'SigIgn:.*[13579bdf]....$' /proc/self/status").out, "0\n") << SIGCHLD << " is ignored";
  signal(SIGCHLD, before);
}

TEST(RunProcess, ALostExitCodeIsAnError) {
  // The child has this process ignore its children, waits until it does, and fails.
  static const std::string done = std::filesystem::temp_directory_path() / ("lost-" + std::to_string(getpid()));
  static const char* const done_file = done.c_str();
  const auto ignore_children = [](int) {
    signal(SIGCHLD, SIG_IGN);
    close(open(done_file, O_CREAT | O_WRONLY, 0600));
  };
  const auto usr1_before = signal(SIGUSR1, ignore_children);
  const auto children_before = signal(SIGCHLD, SIG_DFL);
  const std::string script = "echo created; kill -USR1 $PPID; while ! test -e " + done + "; do :; done; exit 1";
  EXPECT_EQ(ErrorOf({.argv = {"/bin/sh", "-c", script}}),
            "cannot determine whether /bin/sh succeeded: its exit status was lost");
  signal(SIGCHLD, children_before);
  signal(SIGUSR1, usr1_before);
  std::filesystem::remove(done);
}

TEST(RunProcess, ManyThreadsRunManyChildren) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([i] {
      for (int k = 0; k < 5; ++k) EXPECT_EQ(Sh("cat", {.input = ChildInput::kText, .input_text = "x"}).out, "x") << i;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a zombie is left";
}

TEST(RunProcess, MissingProgramsAreNotFound) {
  EXPECT_EQ(ErrorOf({.argv = {"no-such-program"}}), "executable no-such-program not found on PATH");
  EXPECT_EQ(ErrorOf({.argv = {"/no/such"}}), "cannot run /no/such: No such file or directory");
  EXPECT_EQ(RunProcess({.argv = {"/no/such"}}).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(ErrorOf({.argv = {"/etc"}}), "cannot run /etc: Permission denied");
  EXPECT_EQ(ErrorOf({}), "no program to run");
}

TEST(FindProgram, SkipsRelativeFoldersOfPath) {
  const std::string before = getenv("PATH");
  const std::string here = std::filesystem::current_path();
  std::filesystem::current_path("/bin");
  setenv("PATH", ".::bin", 1);
  EXPECT_FALSE(FindProgram("sh").ok());
  setenv("PATH", ".:/usr/:/bin/:/usr/bin", 1);
  EXPECT_EQ(*FindProgram("sh"), "/bin/sh");
  EXPECT_FALSE(FindProgram("bin").ok()) << "/usr/bin is a folder";
  EXPECT_FALSE(FindProgram("").ok());
  setenv("PATH", before.c_str(), 1);
  std::filesystem::current_path(here);
}

}  // namespace
}  // namespace smp
