// Checks PEM data when the configuration is loaded, before any connection. Reads it as libcurl does with OpenSSL, but
// the messages do not mention options of these libraries. Of a CA bundle whose outermost lengths are right, the rest is
// left to libcurl.
#pragma once

#include <string>
#include <string_view>

namespace smp::auth {

// Each returns why `pem` cannot be used, as the end of a sentence ("holds no …"), or "" if it can.
std::string WhyNoCaBundle(std::string_view pem);
std::string WhyNoCertificate(std::string_view pem);
std::string WhyNoPrivateKey(std::string_view pem);

// Returns whether they are a pair. REQUIRES: the functions above accept both.
bool KeyBelongsTo(std::string_view key, std::string_view certificate);

}  // namespace smp::auth
