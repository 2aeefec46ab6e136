// A program that was started, as the system sees it: what process.cc builds upon.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace smp {

enum class InputFrom { kNothing, kOurs, kPipe };
enum class OutputTo { kOurs, kPipe };

struct ChildSetup {
  const std::vector<std::string>& argv;                               // not empty; argv[0] is looked up by FindProgram
  std::vector<std::pair<std::string, std::string>> environment = {};  // added to ours; same names are replaced
  std::vector<std::string> removed_variables = {};                    // of our environment
  std::string folder = {};                                            // to run in; "": ours
  InputFrom input = InputFrom::kNothing;
  OutputTo output = OutputTo::kOurs;
  OutputTo errors = OutputTo::kOurs;
  bool waits_for_reader = false;  // Feed() blocks until the child reads, or ends
};

enum class ChildState { kRuns, kEnded, kLost };

struct Waited {
  ChildState state;
  int exit_code = 0;  // if kEnded; 128 + signal number if a signal ended it
};

class Child {
 public:
  // Errors: not-found, invalid-argument.
  static Result<std::unique_ptr<Child>> Start(const ChildSetup& setup);

  virtual ~Child() = default;
  // Whether our ends of the pipes to its standard input, and from its output or errors, are open.
  virtual bool takes_input() const = 0;
  virtual bool gives_output() const = 0;
  // Writes as much as the pipe takes; closes it after the last byte or if the reader has closed it.
  virtual void Feed(std::string_view& text) = 0;
  // Read what is available; close the pipe at its end. Return false if `text` would exceed `max_bytes`.
  virtual bool DrainOutput(size_t max_bytes, std::string& text) = 0;
  virtual bool DrainErrors(size_t max_bytes, std::string& text) = 0;
  // Waits until a pipe can be used, or the time is over.
  virtual void WaitForPipes(int timeout_ms) = 0;
  virtual Waited TryWait() = 0;
  virtual Waited Wait() = 0;
  // Ends it: first as Ctrl-C would where the system can, then without mercy.
  virtual void Stop() = 0;
};

// While one exists, Ctrl-C does not affect this process, as in system(); children that are started meanwhile get it.
class InterruptsLeftToChild {
 public:
  InterruptsLeftToChild();
  ~InterruptsLeftToChild();
  InterruptsLeftToChild(const InterruptsLeftToChild&) = delete;
  InterruptsLeftToChild& operator=(const InterruptsLeftToChild&) = delete;
};

}  // namespace smp
