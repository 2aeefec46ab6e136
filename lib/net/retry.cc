#include "net/retry.h"

#include "value/number.h"

namespace smp::net {
namespace {

constexpr int64_t kLongestWaitSeconds = 300;  // if the server asks for more, its answer is returned instead

// Returns the header's seconds. Ignores its date form, as client-go does; API servers do not use it.
std::optional<int64_t> RetryAfterSeconds(const HttpResponse& response) {
  const std::optional<int64_t> seconds = ParseInt64(response.Header("retry-after"));
  return seconds && *seconds >= 0 && *seconds <= kLongestWaitSeconds ? seconds : std::nullopt;
}

}  // namespace

std::optional<int64_t> RetryDelayMs(const HttpRequest& request, const Result<HttpResponse>& answer, int tries) {
  if (!answer.ok()) {
    const bool again =
        answer.error().reason == kConnectionReset && request.method == "GET" && tries <= kMaxResetRetries;
    return again ? std::optional<int64_t>(tries * 100) : std::nullopt;
  }
  const bool busy = answer->status == 429 || answer->status >= 500;
  if (!busy || tries > kMaxRetries) return std::nullopt;
  const std::optional<int64_t> seconds = RetryAfterSeconds(*answer);
  return seconds ? std::optional(*seconds * 1000) : std::nullopt;
}

}  // namespace smp::net
