// The kinds that people mean by a name: Deployment, deployments, deployments.apps, apps/v1/Deployment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "schema/schema.h"

namespace smp::lint {

// A name of a kind, and the path of a field after it.
struct NamedKind {
  GroupVersionKind gvk;
  std::vector<GroupVersionKind> others = {};  // with the same name, in other groups and versions
  std::string path = {};                      // "spec.template"; "": the object
};

// Parses "KIND.path", where KIND is a kind or plural in any case, PLURAL.GROUP, or GROUP/VERSION/KIND. Of several kinds with the
// same name, one of the core group wins, then the most stable version. `known`: the kinds that may be meant by a name alone.
// Error: invalid-argument, with what may be meant.
Result<NamedKind> ParseKindAndPath(std::string_view text, const std::vector<Resource>& known);

}  // namespace smp::lint
