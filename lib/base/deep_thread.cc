#include "base/deep_thread.h"

#include <utility>

namespace smp {

namespace {

constexpr size_t kStackBytes = 32UL << 20;  // at most; the system provides what is used

}  // namespace

DeepThread::DeepThread(std::function<void()> work) {
  const auto guarded = [this, work = std::move(work)] {
    try {
      work();
    } catch (...) {
      thrown_ = std::current_exception();
    }
  };
  thread_ = SystemThread::Start(guarded, kStackBytes);
}

std::exception_ptr DeepThread::Wait() {
  if (thread_ != nullptr && !std::exchange(joined_, true)) thread_->Join();
  return thrown_;
}

void RunDeep(const std::function<void()>& work) {
  DeepThread thread(work);
  if (!thread.started()) return work();
  if (const std::exception_ptr thrown = thread.Wait()) std::rethrow_exception(thrown);
}

}  // namespace smp
