// What the Pod Security Standards forbid. Source: the checks of k8s.io/pod-security-admission 0.36, in all their versions; what a cluster
// exempts is not known. tests/e2e/pod_security.py compares with what a server refuses.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "value/value.h"

namespace smp::explain {

std::vector<std::string> HostNamespaces(const Value& pod);  // "hostNetwork"; `pod`: its spec
std::vector<std::string> HostPaths(const Value& pod);       // "hostPath /dev"; likewise

// Versions of the standards, which are minor releases of Kubernetes: from the first one up to the last but one. No value: none.
struct Versions {
  int from = 0, before = std::numeric_limits<int>::max();
  bool contain(int version) const { return from <= version && version < before; }
};

struct Forbidden {
  std::string what;                              // "privileged", "hostPort 80", "capability NET_RAW"
  std::optional<Versions> baseline, restricted;  // in which the profile forbids it
};

// Returns what either profile forbids in some version. `pod`: a Pod, or the template of one.
std::vector<Forbidden> ForbiddenIn(const Value& pod);

inline constexpr std::string_view kPodSecurity = "pod-security.kubernetes.io/";  // begins the names of labels

// What a Namespace enforces by its labels.
struct PodSecurity {
  std::string level;           // "baseline"; "" if it names none
  std::optional<int> version;  // the minor release; nullopt: the newest that the server knows
};
PodSecurity PodSecurityOf(const Value& name_space);

// Returns what is forbidden by the level. `newest`: the minor release of the server, which knows no later standards; nullopt: unknown.
std::vector<std::string> ForbiddenBy(const PodSecurity& enforced, const std::vector<Forbidden>& found,
                                     std::optional<int> newest);

}  // namespace smp::explain
