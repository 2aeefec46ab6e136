#include "net/tls_errors.h"

#include <gtest/gtest.h>

namespace smp::net {
namespace {

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

TEST(TlsErrors, AMachineWithoutAuthoritiesIsSaidToBeOne) {
  const auto refused = [](Authorities used) { return CertificateRefused(20, "a.example", "x", used, false); };
  EXPECT_TRUE(refused(Authorities::kNone).ends_with("ca-certificates.crt or the like"));
  EXPECT_FALSE(refused(Authorities::kNamed).ends_with("or the like"));
}

TEST(TlsErrors, AuthoritiesOfTheKeychainCanBeExported) {
  const auto tells = [](long result, Authorities used, bool has_keychain) {
    return CertificateRefused(result, "a.example", "x", used, has_keychain).find("security find-certificate") !=
           std::string::npos;
  };
  EXPECT_TRUE(tells(20, Authorities::kOfSystem, true));
  EXPECT_TRUE(tells(20, Authorities::kNone, true));
  EXPECT_FALSE(tells(20, Authorities::kNamed, true));
  EXPECT_FALSE(tells(10, Authorities::kOfSystem, true));
  EXPECT_FALSE(tells(20, Authorities::kOfSystem, false));
}

TEST(TlsErrors, AlertsOfTheServerAreTranslated) {
  const struct {
    const char* detail;
    const char* part;
  } kCases[] = {
      {"error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0", "requires a client certificate"},
      {"error:0A000412:SSL routines::sslv3 alert bad certificate", "does not accept the client certificate"},
      {"error:0A000415:SSL routines::sslv3 alert certificate expired", "client certificate of the user has expired"},
      {"error:0A000418:SSL routines::tlsv1 alert unknown ca", "does not trust the CA"},
      {"error:0A00010B:SSL routines::wrong version number", "HTTP response to HTTPS client"}};
  for (const auto& c : kCases) EXPECT_NE(AlertMeaning(c.detail).find(c.part), std::string::npos) << c.detail;
  EXPECT_EQ(AlertMeaning("Recv failure: Connection reset by peer"), "");
}

}  // namespace
}  // namespace smp::net
