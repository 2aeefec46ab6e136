// Go's proxy rules; each row was held against golang.org/x/net/http/httpproxy.
#include "net/proxy_rules.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace smp::net {
namespace {

std::string Way(const std::string& server, const ProxyEnvironment& environment) {
  const Result<ServerUrl> url = ParseServerUrl(server);
  EXPECT_TRUE(url.ok()) << server;
  const Result<std::optional<ProxyUrl>> proxy = ProxyFor(*url, environment);
  if (!proxy.ok()) return "error";
  return *proxy ? (*proxy)->ToString() : "direct";
}

TEST(ProxyFor, TakesTheVariableOfTheScheme) {
  const ProxyEnvironment both = {.http_proxy = "http://plain:1", .https_proxy = "http://tls:2"};
  EXPECT_EQ(Way("https://k", both), "http://tls:2");
  EXPECT_EQ(Way("http://k", both), "http://plain:1");
  EXPECT_EQ(Way("https://k", {.http_proxy = "http://plain:1"}), "direct");
  EXPECT_EQ(Way("https://k", {}), "direct");
}

TEST(ProxyFor, RefusesHttpProxyInCgiPrograms) {
  EXPECT_EQ(Way("http://k", {.http_proxy = "http://p:1", .cgi = true}), "error");
  EXPECT_EQ(Way("http://k", {.cgi = true}), "direct");
  EXPECT_EQ(Way("https://k", {.https_proxy = "http://p:1", .cgi = true}), "http://p:1");
}

TEST(ProxyFor, TakesAHostForAnHttpProxy) {
  EXPECT_EQ(Way("https://k", {.https_proxy = "p:3128"}), "http://p:3128");
  EXPECT_EQ(Way("https://k", {.https_proxy = "p"}), "http://p:80");
  EXPECT_EQ(Way("https://k", {.https_proxy = "ftp://p"}), "error");
  EXPECT_EQ(Way("https://k", {.https_proxy = "http://"}), "error");
}

TEST(ProxyFor, LoopbackIsAlwaysDirect) {
  for (const char* server : {"https://localhost", "https://127.0.0.1", "https://127.8.9.1", "https://[::1]:6443",
                             "https://[::ffff:127.0.0.1]"}) {
    EXPECT_EQ(Way(server, {.https_proxy = "http://p:1"}), "direct") << server;
  }
  EXPECT_EQ(Way("https://localhost.example", {.https_proxy = "http://p:1"}), "http://p:1");
}

TEST(ProxyFor, ObeysNoProxy) {
  const struct {
    const char* no_proxy;
    const char* server;
    bool direct;
  } kCases[] = {
      {"example.com", "https://example.com", true},
      {"example.com", "https://api.example.com", true},
      {"example.com", "https://notexample.com", false},
      {"EXAMPLE.com", "https://api.example.COM", true},
      {".example.com", "https://example.com", false},
      {".example.com", "https://api.example.com", true},
      {"*.example.com", "https://api.example.com", true},
      {"*.example.com", "https://example.com", false},
      {"api.*", "https://api.example.com", false},
      {"example.com:6443", "https://example.com:6443", true},
      {"example.com:6443", "https://example.com", false},
      {"example.com:443", "https://example.com", true},
      {"example.com:", "https://example.com", true},
      {" a.b , example.com ", "https://example.com", true},
      {"a.b;example.com", "https://example.com", false},
      {",,", "https://example.com", false},
      {":443", "https://example.com", false},
      {"*", "https://example.com", true},
      {"*", "https://10.1.2.3", true},
      {"a.b,*", "https://10.1.2.3", true},
      {"10.1.2.3", "https://10.1.2.3:6443", true},
      {"10.1.2.3:6443", "https://10.1.2.3:6443", true},
      {"10.1.2.3:6443", "https://10.1.2.3", false},
      {"10.1.2", "https://10.1.2.3", false},
      {"2.3", "https://10.1.2.3", false},
      {".2.3", "https://10.1.2.3", false},
      {"10.0.0.0/8", "https://10.1.2.3", true},
      {"10.0.0.0/8", "https://11.1.2.3", false},
      {"10.1.2.0/30", "https://10.1.2.3", true},
      {"10.1.2.4/30", "https://10.1.2.3", false},
      {"0.0.0.0/0", "https://10.1.2.3", true},
      {"0.0.0.0/0", "https://[fd00::1]", false},
      {"10.0.0.0/33", "https://10.1.2.3", false},
      {"10.0.0.0/8", "https://example.com", false},
      {"fd00::1", "https://[fd00::1]:6443", true},
      {"[fd00::1]:6443", "https://[fd00::1]:6443", true},
      {"[fd00::1]:6443", "https://[fd00::1]", false},
      {"fd00:0:0::1", "https://[fd00::1]", true},
      {"fd00::/8", "https://[fdab::1]", true},
      {"fd00::/8", "https://[fe80::1]", false},
      {"::ffff:10.1.2.3", "https://10.1.2.3", true},
  };
  for (const auto& c : kCases) {
    const std::string way = Way(c.server, {.https_proxy = "http://p:1", .no_proxy = c.no_proxy});
    EXPECT_EQ(way, c.direct ? "direct" : "http://p:1") << c.no_proxy << " " << c.server;
  }
}

TEST(ParseProxyUrl, TakesUrlsApart) {
  const struct {
    const char* text;
    const char* shown;
    const char* username;
    const char* password;
  } kCases[] = {
      {"http://p", "http://p:80", "", ""},
      {"HTTPS://p/path?x", "https://p:443", "", ""},
      {"socks5://p", "socks5://p:1080", "", ""},
      {"socks5h://[::1]:1", "socks5://[::1]:1", "", ""},
      {"http://u:p%40ss@p:1", "http://p:1", "u", "p@ss"},
      {"http://u@p", "http://p:80", "u", ""},
      {"http://u:a:b@p", "http://p:80", "u", "a:b"},
  };
  for (const auto& c : kCases) {
    const Result<ProxyUrl> url = ParseProxyUrl(c.text);
    ASSERT_TRUE(url.ok()) << url.error().message;
    EXPECT_EQ(url->ToString(), c.shown);
    EXPECT_EQ(url->username, c.username) << c.text;
    EXPECT_EQ(url->password, c.password) << c.text;
  }
}

TEST(ParseProxyUrl, ErrorsQuoteNoCredentials) {
  for (const char* text : {"", "p:1", "ftp://u:secret@p", "http://u:secret@", "http://u:secret@p:99999",
                           "http://u:secret%4@p", "http://u:secret%00@p", "http://u:secret@a b", "http://u:secret@p@",
                           "http://u:secret/x@p", "http://u:secret", "u:secret://x@p"}) {
    const Result<ProxyUrl> url = ParseProxyUrl(text);
    ASSERT_FALSE(url.ok()) << text;
    EXPECT_EQ(url.error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(url.error().message.find("secret"), std::string::npos) << url.error().message;
  }
}

TEST(ProxyEnvironmentOfProcess, UpperCaseGoesBeforeLowerCase) {
  for (const char* name : {"HTTPS_PROXY", "HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy", "REQUEST_METHOD"}) {
    unsetenv(name);
  }
  setenv("https_proxy", "lower", 1);
  EXPECT_EQ(ProxyEnvironmentOfProcess().https_proxy, "lower");
  setenv("HTTPS_PROXY", "upper", 1);
  EXPECT_EQ(ProxyEnvironmentOfProcess().https_proxy, "upper");
  setenv("HTTPS_PROXY", "", 1);
  EXPECT_EQ(ProxyEnvironmentOfProcess().https_proxy, "lower");
  EXPECT_FALSE(ProxyEnvironmentOfProcess().cgi);
  setenv("REQUEST_METHOD", "GET", 1);
  EXPECT_TRUE(ProxyEnvironmentOfProcess().cgi);
  for (const char* name : {"HTTPS_PROXY", "https_proxy", "REQUEST_METHOD"}) unsetenv(name);
}

}  // namespace
}  // namespace smp::net
