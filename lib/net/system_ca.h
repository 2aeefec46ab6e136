// The CA file of the system, for clusters whose kubeconfig does not name one.
#pragma once

#include <string>

namespace smp::net {

// Returns $SSL_CERT_FILE, else the first existing file of Go's list (crypto/x509: root_linux.go, root_bsd.go), or "".
std::string SystemCaFile();

}  // namespace smp::net
