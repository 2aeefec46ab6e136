// The Namespaces in an input and the kinds that its CRDs define. A real apply creates them before the objects that need
// them (waves.h); for explain-diff and dry runs, the server does not know these namespaces and kinds yet. After a real apply
// of a CRD, it publishes their schema only a moment later.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "apply/manifests.h"
#include "base/loaded_once.h"
#include "schema/definition.h"
#include "schema/schema.h"

namespace smp::apply {

class InputDefinitions {
 public:
  // Returns the schema of a kind that a CRD defines, as the server will publish it: compiled when it is first asked for.
  // Thread-safe. If the CRD states no schema, or a malformed one, the type of its objects is unknown. REQUIRES: the kind is
  // in `kinds`.
  std::shared_ptr<const Schema> SchemaOf(const GroupVersionKind& kind) const;

  struct Kind {
    Resource resource;  // without its type
    bool served = true;
    const Manifest* definition = nullptr;  // the CRD; nullptr: nothing is known of the kind but its name
    bool stored = false;                   // the server has the CRD as the input has it
  };
  std::map<GroupVersionKind, Kind> kinds;
  std::set<std::string> namespaces;
  std::set<GroupVersionKind> api_services;         // the group-versions of APIServices, with the kind ""
  std::vector<const Manifest*> read_by_admission;  // of kinds that IsReadByAdmission (admission_inputs.h)

 private:
  // By kind. Shared by the copies of an InputDefinitions.
  std::shared_ptr<LoadedOnce<std::shared_ptr<const Schema>>> schemas_ =
      std::make_shared<LoadedOnce<std::shared_ptr<const Schema>>>();
};

// Returns what is known of the kind; nullptr, if the input does not bring it. `definitions` may be nullptr.
const InputDefinitions::Kind* KindIn(const InputDefinitions* definitions, const GroupVersionKind& gvk);

// Returns the kind that the input brings, and that the server does not have yet; nullptr for other kinds.
const InputDefinitions::Kind* KindToCome(const InputDefinitions* definitions, const GroupVersionKind& gvk);

// Returns the kinds that a CRD defines and serves, or those of an APIService as one with the kind ""; none for other
// manifests.
std::vector<GroupVersionKind> KindsBroughtBy(const Manifest& manifest);

// Returns the definitions in `manifests`, which must outlive them. Skips malformed CRDs: the server will report them.
InputDefinitions DefinitionsOf(const Manifests& manifests);

// Adds the kinds of manifests that neither `known` nor the input defines, for use without a server: they have no schema.
void AddUnknownKinds(const Manifests& manifests, const Schema& known, InputDefinitions& definitions);

}  // namespace smp::apply
