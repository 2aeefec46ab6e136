#include "net/transport.h"

namespace smp::net {

std::string_view HttpResponse::Header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (key == name) return value;
  }
  return {};
}

std::vector<Result<HttpResponse>> Transport::SendAll(const std::vector<HttpRequest>& requests) {
  std::vector<Result<HttpResponse>> answers;
  answers.reserve(requests.size());
  for (const HttpRequest& request : requests) answers.push_back(Send(request));
  return answers;
}

}  // namespace smp::net
