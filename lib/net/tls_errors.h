// Messages for TLS errors, in kubectl's words and with what to do. Needs no libcurl, so that tests can check them as a
// table.
#pragma once

#include <string>
#include <string_view>

namespace smp::net {

// Returns the message for a refused server certificate. `verify_result` is OpenSSL's X509_V_ERR_…, `name` the expected
// host name, `detail` the library's own words.
std::string CertificateRefused(long verify_result, std::string_view name, std::string_view detail);

// Returns why a connection ended, if the library's words tell: an alert of the server about our client certificate, or
// no TLS at all. "" if they do not.
std::string AlertMeaning(std::string_view detail);

}  // namespace smp::net
