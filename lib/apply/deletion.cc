#include "apply/deletion.h"

#include <algorithm>
#include <vector>

#include "base/strings.h"

namespace smp {

namespace {

constexpr int64_t kFirstPauseMs = 50;
constexpr int64_t kLongestPauseMs = 1000;

std::vector<std::string> Finalizers(const Value& object) {
  std::vector<std::string> out;
  const Value* finalizers = object.FindPath({"metadata", "finalizers"});
  if (finalizers == nullptr || !finalizers->is_array()) return out;
  for (const Value& finalizer : finalizers->Items()) {
    if (finalizer.is_string()) out.emplace_back(finalizer.AsString());
  }
  return out;
}

}  // namespace

Awaited AwaitGone(Client& client, const ObjectRef& ref, std::string_view uid, int64_t timeout_ms, Clock& clock,
                  const std::function<void(const Value&)>& still_there) {
  const int64_t begin = clock.NowMs();
  Awaited out;
  bool awake = true;
  for (int64_t pause = kFirstPauseMs;; pause = std::min(2 * pause, kLongestPauseMs)) {
    auto object = client.Get(ref);
    if (object.ok()) {
      const bool first = !out.object.has_value();
      out.object = *std::move(object);
      if (MetadataText(out.object->root(), "uid") != uid) return {Absence::kReplaced, out.object};
      if (first && still_there) still_there(out.object->root());
    } else if (object.error().code == ErrorCode::kNotFound) {
      return {Absence::kGone};
    }
    if (!awake) return {Absence::kInterrupted, out.object};
    const int64_t left = begin + timeout_ms - clock.NowMs();
    if (left <= 0) return {Absence::kTimedOut, out.object};
    awake = clock.SleepMs(std::min(pause, left));  // after an interruption, look once more
  }
}

std::string WhatHolds(const Value& object) {
  if (const std::vector<std::string> finalizers = Finalizers(object); !finalizers.empty()) {
    return StrCat(finalizers.size() == 1 ? "its finalizer is " : "its finalizers are ", Join(finalizers, ", "));
  }
  const Value* grace = object.FindPath({"metadata", "deletionGracePeriodSeconds"});
  if (grace == nullptr || !grace->is_int() || grace->AsInt() <= 0) return {};
  return StrCat("it has ", grace->AsInt(), " s to stop");
}

bool IsBeingDeleted(const Value& object) { return object.FindPath({"metadata", "deletionTimestamp"}) != nullptr; }

std::string MetadataText(const Value& object, std::string_view name) {
  const Value* metadata = object.Find("metadata");
  return metadata == nullptr ? std::string() : std::string(metadata->StringOr(name));
}

}  // namespace smp
