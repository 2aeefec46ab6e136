// Runs other programs without a shell and reads their output, within a time limit.
//
//   SMP_ASSIGN(const ProcessResult done, RunProcess({.argv = {"kubectl", "kustomize", folder}}));
//   if (done.exit_code != 0) return Error::InvalidArgument("kubectl kustomize failed: " + done.err);
//
// The child gets standard input, output and error and no other descriptor of ours. It stays in our process group, so
// that it receives Ctrl-C and can use the terminal. It is always waited for; to allow this, an ignored SIGCHLD is
// permanently reset to its default. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/interrupt.h"
#include "base/result.h"

namespace smp {

enum class ChildInput { kNothing, kInherit, kText };
enum class ChildErrors { kInherit, kCapture };

inline constexpr int64_t kNoTimeoutMs = std::numeric_limits<int32_t>::max();  // 24 days

struct ProcessOptions {
  std::vector<std::string> argv;                                      // argv[0] is looked up by FindProgram
  std::vector<std::pair<std::string, std::string>> environment = {};  // added to ours; same names are replaced
  std::vector<std::string> removed_variables = {};                    // of our environment
  std::string folder = {};                                            // to run in; "": ours
  ChildInput input = ChildInput::kNothing;
  std::string input_text = {};                 // for kText; it is no error if the child does not read all of it
  ChildErrors errors = ChildErrors::kInherit;  // kCapture: into ProcessResult::err
  size_t max_output_bytes = 64UL << 20;        // of stdout and of stderr, each
  int64_t timeout_ms = 60'000;
};

struct ProcessResult {
  int exit_code = 0;  // 128 + signal number if a signal ended it, as in a shell
  std::string out;
  std::string err;
};

// Errors: not-found if there is no such program; invalid-argument if it cannot be started, prints too much or exceeds
// the time limit (it is then killed), or if its exit code cannot be determined. A non-zero exit code is not an error.
Result<ProcessResult> RunProcess(const ProcessOptions& options);

// Runs an editor in our terminal (standard input, output and error); Ctrl-C affects only the child. Returns its exit
// code. Errors: as RunProcess; refused, if `interrupt` is raised, which also ends the editor.
Result<int> RunInTerminal(const std::vector<std::string>& argv, const Interrupt& interrupt);

// The same for a pager, which reads `text` from its standard input; it is no error if it does not read all of it.
// `environment` is added to ours.
Result<int> RunPager(const std::vector<std::string>& argv, std::string_view text,
                     const std::vector<std::pair<std::string, std::string>>& environment = {});

// Returns the path of a program: `name` itself if it has a slash, else the first executable of that name on PATH.
// Relative folders on PATH are skipped (as in Go), so that no program runs just because it is in the current folder.
// Error: not-found.
Result<std::string> FindProgram(const std::string& name);

}  // namespace smp
