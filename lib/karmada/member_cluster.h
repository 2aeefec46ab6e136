// The member cluster that objects are overridden for, as far as it was described. nullopt means not described, which is
// different from empty: a rule that depends on it cannot be decided.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "value/value.h"

namespace smp::karmada {

struct MemberCluster {
  std::optional<std::string> name;
  std::optional<std::map<std::string, std::string>> labels;
  std::optional<std::string> provider;  // "": the cluster has none
  std::optional<std::string> region;
  std::optional<std::vector<std::string>> zones;
};

// Reads a Cluster of cluster.karmada.io: metadata.name and labels, spec.provider, region, zones (or zone). It describes
// the cluster completely. Error: policy, if a part is of the wrong type.
Result<MemberCluster> ReadCluster(const Value& cluster);

// Reads {"name","labels","provider","region","zones"}. Error as above.
Result<MemberCluster> ReadClusterFacts(const Value& facts);

}  // namespace smp::karmada
