// Checks PEM bytes when they are read and not at each connection. Reads them as libcurl's OpenSSL does, but the
// messages name no options of a library.
#pragma once

#include <string>
#include <string_view>

namespace smp::auth {

// Each returns why `pem` cannot be used, as the end of a sentence ("holds no …"), or "" if it can.
std::string WhyNoCaBundle(std::string_view pem);
std::string WhyNoCertificate(std::string_view pem);
std::string WhyNoPrivateKey(std::string_view pem);

// REQUIRES: both are usable.
bool KeyBelongsTo(std::string_view key, std::string_view certificate);

}  // namespace smp::auth
