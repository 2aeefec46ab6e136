// Downloads a file for -f URL. It uses the transport of API calls (proxies, TLS, error messages), but the server is a
// stranger: it gets no credentials and no client certificate, and only the system's CAs are trusted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/result.h"

namespace smp::net {

struct DownloadLimits {
  int tries = 3;  // repeated after no answer and after 5xx, as in kubectl
  int redirects = 5;
  size_t bytes = 64UL << 20;
  int64_t timeout_ms = 60'000;  // total of tries, redirects and waiting
  Clock* clock = &ProcessClock();
};

// Returns true if `text` starts as kubectl expects of a URL: with "http://" or "https://".
bool IsWebUrl(const std::string& text);

// Error: invalid-argument.
Status CheckWebUrl(const std::string& url);

// Returns the URL without user and password, for messages.
std::string ShownUrl(const std::string& url);

// Errors: invalid-argument for a URL, or a redirect to one, that is not http or https, and for too many redirects;
// transport if there is no answer; server if the answer is not 200.
Result<std::string> Download(const std::string& url, const DownloadLimits& limits = {});

}  // namespace smp::net
