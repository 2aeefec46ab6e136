// A thread of the system whose stack has a given size, which std::thread cannot have.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace smp {

class SystemThread {
 public:
  // Returns nullptr if the system cannot start a thread; then `work`, which must not throw, is not called. The stack has
  // `stack_bytes` or the usual size, whichever is larger.
  static std::unique_ptr<SystemThread> Start(std::function<void()> work, size_t stack_bytes);

  virtual ~SystemThread() = default;
  // Waits until `work` has returned. To be called once.
  virtual void Join() = 0;
};

}  // namespace smp
