#include <process.h>

#include <utility>

#include "base/system_thread.h"
#include "base/windows_api.h"

namespace smp {

namespace {

class WindowsThread : public SystemThread {
 public:
  explicit WindowsThread(std::function<void()> work) : work_(std::move(work)) {}

  bool Start(size_t stack_bytes) {
    thread_ = Handle(reinterpret_cast<HANDLE>(_beginthreadex(nullptr, static_cast<unsigned>(stack_bytes), &Run, this,
                                                             STACK_SIZE_PARAM_IS_A_RESERVATION, nullptr)));
    return thread_.open();
  }
  void Join() override { (void)WaitForSingleObject(thread_.get(), INFINITE); }

 private:
  static unsigned __stdcall Run(void* self) {
    static_cast<WindowsThread*>(self)->work_();
    return 0;
  }

  std::function<void()> work_;
  Handle thread_;
};

}  // namespace

std::unique_ptr<SystemThread> SystemThread::Start(std::function<void()> work, size_t stack_bytes) {
  auto thread = std::make_unique<WindowsThread>(std::move(work));
  if (!thread->Start(stack_bytes)) return nullptr;
  return thread;
}

}  // namespace smp
