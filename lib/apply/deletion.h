// Options for deleting an object, and waiting until the object is gone; for --prune and --force.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "kube/client.h"
#include "kube/object_ref.h"
#include "value/document.h"

namespace smp::apply {

struct Deletion {
  std::string propagation = "Background";  // --cascade: Background | Foreground | Orphan
  int64_t grace_period_seconds = -1;       // -1: the server's default
  int64_t timeout_ms = 0;                  // how long to wait until the object is gone; 0: the caller's default
};

// Returns the options of a deletion of the object with this uid and, unless it is "", this resourceVersion.
kube::DeleteOptions ToDeleteOptions(const Deletion& how, std::string_view uid, std::string_view resource_version = {});

enum class Absence {
  kGone,
  kReplaced,  // another object of that name exists
  kTimedOut,
  kInterrupted,
};

struct Awaited {
  Absence absence = Absence::kGone;
  std::optional<Document> object = std::nullopt;  // the object as last read; nullopt if gone or never read
  std::optional<Error> error = std::nullopt;      // of the last read, if it failed: it is not known what became of it
};

// Polls until the object with that uid is gone, at growing intervals of at most a second. Retries failed reads for a
// minute, or until the timeout, because the deletion has already begun. Calls `still_there` (may be empty) once, with
// the first object of that uid that it reads; never, if the object is already gone.
Awaited AwaitGone(kube::Client& client, const kube::ObjectRef& ref, std::string_view uid, int64_t timeout_ms,
                  Clock& clock, const std::function<void(const Value&)>& still_there = {});

// Returns why an object that is being deleted still exists: "it has finalizers a.io/x, b.io/y", "its grace period is
// …". Empty if unknown.
std::string WhatHolds(const Value& object);

bool IsBeingDeleted(const Value& object);

}  // namespace smp::apply
