// A thread with a stack for values that are nested as deeply as the parsers allow, whatever the system gives by default
// (`ulimit -s`; half a megabyte on macOS).
#pragma once

#include <exception>
#include <functional>
#include <memory>

#include "base/system_thread.h"

namespace smp {

class DeepThread {
 public:
  // If the system cannot start a thread, started() is false and `work` is not called.
  explicit DeepThread(std::function<void()> work);
  ~DeepThread() { Wait(); }
  DeepThread(const DeepThread&) = delete;
  DeepThread& operator=(const DeepThread&) = delete;

  bool started() const { return thread_ != nullptr; }
  // Waits until `work` has returned. Returns the exception that it threw instead; nullptr if it threw none.
  std::exception_ptr Wait();

 private:
  std::exception_ptr thrown_;
  std::unique_ptr<SystemThread> thread_;
  bool joined_ = false;
};

// Runs `work` in such a thread and waits for it; in the caller's if none can be started. Throws what `work` throws.
void RunDeep(const std::function<void()>& work);

}  // namespace smp
