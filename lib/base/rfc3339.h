// Times as Kubernetes writes them, RFC 3339: "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.5+01:00".
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace smp {

struct UtcTime {
  std::chrono::sys_seconds seconds;
  std::string fraction = {};  // of a second: digits without trailing zeros

  friend bool operator==(const UtcTime&, const UtcTime&) = default;
};

// Returns nullopt if `text` is not a valid time.
std::optional<UtcTime> ParseRfc3339(std::string_view text);

}  // namespace smp
