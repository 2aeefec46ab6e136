// What there is to worry about in the ConfigMaps and Secrets that Pods read.
#pragma once

#include "explain/report.h"
#include "explain/worries.h"

namespace smp::explain {

// Adds "-Secret keycloak; +Secret app": new Pods read other ones than those that run, perhaps with other values. A name that only got
// another hash (kustomize) counts as the same.
void AddOtherSettings(const ObjectReport& object, FoundWorries& out);

}  // namespace smp::explain
