// Where the credentials of a connection come from: fixed values, a token file that is re-read, or a program.
#pragma once

#include <memory>
#include <string>

#include "auth/kubeconfig.h"
#include "base/result.h"

namespace smp::auth {

struct Credentials {
  std::string authorization = {};  // value of the header; "": none
  net::Pem certificate = {};       // the client certificate; not given: none
  net::Pem key = {};
};
bool operator==(const Credentials& a, const Credentials& b);

// Not thread-safe. May take as long as a program that asks its user.
class CredentialSource {
 public:
  virtual ~CredentialSource() = default;
  // Returns the credentials to log in with now. Errors: invalid-argument, transport, refused.
  virtual Result<Credentials> Get() = 0;
  // Call if the server refused the credentials: the next Get must fetch new ones.
  virtual void Forget() = 0;
  // Call if the server refused the new ones, too: there is no use in running a program again for every later request.
  virtual void GiveUp() {}
};

// Error: invalid-argument, for a token that cannot be read or sent.
Result<std::unique_ptr<CredentialSource>> MakeCredentialSource(const ConnectionConfig& config);

}  // namespace smp::auth
