// Decides when to send a request again, as client-go does (rest/with_retry.go).
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "net/transport.h"

namespace smp::net {

inline constexpr int kMaxRetries = 10;               // after 429 and 5xx with Retry-After
inline constexpr int64_t kMaxTotalWaitMs = 600'000;  // sum of one request's waits; then the last answer is returned
inline constexpr int64_t kLongWaitMs = 5'000;        // longer waits are reported to the user
inline constexpr int kMaxResetRetries = 2;           // after a broken connection, for requests that only read

// Returns how long to wait before sending `request` again, or nullopt if it must not be sent again. `tries` is the
// number of times it has been sent.
std::optional<int64_t> RetryDelayMs(const HttpRequest& request, const Result<HttpResponse>& answer, int tries);

}  // namespace smp::net
