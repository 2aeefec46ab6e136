// Checks PEM bytes when they are read and not at each connection. Reads them as libcurl's OpenSSL does, but the
// messages name no options of a library.
#ifndef SMP_AUTH_PEM_CHECK_H_
#define SMP_AUTH_PEM_CHECK_H_

#include <string>
#include <string_view>

namespace smp {

// Each returns why `pem` cannot be used, as the end of a sentence ("holds no …"), or "" if it can.
std::string WhyNoCaBundle(std::string_view pem);
std::string WhyNoCertificate(std::string_view pem);
std::string WhyNoPrivateKey(std::string_view pem);

// REQUIRES: both are usable.
bool KeyBelongsTo(std::string_view key, std::string_view certificate);

}  // namespace smp

#endif  // SMP_AUTH_PEM_CHECK_H_
