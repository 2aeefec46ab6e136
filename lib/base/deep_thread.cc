#include "base/deep_thread.h"

#include <algorithm>
#include <utility>

namespace smp {

namespace {

constexpr size_t kStackBytes = 32UL << 20;  // at most; the system provides what is used

}  // namespace

DeepThread::DeepThread(std::function<void()> work) : work_(std::move(work)) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return;
  size_t usual = 0;
  (void)pthread_attr_getstacksize(&attributes, &usual);
  started_ = pthread_attr_setstacksize(&attributes, std::max(usual, kStackBytes)) == 0 &&
             pthread_create(&thread_, &attributes, &Run, this) == 0;
  (void)pthread_attr_destroy(&attributes);
}

void* DeepThread::Run(void* self) {
  auto* thread = static_cast<DeepThread*>(self);
  try {
    thread->work_();
  } catch (...) {
    thread->thrown_ = std::current_exception();
  }
  return nullptr;
}

std::exception_ptr DeepThread::Wait() {
  if (started_ && !std::exchange(joined_, true)) (void)pthread_join(thread_, nullptr);
  return thrown_;
}

void RunDeep(const std::function<void()>& work) {
  DeepThread thread(work);
  if (!thread.started()) return work();
  if (const std::exception_ptr thrown = thread.Wait()) std::rethrow_exception(thrown);
}

}  // namespace smp
