#include "base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/clock.h"
#include "base/fd.h"
#include "base/strings.h"

extern char** environ;

namespace smp {
namespace {

constexpr int64_t kGraceAfterTermMs = 2000;  // between SIGTERM and SIGKILL
// Longest delay until the end of a child is noticed while a pipe is still open.
constexpr int kLongestPollMs = 50;

// --- descriptors

struct Pipe {
  Fd read;
  Fd write;
};

// Duplicates `fd` to 3 or above, so that it cannot collide with the child's 0, 1 and 2 even if ours are closed.
Fd AboveStandard(const Fd& fd) { return Fd(fcntl(fd.get(), F_DUPFD_CLOEXEC, 3)); }

Result<Pipe> MakePipe() {
  int ends[2];
  if (pipe(ends) != 0) return Error::InvalidArgument(StrCat("cannot create a pipe: ", std::strerror(errno)));
  const Fd read(ends[0]);
  const Fd write(ends[1]);
  Pipe out{AboveStandard(read), AboveStandard(write)};
  if (!out.read.open() || !out.write.open()) {
    return Error::InvalidArgument(StrCat("cannot create a pipe: ", std::strerror(errno)));
  }
  return out;
}

void SetNonBlocking(const Fd& fd) { (void)fcntl(fd.get(), F_SETFL, fcntl(fd.get(), F_GETFL) | O_NONBLOCK); }

// --- start

std::vector<std::string> Environment(const std::vector<std::pair<std::string, std::string>>& changes,
                                     const std::vector<std::string>& removed = {}) {
  std::vector<std::string> out;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    const bool replaced = std::any_of(changes.begin(), changes.end(), [&](const auto& c) { return c.first == name; });
    if (!replaced && std::find(removed.begin(), removed.end(), name) == removed.end()) out.emplace_back(text);
  }
  for (size_t i = 0; i < changes.size(); ++i) {
    const bool again = std::any_of(changes.begin() + static_cast<std::ptrdiff_t>(i) + 1, changes.end(),
                                   [&](const auto& c) { return c.first == changes[i].first; });
    if (!again) out.push_back(StrCat(changes[i].first, "=", changes[i].second));
  }
  return out;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

// What posix_spawn does between fork and exec.
class SpawnPlan {
 public:
  SpawnPlan() {
    (void)posix_spawn_file_actions_init(&actions_);
    (void)posix_spawnattr_init(&attributes_);
    // The child must not inherit the signal mask of the starting thread, nor ignored SIGPIPE or SIGCHLD (which the
    // program may itself have inherited as ignored).
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigemptyset(&defaulted_);
    for (const int number : {SIGPIPE, SIGCHLD}) (void)sigaddset(&defaulted_, number);
    (void)posix_spawnattr_setsigmask(&attributes_, &none);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
#ifdef POSIX_SPAWN_CLOEXEC_DEFAULT
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
    (void)posix_spawnattr_setflags(&attributes_, flags);
  }
  ~SpawnPlan() {
    (void)posix_spawn_file_actions_destroy(&actions_);
    (void)posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  void Use(const Fd& fd, int as) { (void)posix_spawn_file_actions_adddup2(&actions_, fd.get(), as); }
  void Inherit(int fd) { (void)posix_spawn_file_actions_adddup2(&actions_, fd, fd); }
  // Resets the signal to its default action in the child.
  void Default(int number) { (void)sigaddset(&defaulted_, number); }
  void UseNothing(int as) { (void)posix_spawn_file_actions_addopen(&actions_, as, "/dev/null", O_RDONLY, 0); }

  // Returns 0 if started, else the errno.
  int Start(const std::string& program, std::vector<std::string> argv, std::vector<std::string> environment,
            pid_t& pid) {
#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 34)
    // Libraries do not open everything with CLOEXEC, e.g. libcurl's sockets.
    (void)posix_spawn_file_actions_addclosefrom_np(&actions_, 3);
#endif
#endif
    (void)posix_spawnattr_setsigdefault(&attributes_, &defaulted_);
    return posix_spawn(&pid, program.c_str(), &actions_, &attributes_, Pointers(argv).data(),
                       Pointers(environment).data());
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
  sigset_t defaulted_;
};

// A running child and our ends of its pipes.
struct Child {
  pid_t pid = 0;
  Fd input;
  Fd out;
  Fd errors;
};

Error CannotRun(const std::string& program, int number) {
  const std::string message = StrCat("cannot run ", program, ": ", std::strerror(number));
  return number == ENOENT || number == ENOTDIR ? Error::NotFound(message) : Error::InvalidArgument(message);
}

Result<Child> Start(const ProcessOptions& options) {
  SMP_ASSIGN(const std::string program, FindProgram(options.argv.front()));
  SMP_ASSIGN(Pipe out, MakePipe());
  SpawnPlan plan;
  Pipe in;
  Pipe errors;
  switch (options.input) {
    case ChildInput::kNothing: plan.UseNothing(0); break;
    case ChildInput::kInherit: plan.Inherit(0); break;
    case ChildInput::kText: {
      SMP_ASSIGN(in, MakePipe());
      plan.Use(in.read, 0);
    }
  }
  plan.Use(out.write, 1);
  if (options.errors == ChildErrors::kCapture) {
    SMP_ASSIGN(errors, MakePipe());
    plan.Use(errors.write, 2);
  } else {
    plan.Inherit(2);
  }
  Child child;
  const int number =
      plan.Start(program, options.argv, Environment(options.environment, options.removed_variables), child.pid);
  if (number != 0) return CannotRun(program, number);
  child.input = std::move(in.write);
  child.out = std::move(out.read);
  child.errors = std::move(errors.read);
  for (const Fd* fd : {&child.input, &child.out, &child.errors}) {
    if (fd->open()) SetNonBlocking(*fd);
  }
  return child;
}

// --- pipes

// While one exists, writing to a closed pipe in this thread fails with EPIPE and raises no signal.
class PipeSignalBlocked {
 public:
  PipeSignalBlocked() {
    (void)sigemptyset(&pipe_);
    (void)sigaddset(&pipe_, SIGPIPE);
    pending_before_ = Pending();
    (void)pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~PipeSignalBlocked() {
    int taken = 0;
    if (!pending_before_ && Pending()) (void)sigwait(&pipe_, &taken);
    (void)pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  PipeSignalBlocked(const PipeSignalBlocked&) = delete;
  PipeSignalBlocked& operator=(const PipeSignalBlocked&) = delete;

 private:
  static bool Pending() {
    sigset_t pending;
    return sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
  }
  sigset_t pipe_;
  sigset_t before_;
  bool pending_before_ = false;
};

bool WouldBlock(ssize_t done) { return done < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR); }

// Writes as much as the pipe takes; closes it after the last byte or if the reader has closed it.
void Feed(Fd& fd, std::string_view& text) {
  const PipeSignalBlocked blocked;
  while (!text.empty()) {
    const ssize_t done = write(fd.get(), text.data(), text.size());
    if (WouldBlock(done)) return;
    if (done < 0) break;
    text.remove_prefix(static_cast<size_t>(done));
  }
  fd.Close();
}

// Reads what is available; closes the pipe at end of file. Returns false if `text` would exceed `max_bytes`.
bool Drain(Fd& fd, size_t max_bytes, std::string& text) {
  std::array<char, 16384> block;
  while (fd.open()) {
    const ssize_t got = read(fd.get(), block.data(), block.size());
    if (WouldBlock(got)) return true;
    if (got <= 0) {
      fd.Close();
      return true;
    }
    if (text.size() + static_cast<size_t>(got) > max_bytes) return false;
    text.append(block.data(), static_cast<size_t>(got));
  }
  return true;
}

void WaitForPipes(const Child& child, int timeout_ms) {
  std::array<pollfd, 3> polled = {pollfd{child.input.get(), POLLOUT, 0}, pollfd{child.out.get(), POLLIN, 0},
                                  pollfd{child.errors.get(), POLLIN, 0}};  // poll skips a negative descriptor
  (void)poll(polled.data(), polled.size(), timeout_ms);
}

// --- end

int ExitCode(int wait_status) {
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

// A process that ignores SIGCHLD gets no exit codes (POSIX, wait: ECHILD), and may have inherited that, e.g. from a
// supervisor. The change is permanent, as another thread's child may be running. A handler of our own is kept.
void KeepExitCodes() {
  struct sigaction action = {};
  if (sigaction(SIGCHLD, nullptr, &action) != 0) return;
  const bool ignored = (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_IGN;
  if (!ignored && (action.sa_flags & SA_NOCLDWAIT) == 0) return;
  if (ignored) action.sa_handler = SIG_DFL;
  action.sa_flags &= ~SA_NOCLDWAIT;
  (void)sigaction(SIGCHLD, &action, nullptr);
}

enum class ChildState { kRuns, kEnded, kLost };

struct Waited {
  ChildState state;
  int exit_code = 0;  // if kEnded
};

Waited TryWait(pid_t pid) {
  int status = 0;
  const pid_t got = waitpid(pid, &status, WNOHANG);
  if (got == pid) return {ChildState::kEnded, ExitCode(status)};
  return {got < 0 && errno == ECHILD ? ChildState::kLost : ChildState::kRuns};
}

void Stop(pid_t pid) {
  (void)kill(pid, SIGTERM);
  const int64_t deadline_ms = MonotonicMs() + kGraceAfterTermMs;
  while (MonotonicMs() < deadline_ms) {
    if (TryWait(pid).state != ChildState::kRuns) return;
    (void)poll(nullptr, 0, 10);
  }
  (void)kill(pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
}

Error Stopped(Child& child, const ProcessOptions& options, std::string_view why) {
  Stop(child.pid);
  return Error::InvalidArgument(StrCat(options.argv.front(), " ", why, " and was killed"));
}

// Returns the error for a lost exit code: the program may have failed, so its output must not be used.
Error Lost(const ProcessOptions& options) {
  return Error::InvalidArgument(
      StrCat("cannot determine whether ", options.argv.front(), " succeeded: its exit status was lost"));
}

int PollMs(const Child& child, int64_t left_ms) {
  // If no pipe is open to wake us, the child will end soon: poll often.
  const int longest = child.out.open() || child.errors.open() ? kLongestPollMs : 2;
  return static_cast<int>(std::clamp<int64_t>(left_ms, 0, longest));
}

// While one exists, this process ignores Ctrl-C, as in system().
class InterruptsIgnored {
 public:
  InterruptsIgnored() {
    struct sigaction ignore = {};
    ignore.sa_handler = SIG_IGN;
    (void)sigaction(SIGINT, &ignore, &interrupt_);
    (void)sigaction(SIGQUIT, &ignore, &quit_);
  }
  ~InterruptsIgnored() {
    (void)sigaction(SIGINT, &interrupt_, nullptr);
    (void)sigaction(SIGQUIT, &quit_, nullptr);
  }
  InterruptsIgnored(const InterruptsIgnored&) = delete;
  InterruptsIgnored& operator=(const InterruptsIgnored&) = delete;

  // Resets the signals in the child unless they were ignored before.
  void PassOn(SpawnPlan& plan) const {
    if (interrupt_.sa_handler != SIG_IGN) plan.Default(SIGINT);
    if (quit_.sa_handler != SIG_IGN) plan.Default(SIGQUIT);
  }

 private:
  struct sigaction interrupt_ = {};
  struct sigaction quit_ = {};
};

// Starts a program with our standard output and error.
Result<pid_t> StartInTerminal(const std::vector<std::string>& argv,
                              const std::vector<std::pair<std::string, std::string>>& environment, SpawnPlan& plan) {
  if (argv.empty()) return Error::InvalidArgument("no program to run");
  KeepExitCodes();
  SMP_ASSIGN(const std::string program, FindProgram(argv.front()));
  for (const int fd : {1, 2}) plan.Inherit(fd);
  pid_t pid = 0;
  const int number = plan.Start(program, argv, Environment(environment), pid);
  if (number != 0) return CannotRun(program, number);
  return pid;
}

Result<int> WaitFor(pid_t pid, const std::vector<std::string>& argv) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return Lost({.argv = argv});
  }
  return ExitCode(status);
}

}  // namespace

Result<ProcessResult> RunProcess(const ProcessOptions& options) {
  if (options.argv.empty()) return Error::InvalidArgument("no program to run");
  const int64_t deadline_ms = MonotonicMs() + options.timeout_ms;
  KeepExitCodes();
  SMP_ASSIGN(Child child, Start(options));
  std::string_view input = options.input_text;
  ProcessResult result;
  for (;;) {
    if (child.input.open()) Feed(child.input, input);
    // Check for the end before draining: what a child wrote before it ended is then in the pipe. Its own children may
    // keep the pipe open for longer; they are not waited for.
    const Waited waited = TryWait(child.pid);
    if (waited.state == ChildState::kLost) return Lost(options);
    const bool ended = waited.state == ChildState::kEnded;
    const bool fits = Drain(child.out, options.max_output_bytes, result.out) &&
                      Drain(child.errors, options.max_output_bytes, result.err);
    if (ended && fits) {
      result.exit_code = waited.exit_code;
      return result;
    }
    const std::string too_much = StrCat("printed more than ", options.max_output_bytes, " bytes");
    if (ended) return Error::InvalidArgument(StrCat(options.argv.front(), " ", too_much));
    if (!fits) return Stopped(child, options, too_much);
    const int64_t left_ms = deadline_ms - MonotonicMs();
    if (left_ms <= 0) {
      return Stopped(child, options, StrCat("did not exit within ", options.timeout_ms, " ms"));
    }
    WaitForPipes(child, PollMs(child, left_ms));
  }
}

Result<int> RunInTerminal(const std::vector<std::string>& argv, const Interrupt& interrupt) {
  const InterruptsIgnored ignored;
  SpawnPlan plan;
  plan.Inherit(0);
  ignored.PassOn(plan);
  SMP_ASSIGN(const pid_t pid, StartInTerminal(argv, {}, plan));
  for (int64_t pause_ms = 1;; pause_ms = std::min<int64_t>(2 * pause_ms, kLongestPollMs)) {
    const Waited waited = TryWait(pid);
    if (waited.state == ChildState::kEnded) return waited.exit_code;
    if (waited.state == ChildState::kLost) return Lost({.argv = argv});
    if (interrupt.SleepMs(pause_ms)) continue;
    Stop(pid);
    return Error::Refused(StrCat("interrupted, and ended ", argv.front()));
  }
}

Result<int> RunPager(const std::vector<std::string>& argv, std::string_view text,
                     const std::vector<std::pair<std::string, std::string>>& environment) {
  const InterruptsIgnored ignored;
  SpawnPlan plan;
  SMP_ASSIGN(Pipe input, MakePipe());
  plan.Use(input.read, 0);
  ignored.PassOn(plan);
  SMP_ASSIGN(const pid_t pid, StartInTerminal(argv, environment, plan));
  input.read.Close();  // else the pager's end would not be noticed
  do {
    Feed(input.write, text);
  } while (input.write.open());
  return WaitFor(pid, argv);
}

Result<std::string> FindProgram(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* path = std::getenv("PATH");
  for (const std::string_view folder : Split(path == nullptr ? "" : path, ':')) {
    if (!folder.starts_with('/')) continue;
    std::string file = StrCat(folder, folder.ends_with('/') ? "" : "/", name);
    // Folders pass X_OK, too; O_DIRECTORY detects them.
    const Fd as_folder(open(file.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!name.empty() && !as_folder.open() && access(file.c_str(), X_OK) == 0) return file;
  }
  return Error::NotFound(StrCat("executable ", name, " not found on PATH"));
}

}  // namespace smp
