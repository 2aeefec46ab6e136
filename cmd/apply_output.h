// The output of apply: one line per object in input order, warnings and errors as they occur, and at the end the
// objects or results that -o selects and a summary of the failures.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apply/manifests.h"
#include "apply/pipeline.h"
#include "cmd/io.h"
#include "cmd/live_progress.h"
#include "cmd/object_printer.h"

namespace smp::cmd {

class ApplyOutput {
 public:
  // `manifests` and `io` must outlive it.
  ApplyOutput(const apply::Manifests& manifests, ObjectFormat format, apply::DryRun dry_run, Io& io);

  void Add(apply::ObjectResult result);
  void Show(const apply::Progress& progress);
  // Prints the rest and returns the exit status.
  int Finish(bool interrupted);

 private:
  void PrintLine(size_t index, std::string line);
  void Keep(apply::ObjectResult result);
  void WarnOfLostLastApplied();
  void FailAgain();
  void TellOfUntried(bool interrupted);

  const apply::Manifests& manifests_;
  const ObjectFormat format_;
  const apply::DryRun dry_run_;
  Io& io_;
  std::vector<std::optional<std::string>> lines_;  // by manifest index; nullopt until the object is finished
  size_t printed_ = 0;
  std::vector<apply::ObjectResult> results_;  // by manifest index; objects are kept only if -o prints them
  LiveProgress live_;
};

}  // namespace smp::cmd
