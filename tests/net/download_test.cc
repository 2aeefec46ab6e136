#include "net/download.h"

#include <gtest/gtest.h>

#include "base/fake_clock.h"
#include "net/raw_server.h"

namespace smp::net {
namespace {

std::string Ok(const std::string& body) {
  return StrCat("HTTP/1.1 200 OK\r\nContent-Length: ", body.size(), "\r\n\r\n", body);
}

std::string Code(const std::string& code) { return StrCat("HTTP/1.1 ", code, " Text\r\nContent-Length: 0\r\n\r\n"); }

std::string RedirectTo(const std::string& location) {
  return StrCat("HTTP/1.1 302 Found\r\nLocation: ", location, "\r\nContent-Length: 0\r\n\r\n");
}

// Answers take real time, and sleeping takes none.
class SkippingClock : public FakeClock {
 public:
  int64_t NowMs() override { return MonotonicMs() + now_ms; }
};

class Web {
 public:
  explicit Web(std::deque<RawServer::Answer> script) : server_(std::move(script)) {}

  // The body, or the message of the error with the server's address taken out.
  std::string Get(const std::string& path) {
    limits.clock = &clock;
    const Result<std::string> body = Download(StrCat("http://", server_.HostPort(), path), limits);
    if (body.ok()) return *body;
    std::string text = body.error().message;
    for (size_t at = text.find(server_.HostPort()); at != text.npos; at = text.find(server_.HostPort())) {
      text.replace(at, server_.HostPort().size(), "WEB");
    }
    return "error: " + text;
  }

  std::vector<std::string> Paths() const {
    std::vector<std::string> paths;
    for (const std::string& request : server_.requests()) {
      paths.push_back(request.substr(0, request.find(" HTTP/")));
    }
    return paths;
  }

  const RawServer& server() const { return server_; }

  DownloadLimits limits;
  SkippingClock clock;

 private:
  RawServer server_;
};

TEST(Download, ReadsAFileAndSendsNoCredentials) {
  Web web({{Ok("a: b")}});
  EXPECT_EQ(web.Get("/x y.yaml?a=\u00e4#part"), "a: b");
  const std::string sent = web.server().requests().at(0);
  EXPECT_TRUE(sent.starts_with("GET /x%20y.yaml?a=%C3%A4 HTTP/1.1\r\n")) << sent;
  EXPECT_EQ(sent.find("Authorization"), std::string::npos) << sent;
  EXPECT_EQ(sent.find("Cookie"), std::string::npos) << sent;
}

TEST(Download, SendsWhatStandsInTheUrlAndShowsItToNobody) {
  Web web({{Code("404")}});
  const std::string host = web.server().HostPort();
  const Result<std::string> body = Download("http://bob:pass%40word@" + host + "/x", web.limits);
  ASSERT_FALSE(body.ok());
  EXPECT_EQ(body.error().message, "unable to read URL \"http://" + host + "/x\", server reported status code=404");
  EXPECT_NE(web.server().requests().at(0).find("\r\nAuthorization: Basic Ym9iOnBhc3NAd29yZA==\r\n"), std::string::npos);
}

TEST(Download, TriesThreeTimesWhereItMayHelp) {
  Web flaky({{Code("503")}, {""}, {Ok("a: b")}});
  EXPECT_EQ(flaky.Get("/x"), "a: b");
  EXPECT_EQ(flaky.clock.now_ms, 2000);
  Web down({{Code("500")}, {Code("500")}, {Code("502")}, {Ok("a: b")}});
  EXPECT_EQ(down.Get("/x"), "error: unable to read URL \"http://WEB/x\", server reported status code=502");
  Web missing({{Code("404")}, {Ok("a: b")}});
  EXPECT_EQ(missing.Get("/x"), "error: unable to read URL \"http://WEB/x\", server reported status code=404");
}

TEST(Download, FollowsRedirectsAsABrowserReadsThem) {
  for (const auto& [location, path] : std::vector<std::pair<std::string, std::string>>{
           {"/y", "GET /y"},
           {"y", "GET /a/y"},
           {"../y?q=1", "GET /y?q=1"},
           {"./c/./y", "GET /a/c/y"},
           {"?q", "GET /a/x?q"},
           {"y z", "GET /a/y%20z"},
       }) {
    Web web({{RedirectTo(location)}, {Ok("a: b")}});
    EXPECT_EQ(web.Get("/a/x?p"), "a: b") << location;
    EXPECT_EQ(web.Paths().at(1), path) << location;
  }
}

TEST(Download, FollowsFiveRedirectsAndNoMore) {
  const RawServer::Answer on = {RedirectTo("/on")};
  Web five({on, on, on, on, on, {Ok("a: b")}});
  EXPECT_EQ(five.Get("/x"), "a: b");
  Web six({on, on, on, on, on, on, {Ok("a: b")}});
  EXPECT_EQ(six.Get("/x"), "error: unable to read URL \"http://WEB/x\": stopped after 5 redirects");
}

TEST(Download, ReadsNothingButHttp) {
  for (const std::string to : {"file:///etc/passwd", "ftp://host/x", "gopher://host/x", "x:y"}) {
    Web web({{RedirectTo(to)}});
    EXPECT_EQ(web.Get("/x"), StrCat("error: unable to read URL \"http://WEB/x\": it redirects to \"", to,
                                    "\", and only http and https are supported"));
  }
}

TEST(Download, HasALimit) {
  Web web({{Ok(std::string(101, 'a'))}, {Ok("a: b")}});
  web.limits.bytes = 100;
  EXPECT_EQ(web.Get("/x"),
            "error: unable to read URL \"http://WEB/x\": it is larger than 100 bytes; download it to a file");
  EXPECT_EQ(web.Paths().size(), 1u);
}

TEST(Download, GivesUpInTime) {
  Web web({{"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n", RawServer::After::kKeep},
           {Ok("late"), RawServer::After::kKeep}});
  web.limits.timeout_ms = 50;
  EXPECT_EQ(web.Get("/x"), "error: unable to read URL \"http://WEB/x\": no response within 50 ms");
}

TEST(Download, WrongUrlsAreNamedBeforeAnythingIsSent) {
  for (const char* url : {"http://", "http:///x", "http://[::1", "http://a b/", "http://host:99999/", "http://host:x/",
                          "https://a\nb/", "ftp://host/x"}) {
    EXPECT_FALSE(CheckWebUrl(url).ok()) << url;
  }
  for (const char* url : {"http://h", "https://h:8443/x y?z", "http://[::1]:80/", "http://u:p@h/"}) {
    EXPECT_TRUE(CheckWebUrl(url).ok()) << url;
  }
}

TEST(Download, PasswordsAreNotShown) {
  EXPECT_EQ(ShownUrl("http://u:p@h/x@y"), "http://h/x@y");
  EXPECT_EQ(ShownUrl("https://h/x?ref=main&token=secret"), "https://h/x?ref=…&token=…");
  EXPECT_EQ(ShownUrl("https://h/x?secret"), "https://h/x?…");
  EXPECT_EQ(ShownUrl("http://h/x@y"), "http://h/x@y");
  EXPECT_EQ(ShownUrl("http://u:p@h"), "http://h");
  EXPECT_EQ(ShownUrl("x.yaml"), "x.yaml");
  EXPECT_EQ(ShownUrl("http://u:p/q@h/x"), "http://h/x");
  EXPECT_EQ(ShownUrl("http://u:p?q@h/x"), "http://h/x");
}

}  // namespace
}  // namespace smp::net
