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

#include "base/child.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/path_syntax.h"
#include "base/process.h"
#include "base/strings.h"

extern char** environ;

namespace smp {
namespace {

constexpr int64_t kGraceAfterTermMs = 2000;  // between SIGTERM and SIGKILL

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

// --- signals

// The actions of SIGINT and SIGQUIT before an InterruptsLeftToChild; nothing outside its lifetime.
struct InterruptActions {
  bool set = false;
  struct sigaction interrupt = {};
  struct sigaction quit = {};
};
InterruptActions interrupts_before;

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
  void RunIn(const std::string& folder) { (void)posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str()); }
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

Error CannotRun(const std::string& program, int number) {
  const std::string message = StrCat("cannot run ", program, ": ", std::strerror(number));
  return number == ENOENT || number == ENOTDIR ? Error::NotFound(message) : Error::InvalidArgument(message);
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

// --- end

int ExitCode(int wait_status) {
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

// --- the child

class PosixChild : public Child {
 public:
  Status Start(const ChildSetup& setup) {
    SMP_ASSIGN(const std::string program, FindProgram(setup.argv.front()));
    KeepExitCodes();
    SpawnPlan plan;
    Pipe in, out, errors;
    SMP_TRY(PlanInput(setup.input, plan, in));
    SMP_TRY(PlanOutput(setup.output, 1, plan, out));
    SMP_TRY(PlanOutput(setup.errors, 2, plan, errors));
    if (!setup.folder.empty()) plan.RunIn(setup.folder);
    // The child gets the signals that an InterruptsLeftToChild has us ignore, unless they were ignored before.
    if (interrupts_before.set && interrupts_before.interrupt.sa_handler != SIG_IGN) plan.Default(SIGINT);
    if (interrupts_before.set && interrupts_before.quit.sa_handler != SIG_IGN) plan.Default(SIGQUIT);
    const int number = plan.Start(program, setup.argv, Environment(setup.environment, setup.removed_variables), pid_);
    if (number != 0) return CannotRun(program, number);
    input_ = std::move(in.write);
    output_ = std::move(out.read);
    errors_ = std::move(errors.read);
    for (const Fd* fd : {&input_, &output_, &errors_}) {
      if (fd->open() && !(setup.waits_for_reader && fd == &input_)) SetNonBlocking(*fd);
    }
    return Ok();
  }

  bool takes_input() const override { return input_.open(); }
  bool gives_output() const override { return output_.open() || errors_.open(); }

  void Feed(std::string_view& text) override {
    const PipeSignalBlocked blocked;
    while (!text.empty()) {
      const ssize_t done = write(input_.get(), text.data(), text.size());
      if (WouldBlock(done)) return;
      if (done < 0) break;
      text.remove_prefix(static_cast<size_t>(done));
    }
    input_.Close();
  }

  bool DrainOutput(size_t max_bytes, std::string& text) override { return Drain(output_, max_bytes, text); }
  bool DrainErrors(size_t max_bytes, std::string& text) override { return Drain(errors_, max_bytes, text); }

  void WaitForPipes(int timeout_ms) override {
    std::array<pollfd, 3> polled = {pollfd{input_.get(), POLLOUT, 0}, pollfd{output_.get(), POLLIN, 0},
                                    pollfd{errors_.get(), POLLIN, 0}};  // poll skips a negative descriptor
    (void)poll(polled.data(), polled.size(), timeout_ms);
  }

  Waited TryWait() override {
    int status = 0;
    const pid_t got = waitpid(pid_, &status, WNOHANG);
    if (got == pid_) return {ChildState::kEnded, ExitCode(status)};
    return {got < 0 && errno == ECHILD ? ChildState::kLost : ChildState::kRuns};
  }

  Waited Wait() override {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0) {
      if (errno != EINTR) return {ChildState::kLost};
    }
    return {ChildState::kEnded, ExitCode(status)};
  }

  void Stop() override {
    (void)kill(pid_, SIGTERM);
    const int64_t deadline_ms = MonotonicMs() + kGraceAfterTermMs;
    while (MonotonicMs() < deadline_ms) {
      if (TryWait().state != ChildState::kRuns) return;
      (void)poll(nullptr, 0, 10);
    }
    (void)kill(pid_, SIGKILL);
    (void)Wait();
  }

 private:
  static Status PlanInput(InputFrom from, SpawnPlan& plan, Pipe& pipe) {
    if (from == InputFrom::kNothing) return plan.UseNothing(0), Ok();
    if (from == InputFrom::kOurs) return plan.Inherit(0), Ok();
    SMP_ASSIGN(pipe, MakePipe());
    return plan.Use(pipe.read, 0), Ok();
  }

  static Status PlanOutput(OutputTo to, int as, SpawnPlan& plan, Pipe& pipe) {
    if (to == OutputTo::kOurs) return plan.Inherit(as), Ok();
    SMP_ASSIGN(pipe, MakePipe());
    return plan.Use(pipe.write, as), Ok();
  }

  static bool Drain(Fd& fd, size_t max_bytes, std::string& text) {
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

  pid_t pid_ = 0;
  Fd input_, output_, errors_;  // our ends of the pipes
};

}  // namespace

Result<std::unique_ptr<Child>> Child::Start(const ChildSetup& setup) {
  auto child = std::make_unique<PosixChild>();
  SMP_TRY(child->Start(setup));
  return std::unique_ptr<Child>(std::move(child));
}

InterruptsLeftToChild::InterruptsLeftToChild() {
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  (void)sigaction(SIGINT, &ignore, &interrupts_before.interrupt);
  (void)sigaction(SIGQUIT, &ignore, &interrupts_before.quit);
  interrupts_before.set = true;
}

InterruptsLeftToChild::~InterruptsLeftToChild() {
  interrupts_before.set = false;
  (void)sigaction(SIGINT, &interrupts_before.interrupt, nullptr);
  (void)sigaction(SIGQUIT, &interrupts_before.quit, nullptr);
}

Result<std::string> FindProgram(const std::string& name) {
  if (IsProgramPath(name)) return name;
  const char* path = std::getenv("PATH");
  for (const std::string_view folder : SplitPathList(path == nullptr ? "" : path)) {
    if (!folder.starts_with('/')) continue;
    std::string file = StrCat(folder, folder.ends_with('/') ? "" : "/", name);
    // Folders pass X_OK, too; O_DIRECTORY detects them.
    const Fd as_folder(open(file.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!name.empty() && !as_folder.open() && access(file.c_str(), X_OK) == 0) return file;
  }
  return Error::NotFound(StrCat("executable ", name, " not found on PATH"));
}

}  // namespace smp
