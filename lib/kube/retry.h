// When a request is sent again, as client-go decides it (rest/with_retry.go).
#ifndef SMP_KUBE_RETRY_H_
#define SMP_KUBE_RETRY_H_

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "kube/transport.h"

namespace smp {

inline constexpr int kMaxRetries = 10;               // after 429 and 5xx with Retry-After
inline constexpr int64_t kMaxTotalWaitMs = 600'000;  // of all waits of one request; then the refusal is the answer
inline constexpr int64_t kLongWaitMs = 5'000;        // a wait that a person at a terminal must be told of
inline constexpr int kMaxResetRetries = 2;           // of reads, after a broken connection

// How long to wait before the next try, nothing when there is none. `tries` counts those already made, this one
// included.
std::optional<int64_t> RetryDelayMs(const HttpRequest& request, const Result<HttpResponse>& answer, int tries);

}  // namespace smp

#endif  // SMP_KUBE_RETRY_H_
