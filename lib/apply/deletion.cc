#include "apply/deletion.h"

#include <algorithm>

#include "base/strings.h"
#include "value/at.h"

namespace smp::apply {

namespace {

constexpr int64_t kFirstPauseMs = 50;
constexpr int64_t kLongestPauseMs = 1000;
constexpr int64_t kLongestSilenceMs = 60'000;  // of the server

}  // namespace

kube::DeleteOptions ToDeleteOptions(const Deletion& how, std::string_view uid, std::string_view resource_version) {
  return {.propagation = how.propagation,
          .grace_period_seconds = how.grace_period_seconds,
          .uid = std::string(uid),
          .resource_version = std::string(resource_version)};
}

Awaited AwaitGone(kube::Client& client, const kube::ObjectRef& ref, std::string_view uid, int64_t timeout_ms,
                  Clock& clock, const std::function<void(const Value&)>& still_there) {
  const int64_t begin = clock.NowMs();
  Awaited out;
  bool awake = true;
  int64_t answered = begin;
  for (int64_t pause = kFirstPauseMs;; pause = std::min(2 * pause, kLongestPauseMs)) {
    auto object = client.Get(ref);
    const bool gone = !object.ok() && object.error().code == ErrorCode::kNotFound;
    out.error = object.ok() || gone ? std::nullopt : std::optional(object.error());
    if (!out.error) answered = clock.NowMs();
    if (object.ok()) {
      const bool first = !out.object.has_value();
      out.object = *std::move(object);
      if (TextAt(out.object->root(), {"metadata", "uid"}) != uid) return {Absence::kReplaced, out.object};
      if (first && still_there) still_there(out.object->root());
    } else if (gone) {
      return {Absence::kGone};
    }
    if (!awake) return {Absence::kInterrupted, out.object, out.error};
    const int64_t left = std::min(begin + timeout_ms, answered + kLongestSilenceMs) - clock.NowMs();
    if (left <= 0) return {Absence::kTimedOut, out.object, out.error};
    awake = clock.SleepMs(std::min(pause, left));  // if interrupted, read the object once more
  }
}

std::string WhatHolds(const Value& object) {
  if (const auto finalizers = TextsAt(object, {"metadata", "finalizers"}); !finalizers.empty()) {
    return StrCat(finalizers.size() == 1 ? "it has finalizer " : "it has finalizers ", Join(finalizers, ", "));
  }
  const int64_t grace = IntAt(object, {"metadata", "deletionGracePeriodSeconds"});
  return grace <= 0 ? std::string() : StrCat("its grace period is ", grace, " s");
}

bool IsBeingDeleted(const Value& object) { return object.FindPath({"metadata", "deletionTimestamp"}) != nullptr; }

}  // namespace smp::apply
