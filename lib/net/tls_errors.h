// Messages for TLS errors, with kubectl's wording and advice on what to do. Does not use libcurl, so that tests can
// check the messages without connections.
#pragma once

#include <string>
#include <string_view>

namespace smp::net {

// What the certificate was verified with: the authorities of the cluster's kubeconfig or of a flag, those of the system, or
// nothing, because the system has none.
enum class Authorities { kNamed, kOfSystem, kNone };

// macOS keeps the authorities that users and administrators add in the keychain, which OpenSSL does not read.
#ifdef __APPLE__
inline constexpr bool kHasKeychain = true;
#else
inline constexpr bool kHasKeychain = false;
#endif

// Returns the message for a server certificate that failed verification. `verify_result` is OpenSSL's X509_V_ERR_…,
// `name` the expected host name, `detail` the library's message.
std::string CertificateRefused(long verify_result, std::string_view name, std::string_view detail,
                               Authorities authorities = Authorities::kNamed, bool has_keychain = kHasKeychain);

// Returns why a connection failed if `detail`, the library's message, shows it: the server rejected our client
// certificate with a TLS alert, or does not use TLS. Else returns "".
std::string AlertMeaning(std::string_view detail);

}  // namespace smp::net
