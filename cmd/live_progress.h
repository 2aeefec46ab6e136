// The live line of apply: how far it is, at which rate, and what it waits for. On a terminal only.
#ifndef SMP_CMD_LIVE_PROGRESS_H_
#define SMP_CMD_LIVE_PROGRESS_H_

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "apply/pipeline.h"
#include "cmd/io.h"

namespace smp {

// A thread of its own draws the line, as what takes long (a definition that is not served yet) is what says nothing.
class LiveProgress {
 public:
  explicit LiveProgress(Io& io);  // must outlive it
  ~LiveProgress();
  LiveProgress(const LiveProgress&) = delete;
  LiveProgress& operator=(const LiveProgress&) = delete;

  // From any thread; cheap.
  void Show(const Progress& progress);
  // The line goes, and does not come again.
  void Stop();

 private:
  void Run();

  Io& io_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::mutex mutex_;  // of what follows
  std::condition_variable stopped_;
  bool stop_ = false;
  std::optional<Progress> progress_;
  std::thread thread_;  // last: it uses all of this
};

// "3/30, 12/s, step 1 of 2, waiting for …"; "" where nothing needs to be said.
std::string ProgressLine(const Progress& progress, double seconds);

}  // namespace smp

#endif  // SMP_CMD_LIVE_PROGRESS_H_
