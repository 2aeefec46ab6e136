// The output of apply: one line per object in input order, warnings and errors as they come, and at the end the objects
// or results that -o asks for and a summary of what went wrong.
#ifndef SMP_CMD_APPLY_OUTPUT_H_
#define SMP_CMD_APPLY_OUTPUT_H_

#include <optional>
#include <string>
#include <vector>

#include "apply/manifests.h"
#include "apply/pipeline.h"
#include "cmd/io.h"
#include "cmd/live_progress.h"
#include "cmd/object_printer.h"

namespace smp {

class ApplyOutput {
 public:
  // `manifests` and `io` must outlive it.
  ApplyOutput(const Manifests& manifests, ObjectFormat format, DryRun dry_run, Io& io);

  void Add(ObjectResult result);
  void Show(const Progress& progress);
  // Prints the rest and returns the exit status.
  int Finish(bool interrupted);

 private:
  void PrintLine(size_t index, std::string line);
  void Keep(ObjectResult result);
  void FailAgain();
  void TellOfUntried(bool interrupted);

  const Manifests& manifests_;
  const ObjectFormat format_;
  const DryRun dry_run_;
  Io& io_;
  std::vector<std::optional<std::string>> lines_;  // by index; nullopt until the object's fate is known
  size_t printed_ = 0;
  std::vector<ObjectResult> results_;  // by index; with objects only if -o needs them
  LiveProgress live_;
};

}  // namespace smp

#endif  // SMP_CMD_APPLY_OUTPUT_H_
