// Values that are loaded when they are first asked for, by several threads at once.
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

// One load per key: whoever asks for a key that is being loaded waits for it, and other keys do not wait. T is a
// pointer.
template <class T>
class LoadedOnce {
 public:
  using Load = std::function<Result<T>()>;

  // An error or nullptr goes to everybody who waits for that load, but it is not kept: later callers load again.
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

  // Later callers load again. A load that is under way is not kept.
  void Forget(const std::string& key) {
    const std::lock_guard lock(mutex_);
    slots_.erase(key);
  }

 private:
  using Slot = std::optional<Result<T>>;  // nullopt: it is being loaded

  // After Forget, the key may be another load's.
  void Drop(const std::string& key, const std::shared_ptr<Slot>& own) {
    const auto at = slots_.find(key);
    if (at != slots_.end() && at->second == own) slots_.erase(at);
  }

  std::mutex mutex_;
  std::condition_variable loaded_;
  std::map<std::string, std::shared_ptr<Slot>> slots_;
};

}  // namespace smp
