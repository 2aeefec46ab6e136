// The transport against servers that break the rules. What it makes of a good one is tested in live_test.cc.
#include <gtest/gtest.h>

#include "auth/auth_transport.h"
#include "base/packed.h"
#include "base/strings.h"
#include "net/raw_server.h"

namespace smp::net {
namespace {

using After = RawServer::After;

const char kOk[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

std::unique_ptr<Transport> Connect(const RawServer& server, auth::ConnectionConfig config = {}) {
  EXPECT_TRUE(server.ok());
  config.server = "http://" + server.HostPort();
  Result<std::unique_ptr<Transport>> transport = auth::MakeAuthTransport(config, {.user_agent = "agent/1"});
  EXPECT_TRUE(transport.ok());
  return transport.ok() ? *std::move(transport) : nullptr;
}

TEST(CurlTransport, RequestIsSentAsGivenAndWithoutCredentialsOverPlainHttp) {
  RawServer server({{kOk}});
  auth::ConnectionConfig config;
  config.token = "secret-token";
  config.username = "secret-user";
  const HttpRequest request = {"PATCH", "/a/../b?x=%20y", {{"Content-Type", "application/x"}}, "body"};
  ASSERT_TRUE(Connect(server, config)->Send(request).ok());
  const std::string sent = server.requests().at(0);
  EXPECT_TRUE(sent.starts_with("PATCH /a/../b?x=%20y HTTP/1.1\r\nHost: " + server.HostPort() + "\r\n")) << sent;
  EXPECT_TRUE(sent.ends_with("\r\n\r\nbody")) << sent;
  EXPECT_NE(sent.find("\r\nUser-Agent: agent/1\r\n"), std::string::npos) << sent;
  EXPECT_NE(sent.find("\r\nContent-Type: application/x\r\n"), std::string::npos) << sent;
  EXPECT_NE(sent.find("\r\nAccept-Encoding: "), std::string::npos) << sent;
  for (const char* part : {"secret", "Authorization", "Expect", "urlencoded"}) {
    EXPECT_EQ(sent.find(part), std::string::npos) << sent;
  }
}

TEST(CurlTransport, EmptyBodiesOfWritesAreSent) {
  RawServer server({{kOk, After::kKeep}, {kOk}});
  const std::unique_ptr<Transport> transport = Connect(server);
  ASSERT_TRUE(transport->Send({.method = "POST", .path = "/p"}).ok());
  ASSERT_TRUE(transport->Send({.method = "DELETE", .path = "/d"}).ok());
  EXPECT_NE(server.requests().at(0).find("Content-Length: 0"), std::string::npos);
  EXPECT_TRUE(server.requests().at(1).starts_with("DELETE /d "));
}

TEST(CurlTransport, HeadersOfTheLastAnswerCountWithNamesInLowerCase) {
  RawServer server(
      {{"HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\nHTTP/1.1 200 OK\r\nWarning: 299 - \"a\"\r\n"
        "WARNING: 299 - \"b\"\r\nContent-Length: 0\r\n\r\n"}});
  const Result<HttpResponse> answer = Connect(server)->Send({.path = "/"});
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(answer->headers,
            (Headers{{"warning", "299 - \"a\""}, {"warning", "299 - \"b\""}, {"content-length", "0"}}));
}

TEST(CurlTransport, RedirectsAreAnswers) {
  RawServer server({{"HTTP/1.1 302 Found\r\nLocation: http://evil.example/\r\nContent-Length: 0\r\n\r\n"}});
  const Result<HttpResponse> answer = Connect(server)->Send({.path = "/"});
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(answer->status, 302);
}

TEST(CurlTransport, BrokenConnectionsCanBeToldFromOthers) {
  for (const char* bytes : {"", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
                            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"}) {
    RawServer server({{bytes}, {bytes}});
    const std::unique_ptr<Transport> transport = Connect(server);
    const Result<HttpResponse> read = transport->Send({.path = "/x"});
    ASSERT_FALSE(read.ok()) << bytes;
    EXPECT_EQ(read.error().code, ErrorCode::kTransport);
    EXPECT_EQ(read.error().reason, kConnectionReset) << read.error().message;
    EXPECT_EQ(read.error().message.find("carried out"), std::string::npos) << read.error().message;
    const Result<HttpResponse> write = transport->Send({.method = "POST", .path = "/x"});
    ASSERT_FALSE(write.ok()) << bytes;
    EXPECT_NE(write.error().message.find("may have processed the request"), std::string::npos) << write.error().message;
  }
}

TEST(CurlTransport, ConnectionThatDiedWhileIdleIsReplaced) {
  RawServer server({{kOk}, {kOk}});  // says keep-alive and closes
  const std::unique_ptr<Transport> transport = Connect(server);
  EXPECT_TRUE(transport->Send({.path = "/1"}).ok());
  EXPECT_TRUE(transport->Send({.path = "/2"}).ok());
}

TEST(CurlTransport, NonsenseIsAnError) {
  for (const char* bytes :
       {"SSH-2.0-OpenSSH_9\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope"}) {
    RawServer server({{bytes}});
    const Result<HttpResponse> answer = Connect(server)->Send({.path = "/"});
    ASSERT_FALSE(answer.ok()) << bytes;
    EXPECT_EQ(answer.error().code, ErrorCode::kTransport) << bytes;
  }
}

// An answer with a body in the encoding, whose end is that of the connection.
std::string Encoded(const std::string& encoding, const std::string& body) {
  return StrCat("HTTP/1.1 200 OK\r\nContent-Encoding: ", encoding, "\r\n\r\n", body);
}

TEST(CurlTransport, PackedAnswersAreUnpacked) {
  for (const std::string& bytes : {Encoded("gzip", kPacked), Encoded("GZIP", kPacked), Encoded("identity", kText)}) {
    RawServer server({{bytes}});
    const Result<HttpResponse> answer = Connect(server)->Send({.path = "/"});
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_EQ(answer->body, kText);
  }
}

TEST(CurlTransport, APackedAnswerThatEndsEarlyIsAnError) {
  for (const size_t lacking : {1, 8, 9, 20}) {
    RawServer server({{Encoded("gzip", kPacked.substr(0, kPacked.size() - lacking))}});
    const Result<HttpResponse> answer = Connect(server)->Send({.path = "/"});
    ASSERT_FALSE(answer.ok()) << lacking;
    EXPECT_EQ(answer.error().message,
              "Unable to connect to the server: the response to GET / cannot be read (its gzip stream ends early)");
  }
}

TEST(CurlTransport, AnotherEncodingThanAskedForIsAnError) {
  RawServer server({{Encoded("br", "x")}});
  const Result<HttpResponse> answer = Connect(server)->Send({.path = "/"});
  ASSERT_FALSE(answer.ok());
  EXPECT_NE(answer.error().message.find("Content-Encoding other than gzip"), std::string::npos);
}

TEST(CurlTransport, EndlessHeadersAreNotRead) {
  std::string bytes = "HTTP/1.1 200 OK\r\n";
  while (bytes.size() < (2UL << 20)) bytes += "X-Filler: 0123456789012345678901234567890123456789\r\n";
  RawServer server({{bytes + "\r\n"}});
  const Result<HttpResponse> answer = Connect(server)->Send({.path = "/"});
  ASSERT_FALSE(answer.ok());
  EXPECT_NE(answer.error().message.find("header of more than 256 KiB"), std::string::npos) << answer.error().message;
}

TEST(CurlTransport, SilentServerEndsWithTheRequestTimeout) {
  RawServer server({{"", After::kKeep}, {""}});
  auth::ConnectionConfig config;
  config.request_timeout_ms = 50;
  const Result<HttpResponse> answer = Connect(server, config)->Send({.method = "PUT", .path = "/x", .body = "b"});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().message,
            "Unable to connect to the server: no response to PUT /x within 50 ms (--request-timeout); the server may "
            "have processed the request: check before you repeat it");
}

TEST(CurlTransport, SilentServerEndsWithoutARequestTimeoutToo) {
  RawServer server({{"", After::kKeep}, {""}});
  auth::ConnectionConfig config;
  config.server = "http://" + server.HostPort();
  const auto transport = *MakeCurlTransport(config, {.idle_timeout_s = 1});
  const Result<HttpResponse> answer = transport->Send({.path = "/x"});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(
      answer.error().message,
      "Unable to connect to the server: the server sent nothing, or next to nothing, for 1 s in response to GET /x");
}

TEST(CurlTransport, ServerThatSendsAByteNowAndThenEndsToo) {
  RawServer server({{.bytes = kOk, .pause_ms = 100}});
  auth::ConnectionConfig config;
  config.server = "http://" + server.HostPort();
  const auto transport = *MakeCurlTransport(config, {.idle_timeout_s = 1});
  const Result<HttpResponse> answer = transport->Send({.path = "/x"});
  ASSERT_FALSE(answer.ok());
  EXPECT_NE(answer.error().message.find("next to nothing, for 1 s"), std::string::npos) << answer.error().message;
}

TEST(CurlTransport, CompressionIsAskedForUnlessSwitchedOff) {
  RawServer server({{kOk}, {kOk}});
  auth::ConnectionConfig config;
  ASSERT_TRUE(Connect(server, config)->Send({.path = "/"}).ok());
  config.disable_compression = true;
  ASSERT_TRUE(Connect(server, config)->Send({.path = "/"}).ok());
  EXPECT_NE(server.requests().at(0).find("\r\nAccept-Encoding: gzip\r\n"), std::string::npos) << server.requests()[0];
  EXPECT_EQ(server.requests().at(1).find("Accept-Encoding"), std::string::npos) << server.requests()[1];
}

TEST(CurlTransport, EnvironmentOfLibcurlDoesNotCount) {
  RawServer server({{kOk}});
  for (const char* name : {"http_proxy", "ALL_PROXY", "all_proxy"}) setenv(name, "http://127.0.0.1:1", 1);
  const Result<HttpResponse> answer = Connect(server)->Send({.path = "/"});  // a loopback server needs no proxy
  for (const char* name : {"http_proxy", "ALL_PROXY", "all_proxy"}) unsetenv(name);
  EXPECT_TRUE(answer.ok()) << answer.error().message;
}

TEST(CurlTransport, ProxyOfTheKubeconfigIsUsedForLoopbackToo) {
  RawServer proxy({{kOk}});
  auth::ConnectionConfig config;
  config.server = "http://127.0.0.1:1";
  config.proxy_url = "http://me:p%40ss@" + proxy.HostPort();
  const Result<HttpResponse> answer = (*MakeCurlTransport(config, {}))->Send({.path = "/x"});
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  const std::string sent = proxy.requests().at(0);
  EXPECT_TRUE(sent.starts_with("GET http://127.0.0.1:1/x HTTP/1.1\r\n")) << sent;
  EXPECT_NE(sent.find("\r\nProxy-Authorization: Basic bWU6cEBzcw==\r\n"), std::string::npos) << sent;
}

TEST(CurlTransport, ServerThatIsDownFailsManyRequestsAtOnce) {
  auth::ConnectionConfig config;
  config.server = "https://127.0.0.1:1";
  const auto transport = *MakeCurlTransport(config, {.parallel = 64});
  for (const Result<HttpResponse>& answer : transport->SendAll(std::vector<HttpRequest>(300, {.path = "/x"}))) {
    ASSERT_FALSE(answer.ok());
    EXPECT_NE(answer.error().message.find("was refused"), std::string::npos) << answer.error().message;
  }
}

TEST(CurlTransport, NoRequestsGiveNoAnswers) {
  RawServer server({});
  EXPECT_TRUE(Connect(server)->SendAll({}).empty());
}

}  // namespace
}  // namespace smp::net
