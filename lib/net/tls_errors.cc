#include "net/tls_errors.h"

#include <algorithm>
#include <iterator>

#include "base/strings.h"

namespace smp::net {
namespace {

constexpr std::string_view kCheckCa =
    " - check certificate-authority of the cluster in the kubeconfig, or --certificate-authority";

// As in an empty container.
constexpr std::string_view kNoCa =
    "; this machine has no certificate authorities in $SSL_CERT_FILE, /etc/ssl/certs/ca-certificates.crt or the like";

constexpr std::string_view kKeychain =
    "; the keychain is not read: write its authorities into a file with \"security find-certificate -a -p "
    "/Library/Keychains/System.keychain > authorities.pem\", and name that file with --certificate-authority or in "
    "$SSL_CERT_FILE";

// X509_V_ERR_… of OpenSSL's x509_vfy.h; the numbers are its ABI.
enum VerifyResult : long {
  kUnableToGetIssuerCert = 2,
  kCertNotYetValid = 9,
  kCertHasExpired = 10,
  kDepthZeroSelfSigned = 18,
  kSelfSignedInChain = 19,
  kUnableToGetIssuerCertLocally = 20,
  kUnableToVerifyLeaf = 21,
  kHostnameMismatch = 62,
  kIpAddressMismatch = 64,
};

std::string WrongName(std::string_view name) {
  return StrCat("certificate is not valid for ", name,
                " - use a name from the certificate in --server, or set it with --tls-server-name");
}

bool IsUnknownAuthority(long verify_result) {
  constexpr long kUnknown[] = {kUnableToGetIssuerCert, kDepthZeroSelfSigned, kSelfSignedInChain,
                               kUnableToGetIssuerCertLocally, kUnableToVerifyLeaf};
  return std::ranges::find(kUnknown, verify_result) != std::end(kUnknown);
}

std::string Reason(long verify_result, std::string_view name, std::string_view detail) {
  if (IsUnknownAuthority(verify_result)) return StrCat("certificate signed by unknown authority", kCheckCa);
  switch (verify_result) {
    case kCertHasExpired:
      return "certificate has expired - renew the server's certificate, or check the clock of this machine";
    case kCertNotYetValid: return "certificate is not yet valid - check the clock of this machine";
    case kHostnameMismatch:
    case kIpAddressMismatch: return WrongName(name);
    default: break;
  }
  // libcurl compares the names itself, before it asks OpenSSL for a result.
  return detail.find("subject name") != detail.npos ? WrongName(name) : std::string(detail);
}

struct Alert {
  std::string_view needle;
  std::string_view meaning;
};

// OpenSSL's words for the alerts of RFC 8446, 6.2, and for data that is not TLS.
constexpr Alert kAlerts[] = {
    {"certificate required",
     "remote error: tls: certificate required - the server requires a client certificate; set client-certificate and "
     "client-key "
     "of the user in the kubeconfig"},
    {"alert bad certificate",
     "remote error: tls: bad certificate - the server does not accept the client certificate; check client-certificate "
     "of the "
     "user"},
    {"alert unknown ca",
     "remote error: tls: unknown certificate authority - the server does not trust the CA of the client certificate; "
     "check "
     "client-certificate of the user"},
    {"alert certificate expired",
     "remote error: tls: expired certificate - the client certificate of the user has expired; get a new one"},
    {"alert certificate unknown",
     "remote error: tls: unknown certificate - the server does not accept the client certificate; check "
     "client-certificate of "
     "the user"},
    {"alert handshake failure",
     "remote error: tls: handshake failure - the server may require a client certificate; check client-certificate of "
     "the "
     "user"},
    {"wrong version number", "http: server gave HTTP response to HTTPS client - check the scheme and port of its URL"},
    {"packet length too long",
     "http: server gave HTTP response to HTTPS client - check the scheme and port of its URL"},
};

}  // namespace

std::string CertificateRefused(long verify_result, std::string_view name, std::string_view detail,
                               Authorities authorities, bool has_keychain) {
  const bool may_be_in_keychain =
      has_keychain && authorities != Authorities::kNamed && IsUnknownAuthority(verify_result);
  return StrCat("tls: failed to verify certificate: x509: ", Reason(verify_result, name, detail),
                authorities == Authorities::kNone ? kNoCa : "", may_be_in_keychain ? kKeychain : "");
}

std::string AlertMeaning(std::string_view detail) {
  for (const Alert& alert : kAlerts) {
    if (detail.find(alert.needle) != detail.npos) return std::string(alert.meaning);
  }
  return {};
}

}  // namespace smp::net
