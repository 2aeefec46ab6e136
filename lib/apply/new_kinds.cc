#include "apply/new_kinds.h"

#include <algorithm>
#include <utility>

#include "apply/await_served.h"
#include "apply/input_definitions.h"
#include "apply/ready.h"
#include "base/parallel.h"

namespace smp::apply {

namespace {

// How many kinds are waited for at once. The server takes them up one after the other, and has other work then.
constexpr int kMostAwaited = 4;

constexpr int64_t kHoldMs = 2'000, kLongestHoldMs = 5'000, kPauseMs = 25;

}  // namespace

void NewKinds::Note(const Manifest& manifest, const kube::ObjectRef& ref, const Value& answer) {
  const bool is_new_crd = kube::IsDefinition(ref.gvk) && DefinitionState(answer).readiness != Readiness::kReady;
  const std::lock_guard lock(mutex_);
  const size_t number = bringers_.size();
  for (const GroupVersionKind& kind : KindsBroughtBy(manifest)) {
    bringers_.insert_or_assign(kind, Bringer{ref, number, is_new_crd});
  }
}

bool NewKinds::IsToAwait(const GroupVersionKind& kind) const {
  return !awaited_.contains(kind) && (bringers_.contains(kind) || bringers_.contains({kind.group, kind.version, ""}));
}

std::optional<NewKind> NewKinds::Find(const GroupVersionKind& kind) const {
  const std::lock_guard lock(mutex_);
  const auto at = awaited_.find(kind);
  return at == awaited_.end() ? std::nullopt : std::optional(at->second);
}

const NewKinds::Bringer& NewKinds::BringerOf(const GroupVersionKind& kind) const {
  const auto bringer = bringers_.find(kind);
  return bringer == bringers_.end() ? bringers_.at({kind.group, kind.version, ""}) : bringer->second;
}

void NewKinds::Await(std::vector<GroupVersionKind> kinds, const std::function<void(const GroupVersionKind&)>& release,
                     const std::function<void(const kube::ObjectRef&)>& on_wait) {
  std::ranges::sort(kinds, {}, [&](const GroupVersionKind& kind) { return BringerOf(kind).number; });
  unserved_ = kinds.size();
  const auto await = [&](size_t i) {
    const Bringer& bringer = BringerOf(kinds[i]);
    on_wait(bringer.ref);
    if (!AwaitOne(kinds[i], bringer)) release(kinds[i]);
  };
  ParallelFor(2, 2, [&](size_t i) { i == 0 ? ParallelFor(kinds.size(), kMostAwaited, await) : ReleaseHeld(release); });
}

// Returns true if the objects of the kind are held.
bool NewKinds::AwaitOne(const GroupVersionKind& kind, const Bringer& bringer) {
  Status served = AwaitServed(client_, schemas_, kind, bringer.ref, clock_);
  const std::lock_guard lock(mutex_);
  const int64_t now = clock_.NowMs();
  const bool is_held = served.ok() && bringer.is_new_crd;
  if (is_held) held_.push_back({kind, now});
  awaited_.insert_or_assign(kind, NewKind{std::move(served), now});
  --unserved_;
  changed_.notify_one();
  return is_held;
}

void NewKinds::ReleaseHeld(const std::function<void(const GroupVersionKind&)>& release) {
  for (;; (void)clock_.SleepMs(kPauseMs)) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !held_.empty() || unserved_ == 0; });
    if (held_.empty()) return;
    lock.unlock();
    for (const Held& held : TakeDue()) release(held.kind);
  }
}

std::vector<NewKinds::Held> NewKinds::TakeDue() {
  const std::lock_guard lock(mutex_);
  const int64_t longest = unserved_ == 0 ? kHoldMs : kLongestHoldMs;
  const auto is_due = [&](const Held& held) {
    return clock_.interrupted() || clock_.NowMs() - held.since_ms >= longest;
  };
  std::vector<Held> due;
  for (; !held_.empty() && is_due(held_.front()); held_.pop_front()) due.push_back(held_.front());
  return due;
}

}  // namespace smp::apply
