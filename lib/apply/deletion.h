// How objects are deleted, and waiting until they are gone: --prune and --force.
#ifndef SMP_APPLY_DELETION_H_
#define SMP_APPLY_DELETION_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "kube/client.h"
#include "kube/object_ref.h"
#include "value/document.h"

namespace smp {

struct Deletion {
  std::string propagation = "Background";  // --cascade: Background | Foreground | Orphan
  int64_t grace_period_seconds = -1;       // -1: the server's
  int64_t timeout_ms = 0;                  // of waiting until it is gone; 0: as long as who waits thinks fit
};

enum class Absence {
  kGone,
  kReplaced,  // an object of that name is there, but another one
  kTimedOut,
  kInterrupted,
};

struct Awaited {
  Absence absence = Absence::kGone;
  std::optional<Document> object = std::nullopt;  // what was there at the last look, if anything
};

// Looks until the object with that uid is gone, at growing intervals of at most a second. A look that fails is repeated
// until the time is over: nobody may give up on an object that is half deleted because of one bad answer. `still_there`
// (may be empty) gets the object once, when it is not gone at once.
Awaited AwaitGone(Client& client, const ObjectRef& ref, std::string_view uid, int64_t timeout_ms, Clock& clock,
                  const std::function<void(const Value&)>& still_there = {});

// Why an object that is being deleted is still there: "its finalizers are a.io/x, b.io/y", "it has 30 s to stop"; ""
// when nothing is known.
std::string WhatHolds(const Value& object);

bool IsBeingDeleted(const Value& object);

// metadata.NAME, "" where there is none.
std::string MetadataText(const Value& object, std::string_view name);

}  // namespace smp

#endif  // SMP_APPLY_DELETION_H_
