// Messages for TLS errors, with kubectl's wording and advice on what to do. Does not use libcurl, so that tests can
// check the messages without connections.
#pragma once

#include <string>
#include <string_view>

namespace smp::net {

// Returns the message for a server certificate that failed verification. `verify_result` is OpenSSL's X509_V_ERR_…,
// `name` the expected host name, `detail` the library's message.
// `any_ca` is false if there was no authority to verify it with.
std::string CertificateRefused(long verify_result, std::string_view name, std::string_view detail, bool any_ca = true);

// Returns why a connection failed if `detail`, the library's message, shows it: the server rejected our client
// certificate with a TLS alert, or does not use TLS. Else returns "".
std::string AlertMeaning(std::string_view detail);

}  // namespace smp::net
