// The only interface to the network: requests in, answers out. CurlTransport (curl_transport.h) is the real one; tests
// use fakes only to inject faults.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace smp::net {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct HttpRequest {
  std::string method = "GET";
  std::string path;  // with query, relative to the server: "/api/v1/namespaces/default/pods/web?dryRun=All"
  Headers headers;   // Content-Type, Accept; the transport adds credentials
  std::string body;
};

struct HttpResponse {
  int status = 0;
  Headers headers;  // names in lower case
  std::string body;
  int64_t milliseconds = 0;  // duration of the request
  std::string hint = {};     // advice to show with an error status; may be empty
  bool resent = false;       // the server may have processed an earlier copy of the request

  // Returns the value of the first header called `name` (in lower case); "" if there is none.
  std::string_view Header(std::string_view name) const;
};

// Error::reason if an established connection broke: the only transport error worth a retry.
inline constexpr std::string_view kConnectionReset = "ConnectionReset";
// Error::reason of a transport error if the answer exceeds the size limit.
inline constexpr std::string_view kAnswerTooLarge = "AnswerTooLarge";
// Error::reason if an answer came that cannot be read, or is not an answer to the request.
inline constexpr std::string_view kAnswerUnreadable = "AnswerUnreadable";

// Returns true if the request may have been processed although it failed, because its answer was lost or is not the
// server's. A time-out does not count: the user has limited the time.
bool IsAnswerLost(const Error& error);

// Returns the end of an error message: advice about a request that was sent and may have been processed. "" for a GET.
std::string_view MaybeProcessed(const HttpRequest& request);

class Transport {
 public:
  virtual ~Transport() = default;
  // Error: transport if no answer came (name lookup, TLS, time-out, reset); any HTTP status is an answer.
  virtual Result<HttpResponse> Send(const HttpRequest& request) = 0;
  // Sends the requests concurrently, as far as the transport can; returns the answers in the order of the requests. The
  // default implementation sends them one by one.
  virtual std::vector<Result<HttpResponse>> SendAll(const std::vector<HttpRequest>& requests);
};

}  // namespace smp::net
