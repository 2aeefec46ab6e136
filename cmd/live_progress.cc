#include "cmd/live_progress.h"

#include <chrono>

#include "base/strings.h"

namespace smp::cmd {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kNotYet(300);  // shorter runs show no line
constexpr milliseconds kPause(100);   // faster updates would not be readable

}  // namespace

std::string ProgressLine(const apply::Progress& progress, double seconds) {
  // For a single object, show the line only while waiting for something.
  if (progress.total < 2 && progress.doing.empty()) return "";
  if (progress.steps == 0) return StrCat("reading ", progress.done, "/", progress.total, " objects");
  const auto rate = static_cast<int64_t>(static_cast<double>(progress.done) / seconds);
  return StrCat(progress.done, "/", progress.total, ", ", rate, "/s, step ", progress.step, " of ", progress.steps,
                progress.doing.empty() ? "" : StrCat(", ", Visible(progress.doing, Newlines::kEscape)));
}

LiveProgress::LiveProgress(Io& io) : io_(io) {
  if (io.terminal) thread_ = std::thread([this] { Run(); });
}

LiveProgress::~LiveProgress() { Stop(); }

void LiveProgress::Show(const apply::Progress& progress) {
  if (!io_.terminal) return;
  const std::lock_guard lock(mutex_);
  progress_ = progress;
}

void LiveProgress::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stopped_.notify_all();
  if (thread_.joinable()) thread_.join();
  ShowLiveLine(io_, "");
}

void LiveProgress::Run() {
  std::unique_lock lock(mutex_);
  for (milliseconds pause = kNotYet; !stopped_.wait_for(lock, pause, [this] { return stop_; }); pause = kPause) {
    if (!progress_) continue;
    ShowLiveLine(io_, ProgressLine(*progress_, static_cast<double>(MonotonicMs() - begin_ms_) / 1000));
  }
}

}  // namespace smp::cmd
