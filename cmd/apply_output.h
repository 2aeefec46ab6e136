// The output of apply: one line per object in input order, warnings and errors as they occur, and at the end the
// objects or results that -o selects. On standard error, a summary of several objects.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apply/manifests.h"
#include "apply/pipeline.h"
#include "base/clock.h"
#include "cmd/error_teller.h"
#include "cmd/io.h"
#include "cmd/live_progress.h"
#include "cmd/object_printer.h"

namespace smp::cmd {

class ApplyOutput {
 public:
  struct Style {
    ObjectFormat format;
    apply::DryRun dry_run = apply::DryRun::kNone;
    bool as_kubectl = false;  // without a summary
    bool may_force = false;   // --force could be added
  };

  // `manifests` and `io` must outlive it.
  ApplyOutput(const apply::Manifests& manifests, Style style, Io& io);

  void Add(apply::ObjectResult result);
  void Show(const apply::Progress& progress);
  // Prints the rest and returns the exit status.
  int Finish(bool interrupted);

 private:
  Error Said(Error error) const;
  std::string LineOf(const Result<apply::Manifest>& manifest, const apply::ObjectResult& result) const;
  void PrintLine(size_t index, std::string line);
  void Keep(apply::ObjectResult result);
  void WarnOfLostLastApplied();
  void Summarize();
  void TellOfUntried(bool interrupted);

  const apply::Manifests& manifests_;
  const Style style_;
  const int64_t begin_ms_ = MonotonicMs();
  Io& io_;
  ErrorTeller errors_;
  std::vector<std::optional<std::string>> lines_;  // by manifest index; nullopt until the object is finished
  size_t printed_ = 0;
  std::vector<apply::ObjectResult> results_;  // by manifest index; objects are kept only if -o prints them
  std::vector<std::string> unrecorded_;       // of several objects: those that lacked the last-applied annotation
  LiveProgress live_;
};

}  // namespace smp::cmd
