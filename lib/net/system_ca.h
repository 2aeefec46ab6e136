// The CA file of the system, for clusters whose kubeconfig does not name one.
#ifndef SMP_NET_SYSTEM_CA_H_
#define SMP_NET_SYSTEM_CA_H_

#include <string>

namespace smp {

// Returns $SSL_CERT_FILE, else the first existing file of Go's list (crypto/x509: root_linux.go, root_bsd.go), or "".
std::string SystemCaFile();

}  // namespace smp

#endif  // SMP_NET_SYSTEM_CA_H_
