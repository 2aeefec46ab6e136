// Impersonation: kubectl's --as flags and the headers that they are sent as.
#pragma once

#include <string>
#include <vector>

#include "auth/kubeconfig.h"
#include "base/result.h"
#include "net/transport.h"

namespace smp::auth {

// Returns the kubeconfig user's impersonation, overridden by the flags: they replace the list of groups, and the extra
// values of a key. `user_extra` has the KEY=VALUE pairs of --as-user-extra. Error: invalid-argument.
Result<Impersonation> MergeImpersonation(Impersonation of_user, const Impersonation& of_flags,
                                         const std::vector<std::string>& user_extra);

// Error: invalid-argument for uid, groups or extra without a user, and for values that are not valid in a header.
Status CheckImpersonation(const Impersonation& as, const std::string& user_name);

// Returns Impersonate-User, -Uid, -Group and -Extra-KEY, with bytes of KEY that are invalid in header names as %XX.
net::Headers ImpersonationHeaders(const Impersonation& as);

}  // namespace smp::auth
