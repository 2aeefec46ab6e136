// What matters of the Pods that an object starts, beyond the fields that change.
#pragma once

#include <string>
#include <vector>

#include "value/value.h"

namespace smp::explain {

struct PodFacts {
  std::vector<std::string>
      node_rights;  // which the Pods newly get: "hostNetwork", "privileged", "hostPath /dev", "SYS_ADMIN"
  std::vector<std::string> moving_images;  // which stay, but have no fixed version: "app:latest"
  bool keeps_data = false;                 // on volumes that outlive the Pods
  std::string runs;                        // what their first container runs: "certgen:v1.6 create --host=a"
};

// `before`: null if the object is new. Objects that start no Pods have no facts.
PodFacts PodFactsOf(const Value& before, const Value& after);

}  // namespace smp::explain
