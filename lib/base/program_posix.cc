#include <fcntl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>

#include "base/program.h"

namespace smp {

namespace {

// Opens closed standard streams: otherwise a socket could get descriptor 1 or 2 and receive our output.
void OccupyStandardStreams() {
  for (int fd = open("/dev/null", O_RDWR); fd >= 0; fd = open("/dev/null", O_RDWR)) {
    if (fd <= STDERR_FILENO) continue;
    close(fd);
    return;
  }
}

// A core file would hold the values of Secrets and credentials.
void LeaveNoCoreFile() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_CORE, &limit) != 0) return;
  limit.rlim_cur = 0;
  (void)setrlimit(RLIMIT_CORE, &limit);
}

std::string_view words_at_end;

extern "C" void Leave(int) {
  [[maybe_unused]] const ssize_t written = write(STDOUT_FILENO, words_at_end.data(), words_at_end.size());
  _exit(0);
}

void SetAlarm(int seconds) {
  itimerval timer = {};
  timer.it_value.tv_sec = seconds;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

void PrepareProgram() {
  LeaveNoCoreFile();
  OccupyStandardStreams();
  // A reader that closes the pipe (| head) must not end the program between the deletion and the creation of an object.
  (void)std::signal(SIGPIPE, SIG_IGN);
  (void)std::signal(SIGXFSZ, SIG_IGN);  // nor may a cache file that outgrows ulimit -f: write fails with EFBIG instead
}

std::vector<std::string> ProgramArguments(int argc, char** argv) { return {argv, argv + argc}; }

void EndProgram(int exit_code, std::string_view text) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
  _exit(exit_code);
}

int ProcessId() { return static_cast<int>(getpid()); }

EndAfter::EndAfter(int seconds, std::string_view last_words) {
  words_at_end = last_words;
  std::signal(SIGALRM, &Leave);
  SetAlarm(seconds);
}

EndAfter::~EndAfter() {
  SetAlarm(0);
  std::signal(SIGALRM, SIG_DFL);
}

}  // namespace smp
