// What went wrong below HTTP, in kubectl's words and with what to do. Free of libcurl, so that the words can be tested
// as a table.
#ifndef SMP_KUBE_TLS_ERRORS_H_
#define SMP_KUBE_TLS_ERRORS_H_

#include <string>
#include <string_view>

namespace smp {

// The server's certificate was refused. `verify_result` is OpenSSL's X509_V_ERR_…, `name` the host name that was
// expected, `detail` the library's own words.
std::string CertificateRefused(long verify_result, std::string_view name, std::string_view detail);

// Why a connection ended, as far as the library's words tell: an alert of the server about our client certificate, or
// no TLS at all.
// "" when they tell nothing of the kind.
std::string AlertMeaning(std::string_view detail);

}  // namespace smp

#endif  // SMP_KUBE_TLS_ERRORS_H_
