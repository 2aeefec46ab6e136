// A thread-safe cache of values that are loaded at first use.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/result.h"

namespace smp {

// Loads each key only once: a thread that needs a key that another thread is loading waits for that load. Different
// keys are loaded concurrently. T is a pointer.
template <class T>
class LoadedOnce {
 public:
  using Load = std::function<Result<T>()>;

  // If a load gives an error or nullptr, all threads waiting for it get that result, but later calls load again.
  Result<T> Get(const std::string& key, const Load& load) {
    std::unique_lock lock(mutex_);
    std::shared_ptr<Slot>& found = slots_[key];
    if (const auto others = found; others != nullptr) {
      loaded_.wait(lock, [&] { return others->has_value(); });
      return **others;
    }
    const auto own = found = std::make_shared<Slot>();
    lock.unlock();
    Result<T> result = load();
    lock.lock();
    *own = result;
    if (!result.ok() || *result == nullptr) Drop(key, own);
    loaded_.notify_all();
    return result;
  }

  // Later calls load `key` again. The result of a load in progress is not cached.
  void Forget(const std::string& key) {
    const std::lock_guard lock(mutex_);
    slots_.erase(key);
  }
  void ForgetAll() {
    const std::lock_guard lock(mutex_);
    slots_.clear();
  }

 private:
  using Slot = std::optional<Result<T>>;  // nullopt while loading

  // Removes the slot, unless after a Forget the key already has the slot of another load.
  void Drop(const std::string& key, const std::shared_ptr<Slot>& own) {
    const auto at = slots_.find(key);
    if (at != slots_.end() && at->second == own) slots_.erase(at);
  }

  std::mutex mutex_;
  std::condition_variable loaded_;
  std::map<std::string, std::shared_ptr<Slot>> slots_;
};

}  // namespace smp
