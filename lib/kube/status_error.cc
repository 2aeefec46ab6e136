#include "kube/status_error.h"

#include <algorithm>
#include <vector>

#include "base/strings.h"
#include "value/at.h"
#include "value/escape.h"
#include "value/json.h"
#include "value/redact.h"
#include "value/utf8.h"

namespace smp::kube {
namespace {

ErrorCode CodeOf(int status, std::string_view reason) {
  switch (status) {
    case 404: return ErrorCode::kNotFound;
    case 401:
    case 403: return ErrorCode::kForbidden;
    // Not a conflicting change: the object exists, and only the caller knows whether it created it.
    case 409: return reason == "AlreadyExists" ? ErrorCode::kServer : ErrorCode::kConflict;
    default: return ErrorCode::kServer;
  }
}

// Returns each distinct "field: message" once, in order (like kubectl's statusCausesToAggrError).
std::vector<std::string> CauseLines(const Value& details) {
  std::vector<std::string> lines;
  for (const Value& cause : ItemsAt(details, {"causes"})) {
    std::string line = StrCat(cause.StringOr("field"), ": ", cause.StringOr("message"));
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
  }
  return lines;
}

// Quotes like Go's %q, with only the escapes that names and kinds need.
std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string InvalidMessage(const Value& status) {
  std::string head = "The request is invalid";
  const std::string_view message = status.StringOr("message");
  const Value* details = status.Find("details");
  if (details == nullptr || !details->is_object()) return message.empty() ? head : StrCat(head, ": ", message);
  const std::vector<std::string> causes = CauseLines(*details);
  const std::string_view kind = details->StringOr("kind");
  const std::string_view name = details->StringOr("name");
  if (!kind.empty() || !name.empty()) {
    head = StrCat("The ", kind, " ", Quoted(name), " is invalid");
  } else if (!message.empty() && causes.empty()) {
    head = StrCat(head, ": ", message);
  }
  if (causes.empty()) return head;
  if (causes.size() == 1) return StrCat(head, ": ", causes.front());
  return StrCat(head, ": \n* ", Join(causes, "\n* "));
}

std::string MessageOf(std::string_view reason, std::string_view message) {
  if (reason == "Unauthorized") return StrCat("You must be logged in to the server (", message, ")");
  if (reason.empty()) return StrCat("Error from server: ", message);
  return StrCat("Error from server (", reason, "): ", message);
}

struct Generic {
  int status;
  std::string_view reason;
  std::string_view message;  // "" if the response's text is the message
};

// From apimachinery, api/errors: NewGenericServerResponse.
constexpr Generic kGeneric[] = {
    {400, "BadRequest", "the server rejected our request for an unknown reason"},
    {401, "Unauthorized", "the server has asked for the client to provide credentials"},
    {403, "Forbidden", ""},
    {404, "NotFound", "the server could not find the requested resource"},
    {405, "MethodNotAllowed", "the server does not allow this method on the requested resource"},
    {406, "NotAcceptable", ""},
    {409, "Conflict", "the server reported a conflict"},
    {415, "UnsupportedMediaType", ""},
    {422, "Invalid", "the server rejected our request due to an error in our request"},
    {429, "TooManyRequests", "the server has received too many requests and has asked us to try again later"},
    {503, "ServiceUnavailable", "the server is currently unable to handle the request"},
    {504, "Timeout",
     "the server was unable to return a response in the time allotted, but may still be processing the request"},
};

Generic GenericOf(int status) {
  for (const Generic& row : kGeneric) {
    if (row.status == status) return row;
  }
  if (status >= 500) return {status, "InternalError", ""};
  return {status, "", "the server responded with a status code that it did not explain"};
}

constexpr int kBadGateway = 502;
constexpr size_t kLongestQuoted = 200;  // in bytes; for response text that is not a Status

// Returns the first line of a body that is not a Status; "" if it is not plain text.
std::string TextOf(const net::HttpResponse& response) {
  const std::string_view type = response.Header("content-type");
  if (!type.empty() && !type.starts_with("text/plain")) return {};
  std::string_view line = Trim(response.body);
  line = line.substr(0, line.find('\n'));
  return std::string(Trim(Utf8Prefix(line, kLongestQuoted)));
}

bool IsPage(const net::HttpResponse& response) {
  return response.Header("content-type").starts_with("text/html") || Trim(response.body).starts_with('<');
}

// Returns " (get deployments.apps web)"; "" if `ref` is empty.
std::string RequestWords(const ObjectRef& ref, std::string_view method) {
  if (ref.plural.empty()) return {};
  return StrCat(" (", ToLower(method), " ", FullName(ref.gvk, ref.plural), ref.name.empty() ? "" : " ", ref.name, ")");
}

// Returns a redirect's target without parts that may be secret: user name, password, query and fragment.
std::string SafeLocation(std::string_view location) {
  location = location.substr(0, location.find_first_of("?#"));
  const size_t authority = location.find("//");
  if (authority == location.npos) return Visible(Utf8Prefix(location, kLongestQuoted), Newlines::kEscape);
  const size_t host = authority + 2;
  // Use the last @ even after a slash: in a malformed URL the password may contain a slash.
  const size_t at = location.rfind('@');
  const std::string_view rest = location.substr(at == location.npos || at < host ? host : at + 1);
  return Visible(Utf8Prefix(StrCat(location.substr(0, host), rest), kLongestQuoted), Newlines::kEscape);
}

// API servers do not redirect; login pages and load balancers do.
std::string RedirectMessage(const net::HttpResponse& response, std::string_view request) {
  const std::string to = SafeLocation(response.Header("location"));
  return StrCat("the server responded with the status code ", response.status, to.empty() ? "" : " and redirects to ",
                to, request, " - check the server's address; redirects are not followed");
}

Error FromUnexplained(const net::HttpResponse& response, const ObjectRef& ref, std::string_view method) {
  const Generic generic = GenericOf(response.status);
  const std::string text = TextOf(response);
  std::string message(generic.message);
  if (response.status == kBadGateway && method != "GET") {
    message = StrCat("a gateway received no valid response from the server, which may have processed the request (",
                     Quoted(text.empty() ? "unknown" : text), ")");
  } else if (response.status >= 500 && message.empty()) {
    message = StrCat("an error on the server (", Quoted(text.empty() ? "unknown" : text),
                     ") has prevented the request from succeeding");
  } else if (message.empty()) {
    message = text.empty() ? "unknown" : text;
  } else if (generic.reason.empty()) {
    message =
        StrCat("the server responded with the status code ", response.status, " but did not return more information");
  }
  const std::string request = RequestWords(ref, method);
  const bool redirect = response.status >= 300 && response.status < 400;
  message = redirect ? RedirectMessage(response, request) : message + request;
  const bool said = redirect || text.empty() || message.find(text) != message.npos;
  if (!said) message += ": " + text;  // kubectl omits the text, which may show that a proxy refused
  Error error{CodeOf(response.status, generic.reason), MessageOf(generic.reason, message)};
  error.http_status = response.status;
  if (response.status == 404 && IsPage(response)) {
    error.code = ErrorCode::kServer;
    error.message += ": a page of HTML, as proxies send it and no API server does";
  }
  error.reason = error.code == ErrorCode::kNotFound ? kNoSuchPath : generic.reason;
  return error;
}

Error FromStatus(const net::HttpResponse& response, const Value& status) {
  const std::string_view reason = status.StringOr("reason");
  Error error{CodeOf(response.status, reason), ""};
  error.message = reason == "Invalid" ? InvalidMessage(status) : MessageOf(reason, status.StringOr("message"));
  error.http_status = response.status;
  error.reason = reason;
  return error;
}

bool IsFailure(const Value& root) { return root.StringOr("kind") == "Status" && root.StringOr("status") != "Success"; }

}  // namespace

Error ErrorFromResponse(const net::HttpResponse& response, const ObjectRef& ref, std::string_view method) {
  const Result<Document> body = ParseJson(response.body);
  const bool explained = body.ok() && IsFailure(body->root());
  Error error = explained ? FromStatus(response, body->root()) : FromUnexplained(response, ref, method);
  if (!response.hint.empty()) error.message += ": " + response.hint;
  error.message = WithoutSecrets(error.message, ref);
  return error;
}

std::string WithoutSecrets(std::string_view said, const ObjectRef& ref) {
  const SecretRegistry& secrets = SecretRegistry::Instance();
  const bool of_secret = IsSecret(ref.gvk.ApiVersion(), ref.gvk.kind);
  return of_secret ? secrets.ScrubMessageOfSecret(said, ref.name_space, ref.name)
                   : secrets.ScrubMessage(said, ref.name_space, ref.name);
}

}  // namespace smp::kube
