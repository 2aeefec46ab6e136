// Waits until objects are ready (ready.h) by polling all of them at once: a watch would have to survive the silence of
// a long rollout, and proxies that cut it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "apply/ready.h"
#include "base/clock.h"
#include "base/result.h"
#include "kube/client.h"
#include "kube/object_ref.h"

namespace smp::apply {

struct WaitedObject {
  kube::ObjectRef ref;
  ReadyState state = {Readiness::kNotYet, "was not checked yet"};
  // kFailed: set if the object is gone or cannot be read.
  std::optional<Error> error = {};

  bool done() const { return state.readiness != Readiness::kNotYet; }
};

struct WaitOptions {
  int64_t timeout_ms = 300'000;  // for all objects together; 0: read them once
  // Called when an object's state changes, and for its first state; not for kinds whose status does not tell.
  std::function<void(const WaitedObject&)> changed = {};
};

// Returns the objects in order, each with its last known state, once none can change any more, the timeout is over or
// `clock` is interrupted. Connection errors are retried.
std::vector<WaitedObject> WaitUntilReady(kube::Client& client, const std::vector<kube::ObjectRef>& refs,
                                         const WaitOptions& options, Clock& clock);

}  // namespace smp::apply
