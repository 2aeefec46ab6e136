// Asks the server for the objects of a CRD that changes, for explain/hit_objects.h.
#pragma once

#include <optional>

#include "apply/prepare.h"
#include "explain/report.h"
#include "kube/client.h"
#include "value/document.h"

namespace smp::cmd {

// A CRD as it is and as it will be.
struct ChangedDefinition {
  Document before, after;
};
std::optional<ChangedDefinition> DefinitionIn(const apply::Prepared& prepared);

// Sets object.hits if the new schema may hurt objects. Leaves it alone where they cannot all be read: forbidden, too many, no common version.
void AddHitObjects(kube::Client& client, const ChangedDefinition& definition, explain::ObjectReport& object);

}  // namespace smp::cmd
