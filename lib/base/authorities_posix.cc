#include <filesystem>
#include <system_error>

#include "base/authorities.h"

namespace smp {

std::string AuthoritiesFile() {
  for (const char* file :
       {"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem"}) {
    std::error_code error;
    if (std::filesystem::exists(file, error)) return file;
  }
  return {};
}

bool HasAuthoritiesStore() { return false; }

}  // namespace smp
