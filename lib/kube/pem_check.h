// Whether PEM bytes can be used, told when they are read and not by each connection: as libcurl's OpenSSL reads them,
// but in words that name no options of a library.
#ifndef SMP_KUBE_PEM_CHECK_H_
#define SMP_KUBE_PEM_CHECK_H_

#include <string>
#include <string_view>

namespace smp {

// Each says why not, as the end of a sentence ("holds no …"); "" when it can be used.
std::string WhyNoCaBundle(std::string_view pem);
std::string WhyNoCertificate(std::string_view pem);
std::string WhyNoPrivateKey(std::string_view pem);

// REQUIRES: both can be used.
bool KeyBelongsTo(std::string_view key, std::string_view certificate);

}  // namespace smp

#endif  // SMP_KUBE_PEM_CHECK_H_
