// Other programs: run one without a shell, read what it prints, never wait for it for ever.
//
//   SMP_ASSIGN(const ProcessResult done, RunProcess({.argv = {"kubectl", "kustomize", folder}}));
//   if (done.exit_code != 0) return Error::InvalidArgument("kubectl kustomize failed: " + done.err);
//
// The child gets standard input, output and error and no other descriptor of ours; it stays in our process group, so
// that Ctrl-C and the terminal are its, too. It is always waited for; for this SIGCHLD, where it is ignored, is set to
// its default for good. May be called from several threads at once.
#ifndef SMP_BASE_PROCESS_H_
#define SMP_BASE_PROCESS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace smp {

enum class ChildInput { kNothing, kInherit, kText };
enum class ChildErrors { kInherit, kCapture };

struct ProcessOptions {
  std::vector<std::string> argv;                                      // argv[0] is looked up by FindProgram
  std::vector<std::pair<std::string, std::string>> environment = {};  // beside our own; replaces what is there
  ChildInput input = ChildInput::kNothing;
  std::string input_text = {};                 // for kText; a child that does not read it all is no error
  ChildErrors errors = ChildErrors::kInherit;  // kCapture: into ProcessResult::err
  size_t max_output_bytes = 64UL << 20;        // of stdout and of stderr, each
  int64_t timeout_ms = 60'000;
};

struct ProcessResult {
  int exit_code = 0;  // 128 + the signal that ended it, as a shell counts
  std::string out;
  std::string err;
};

// Errors: not-found when there is no such program; invalid-argument when it cannot be started, prints too much or does
// not end in time (it is ended then), or when its exit code is lost. A program that fails is no error: see exit_code.
Result<ProcessResult> RunProcess(const ProcessOptions& options);

// An editor or a pager: has our terminal (standard input, output and error) for as long as it runs, and Ctrl-C is its
// own. Gives its exit code. Errors: as RunProcess.
Result<int> RunInTerminal(const std::vector<std::string>& argv);

// The path of a program: `name` itself where it has a slash, else the first executable of that name on PATH. Relative
// folders on PATH do not count (as in Go), so that nothing is run just because it lies in the current folder. Error:
// not-found.
Result<std::string> FindProgram(const std::string& name);

}  // namespace smp

#endif  // SMP_BASE_PROCESS_H_
