#include "kube/logging_transport.h"

#include <gtest/gtest.h>

#include "kube/fake_transport.h"
#include "value/base64.h"
#include "value/json.h"
#include "value/redact.h"

namespace smp {
namespace {

constexpr char kPath[] = "/api/v1/namespaces/x/configmaps/a";

// Sends a request to a transport that gives the answer, and returns what was logged.
std::string Logged(int verbosity, const HttpRequest& request, Result<HttpResponse> answer) {
  FakeScript script;
  script.On(request.method + " " + request.path, std::move(answer));
  std::string log;
  const auto transport =
      LogTransport(std::make_unique<FakeTransport>(&script),
                   {.verbosity = verbosity,
                    .server = "https://host:6443",
                    .headers = {{"User-Agent", "agent/1"}, {"Authorization", "Bearer geheimestoken"}},
                    .print = [&](const std::string& entry) { log += entry + "\n"; }});
  (void)transport->SendAll({request});
  return log;
}

HttpResponse Timed(HttpResponse response) {
  response.milliseconds = 7;
  return response;
}

HttpRequest Patch(const std::string& path, const std::string& body) {
  return {"PATCH", path, {{"Content-Type", "application/merge-patch+json"}}, body};
}

TEST(LoggingTransport, SaysNothingBelowSix) { EXPECT_EQ(Logged(5, {.path = kPath}, Json(200, "{}")), ""); }

TEST(LoggingTransport, SixShowsEachRequest) {
  EXPECT_EQ(Logged(6, {.path = kPath}, Timed(Json(200, "{}"))),
            "\"Response\" verb=\"GET\" url=\"https://host:6443/api/v1/namespaces/x/configmaps/a\" status=\"200 OK\" "
            "milliseconds=7\n");
}

// Each number as one #.
std::string Digits(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c < '0' || c > '9') out += c;
    if (c >= '0' && c <= '9' && !out.ends_with('#')) out += '#';
  }
  return out;
}

TEST(LoggingTransport, SixShowsWhatFailed) {
  const std::string log = Logged(6, {.path = "/a"}, Error::Transport("no \"route\""));
  EXPECT_EQ(Digits(log),
            "\"Response\" verb=\"GET\" url=\"https://host:#/a\" status=\"\" milliseconds=# err=\"no \\\"route\\\"\"\n");
}

TEST(LoggingTransport, SevenShowsRequestHeadersWithoutCredentials) {
  EXPECT_EQ(Logged(7, Patch("/a", "{}"), Timed(Json(409, "{}"))),
            "\"Request\" verb=\"PATCH\" url=\"https://host:6443/a\" headers=<\n"
            "\tAuthorization: Bearer <masked>\n"
            "\tContent-Type: application/merge-patch+json\n"
            "\tUser-Agent: agent/1\n"
            " >\n"
            "\"Response\" verb=\"PATCH\" url=\"https://host:6443/a\" status=\"409 Conflict\" milliseconds=7\n");
}

TEST(LoggingTransport, EightShowsAnswerHeadersAndBodies) {
  HttpResponse answer = Timed(Json(200, "{\"x\":1}\n"));
  answer.headers.emplace_back("set-cookie", "session=geheim");
  EXPECT_EQ(Logged(8, Patch("/a", "{\"a\":\"b\"}"), answer),
            "\"Request Body\" body=\"{\\\"a\\\":\\\"b\\\"}\"\n"
            "\"Request\" verb=\"PATCH\" url=\"https://host:6443/a\" headers=<\n"
            "\tAuthorization: Bearer <masked>\n"
            "\tContent-Type: application/merge-patch+json\n"
            "\tUser-Agent: agent/1\n"
            " >\n"
            "\"Response\" verb=\"PATCH\" url=\"https://host:6443/a\" status=\"200 OK\" headers=<\n"
            "\tContent-Type: application/json\n"
            "\tSet-Cookie: <masked>\n"
            " > milliseconds=7\n"
            "\"Response Body\" body=<\n"
            "\t{\"x\":1}\n"
            " >\n");
}

TEST(LoggingTransport, NineShowsCurlCommands) {
  const std::string log = Logged(9, Patch("/a?b='c'", "{}"), Json(200, "{}"));
  EXPECT_NE(
      log.find("\"Request\" curlCommand=<\n\tcurl -v -XPATCH -H 'Authorization: Bearer <masked>' -H 'Content-Type: "
               "application/merge-patch+json' -H 'User-Agent: agent/1' "
               "'https://host:6443/a?b='\\''c'\\'''\n >\n"),
      std::string::npos)
      << log;
}

TEST(LoggingTransport, BodiesAreCutAsKubectlCutsThem) {
  const std::string body = "\"" + std::string(19'998, 'a') + "\"";
  EXPECT_NE(Logged(8, {.path = "/a"}, Json(200, body)).find(" [truncated 18976 chars]\""), std::string::npos);
  EXPECT_NE(Logged(9, {.path = "/a"}, Json(200, body)).find(" [truncated 9760 chars]\""), std::string::npos);
  EXPECT_EQ(Logged(10, {.path = "/a"}, Json(200, body)).find("truncated"), std::string::npos);
}

// Each row holds the canary, plain or as base64, where a Secret can have it.
TEST(LoggingTransport, SecretsAreMaskedInEveryBody) {
  const std::string canary = "kanarienvogel-4711";
  const std::string coded = EncodeBase64(canary);
  const std::string secret =
      R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"data":{"p":")" + coded + "\"}}";
  const std::string applied = R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","annotations":{)"
                              R"("kubectl.kubernetes.io/last-applied-configuration":"{\"data\":{\"p\":\")" +
                              coded + R"(\"}}"}}})";
  const std::string secrets = "/api/v1/namespaces/x/secrets";
  struct Row {
    std::string path;
    std::string request;
    std::string answer;
  };
  const Row rows[] = {
      {secrets + "/s", "{}", secret},
      {secrets + "/s?a=b", "{}", applied},
      {secrets, secret, "{}"},
      {secrets, "{}",
       R"({"kind":"SecretList","apiVersion":"v1","items":[{"metadata":{"name":"s"},"data":{"p":")" + coded + "\"}}]}"},
      {"/x", "{}", R"({"kind":"List","apiVersion":"v1","items":[)" + secret + "]}"},
      {"/api/v1/secrets", "{}", R"({"kind":"SecretList","items":[{"stringData":{"p":")" + canary + "\"}}]}"},
      {secrets + "/s", R"({"data":{"p":")" + coded + "\"}}", "{}"},
      {secrets + "/s", R"({"stringData":{"p":")" + canary + "\"}}", "{}"},
      {secrets + "/s", R"([{"op":"add","path":"/data/p","value":")" + coded + "\"}]", "{}"},
      {secrets + "/s", "data: {p: " + coded + "}", "{}"},
      {secrets + "/s", R"({"stringData":{"p":")" + canary + "\"}}",
       R"({"kind":"Status","message":"Invalid value: \")" + canary + R"(\" of p"})"},
  };
  for (const Row& row : rows) {
    const std::string log = Logged(10, Patch(row.path, row.request), Json(200, row.answer));
    EXPECT_EQ(log.find(canary), std::string::npos) << log;
    EXPECT_EQ(log.find(coded), std::string::npos) << log;
    EXPECT_NE(log.find("***"), std::string::npos) << log;
  }
}

// The server refuses the patch and quotes it: the last-applied annotation is escaped as JSON, in it by Go's %q, and in
// the answer as JSON again.
TEST(LoggingTransport, RefusedPatchesQuoteNoSecrets) {
  for (const std::string canary : {"BEGIN KEY\nCANARYLINE1\nCANARYLINE2\n", "https://x?a=1&tok=CANARY", "<CANARY\"\\>",
                                   "\x01"
                                   "CANARY\x7F\x1F"}) {
    const auto json = [](const std::string& text) { return WriteJson(Value::UnownedString(text)); };
    const std::string applied = R"({"apiVersion":"v1","kind":"Secret","stringData":{"p":)" + json(canary) + "}}";
    const std::string annotation = R"("kubectl.kubernetes.io/last-applied-configuration":)" + json(applied);
    const std::string patch =
        R"({"metadata":{"annotations":{)" + annotation + R"(}},"stringData":{"p":)" + json(canary) + R"(},"type":7})";
    const std::string status =
        R"({"kind":"Status","status":"Failure","message":)" + json("cannot restore " + json(patch)) + "}";
    const std::string twice = R"({"kind":"Status","message":)" + json(json(json(status))) + "}";
    for (const std::string& answer : {status, twice}) {
      const std::string log = Logged(8, Patch("/api/v1/namespaces/x/secrets/s", patch), Json(400, answer));
      EXPECT_EQ(log.find("CANARY"), std::string::npos) << log;
      EXPECT_NE(log.find("cannot restore"), std::string::npos) << log;
    }
  }
}

TEST(LoggingTransport, SecretNumbersAreMaskedToo) {
  const std::string log =
      Logged(8, Patch("/api/v1/namespaces/x/secrets/s", R"({"data":{"pin":82749163}})"),
             Json(400, R"({"kind":"Status","message":"map[data:map[pin:82749163]] {\"pin\":8.2749163e+07}"})"));
  EXPECT_EQ(log.find("2749163"), std::string::npos) << log;
}

TEST(LoggingTransport, OfTwoMembersWithOneNameNeitherIsShown) {
  const std::string log =
      Logged(8, Patch("/api/v1/namespaces/x/secrets/s", R"({"data":{"p":"CANARY"},"data":{}})"), Json(200, "{}"));
  EXPECT_EQ(log.find("CANARY"), std::string::npos) << log;
}

TEST(LoggingTransport, WhatIsCutLeavesNoHalfOfASecret) {
  const std::string token = "zertifikat-0815-0815-0815";
  SecretRegistry::Instance().RememberText(token);
  const std::string log = Logged(8, {.path = "/a"}, Json(200, std::string(1015, 'a') + token));
  EXPECT_EQ(log.find("zertif"), std::string::npos) << log;
}

TEST(LoggingTransport, EntriesBeginAsKlogs) {
  const std::string header = LogHeader();
  EXPECT_TRUE(Digits(header).starts_with("I# #:#:#.# ")) << header;
  EXPECT_TRUE(Digits(header).ends_with("# logging_transport_test.cc:#] ")) << header;
}

}  // namespace
}  // namespace smp
