// Times as Kubernetes writes them, RFC 3339: "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.5+01:00".
#ifndef SMP_BASE_RFC3339_H_
#define SMP_BASE_RFC3339_H_

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

// nullopt if it is not a time.
std::optional<UtcTime> ParseRfc3339(std::string_view text);

}  // namespace smp

#endif  // SMP_BASE_RFC3339_H_
