#include <pthread.h>

#include <algorithm>
#include <utility>

#include "base/system_thread.h"

namespace smp {

namespace {

class PosixThread : public SystemThread {
 public:
  explicit PosixThread(std::function<void()> work) : work_(std::move(work)) {}

  bool Start(size_t stack_bytes) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    size_t usual = 0;
    (void)pthread_attr_getstacksize(&attributes, &usual);
    const bool started = pthread_attr_setstacksize(&attributes, std::max(usual, stack_bytes)) == 0 &&
                         pthread_create(&thread_, &attributes, &Run, this) == 0;
    (void)pthread_attr_destroy(&attributes);
    return started;
  }
  void Join() override { (void)pthread_join(thread_, nullptr); }

 private:
  static void* Run(void* self) {
    static_cast<PosixThread*>(self)->work_();
    return nullptr;
  }

  std::function<void()> work_;
  pthread_t thread_ = {};
};

}  // namespace

std::unique_ptr<SystemThread> SystemThread::Start(std::function<void()> work, size_t stack_bytes) {
  auto thread = std::make_unique<PosixThread>(std::move(work));
  if (!thread->Start(stack_bytes)) return nullptr;
  return thread;
}

}  // namespace smp
