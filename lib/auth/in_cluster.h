// The service account of the Pod that the program runs in (client-go, rest.InClusterConfig).
#pragma once

#include <optional>
#include <string>

#include "auth/kubeconfig_file.h"

namespace smp::auth {

struct InClusterEntries {
  ClusterEntry cluster;
  UserEntry user;
};

// Returns nullopt outside of a Pod: $KUBERNETES_SERVICE_HOST or _PORT is not set, or `folder` has no token.
std::optional<InClusterEntries> FindInCluster(const std::string& folder);

// Returns $POD_NAMESPACE, else the namespace file in `folder`; "" outside of a Pod.
std::string InClusterNamespace(const std::string& folder);

}  // namespace smp::auth
