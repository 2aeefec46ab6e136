// What an input brings along: the Namespaces it creates and the kinds that its CustomResourceDefinitions define. An
// apply has them in place before anything needs them (waves.h); whoever only looks (explain-diff, a dry run) meets
// objects whose namespace or kind is not there yet.
#ifndef SMP_APPLY_INPUT_DEFINITIONS_H_
#define SMP_APPLY_INPUT_DEFINITIONS_H_

#include <map>
#include <memory>
#include <set>
#include <string>

#include "apply/manifests.h"
#include "schema/schema.h"

namespace smp {

struct InputDefinitions {
  // Of each kind a schema that knows the resource, and nothing of its fields.
  std::map<GroupVersionKind, std::shared_ptr<const Schema>> kinds;
  std::set<std::string> namespaces;
};

// A definition that cannot be understood is left out: the server will say what is wrong with it.
InputDefinitions DefinitionsOf(const Manifests& manifests);

}  // namespace smp

#endif  // SMP_APPLY_INPUT_DEFINITIONS_H_
