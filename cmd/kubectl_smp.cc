// kubectl-smp: see README.md for the map of the code.
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "base/deep_thread.h"
#include "base/digest.h"
#include "base/program.h"
#include "base/strings.h"
#include "base/terminal.h"
#include "cmd/command.h"
#include "cmd/exit_code.h"

namespace {

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
  smp::EndProgram(smp::cmd::kExitDiffError, smp::StrCat("error: ", thrown ? TextOf(thrown) : "internal error", "\n"));
}

}  // namespace

int main(int argc, char** argv) try {
  (void)std::set_terminate(&EndInError);
  smp::PrepareProgram();
#ifdef SMP_STATIC
  smp::StartOpenssl(smp::OpensslConfig::kIgnored);
#else
  smp::StartOpenssl(smp::OpensslConfig::kRead);
#endif
  std::vector<std::string> arguments = smp::ProgramArguments(argc, argv);
  const std::string path = arguments.empty() ? "" : arguments.front();
  if (!arguments.empty()) arguments.erase(arguments.begin());
  // kubectl runs kubectl_complete-smp to complete the command line; it may be a link to this program.
  if (std::filesystem::path(path).filename() == "kubectl_complete-smp")
    arguments.insert(arguments.begin(), "__complete");
  std::ios::sync_with_stdio(false);
  smp::cmd::Io io{std::cin, std::cout, std::cerr, smp::IsTerminal(smp::StandardStream::kErrors)};
  int exit = smp::cmd::kExitDiffError;
  smp::RunDeep([&] { exit = smp::cmd::RunProgram(smp::cmd::ProgramName(path), arguments, io); });
  return exit;
} catch (const std::exception&) {
  std::cerr << "error: " << TextOf(std::current_exception()) << "\n";
  return smp::cmd::kExitDiffError;
}
