// Durations, tokens, escaping, and the words for TLS failures.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "kube/bearer_token.h"
#include "kube/duration.h"
#include "kube/object_ref.h"
#include "kube/tls_errors.h"

namespace smp {
namespace {

TEST(Timeout, IsSecondsOrAGoDuration) {
  const struct {
    const char* text;
    int64_t ms;
  } kCases[] = {{"0", 0},  {"30", 30'000}, {"1m30s", 90'000}, {"1.5h", 5'400'000}, {"250ms", 250},
                {"0s", 0}, {"1us", 1},     {"1µs", 1},        {"2h45m", 9900000}};
  for (const auto& c : kCases) {
    const Result<int64_t> ms = ParseTimeoutMs(c.text);
    ASSERT_TRUE(ms.ok()) << c.text;
    EXPECT_EQ(*ms, c.ms) << c.text;
  }
}

TEST(Timeout, AnythingElseIsRefused) {
  for (const char* text :
       {"", "-5", "-5s", "5x", "s", "1m30", "1e3s", "..s", "99999999999999999999h", " 5", "5 s", "nans"}) {
    EXPECT_FALSE(ParseTimeoutMs(text).ok()) << text;
  }
}

std::string WriteTemp(const std::string& name, const std::string& content) {
  const std::string file = testing::TempDir() + "smp_kube_" + std::to_string(::getpid()) + "_" + name;
  std::ofstream(file) << content;
  return file;
}

TEST(BearerToken, FileIsReadAgainAfterAMinute) {
  const std::string file = WriteTemp("token", "first\n");
  BearerToken token("", file);
  const BearerToken::Time start = {};
  EXPECT_EQ(*token.Get(start), "first");
  WriteTemp("token", "second\n");
  EXPECT_EQ(*token.Get(start + std::chrono::seconds(59)), "first");
  EXPECT_EQ(*token.Get(start + std::chrono::seconds(60)), "second");
  std::remove(file.c_str());
  EXPECT_EQ(*token.Get(start + std::chrono::seconds(120)), "second");
}

TEST(BearerToken, FixedTokenServesWhileTheFileCannotBeRead) {
  BearerToken token("fixed", "/nonexistent/token");
  EXPECT_EQ(*token.Get({}), "fixed");
}

TEST(BearerToken, UnreadableFileWithoutTokenIsAnError) {
  BearerToken token("", "/nonexistent/token");
  const Result<std::string> got = token.Get({});
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(got.error().message.find("/nonexistent/token"), std::string::npos);
}

TEST(BearerToken, LineEndInsideIsRefusedAndNotRepeated) {
  BearerToken token("secret\r\nX-Other: 1", "");
  const Result<std::string> got = token.Get({});
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().message.find("secret"), std::string::npos);
}

TEST(BearerToken, EmptyFileIsAnError) {
  const std::string file = WriteTemp("empty", "\n");
  EXPECT_FALSE(BearerToken("", file).Get({}).ok());
  std::remove(file.c_str());
}

TEST(ObjectPath, FollowsGroupScopeAndSubresource) {
  EXPECT_EQ(ObjectPath({{"", "v1", "ConfigMap"}, "configmaps", "default", "c"}),
            "/api/v1/namespaces/default/configmaps/c");
  EXPECT_EQ(ObjectPath({{"apps", "v1", "Deployment"}, "deployments", "a", "web", "scale"}),
            "/apis/apps/v1/namespaces/a/deployments/web/scale");
  EXPECT_EQ(ObjectPath({{"", "v1", "Namespace"}, "namespaces", "", "x"}), "/api/v1/namespaces/x");
  EXPECT_EQ(ObjectPath({{"", "v1", "Pod"}, "pods", "a", ""}), "/api/v1/namespaces/a/pods");
  EXPECT_EQ(ObjectPath({{"rbac.authorization.k8s.io", "v1", "ClusterRole"}, "clusterroles", "", "system:x y?"}),
            "/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Ax%20y%3F");
}

TEST(ObjectPath, NamesThatWouldChangeThePathAreRefused) {
  for (const char* name : {".", "..", "a/b", "a%2fb"}) {
    EXPECT_FALSE(CheckPathSegments({{"", "v1", "Pod"}, "pods", "a", name}).ok()) << name;
    EXPECT_FALSE(CheckPathSegments({{"", "v1", "Pod"}, "pods", name, "a"}).ok()) << name;
  }
  EXPECT_TRUE(CheckPathSegments({{"", "v1", "Pod"}, "pods", "a", "..x"}).ok());
}

TEST(TlsErrors, EachCauseHasItsWords) {
  const struct {
    long verify_result;
    const char* detail;
    const char* part;
  } kCases[] = {{20, "x", "certificate signed by unknown authority"},
                {18, "x", "certificate signed by unknown authority"},
                {10, "x", "certificate has expired"},
                {9, "x", "certificate is not yet valid"},
                {62, "x", "certificate is not valid for a.example"},
                {1, "SSL: no alternative certificate subject name matches", "certificate is not valid for a.example"},
                {1, "SSL: certificate subject name 'b' does not match", "certificate is not valid for a.example"},
                {23, "as the library says", "as the library says"}};
  for (const auto& c : kCases) {
    EXPECT_NE(CertificateRefused(c.verify_result, "a.example", c.detail).find(c.part), std::string::npos)
        << c.verify_result;
  }
}

TEST(TlsErrors, AlertsOfTheServerAreTranslated) {
  const struct {
    const char* detail;
    const char* part;
  } kCases[] = {
      {"error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0", "wants a client certificate"},
      {"error:0A000412:SSL routines::sslv3 alert bad certificate", "does not accept the client certificate"},
      {"error:0A000415:SSL routines::sslv3 alert certificate expired", "client certificate of the user has expired"},
      {"error:0A000418:SSL routines::tlsv1 alert unknown ca", "does not know who signed"},
      {"error:0A00010B:SSL routines::wrong version number", "HTTP response to HTTPS client"}};
  for (const auto& c : kCases) EXPECT_NE(AlertMeaning(c.detail).find(c.part), std::string::npos) << c.detail;
  EXPECT_EQ(AlertMeaning("Recv failure: Connection reset by peer"), "");
}

}  // namespace
}  // namespace smp
