// Where the system keeps the certificate authorities that it trusts.
#pragma once

#include <string>

namespace smp {

// Returns the first existing file of Go's list (crypto/x509: root_linux.go, root_bsd.go), or "". Windows has no such file.
std::string AuthoritiesFile();

// Whether the system has a store of authorities that libcurl can read.
bool HasAuthoritiesStore();

}  // namespace smp
