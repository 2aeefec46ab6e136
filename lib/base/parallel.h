// Runs many independent steps on a few threads.
#pragma once

#include <cstddef>
#include <functional>

namespace smp {

// Calls step(0) … step(n - 1), started in this order and at most `threads` at a time; returns when all have finished.
// Runs in the caller's thread alone if `n` or `threads` is 1, and on fewer threads if the system grants fewer.
void ParallelFor(size_t n, int threads, const std::function<void(size_t)>& step);

// Returns how many threads are worth their start for work on so many bytes of JSON or YAML: as many as the machine has, for small texts
// fewer, down to 0.
int ThreadsForText(size_t bytes);

}  // namespace smp
