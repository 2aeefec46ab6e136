// StepQueue: hands out the objects of a step to several threads; those of a kind that the server does not serve yet once it
// serves that kind. Nothing else waits for them. Thread-safe.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>

#include "apply/waves.h"
#include "schema/schema.h"

namespace smp::apply {

struct SplitStep {
  Step ready;
  std::map<GroupVersionKind, Step> waiting;  // by the kind that they wait for
};

class StepQueue {
 public:
  explicit StepQueue(const SplitStep& split) : ready_(split.ready), waiting_(split.waiting), size_(SizeOf(split)) {}

  size_t size() const { return size_; }  // of the whole step
  // Returns the next object; if there is none now, waits for Release. REQUIRES: is called at most size() times.
  size_t Next();
  // Lets Next return the objects of a kind.
  void Release(const GroupVersionKind& kind);

 private:
  static size_t SizeOf(const SplitStep& split);

  std::mutex mutex_;
  std::condition_variable released_;
  Step ready_;
  size_t taken_ = 0;  // of ready_
  std::map<GroupVersionKind, Step> waiting_;
  const size_t size_;
};

}  // namespace smp::apply
