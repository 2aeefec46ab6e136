#include "apply/step_queue.h"

namespace smp::apply {

size_t StepQueue::SizeOf(const SplitStep& split) {
  size_t size = split.ready.size();
  for (const auto& [kind, objects] : split.waiting) size += objects.size();
  return size;
}

size_t StepQueue::Next() {
  std::unique_lock lock(mutex_);
  released_.wait(lock, [&] { return taken_ < ready_.size(); });
  return ready_[taken_++];
}

void StepQueue::Release(const GroupVersionKind& kind) {
  const std::lock_guard lock(mutex_);
  const Step& released = waiting_.at(kind);
  ready_.insert(ready_.end(), released.begin(), released.end());
  released_.notify_all();
}

}  // namespace smp::apply
