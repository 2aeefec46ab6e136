#include "auth/pem_check.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "net/test_pem.h"

namespace smp::auth {
namespace {

// The certificate with one line taken out.
std::string Damaged(const std::string& pem) {
  const size_t line = pem.find('\n') + 1;
  return StrCat(pem.substr(0, line), pem.substr(pem.find('\n', line) + 1));
}

TEST(PemCheck, CaBundleIsOneOrMoreCertificates) {
  const std::string certificate = net::kTestCertificate;
  EXPECT_EQ(WhyNoCaBundle(certificate), "");
  EXPECT_EQ(WhyNoCaBundle("# a comment\n" + certificate + "text\n" + certificate), "");
  const struct {
    std::string pem;
    const char* why;
  } kCases[] = {
      {"", "does not contain a PEM certificate (BEGIN CERTIFICATE)"},
      {std::string(3, '\0'), "does not contain a PEM certificate (BEGIN CERTIFICATE)"},
      {"kind: ConfigMap\n", "does not contain a PEM certificate (BEGIN CERTIFICATE)"},
      {net::kTestKey, "does not contain a PEM certificate (BEGIN CERTIFICATE)"},
      {Damaged(certificate), "contains a damaged certificate"},
      {certificate.substr(0, certificate.size() / 2), "contains a damaged certificate"},
      {certificate + Damaged(certificate), "contains a damaged certificate"},
  };
  for (const auto& c : kCases) EXPECT_EQ(WhyNoCaBundle(c.pem), c.why) << c.pem;
}

TEST(PemCheck, CertificateIsTheFirstOfItsFile) {
  EXPECT_EQ(WhyNoCertificate(net::kTestCertificate), "");
  EXPECT_EQ(WhyNoCertificate(StrCat(net::kTestKey, net::kTestCertificate)), "");
  EXPECT_EQ(WhyNoCertificate("CERT"), "does not contain a PEM certificate (BEGIN CERTIFICATE)");
  EXPECT_EQ(WhyNoCertificate(Damaged(net::kTestCertificate)), "contains a damaged certificate");
}

TEST(PemCheck, KeyIsInTheClear) {
  EXPECT_EQ(WhyNoPrivateKey(net::kTestKey), "");
  EXPECT_EQ(WhyNoPrivateKey(StrCat(net::kTestCertificate, net::kTestKey)), "");
  EXPECT_EQ(WhyNoPrivateKey(net::kTestCertificate), "does not contain a PEM key (BEGIN PRIVATE KEY)");
  EXPECT_EQ(WhyNoPrivateKey(Damaged(net::kTestKey)), "contains a damaged private key");
  EXPECT_EQ(WhyNoPrivateKey(net::kEncryptedTestKey), "contains an encrypted key, which is not supported");
}

TEST(PemCheck, KeyBelongsToItsCertificateOnly) {
  EXPECT_TRUE(KeyBelongsTo(net::kTestKey, net::kTestCertificate));
  EXPECT_FALSE(KeyBelongsTo(net::kOtherTestKey, net::kTestCertificate));
}

}  // namespace
}  // namespace smp::auth
