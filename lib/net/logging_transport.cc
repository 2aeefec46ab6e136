#include "net/logging_transport.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "base/clock.h"
#include "base/program.h"
#include "base/strings.h"
#include "value/at.h"
#include "value/json.h"
#include "value/json_pointer.h"
#include "value/redact.h"
#include "value/utf8.h"

namespace smp::net {

namespace {

constexpr int kRequestHeaders = 7;
constexpr int kBodies = 8;
constexpr int kCurlCommands = 9;

// --- redaction

// Masks credentials as client-go's maskValue does: only the scheme ("Bearer") is shown.
std::string HeaderValue(std::string_view name, std::string_view value) {
  const std::string lower = ToLower(name);
  if (lower == "cookie" || lower == "set-cookie") return "<masked>";
  if (lower != "authorization" && lower != "proxy-authorization") return std::string(value);
  const size_t blank = value.find(' ');
  return blank == value.npos ? "<masked>" : StrCat(value.substr(0, blank), " <masked>");
}

// Returns true for "/api/v1/namespaces/x/secrets/y?…", "/api/v1/secrets", "/api/v1/watch/secrets".
bool IsPathOfSecrets(std::string_view path) {
  std::vector<std::string_view> parts = Split(path.substr(0, path.find('?')), '/');
  if (parts.size() > 3 && parts[3] == "watch") parts.erase(parts.begin() + 3);
  if (parts.size() < 4 || parts[1] != "api") return false;
  const size_t resource = parts[3] == "namespaces" ? 5 : 3;
  return parts.size() > resource && parts[resource] == "secrets";
}

bool HasKind(const Value& value, std::string_view kind) { return value.is_object() && value.StringOr("kind") == kind; }

bool HasArray(const Value& object, std::string_view name) {
  const Value* value = object.Find(name);
  return value != nullptr && value->is_array();
}

template <class Redact>
Value RedactedItems(const Value& list, Arena& arena, Redact redact) {
  std::vector<Value> items;
  for (const Value& item : list.Items()) items.push_back(redact(item));
  return arena.Array(items);
}

template <class Redact>
Value RedactedMembers(const Value& object, Arena& arena, Redact redact) {
  std::vector<Member> members;
  for (const Member& member : object.Members()) members.push_back({member.name, redact(member)});
  return arena.SortedObject(members);
}

// Returns `object` with the kind of a Secret. For parts that lack the kind: a patch, an item of a list, metadata alone.
Value AsSecret(const Value& object, Arena& arena) {
  return WithAt(WithAt(object, {"apiVersion"}, arena.String("v1"), arena), {"kind"}, arena.String("Secret"), arena);
}

Value RedactedSecret(const Value& object, Arena& arena) {
  const Value secret = AsSecret(object, arena);
  SecretRegistry::Instance().Remember(secret);  // the answer may contain copies of its values
  return RedactedAt({}, object, secret, Digests::kShow, arena);
}

// Returns the merge patch equivalent to a JSON patch operation that sets `value`: "/data/p" gives {"data":{"p":value}}.
Value AsMergePatch(std::string_view pointer, Value value, Arena& arena) {
  const Result<std::vector<std::string>> names = ParseJsonPointer(pointer);
  if (!names.ok()) return arena.Object({{"value", value}});
  for (size_t i = names->size(); i > 0; --i) value = arena.Object({{arena.String((*names)[i - 1]).AsString(), value}});
  return value;
}

// Redacts an operation of a JSON patch of a Secret, and remembers its values, because the server may quote them.
Value RedactedOperation(const Value& operation, Arena& arena) {
  if (!operation.is_object()) return arena.String(Masked("operation", operation));
  const Value* value = operation.Find("value");
  if (value == nullptr) return operation;
  const Value patch = AsMergePatch(operation.StringOr("path"), *value, arena);
  if (patch.is_object()) SecretRegistry::Instance().Remember(AsSecret(patch, arena));
  return RedactedMembers(operation, arena, [&](const Member& member) {
    return member.name == "value" ? arena.String(Masked("value", *value)) : member.value;
  });
}

// Returns true for a list, a Table, a row of a Table or a watch event; the Secrets inside may lack their kind.
bool IsEnvelope(const Value& body) {
  const Value* object = body.Find("object");
  const bool is_event = object != nullptr && object->is_object() && body.Find("type") != nullptr;
  return is_event || HasArray(body, "items") || HasArray(body, "rows") || HasArray(body, "cells");
}

// Returns true for a Status or DeleteOptions, which has no part of a Secret; values quoted in it are scrubbed later.
bool IsAboutSecrets(const Value& body) {
  constexpr std::string_view kFields[] = {
      "apiVersion", "code",     "details",          "dryRun",        "gracePeriodSeconds", "kind",
      "message",    "metadata", "orphanDependents", "preconditions", "propagationPolicy",  "reason",
      "status"};
  if (!HasKind(body, "Status") && !HasKind(body, "DeleteOptions")) return false;
  const std::span<const Member> members = body.Members();
  return std::all_of(members.begin(), members.end(), [&](const Member& member) {
    return std::find(std::begin(kFields), std::end(kFields), member.name) != std::end(kFields);
  });
}

// Redacts a body, or a part of one, that belongs to Secrets according to its path or kind: masks everything that is not
// known to be harmless.
Value RedactedOfSecrets(const Value& body, Arena& arena) {
  const auto redact = [&](const Value& part) { return RedactedOfSecrets(part, arena); };
  if (body.is_array()) return RedactedItems(body, arena, [&](const Value& op) { return RedactedOperation(op, arena); });
  if (!body.is_object()) return arena.String(Masked("body", body));
  if (IsAboutSecrets(body)) return body;
  if (!IsEnvelope(body)) return RedactedSecret(body, arena);
  return RedactedMembers(body, arena, [&](const Member& member) {
    const std::string_view name = member.name;
    if ((name == "items" || name == "rows") && member.value.is_array())
      return RedactedItems(member.value, arena, redact);
    if (name == "object") return redact(member.value);
    if (name == "metadata") {
      return RedactedAt({PathStep::Field(name)}, member.value, AsSecret(body, arena), Digests::kShow, arena);
    }
    const bool harmless = name == "apiVersion" || name == "kind" || name == "type" || name == "columnDefinitions";
    return harmless ? member.value : arena.String(Masked(name, member.value));
  });
}

// Returns true for a Secret, and false for a reference to one, which has only scalar members.
bool IsSecretItself(const Value& value) {
  if (!value.is_object() || !IsSecret(value)) return false;
  const std::span<const Member> members = value.Members();
  return std::any_of(members.begin(), members.end(), [](const Member& member) { return member.value.is_object(); });
}

// Returns any body with the Secrets in it redacted; nullopt if it contains none.
std::optional<Value> RedactedParts(const Value& body, Arena& arena) {
  if (IsSecretItself(body)) return RedactedSecret(body, arena);
  if (HasKind(body, "SecretList")) return RedactedOfSecrets(body, arena);
  bool redacted = false;
  const auto redact = [&](const Value& part) {
    const std::optional<Value> out = RedactedParts(part, arena);
    redacted |= out.has_value();
    return out.value_or(part);
  };
  Value out;
  if (body.is_array()) out = RedactedItems(body, arena, redact);
  if (body.is_object()) {
    out = RedactedMembers(body, arena, [&](const Member& member) { return redact(member.value); });
  }
  return redacted ? std::optional(out) : std::nullopt;
}

// Returns nullopt if there is nothing to redact: the original text of the body is then logged.
std::optional<Value> RedactedBody(const Value& body, bool of_secrets, Arena& arena) {
  if (body.is_object() && IsSecret(body)) return RedactedSecret(body, arena);
  if (!of_secrets) return RedactedParts(body, arena);
  return body.is_object() && IsAboutSecrets(body) ? std::nullopt : std::optional(RedactedOfSecrets(body, arena));
}

// Scrubs each string in its unescaped form, because the message of a Status may quote secrets of the request.
Value Scrubbed(const Value& value, Arena& arena) {
  if (value.is_string()) return arena.String(SecretRegistry::Instance().Scrub(value.AsString()));
  if (value.is_array()) return RedactedItems(value, arena, [&](const Value& item) { return Scrubbed(item, arena); });
  if (!value.is_object()) return value;
  return RedactedMembers(value, arena, [&](const Member& member) { return Scrubbed(member.value, arena); });
}

// Returns the body with secrets masked; a body without secrets is returned unchanged.
std::string Redacted(const std::string& body, std::string_view path) {
  const bool of_secrets = IsPathOfSecrets(path);
  const Result<Document> document = ParseJson(body);
  if (!document.ok()) return SecretRegistry::Instance().Scrub(of_secrets ? "***" : body);
  Arena arena;
  const std::optional<Value> redacted = RedactedBody(document->root(), of_secrets, arena);
  const std::string text = WriteJson(Scrubbed(redacted.value_or(document->root()), arena));
  const bool harmless = !redacted && text == WriteJson(document->root());
  // Scrub the whole text, too, for secrets in names, in numbers and across several strings.
  return SecretRegistry::Instance().Scrub(harmless ? body : text);
}

// Returns a text from an exchange about one Secret without parts of its values, which error messages lose, too.
std::string WithoutParts(const std::string& text, const HttpRequest& request) {
  if (!IsPathOfSecrets(request.path)) return text;
  const std::vector<std::string_view> parts =
      Split(std::string_view(request.path).substr(0, request.path.find('?')), '/');
  const std::string_view name_space = parts.size() > 5 ? parts[4] : "";
  const SecretRegistry& secrets = SecretRegistry::Instance();
  if (parts.size() > 6) return secrets.ScrubMessageOfSecret(text, name_space, parts[6]);
  const Result<Document> created = ParseJson(request.body);
  return secrets.ScrubMessageOfSecret(text, name_space,
                                      created.ok() ? TextAt(created->root(), {"metadata", "name"}) : "");
}

// --- words

std::string_view StatusText(int status) {
  static constexpr std::pair<int, std::string_view> kTexts[] = {
      {200, "OK"},
      {201, "Created"},
      {202, "Accepted"},
      {204, "No Content"},
      {301, "Moved Permanently"},
      {302, "Found"},
      {304, "Not Modified"},
      {307, "Temporary Redirect"},
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {406, "Not Acceptable"},
      {409, "Conflict"},
      {410, "Gone"},
      {413, "Request Entity Too Large"},
      {415, "Unsupported Media Type"},
      {422, "Unprocessable Entity"},
      {429, "Too Many Requests"},
      {500, "Internal Server Error"},
      {502, "Bad Gateway"},
      {503, "Service Unavailable"},
      {504, "Gateway Timeout"},
  };
  const auto* at =
      std::find_if(std::begin(kTexts), std::end(kTexts), [&](const auto& text) { return text.first == status; });
  return at == std::end(kTexts) ? "" : at->second;
}

// klog's form: in quotes, and text of several lines in an indented block.
std::string LogValue(std::string_view text) {
  if (text.find('\n') != text.npos) {
    std::string block = "<\n";
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      block += StrCat("\t", text.substr(0, end), "\n");
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return block + " >";
  }
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

// As Go writes a header: "content-type" becomes "Content-Type".
std::string HeaderName(std::string_view name) {
  std::string out = ToLower(name);
  for (size_t i = 0; i < out.size(); ++i) {
    const bool begins_word = i == 0 || out[i - 1] == '-';
    if (begins_word && out[i] >= 'a' && out[i] <= 'z') out[i] = static_cast<char>(out[i] - 'a' + 'A');
  }
  return out;
}

std::vector<std::string> HeaderLines(const Headers& headers) {
  std::vector<std::string> lines;
  for (const auto& [name, value] : headers) lines.push_back(StrCat(HeaderName(name), ": ", HeaderValue(name, value)));
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::string HeaderBlock(const Headers& headers) {
  const std::vector<std::string> lines = HeaderLines(headers);
  return LogValue(lines.empty() ? "" : Join(lines, "\n") + "\n");
}

std::string ShellQuoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string CurlCommand(const HttpRequest& request, const std::string& url, const Headers& headers) {
  std::string out = "curl -v -X" + request.method;
  for (const std::string& line : HeaderLines(headers)) out += " -H " + ShellQuoted(line);
  return StrCat(out, " ", ShellQuoted(url), "\n");
}

size_t MostBodyBytes(int verbosity) {
  if (verbosity >= 10) return std::string::npos;
  return verbosity == 9 ? 10240 : 1024;
}

// --- the transport

class LoggingTransport : public Transport {
 public:
  LoggingTransport(std::unique_ptr<Transport> transport, TransportLog log)
      : transport_(std::move(transport)), log_(std::move(log)) {}

  Result<HttpResponse> Send(const HttpRequest& request) override { return std::move(SendAll({request}).front()); }

  std::vector<Result<HttpResponse>> SendAll(const std::vector<HttpRequest>& requests) override {
    for (const HttpRequest& request : requests) LogRequest(request);
    const int64_t start_ms = MonotonicMs();
    std::vector<Result<HttpResponse>> answers = transport_->SendAll(requests);
    for (size_t i = 0; i < requests.size(); ++i) LogAnswer(requests[i], answers[i], start_ms);
    return answers;
  }

 private:
  bool At(int verbosity) const { return log_.verbosity >= verbosity; }

  void LogRequest(const HttpRequest& request) {
    if (!At(kRequestHeaders)) return;
    LogBody("Request Body", request.body, request);
    Headers headers = log_.headers;
    headers.insert(headers.end(), request.headers.begin(), request.headers.end());
    if (At(kCurlCommands)) {
      Print("Request", StrCat("curlCommand=", LogValue(CurlCommand(request, Url(request), headers))));
    } else {
      Print("Request", StrCat(Place(request), " headers=", HeaderBlock(headers)));
    }
  }

  void LogAnswer(const HttpRequest& request, const Result<HttpResponse>& answer, int64_t start_ms) {
    if (!answer.ok()) {
      Print("Response", StrCat(Place(request), " status=\"\" milliseconds=", MonotonicMs() - start_ms,
                               " err=", LogValue(answer.error().message)));
      return;
    }
    const std::string headers = At(kBodies) ? " headers=" + WithoutParts(HeaderBlock(answer->headers), request) : "";
    const std::string status = StrCat(answer->status, " ", StatusText(answer->status));
    Print("Response",
          StrCat(Place(request), " status=", LogValue(Trim(status)), headers, " milliseconds=", answer->milliseconds));
    LogBody("Response Body", answer->body, request);
  }

  void LogBody(std::string_view what, const std::string& body, const HttpRequest& request) {
    if (!At(kBodies) || body.empty()) return;
    // Truncate after the redaction, which would not recognize a truncated secret.
    std::string text = WithoutParts(Redacted(body, request.path), request);
    if (const size_t most = MostBodyBytes(log_.verbosity); text.size() > most) {
      const std::string_view shown = Utf8Prefix(text, most);
      text = StrCat(shown, " [truncated ", text.size() - shown.size(), " chars]");
    }
    Print(what, StrCat("body=", LogValue(text)));
  }

  std::string Url(const HttpRequest& request) const { return log_.server + request.path; }

  std::string Place(const HttpRequest& request) const {
    return StrCat("verb=", LogValue(request.method), " url=", LogValue(Url(request)));
  }

  void Print(std::string_view what, const std::string& values) {
    const std::lock_guard lock(mutex_);
    log_.print(StrCat("\"", what, "\" ", values));
  }

  std::unique_ptr<Transport> transport_;
  const TransportLog log_;
  std::mutex mutex_;  // guards log_.print
};

}  // namespace

std::unique_ptr<Transport> LogTransport(std::unique_ptr<Transport> transport, TransportLog log) {
  if (log.verbosity < kLogRequests) return transport;
  return std::make_unique<LoggingTransport>(std::move(transport), std::move(log));
}

std::string LogHeader(const std::source_location& where) {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch()).count() % 1'000'000;
  const std::tm local = LocalTime(seconds);
  std::array<char, 80> text = {};
  const size_t size = std::strftime(text.data(), text.size(), "I%m%d %H:%M:%S", &local);
  std::snprintf(text.data() + size, text.size() - size, ".%06lld %7d ", static_cast<long long>(micros), ProcessId());
  return StrCat(text.data(), std::filesystem::path(where.file_name()).filename().string(), ":", where.line(), "] ");
}

}  // namespace smp::net
