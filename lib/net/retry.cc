#include "net/retry.h"

#include <charconv>
#include <string_view>

namespace smp {
namespace {

constexpr int64_t kLongestWaitSeconds = 300;  // a server that asks for more is an error to show, not a reason to hang

// Returns the header's seconds. Ignores its date form, as client-go does; API servers do not use it.
std::optional<int64_t> RetryAfterSeconds(const HttpResponse& response) {
  const std::string_view text = response.Header("retry-after");
  int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (seconds < 0 || seconds > kLongestWaitSeconds) return std::nullopt;
  return seconds;
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

}  // namespace smp
