// Impersonation: kubectl's --as flags and the headers that they are sent as.
#pragma once

#include <string>
#include <vector>

#include "auth/kubeconfig.h"
#include "base/result.h"
#include "net/transport.h"

namespace smp::auth {

// Returns the kubeconfig user's impersonation, overridden by the flags: groups are replaced, extra values by key.
// `user_extra` are the KEY=VALUE pairs of --as-user-extra. Errors: invalid-argument.
Result<Impersonation> MergeImpersonation(Impersonation of_user, const Impersonation& of_flags,
                                         const std::vector<std::string>& user_extra);

// Errors: invalid-argument, for uid, groups or extra without a user, and for values that do not fit into a header.
Status CheckImpersonation(const Impersonation& as, const std::string& user_name);

// Returns Impersonate-User, -Uid, -Group and -Extra-KEY; escapes bytes of KEY that no header name may contain as %XX.
net::Headers ImpersonationHeaders(const Impersonation& as);

}  // namespace smp::auth
