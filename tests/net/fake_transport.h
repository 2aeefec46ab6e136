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
#include "value/at.h"
#include "value/json.h"

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

// Gives an object that a script answers with its name, so that scripts need not: {"kind":"ConfigMap"} is the ConfigMap of
// the request. Other answers stay as they are.
inline HttpResponse Named(HttpResponse answer, const HttpRequest& request) {
  const auto object = ParseJson(answer.body);
  if (answer.status >= 300 || !object.ok() || !object->root().is_object()) return answer;
  const std::string_view kind = object->root().StringOr("kind");
  const bool is_object = !kind.empty() && kind != "Status" && !kind.ends_with("List") && !kind.starts_with("API");
  if (!is_object || !TextAt(object->root(), {"metadata", "name"}).empty()) return answer;
  const std::string path = request.path.substr(0, request.path.find('?'));
  const auto sent = ParseJson(request.body);
  const bool is_new = request.method == "POST" && sent.ok();
  const std::string name(is_new ? TextAt(sent->root(), {"metadata", "name"})
                                : std::string_view(path).substr(path.rfind('/') + 1));
  if (name.empty()) return answer;
  Arena arena;
  answer.body = WriteJson(WithAt(object->root(), {"metadata", "name"}, Value::UnownedString(name), arena));
  return answer;
}

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
    return answer.ok() ? Named(*std::move(answer), request) : answer;
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
