// The Namespaces that an input creates and the kinds that its CRDs define. An apply has them in place before anything
// needs them (waves.h); explain-diff and dry runs meet objects whose namespace or kind does not exist yet.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "apply/manifests.h"
#include "schema/schema.h"

namespace smp::apply {

struct InputDefinitions {
  // For each kind a schema that knows the resource, but none of its fields.
  std::map<GroupVersionKind, std::shared_ptr<const Schema>> kinds;
  std::set<std::string> namespaces;
};

// Skips a malformed CRD: the server will say what is wrong with it.
InputDefinitions DefinitionsOf(const Manifests& manifests);

}  // namespace smp::apply
