// Acting as somebody else: kubectl's --as flags, and the headers that ask the server for it.
#ifndef SMP_KUBE_IMPERSONATION_H_
#define SMP_KUBE_IMPERSONATION_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "kube/kubeconfig.h"
#include "kube/transport.h"

namespace smp {

// The user's of the kubeconfig, with what the flags say over it: groups are replaced, extra values by key. `user_extra`
// are the KEY=VALUE of --as-user-extra. Errors: invalid-argument.
Result<Impersonation> MergeImpersonation(Impersonation of_user, const Impersonation& of_flags,
                                         const std::vector<std::string>& user_extra);

// Errors: invalid-argument, for uid, groups or extra without a user, and for values that do not fit into a header.
Status CheckImpersonation(const Impersonation& as, const std::string& user_name);

// Impersonate-User, -Uid, -Group, -Extra-KEY; a KEY's bytes that no header name may hold are escaped as %XX.
Headers ImpersonationHeaders(const Impersonation& as);

}  // namespace smp

#endif  // SMP_KUBE_IMPERSONATION_H_
