// Decides when to send a request again, as client-go does (rest/with_retry.go).
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "net/transport.h"

namespace smp::net {

inline constexpr int kMaxRetries = 10;               // after 429 and 5xx with Retry-After
inline constexpr int64_t kMaxTotalWaitMs = 600'000;  // sum of one request's waits; then the refusal is the answer
inline constexpr int64_t kLongWaitMs = 5'000;        // a wait that a person at a terminal must be told about
inline constexpr int kMaxResetRetries = 2;           // for reads, after a broken connection

// Returns how long to wait before the next try, or nullopt if there is none. `tries` counts the tries so far, including
// this one.
std::optional<int64_t> RetryDelayMs(const HttpRequest& request, const Result<HttpResponse>& answer, int tries);

}  // namespace smp::net
