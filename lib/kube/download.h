// A file from the web, for -f URL, over the transport that API calls use (proxies, TLS, words of errors), but a
// stranger's server: it gets no credentials, no client certificate, and is trusted by the system's CAs alone.
#ifndef SMP_KUBE_DOWNLOAD_H_
#define SMP_KUBE_DOWNLOAD_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"

namespace smp {

struct DownloadLimits {
  int tries = 3;  // after no answer and after 5xx, as kubectl
  int redirects = 5;
  size_t bytes = 64UL << 20;
  int64_t timeout_ms = 60'000;                 // for everything: tries, redirects, waiting
  std::function<void(int64_t)> sleep_ms = {};  // the clock's seam
};

// Begins as kubectl wants it of a URL: "http://" or "https://".
bool IsWebUrl(const std::string& text);

// Error: invalid-argument.
Status CheckWebUrl(const std::string& url);

// As it may be shown: without user and password.
std::string ShownUrl(const std::string& url);

// Errors: invalid-argument, for what is no http or https URL, also after a redirect; transport, when there is no
// answer; server, when the answer is not 200.
Result<std::string> Download(const std::string& url, const DownloadLimits& limits = {});

}  // namespace smp

#endif  // SMP_KUBE_DOWNLOAD_H_
