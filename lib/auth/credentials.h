// Sources of a connection's credentials: fixed values, a token file that is re-read, or an exec plugin (a program).
#pragma once

#include <memory>
#include <string>

#include "auth/kubeconfig.h"
#include "base/result.h"

namespace smp::auth {

struct Credentials {
  std::string authorization = {};  // value of the Authorization header; "": do not send it
  net::Pem certificate = {};       // the client certificate, if given
  net::Pem key = {};
};
bool operator==(const Credentials& a, const Credentials& b);

// Not thread-safe. Get() may block while an exec plugin prompts the user.
class CredentialSource {
 public:
  virtual ~CredentialSource() = default;
  // Returns the credentials to log in with now. Errors: invalid-argument, transport, refused.
  virtual Result<Credentials> Get() = 0;
  // Call if the server refused the credentials: the next Get must fetch new ones.
  virtual void Forget() = 0;
  // Call if the server refused the new credentials, too: an exec plugin must not run again for every later request.
  virtual void GiveUp() {}
};

// Error: invalid-argument, for a token that cannot be read or sent.
Result<std::unique_ptr<CredentialSource>> MakeCredentialSource(const ConnectionConfig& config);

}  // namespace smp::auth
