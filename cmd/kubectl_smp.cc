// kubectl-smp: see README.md for the map of the code.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "base/deep_thread.h"
#include "base/digest.h"
#include "base/strings.h"
#include "cmd/command.h"
#include "cmd/exit_code.h"

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

std::string TextOf(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::exception& exception) {
    return exception.what();
  }
}

// Ends the program after an exception in a thread that nobody waits for.
[[noreturn]] void EndInError() {
  const std::exception_ptr thrown = std::current_exception();
  const std::string text = smp::StrCat("error: ", thrown ? TextOf(thrown) : "internal error", "\n");
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
  _exit(smp::cmd::kExitDiffError);
}

}  // namespace

int main(int argc, char** argv) try {
  (void)std::set_terminate(&EndInError);
  LeaveNoCoreFile();
#ifdef SMP_STATIC
  smp::StartOpenssl(smp::OpensslConfig::kIgnored);
#else
  smp::StartOpenssl(smp::OpensslConfig::kRead);
#endif
  OccupyStandardStreams();
  // A reader that closes the pipe (| head) must not end the program between the deletion and the creation of an object.
  (void)signal(SIGPIPE, SIG_IGN);
  (void)signal(SIGXFSZ, SIG_IGN);  // nor may a cache file that outgrows ulimit -f: write fails with EFBIG instead
  const std::string path = argc > 0 ? argv[0] : "";
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  // kubectl runs kubectl_complete-smp to complete the command line; it may be a link to this program.
  if (std::filesystem::path(path).filename() == "kubectl_complete-smp")
    arguments.insert(arguments.begin(), "__complete");
  std::ios::sync_with_stdio(false);
  smp::cmd::Io io{std::cin, std::cout, std::cerr, isatty(STDERR_FILENO) != 0};
  int exit = smp::cmd::kExitDiffError;
  smp::RunDeep([&] { exit = smp::cmd::RunProgram(smp::cmd::ProgramName(path), arguments, io); });
  return exit;
} catch (const std::exception&) {
  std::cerr << "error: " << TextOf(std::current_exception()) << "\n";
  return smp::cmd::kExitDiffError;
}
