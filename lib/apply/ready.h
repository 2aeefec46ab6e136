// Readiness: whether an object is what its spec asks for, as far as its status tells. A pure function of the object;
// wait_ready.h waits for it. Follows kubectl rollout status (Deployment, StatefulSet, DaemonSet) and kubectl wait
// (conditions).
#pragma once

#include <string>
#include <string_view>

#include "value/value.h"

namespace smp::apply {

enum class Readiness {
  kReady,
  kNotYet,
  kFailed,   // only a change will help: a Job that gave up, a rollout past its deadline, names not accepted
  kUnknown,  // the status does not tell: a ConfigMap, or an object without conditions
};

struct ReadyState {
  Readiness readiness = Readiness::kUnknown;
  // What it waits for: "1 of 3 replicas updated", "ImagePullBackOff: …". Empty for kReady and kUnknown.
  std::string reason = {};

  friend bool operator==(const ReadyState&, const ReadyState&) = default;
};

ReadyState ReadyStateOf(const Value& object);

// The same for a CustomResourceDefinition, even if it is being deleted: whether the server serves its kind.
ReadyState DefinitionState(const Value& definition);

// Returns the condition of that type in the object's status, nullptr if there is none. Points into `object`.
const Value* FindCondition(const Value& object, std::string_view type);

}  // namespace smp::apply
