// A Transport for faults: answers from a script, records what was asked. What real servers say is tested against a real
// one (live_test.cc).
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "net/transport.h"
#include "value/at.h"
#include "value/json.h"

namespace smp::net {

// Returns the path of the object of which the request lists the name; nullopt if it is no such request.
inline std::optional<std::string> PathOfListedObject(const std::string& path) {
  constexpr std::string_view kSelector = "?fieldSelector=metadata.name%3D";
  const size_t at = path.find(kSelector);
  if (at == path.npos) return std::nullopt;
  return StrCat(path.substr(0, at), "/", path.substr(at + kSelector.size()));
}

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
    for (const HttpRequest& request : requests) {
      const std::string path = PathOfListedObject(request.path).value_or(request.path);
      count += StrCat(request.method, " ", path) == method_and_path ? 1 : 0;
    }
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

// Returns the list of what a GET of the one object answers.
inline HttpResponse AsList(HttpResponse answer) {
  if (answer.status == 404) return {200, std::move(answer.headers), R"({"kind": "List", "items": []})"};
  if (answer.status == 200) answer.body = StrCat(R"({"kind": "List", "items": [)", answer.body, "]}");
  return answer;
}

// A script has what a GET of a CRD answers; of a LIST of its name, that is the item.
class FakeTransport : public Transport {
 public:
  explicit FakeTransport(FakeScript* script) : script_(script) {}  // not owned

  Result<HttpResponse> Send(const HttpRequest& request) override {
    if (script_->before_answer) script_->before_answer(request);
    const std::lock_guard lock(mutex_);
    script_->requests.push_back(request);
    if (const auto object = PathOfListedObject(request.path)) {
      Result<HttpResponse> answer = AnswerTo({request.method, *object, {}, {}});
      return answer.ok() ? AsList(*std::move(answer)) : answer;
    }
    return AnswerTo(request);
  }

 private:
  Result<HttpResponse> AnswerTo(const HttpRequest& request) {
    const auto at = script_->answers.find(request.method + " " + request.path);
    if (at == script_->answers.end()) {
      return Error::Internal(StrCat("no answer in the script for ", request.method, " ", request.path));
    }
    Result<HttpResponse> answer = at->second.front();
    if (at->second.size() > 1) at->second.pop_front();
    return answer.ok() ? Named(*std::move(answer), request) : answer;
  }

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
