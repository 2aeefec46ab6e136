// The only seam to the network: requests in, answers out. CurlTransport (curl_transport.h) is the real one; tests put a
// fake behind it to inject faults and nothing else.
#ifndef SMP_KUBE_TRANSPORT_H_
#define SMP_KUBE_TRANSPORT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace smp {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct HttpRequest {
  std::string method = "GET";
  std::string path;  // with query, relative to the server: "/api/v1/namespaces/default/pods/web?dryRun=All"
  Headers headers;   // Content-Type, Accept; credentials are the transport's business
  std::string body;
};

struct HttpResponse {
  int status = 0;
  Headers headers;  // names in lower case
  std::string body;
  int64_t milliseconds = 0;  // that it took
  std::string hint = {};     // what the transport knows about a refusal that the server does not say

  // The first header of that (lower-case) name, "" if none.
  std::string_view Header(std::string_view name) const;
};

// Error::reason of a transport error where the connection broke after it had stood: the only kind where trying again is
// of use.
inline constexpr std::string_view kConnectionReset = "ConnectionReset";
// The same, where there was an answer and more of it than is read.
inline constexpr std::string_view kAnswerTooLarge = "AnswerTooLarge";

class Transport {
 public:
  virtual ~Transport() = default;
  // Error: transport, when no answer came (name lookup, TLS, time-out, reset); any HTTP status is an answer.
  virtual Result<HttpResponse> Send(const HttpRequest& request) = 0;
  // All of them, as many at once as the transport can; answers in the order of the requests. The default sends one
  // after the other.
  virtual std::vector<Result<HttpResponse>> SendAll(const std::vector<HttpRequest>& requests);
};

}  // namespace smp

#endif  // SMP_KUBE_TRANSPORT_H_
