// Waits until objects are ready (ready.h) by polling all of them at once. Not with a watch: during a long rollout
// without events, proxies close idle connections.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apply/ready.h"
#include "base/clock.h"
#include "base/result.h"
#include "kube/client.h"
#include "kube/object_ref.h"

namespace smp::apply {

struct WaitedObject {
  kube::ObjectRef ref;
  std::string uid;  // another object of the name is not it; "": any
  ReadyState state = {Readiness::kNotYet, "was not checked yet"};
  // The error of the last read, e.g. if the object is gone; nullopt if it succeeded.
  std::optional<Error> error = {};

  bool done() const { return state.readiness != Readiness::kNotYet; }
};

struct WaitOptions {
  int64_t timeout_ms = 300'000;  // for all objects together; 0: check once
  // Called for each object's first state and when it changes, except for kUnknown without a reason.
  std::function<void(const WaitedObject&)> changed = {};
};

// Returns the objects, each with its last known state, when all are done(), the timeout expires or `clock` is interrupted. Retries after
// connection errors, 429 and 5xx.
std::vector<WaitedObject> WaitUntilReady(kube::Client& client, std::vector<WaitedObject> objects,
                                         const WaitOptions& options, Clock& clock);

}  // namespace smp::apply
