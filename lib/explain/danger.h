// How much harm the change of a field may do: where there is room for few fields only, those are named that matter most.
#pragma once

#include "value/path.h"

namespace smp::explain {

// The most dangerous first.
enum class Danger {
  kImage,
  kContainers,  // a whole one
  kData,
  kCredentials,
  kProgram,
  kRollout,
  kSelector,
  kAccount,
  kSecurity,
  kProbes,
  kOther,
  kResources,
  kLabels
};
Danger DangerOf(const FieldPath& path);

}  // namespace smp::explain
