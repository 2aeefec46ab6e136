#include "kube/status_error.h"

#include <gtest/gtest.h>

#include "net/fake_transport.h"
#include "value/json.h"
#include "value/redact.h"
#include "value/utf8.h"

namespace smp::kube {
namespace {

const ObjectRef kWeb = {{"apps", "v1", "Deployment"}, "deployments", "default", "web"};

// Messages checked against kubectl's checkErr and StandardErrorMessage.
TEST(StatusError, SaysWhatKubectlSays) {
  const struct {
    int status;
    const char* body;
    ErrorCode code;
    const char* reason;
    const char* message;
  } kCases[] = {
      {404,
       R"({"kind":"Status","status":"Failure","reason":"NotFound","message":"configmaps \"x\" not found","code":404})",
       ErrorCode::kNotFound, "NotFound", R"(Error from server (NotFound): configmaps "x" not found)"},
      {403, R"({"kind":"Status","status":"Failure","reason":"Forbidden","message":"no","code":403})",
       ErrorCode::kForbidden, "Forbidden", "Error from server (Forbidden): no"},
      {401, R"({"kind":"Status","status":"Failure","reason":"Unauthorized","message":"Unauthorized","code":401})",
       ErrorCode::kForbidden, "Unauthorized", "You must be logged in to the server (Unauthorized)"},
      {409, R"({"kind":"Status","status":"Failure","reason":"Conflict","message":"modified","code":409})",
       ErrorCode::kConflict, "Conflict", "Error from server (Conflict): modified"},
      {409, R"({"kind":"Status","status":"Failure","reason":"AlreadyExists","message":"there","code":409})",
       ErrorCode::kServer, "AlreadyExists", "Error from server (AlreadyExists): there"},
      {500, R"({"kind":"Status","status":"Failure","message":"no reason given"})", ErrorCode::kServer, "",
       "Error from server: no reason given"},
      {422,
       R"({"kind":"Status","status":"Failure","reason":"Invalid","message":"m",
          "details":{"name":"web","kind":"Deployment",
          "causes":[{"field":"spec.replicas","message":"Invalid value: -1"}]}})",
       ErrorCode::kServer, "Invalid", R"(The Deployment "web" is invalid: spec.replicas: Invalid value: -1)"},
      {422,
       R"({"kind":"Status","status":"Failure","reason":"Invalid","message":"m",
          "details":{"name":"web","kind":"Deployment",
          "causes":[{"field":"a","message":"x"},{"field":"b","message":"y"},{"field":"a","message":"x"}]}})",
       ErrorCode::kServer, "Invalid", "The Deployment \"web\" is invalid: \n* a: x\n* b: y"},
      {422,
       R"({"kind":"Status","status":"Failure","reason":"Invalid","message":"m","details":{"name":"w","kind":"D"}})",
       ErrorCode::kServer, "Invalid", R"(The D "w" is invalid)"},
      {422, R"({"kind":"Status","status":"Failure","reason":"Invalid","message":"m"})", ErrorCode::kServer, "Invalid",
       "The request is invalid: m"},
      {422, R"({"kind":"Status","status":"Failure","reason":"Invalid","message":"m","details":{}})", ErrorCode::kServer,
       "Invalid", "The request is invalid: m"},
      {422, R"({"kind":"Status","status":"Failure","reason":"Invalid","message":"m","details":{"causes":[{"field":"f",
          "message":"w"}]}})",
       ErrorCode::kServer, "Invalid", "The request is invalid: f: w"},
      {422, R"({"kind":"Status","status":"Failure","reason":"BadPatch","message":"m"})", ErrorCode::kServer, "BadPatch",
       "Error from server (BadPatch): m"},
      {404, "404 page not found", ErrorCode::kNotFound, "NoSuchPath",
       "Error from server (NotFound): the server could not find the requested resource (patch deployments.apps web)"},
      {404, "<html>Not Found</html>", ErrorCode::kServer, "NotFound",
       "Error from server (NotFound): the server could not find the requested resource (patch deployments.apps web): "
       "a page of HTML, as proxies send it and no API server does"},
      {418, "{}", ErrorCode::kServer, "",
       "Error from server: the server responded with the status code 418 but did not return more information (patch "
       "deployments.apps web)"},
      {502, "{}", ErrorCode::kServer, "InternalError",
       // kubectl says that it "has prevented the request from succeeding", which nobody knows
       "Error from server (InternalError): a gateway received no valid response from the server, which may have "
       "processed the request (\"unknown\") (patch deployments.apps web)"},
      {302, "", ErrorCode::kServer, "",
       "Error from server: the server responded with the status code 302 (patch deployments.apps web) - check the "
       "server's address; redirects are not followed"},
  };
  for (const auto& c : kCases) {
    const Error error = ErrorFromResponse(net::Json(c.status, c.body), kWeb, "PATCH");
    EXPECT_EQ(error.message, c.message);
    EXPECT_EQ(error.reason, c.reason) << c.message;
    EXPECT_EQ(error.code, c.code) << c.message;
    EXPECT_EQ(error.http_status, c.status) << c.message;
  }
}

TEST(StatusError, PlainTextOfAProxyIsShown) {
  const net::HttpResponse response = {
      400, {{"content-type", "text/plain; charset=utf-8"}}, "Client sent an HTTP request to an HTTPS server.\nmore"};
  EXPECT_EQ(
      ErrorFromResponse(response, {}, "GET").message,
      "Error from server (BadRequest): the server rejected our request for an unknown reason: Client sent an HTTP "
      "request to an HTTPS server.");
}

std::string Repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

TEST(StatusError, ALongTextOfAProxyIsCutBetweenCharacters) {
  const net::HttpResponse response = {503, {{"content-type", "text/plain"}}, Repeated("\u20ac", 100)};
  EXPECT_NE(ErrorFromResponse(response, {}, "GET").message.find(": " + Repeated("\u20ac", 66)), std::string::npos);
  EXPECT_TRUE(IsValidUtf8(ErrorFromResponse(response, {}, "GET").message));
}

TEST(StatusError, RedirectNamesItsTargetWithoutSecrets) {
  const struct {
    std::string location;
    std::string shown;
  } kCases[] = {
      {"https://login.example/a?code=secret#x", "https://login.example/a"},
      {"https://user:secret@h:1/p", "https://h:1/p"},
      {"https://user:secret/@h:1/p", "https://h:1/p"},
      {"//user:secret@h/p", "//h/p"},
      {"/login?next=/api", "/login"},
      {"/a\x1b[31m", "/a\\x1b[31m"},
      {"/" + std::string(5000, 'a'), "/" + std::string(199, 'a')},
      {"/" + Repeated("\u20ac", 100), "/" + Repeated("\u20ac", 66)},
  };
  for (const auto& c : kCases) {
    const Error error = ErrorFromResponse({302, {{"location", c.location}}, "Found. secret"}, {}, "GET");
    EXPECT_EQ(error.message, "Error from server: the server responded with the status code 302 and redirects to " +
                                 c.shown + " - check the server's address; redirects are not followed");
    EXPECT_EQ(error.http_status, 302);
  }
}

TEST(StatusError, HintOfTheTransportEndsTheMessage) {
  net::HttpResponse response = net::Json(
      401, R"({"kind":"Status","status":"Failure","reason":"Unauthorized","message":"Unauthorized","code":401})");
  response.hint = "log in again";
  EXPECT_EQ(ErrorFromResponse(response, {}, "GET").message,
            "You must be logged in to the server (Unauthorized): log in again");
  response.body = "no";
  EXPECT_TRUE(ErrorFromResponse(response, {}, "GET").message.ends_with(": log in again"));
}

TEST(StatusError, HtmlIsNotShown) {
  const net::HttpResponse response = {403, {{"content-type", "text/html"}}, "<html>blocked</html>"};
  EXPECT_EQ(ErrorFromResponse(response, {}, "GET").message, "Error from server (Forbidden): unknown");
}

TEST(StatusError, HostileBodiesGiveAnErrorAndNoCrash) {
  for (const char* body : {"", "[", "null", "[]", "\"Status\"", R"({"kind":"Status","details":[]})",
                           R"({"kind":"Status","reason":"Invalid","details":{"causes":[1,null,[],{"field":2}]}})",
                           R"({"kind":"Status","reason":{},"message":[]})", R"({"kind":1})"}) {
    EXPECT_FALSE(ErrorFromResponse(net::Json(422, body), kWeb, "GET").message.empty()) << body;
  }
}

TEST(StatusError, OnlyMessagesAboutASecretLoseItsShortValues) {
  SecretRegistry::Instance().Remember(
      ParseJson(R"({"kind":"Secret","metadata":{"name":"s"},"stringData":{"a":"false","b":"status-canary"}})")->root());
  const net::HttpResponse answer = {
      422, {}, R"({"kind":"Status","reason":"Refused","message":"it is \"false\", status-canary"})"};
  const ObjectRef secret = {{"", "v1", "Secret"}, "secrets", "x", "s"};
  EXPECT_EQ(ErrorFromResponse(answer, secret, "POST").message, R"(Error from server (Refused): it is "***", ***)");
  EXPECT_EQ(ErrorFromResponse(answer, kWeb, "POST").message, R"(Error from server (Refused): it is "false", ***)");
}

}  // namespace
}  // namespace smp::kube
