// kubectl-smp: see README.md for the map of the code.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <new>

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

}  // namespace

int main(int argc, char** argv) try {
  OccupyStandardStreams();
  // A reader that closes the pipe (| head) must not end the program between the deletion and the creation of an object.
  (void)signal(SIGPIPE, SIG_IGN);
  const std::string path = argc > 0 ? argv[0] : "";
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  // kubectl runs kubectl_complete-smp to complete the command line; it may be a link to this program.
  if (std::filesystem::path(path).filename() == "kubectl_complete-smp")
    arguments.insert(arguments.begin(), "__complete");
  std::ios::sync_with_stdio(false);
  smp::cmd::Io io{std::cin, std::cout, std::cerr, isatty(STDERR_FILENO) != 0};
  return smp::cmd::RunProgram(smp::cmd::ProgramName(path), arguments, io);
} catch (const std::bad_alloc&) {
  std::cerr << "error: out of memory\n";
  return smp::cmd::kExitDiffError;
}
