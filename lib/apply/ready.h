// Readiness: whether an object is what its spec asks for, as far as its status says. A pure function of the object; who
// waits for it is in wait_ready.h. Rules of kubectl rollout status (Deployment, StatefulSet, DaemonSet) and kubectl
// wait (conditions).
#ifndef SMP_APPLY_READY_H_
#define SMP_APPLY_READY_H_

#include <string>

#include "value/value.h"

namespace smp {

enum class Readiness {
  kReady,
  kNotYet,
  kFailed,   // and nothing but a change will help: a Job that gave up, a rollout past its deadline, names not accepted
  kUnknown,  // a kind of which nothing can be said: a ConfigMap, or an object without conditions
};

struct ReadyState {
  Readiness readiness = Readiness::kUnknown;
  // What holds it: "1 of 3 replicas updated", "ImagePullBackOff: …". Of kReady and kUnknown empty.
  std::string reason = {};

  friend bool operator==(const ReadyState&, const ReadyState&) = default;
};

ReadyState ReadyStateOf(const Value& object);

}  // namespace smp

#endif  // SMP_APPLY_READY_H_
