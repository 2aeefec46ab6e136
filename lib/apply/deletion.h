// Options of a deletion, and waiting until the object is gone: for --prune and --force.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "kube/client.h"
#include "kube/object_ref.h"
#include "value/document.h"

namespace smp::apply {

struct Deletion {
  std::string propagation = "Background";  // --cascade: Background | Foreground | Orphan
  int64_t grace_period_seconds = -1;       // -1: the server's default
  int64_t timeout_ms = 0;                  // how long to wait until it is gone; 0: the caller decides
};

enum class Absence {
  kGone,
  kReplaced,  // another object of that name exists
  kTimedOut,
  kInterrupted,
};

struct Awaited {
  Absence absence = Absence::kGone;
  std::optional<Document> object = std::nullopt;  // as last read, if it was there
};

// Polls until the object with that uid is gone, at growing intervals of at most a second. A failed read is retried
// until the timeout: one bad answer is no reason to give up on an object that is half deleted. `still_there` (may be
// empty) is called once, with the object, unless the first read finds it gone.
Awaited AwaitGone(kube::Client& client, const kube::ObjectRef& ref, std::string_view uid, int64_t timeout_ms,
                  Clock& clock, const std::function<void(const Value&)>& still_there = {});

// Returns why an object that is being deleted is still there: "its finalizers are a.io/x, b.io/y", "it has 30 s to
// stop". Empty if unknown.
std::string WhatHolds(const Value& object);

bool IsBeingDeleted(const Value& object);

}  // namespace smp::apply
