// Readiness: whether the status of an object shows that the object has reached what its spec asks for. A pure function
// of the object; wait_ready.h polls it. Follows kubectl rollout status (Deployment, StatefulSet, DaemonSet) and kubectl
// wait (conditions).
#pragma once

#include <string>
#include <string_view>

#include "value/value.h"

namespace smp::apply {

enum class Readiness {
  kReady,
  kNotYet,
  kFailed,   // will not become ready without a change: failed Job, rollout past its deadline, CRD with rejected names
  kUnknown,  // the status does not show it: a ConfigMap, or an object without conditions
};

struct ReadyState {
  Readiness readiness = Readiness::kUnknown;
  // What the object waits for: "1 of 3 replicas updated", "ImagePullBackOff: …". Empty for kReady; for kUnknown, why, if that needs a word.
  std::string reason = {};

  friend bool operator==(const ReadyState&, const ReadyState&) = default;
};

ReadyState ReadyStateOf(const Value& object);

// Like ReadyStateOf, for a CRD, and even if it is being deleted: kReady if the server serves its kind.
ReadyState DefinitionState(const Value& definition);

// The state of an object of the CRD's kind that has no Ready condition, as it is before its controller looks at it: kNotYet if the CRD
// shows the condition in a column of `kubectl get`, so that a controller writes it; else kUnknown.
ReadyState StateWithoutCondition(const Value& definition, std::string_view version);

// Returns the condition of that type in the object's status, nullptr if there is none. Points into `object`.
const Value* FindCondition(const Value& object, std::string_view type);

}  // namespace smp::apply
