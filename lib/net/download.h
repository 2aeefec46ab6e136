// Downloads a file for -f URL. Uses the same transport as API calls (proxies, TLS, error messages), but because any
// server may be named, sends no credentials and no client certificate, and trusts only the system's CAs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/result.h"

namespace smp::net {

struct DownloadLimits {
  int tries = 3;  // total; retried if there is no answer and after 5xx, as in kubectl
  int redirects = 5;
  size_t bytes = 64UL << 20;
  int64_t timeout_ms = 60'000;  // for all tries, redirects and waits together
  Clock* clock = &ProcessClock();
};

// Returns true if `text` starts with "http://" or "https://", which makes it a URL in kubectl.
bool IsWebUrl(const std::string& text);

// Error: invalid-argument.
Status CheckWebUrl(const std::string& url);

// Returns the URL for messages, without user and password: "https://host/web.yaml?ref=…&token=…".
std::string ShownUrl(const std::string& url);

// Returns the body. Errors: invalid-argument if the URL or a redirect is not http or https, or after too many
// redirects; transport if there is no answer; server if the status is not 200.
Result<std::string> Download(const std::string& url, const DownloadLimits& limits = {});

}  // namespace smp::net
