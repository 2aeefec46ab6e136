// What is known about the member cluster that objects are overridden for. nullopt means unknown, which is different
// from empty: a policy rule that depends on an unknown fact is an error.
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
  std::optional<std::string> provider;  // "": known to have no provider
  std::optional<std::string> region;
  std::optional<std::vector<std::string>> zones;
};

// Reads a Cluster of cluster.karmada.io: metadata.name and labels, spec.provider, region, zones (or zone). Missing
// fields count as empty, not as unknown. Error: policy, if a field has the wrong type.
Result<MemberCluster> ReadCluster(const Value& cluster);

// Reads a map with the fields name, labels, provider, region and zones. Error as above.
Result<MemberCluster> ReadClusterFacts(const Value& facts);

}  // namespace smp::karmada
