// The CA file of the system, for clusters whose kubeconfig names none.
#ifndef SMP_KUBE_SYSTEM_CA_H_
#define SMP_KUBE_SYSTEM_CA_H_

#include <string>

namespace smp {

// $SSL_CERT_FILE, else the first file that exists of Go's list (crypto/x509, root_linux.go and root_bsd.go); "" when
// none does.
std::string SystemCaFile();

}  // namespace smp

#endif  // SMP_KUBE_SYSTEM_CA_H_
