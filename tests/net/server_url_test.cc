#include "net/server_url.h"

#include <gtest/gtest.h>

namespace smp::net {
namespace {

TEST(ServerUrl, IsTakenApartAndPutTogether) {
  const struct {
    const char* text;
    const char* whole;
    const char* host;
    int port;
  } kCases[] = {
      {"https://a.example:6443", "https://a.example:6443", "a.example", 6443},
      {"HTTPS://a.example", "https://a.example", "a.example", 443},
      {"http://127.0.0.1:8001/", "http://127.0.0.1:8001", "127.0.0.1", 8001},
      {"https://r.example/k8s/clusters/c-1/", "https://r.example/k8s/clusters/c-1", "r.example", 443},
      {"https://[fd00::1]:6443", "https://[fd00::1]:6443", "[fd00::1]", 6443},
      {"https://[fd00::1]", "https://[fd00::1]", "[fd00::1]", 443},
      {"https://a.example:6443?x=1#y", "https://a.example:6443", "a.example", 6443},
      {"localhost:8080", "http://localhost:8080", "localhost", 8080},
  };
  for (const auto& c : kCases) {
    const Result<ServerUrl> url = ParseServerUrl(c.text);
    ASSERT_TRUE(url.ok()) << c.text << ": " << url.error().message;
    EXPECT_EQ(url->ToString(), c.whole);
    EXPECT_EQ(url->host, c.host);
    EXPECT_EQ(url->port, c.port);
  }
}

TEST(ServerUrl, MalformedOnesAreRefused) {
  for (const char* text :
       {"", "https://", "ftp://a", "unix:///var/run/x", "https://a:0", "https://a:65536", "https://a:x", "https://a b",
        "https://a\\b", "https://a/b c", "https://a\r\nb", "https://[::1", "a/b", "https://a:1:2", "https://:443"}) {
    EXPECT_FALSE(ParseServerUrl(text).ok()) << text;
  }
}

TEST(ServerUrl, CredentialsInItAreRefusedAndNotRepeated) {
  const Result<ServerUrl> url = ParseServerUrl("https://me:hunter2@a.example");
  ASSERT_FALSE(url.ok());
  EXPECT_EQ(url.error().message.find("hunter2"), std::string::npos);
}

}  // namespace
}  // namespace smp::net
