#include "net/transport.h"

namespace smp::net {

std::string_view HttpResponse::Header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (key == name) return value;
  }
  return {};
}

bool IsAnswerLost(const Error& error) {
  constexpr int kBadGateway = 502, kGatewayTimeout = 504;  // the gateway has lost the answer
  return error.reason == kConnectionReset || error.reason == kAnswerTooLarge || error.reason == kAnswerUnreadable ||
         error.http_status == kBadGateway || error.http_status == kGatewayTimeout;
}

std::string_view MaybeProcessed(const HttpRequest& request) {
  return request.method == "GET" ? "" : "; the server may have processed the request: check before you repeat it";
}

std::vector<Result<HttpResponse>> Transport::SendAll(const std::vector<HttpRequest>& requests) {
  std::vector<Result<HttpResponse>> answers;
  answers.reserve(requests.size());
  for (const HttpRequest& request : requests) answers.push_back(Send(request));
  return answers;
}

}  // namespace smp::net
