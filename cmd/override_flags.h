// --policy, --member-cluster and the other flags for applying karmada's override policies to manifests before use.
#pragma once

#include <memory>
#include <vector>

#include "apply/manifests.h"
#include "cmd/flags.h"
#include "cmd/io.h"
#include "explain/report.h"

namespace smp::cmd {

// --policy and the flags that describe the member cluster.
std::vector<Flag> OverrideFlagTable();
// Same, for commands that go on to use the overridden manifests: adds --override, another name of --policy.
std::vector<Flag> OverrideStepFlagTable();

struct OverrideStepInput;

// The policies of --policy and --override, and the member cluster.
class Overrides {
 public:
  // None without --policy. Prints warnings to io.err. Error: a policy or the description of the member cluster is invalid.
  static Result<Overrides> Read(const ParsedFlags& flags, Io& io);

  // Applies the policies to each manifest; replaces a manifest by the error if this fails. Prints warnings, such as for a
  // selector that selects nothing, to io.err.
  void Apply(apply::Manifests& manifests, Io& io) const;
  // Applies them to one manifest, and says nothing.
  Result<apply::Manifest> Apply(const apply::Manifest& manifest) const;

 private:
  std::shared_ptr<const OverrideStepInput> input_;  // nullptr: there are none
};

// Adds policy, rule and operation to the rows of `report` whose values a policy has set.
void AddPolicySources(const apply::Manifest& manifest, explain::ObjectReport& report);

}  // namespace smp::cmd
