// A Transport for faults: answers from a script, records what was asked. What real servers say is tested against a real
// one (live_test.cc).
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "net/transport.h"

namespace smp::net {

struct FakeScript {
  // "GET /api/v1/…" → its answers one after the other; the last is repeated.
  std::map<std::string, std::deque<Result<HttpResponse>>> answers;
  std::vector<HttpRequest> requests;
  std::function<void(const HttpRequest&)> before_answer;  // may be empty; called by all threads that send

  void On(const std::string& method_and_path, Result<HttpResponse> answer) {
    answers[method_and_path].push_back(std::move(answer));
  }
  size_t Count(const std::string& method_and_path) const {
    size_t count = 0;
    for (const HttpRequest& request : requests) count += request.method + " " + request.path == method_and_path ? 1 : 0;
    return count;
  }
};

class FakeTransport : public Transport {
 public:
  explicit FakeTransport(FakeScript* script) : script_(script) {}  // not owned

  Result<HttpResponse> Send(const HttpRequest& request) override {
    if (script_->before_answer) script_->before_answer(request);
    const std::lock_guard lock(mutex_);
    script_->requests.push_back(request);
    const auto at = script_->answers.find(request.method + " " + request.path);
    if (at == script_->answers.end()) {
      return Error::Internal(StrCat("no answer in the script for ", request.method, " ", request.path));
    }
    Result<HttpResponse> answer = at->second.front();
    if (at->second.size() > 1) at->second.pop_front();
    return answer;
  }

 private:
  FakeScript* script_;
  std::mutex mutex_;  // guards *script_ while requests are sent
};

inline HttpResponse Json(int status, std::string body, Headers headers = {}) {
  headers.emplace_back("content-type", "application/json");
  return {status, std::move(headers), std::move(body)};
}

inline Error ResetError() {
  Error error = Error::Transport("Unable to connect to the server: reset");
  error.reason = kConnectionReset;
  return error;
}

}  // namespace smp::net
