// The progress line of apply and explain-diff, on terminals only: objects done, and of apply the objects per second and
// what it is waiting for.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "apply/pipeline.h"
#include "base/clock.h"
#include "cmd/io.h"

namespace smp::cmd {

// A separate thread updates the line, because Show() is not called during long waits (as for a CRD to be served).
class LiveProgress {
 public:
  explicit LiveProgress(Io& io);  // `io` must outlive it
  ~LiveProgress();
  LiveProgress(const LiveProgress&) = delete;
  LiveProgress& operator=(const LiveProgress&) = delete;

  // Cheap; may be called from any thread.
  void Show(const apply::Progress& progress);
  // Removes the line for good.
  void Stop();

 private:
  void Run();

  Io& io_;
  const int64_t begin_ms_ = MonotonicMs();
  std::mutex mutex_;  // guards stop_ and progress_
  std::condition_variable stopped_;
  bool stop_ = false;
  std::optional<apply::Progress> progress_;
  std::thread thread_;  // declared last, because it uses all other members
};

// Returns "3/30, 12/s, step 1 of 2, waiting for …", or "reading 3/30 objects" where nothing is written; "" if there is nothing to show.
std::string ProgressLine(const apply::Progress& progress, double seconds);

}  // namespace smp::cmd
