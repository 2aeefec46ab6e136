// Where the credentials of a connection come from: fixed, of a token file that is read again, or of a program.
#ifndef SMP_KUBE_CREDENTIALS_H_
#define SMP_KUBE_CREDENTIALS_H_

#include <memory>
#include <string>

#include "base/result.h"
#include "kube/kubeconfig.h"

namespace smp {

struct Credentials {
  std::string authorization = {};  // value of the header; "": none
  Pem certificate = {};            // what the connection shows; not given: none
  Pem key = {};
};
bool operator==(const Credentials& a, const Credentials& b);

// Not safe to call from two threads at once. May take as long as a program does that asks its user.
class CredentialSource {
 public:
  virtual ~CredentialSource() = default;
  // What to log in with now. Errors: invalid-argument, transport, refused.
  virtual Result<Credentials> Get() = 0;
  // The server did not accept what Get gave: the next Get shall look again.
  virtual void Forget() = 0;
  // Nor did it accept what Get gave after that: asking a program again for every request to come would be of no use.
  virtual void GiveUp() {}
};

// Error: invalid-argument, for a token that cannot be read or sent.
Result<std::unique_ptr<CredentialSource>> MakeCredentialSource(const ConnectionConfig& config);

}  // namespace smp

#endif  // SMP_KUBE_CREDENTIALS_H_
