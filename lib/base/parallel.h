// Many independent steps on a few threads.
#ifndef SMP_BASE_PARALLEL_H_
#define SMP_BASE_PARALLEL_H_

#include <cstddef>
#include <functional>

namespace smp {

// step(0) … step(n - 1), begun in this order, at most `threads` at a time; returns when all have ended. With one of
// either it runs in the caller's thread. Where the system gives fewer threads, those that there are do all.
void ParallelFor(size_t n, int threads, const std::function<void(size_t)>& step);

}  // namespace smp

#endif  // SMP_BASE_PARALLEL_H_
