#include "net/logging_transport.h"

#include <gtest/gtest.h>

#include "net/fake_transport.h"
#include "value/base64.h"
#include "value/json.h"
#include "value/redact.h"

namespace smp::net {
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

TEST(LoggingTransport, BodiesAreCutBetweenCharacters) {
  const std::string log = Logged(8, {.path = "/a"}, Json(200, "\"" + std::string(1022, 'a') + "\u20ac\""));
  EXPECT_NE(log.find("a [truncated 4 chars]"), std::string::npos) << log;
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

// Answers that hold Secrets and do not say so. Each row holds the canary, which has no other chance to become known.
TEST(LoggingTransport, EverythingFromAPathOfSecretsIsMasked) {
  const std::string metadata =
      R"("metadata":{"name":"s","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"data\":{\"p\":\"#\"}}"}})";
  const std::string partial = R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1",)" + metadata + "}";
  const std::string secrets = "/api/v1/namespaces/x/secrets";
  const std::pair<std::string, std::string> rows[] = {
      {secrets + "/s", partial},
      {"/api/v1/watch/secrets", partial},
      {"/api/v1/watch/namespaces/x/secrets/s", partial},
      {secrets, R"({"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","items":[)" + partial + "]}"},
      {secrets, R"({"kind":"PartialObjectMetadataList","items":[{)" + metadata + "}]}"},
      {secrets, R"({"items":[{)" + metadata + "}]}"},
      {secrets, R"({"kind":"List","items":[{"data":{"p":"#"}}]})"},
      {secrets, R"({"kind":"SecretList","items":["#"]})"},
      {secrets, R"({"kind":"SecretList","items":[],"data":{"p":"#"}})"},
      {secrets, "{\"kind\":\"SecretList\"," + metadata + R"(,"items":[]})"},
      {secrets, R"({"kind":"Table","rows":[{"cells":["s","Opaque"],"object":)" + partial + "}]}"},
      {secrets, R"({"kind":"Table","rows":[{"cells":["#"],"object":null}]})"},
      {secrets, R"({"type":"ADDED","object":)" + partial + "}"},
      {secrets, R"({"type":"ADDED","object":)" + partial + "}\n{\"type\":\"ADDED\",\"object\":" + partial + "}\n"},
      {secrets + "/s", R"({"kind":"Status","data":{"p":"#"}})"},
      {secrets + "/s", R"(["#"])"},
      {secrets + "/s", R"("#")"},
      {"/x", R"({"kind":"SecretList","items":[{)" + metadata + "}]}"},
      {"/x", R"({"kind":"WatchEvent","object":{"apiVersion":"v1","kind":"Secret","data":{"p":"#"}}})"},
      {"/x", R"([{"a":{"apiVersion":"v1","kind":"Secret","stringData":{"p":"#"}}}])"},
  };
  int number = 0;
  for (const auto& [path, answer] : rows) {
    const std::string canary = StrCat("kolibri-", ++number, "-of-tests");
    std::string body = answer;
    for (size_t at = body.find('#'); at != body.npos; at = body.find('#')) body.replace(at, 1, canary);
    for (const int verbosity : {8, 10}) {
      const std::string log = Logged(verbosity, {.path = path}, Json(200, body));
      EXPECT_EQ(log.find("kolibri"), std::string::npos) << log;
      EXPECT_NE(log.find("***"), std::string::npos) << log;
    }
  }
}

TEST(LoggingTransport, WhatIsHarmlessInAListOfSecretsIsShown) {
  const std::string log =
      Logged(10, {.path = "/api/v1/secrets"},
             Json(200, R"({"kind":"Table","metadata":{"resourceVersion":"7"},"columnDefinitions":[{"name":"Name"}],)"
                       R"("rows":[{"cells":["harmless"],"object":{"metadata":{"name":"harmless"}}}]})"));
  for (const char* shown : {R"(\"resourceVersion\":\"7\")", R"({\"name\":\"Name\"})", R"({\"name\":\"harmless\"})"}) {
    EXPECT_NE(log.find(shown), std::string::npos) << log;
  }
}

// Neither masked, nor remembered as something that must be masked elsewhere.
TEST(LoggingTransport, AReferenceToASecretIsNoSecret) {
  const std::string body = R"({"spec":{"certificateRefs":[{"kind":"Secret","name":"a-certificate"}]}})";
  const std::string log = Logged(8, {.path = "/x"}, Json(200, body));
  EXPECT_NE(log.find("a-certificate"), std::string::npos) << log;
}

// The server quotes what a JSON patch holds.
TEST(LoggingTransport, RefusedJsonPatchesQuoteNoSecrets) {
  for (const std::string op :
       {R"({"op":"replace","path":"/data/p","value":"pirol-1-of-tests"})",
        R"({"op":"replace","path":"/data","value":{"p":["pirol-2-of-tests"]}})",
        R"({"op":"add","path":"/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration",)"
        R"("value":"{\"kind\":\"Secret\",\"data\":{\"p\":\"pirol-3-of-tests\"}}"})"}) {
    const size_t at = op.find("pirol");
    const std::string canary = op.substr(at, op.find_first_of("\"\\", at) - at);
    const std::string log = Logged(8, Patch("/api/v1/namespaces/x/secrets/s", "[" + op + "]"),
                                   Json(422, R"({"kind":"Status","message":"Invalid value: )" + canary + R"("})"));
    EXPECT_EQ(log.find("pirol"), std::string::npos) << log;
    EXPECT_NE(log.find("Invalid value"), std::string::npos) << log;
  }
}

// A policy may quote parts of values in its message and in a warning.
TEST(LoggingTransport, RefusalsQuoteNoPartsOfSecrets) {
  const std::string secret = R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"parts-of-it","namespace":"x"},)"
                             R"("stringData":{"p":"wiedehopf-of-tests"}})";
  HttpResponse refusal =
      Json(422, R"({"kind":"Status","message":"secrets \"parts-of-it\": starts wiedehopf-o, ends pf-of-tests"})");
  refusal.headers.emplace_back("Warning", "299 - \"starts wiedehopf-\"");
  for (const std::string path : {"", "/parts-of-it?dryRun=All"}) {
    const std::string log = Logged(8, {"POST", "/api/v1/namespaces/x/secrets" + path, {}, secret}, refusal);
    EXPECT_EQ(log.find("wiedehop"), std::string::npos) << log;
    EXPECT_EQ(log.find("of-tests"), std::string::npos) << log;
    EXPECT_NE(log.find("parts-of-it"), std::string::npos) << log;
    EXPECT_NE(log.find("starts ***, ends ***"), std::string::npos) << log;
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

// The patch that hands fields over to another manager names managers and versions.
TEST(LoggingTransport, WhatAJsonPatchSetsInMetadataIsMaskedNowhereElse) {
  const std::string patch =
      R"([{"op":"replace","path":"/metadata/managedFields","value":[{"manager":"some-manager"}]}])";
  const std::string log = Logged(8, Patch("/api/v1/namespaces/x/secrets/s", patch),
                                 Json(409, R"({"kind":"Status","message":"some-manager was faster"})"));
  EXPECT_NE(log.find("some-manager was faster"), std::string::npos) << log;
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
}  // namespace smp::net
