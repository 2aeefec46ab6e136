// Where the credentials of a connection come from: fixed values, a token file that is re-read, or a program.
#ifndef SMP_AUTH_CREDENTIALS_H_
#define SMP_AUTH_CREDENTIALS_H_

#include <memory>
#include <string>

#include "auth/kubeconfig.h"
#include "base/result.h"

namespace smp {

struct Credentials {
  std::string authorization = {};  // value of the header; "": none
  Pem certificate = {};            // the client certificate; not given: none
  Pem key = {};
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

}  // namespace smp

#endif  // SMP_AUTH_CREDENTIALS_H_
