// The Namespaces in an input and the kinds that its CRDs define. A real apply creates them before the objects that need
// them (waves.h); for explain-diff and dry runs, the server does not know these namespaces and kinds yet.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "apply/manifests.h"
#include "schema/schema.h"

namespace smp::apply {

struct InputDefinitions {
  // For each kind, a schema with its resource but without its fields.
  std::map<GroupVersionKind, std::shared_ptr<const Schema>> kinds;
  std::set<std::string> namespaces;
  std::set<GroupVersionKind> api_services;         // the group-versions of APIServices, with the kind ""
  std::vector<const Manifest*> read_by_admission;  // of kinds that IsReadByAdmission (admission_inputs.h)
};

// Returns the kinds that a CRD defines, or those of an APIService as one with the kind ""; none for other manifests.
std::vector<GroupVersionKind> KindsBroughtBy(const Manifest& manifest);

// Returns the definitions in `manifests`, which must outlive them. Skips malformed CRDs: the server will report them.
InputDefinitions DefinitionsOf(const Manifests& manifests);

}  // namespace smp::apply
