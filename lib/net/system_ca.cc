#include "net/system_ca.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace smp::net {

std::string SystemCaFile() {
  const char* chosen = std::getenv("SSL_CERT_FILE");
  if (chosen != nullptr && *chosen != '\0') return chosen;
  for (const char* file :
       {"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem"}) {
    std::error_code error;
    if (std::filesystem::exists(file, error)) return file;
  }
  return {};
}

}  // namespace smp::net
