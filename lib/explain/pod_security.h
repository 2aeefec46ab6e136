// What the Pod Security Standards forbid. Source: kubernetes.io/docs/concepts/security/pod-security-standards, of the newest version; what a
// cluster exempts is not known.
#pragma once

#include <string>
#include <vector>

#include "value/value.h"

namespace smp::explain {

std::vector<std::string> HostNamespaces(const Value& pod);  // "hostNetwork"
std::vector<std::string> HostPaths(const Value& pod);       // "hostPath /dev"

// Returns "privileged", "hostPort 80", "capability NET_RAW": what the profile baseline forbids in the spec of a Pod.
std::vector<std::string> ForbiddenByBaseline(const Value& pod);

// Returns what restricted forbids beyond that: "runAsNonRoot is not true".
std::vector<std::string> ForbiddenByRestricted(const Value& pod);

}  // namespace smp::explain
