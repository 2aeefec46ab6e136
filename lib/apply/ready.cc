#include "apply/ready.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/strings.h"
#include "schema/definition.h"
#include "schema/schema.h"
#include "value/at.h"

namespace smp::apply {

namespace {

ReadyState Ready() { return {Readiness::kReady}; }
ReadyState NotYet(std::string reason) { return {Readiness::kNotYet, std::move(reason)}; }
ReadyState Failed(std::string reason) { return {Readiness::kFailed, std::move(reason)}; }

// Returns true if the condition exists and has that status: "True", "False" or "Unknown".
bool HasStatus(const Value* condition, std::string_view status) {
  return condition != nullptr && condition->StringOr("status") == status;
}

// Returns "Reason: message" or the part of it that exists; `otherwise` if neither does.
std::string Because(const Value& from, std::string_view otherwise) {
  const std::string_view reason = from.StringOr("reason"), message = Trim(from.StringOr("message"));
  if (reason.empty() && message.empty()) return std::string(otherwise);
  return StrCat(reason, reason.empty() || message.empty() ? "" : ": ", message);
}

// Returns kNotYet if the status describes an older spec, else nullopt.
std::optional<ReadyState> Unobserved(const Value& object, int64_t observed) {
  const int64_t generation = IntAt(object, {"metadata", "generation"});
  if (observed >= generation) return std::nullopt;
  return NotYet("its controller has not observed this change yet");
}

std::optional<ReadyState> Unobserved(const Value& object) {
  return Unobserved(object, IntAt(object, {"status", "observedGeneration"}));
}

std::string Count(int64_t have, int64_t want, std::string_view what) { return StrCat(have, " of ", want, " ", what); }

// Appends the reason why the controller is stuck, if the ReplicaFailure condition states one.
ReadyState Short(const Value& object, std::string count) {
  const Value* failure = FindCondition(object, "ReplicaFailure");
  if (HasStatus(failure, "True")) count += StrCat(" (", Because(*failure, "ReplicaFailure"), ")");
  if (IsTrueAt(object, {"spec", "paused"})) count += " (the rollout is paused)";
  return NotYet(std::move(count));
}

ReadyState Deployment(const Value& object) {
  if (const auto state = Unobserved(object)) return *state;
  const Value* progressing = FindCondition(object, "Progressing");
  if (progressing != nullptr && progressing->StringOr("reason") == "ProgressDeadlineExceeded") {
    return Failed(Because(*progressing, ""));
  }
  const int64_t want = IntAt(object, {"spec", "replicas"}, 1);
  const int64_t all = IntAt(object, {"status", "replicas"});
  const int64_t updated = IntAt(object, {"status", "updatedReplicas"});
  const int64_t available = IntAt(object, {"status", "availableReplicas"});
  if (updated < want) return Short(object, Count(updated, want, "updated"));
  if (all > updated) return Short(object, StrCat(all - updated, " old replicas are still running"));
  if (available < updated) return Short(object, Count(available, updated, "available"));
  return Ready();
}

ReadyState StatefulSet(const Value& object) {
  if (const auto state = Unobserved(object)) return *state;
  const int64_t want = IntAt(object, {"spec", "replicas"}, 1);
  const int64_t ready = IntAt(object, {"status", "readyReplicas"});
  if (ready < want) return Short(object, Count(ready, want, "ready"));
  if (TextAt(object, {"spec", "updateStrategy", "type"}) == "OnDelete") return Ready();  // old Pods stay on purpose
  const int64_t updated = IntAt(object, {"status", "updatedReplicas"});
  const int64_t partition = IntAt(object, {"spec", "updateStrategy", "rollingUpdate", "partition"});
  if (partition > 0) {
    const int64_t due = std::max<int64_t>(want - partition, 0);
    return updated < due ? Short(object, Count(updated, due, "updated")) : Ready();
  }
  const bool current = TextAt(object, {"status", "updateRevision"}) == TextAt(object, {"status", "currentRevision"});
  return current ? Ready() : Short(object, Count(updated, want, "updated"));
}

ReadyState DaemonSet(const Value& object) {
  if (const auto state = Unobserved(object)) return *state;
  const int64_t want = IntAt(object, {"status", "desiredNumberScheduled"});
  const int64_t updated = IntAt(object, {"status", "updatedNumberScheduled"});
  const int64_t available = IntAt(object, {"status", "numberAvailable"});
  const bool on_delete = TextAt(object, {"spec", "updateStrategy", "type"}) == "OnDelete";
  if (!on_delete && updated < want) return Short(object, Count(updated, want, "updated"));
  return available < want ? Short(object, Count(available, want, "available")) : Ready();
}

ReadyState Job(const Value& object) {
  const Value* failed = FindCondition(object, "Failed");
  if (HasStatus(failed, "True")) return Failed(Because(*failed, "the Job failed"));
  if (HasStatus(FindCondition(object, "Complete"), "True")) return Ready();
  if (IsTrueAt(object, {"spec", "suspend"})) return NotYet("is suspended");
  const int64_t want = IntAt(object, {"spec", "completions"}, 1);
  std::string text = Count(IntAt(object, {"status", "succeeded"}), want, "completed");
  if (const int64_t failures = IntAt(object, {"status", "failed"}); failures > 0) {
    text += StrCat(", ", failures, " failed");
  }
  return NotYet(std::move(text));
}

// Returns why the first container that cannot start is waiting ("ImagePullBackOff: …"), "" if all can start.
std::string ContainerTrouble(const Value& pod) {
  for (const char* list : {"initContainerStatuses", "containerStatuses"}) {
    for (const Value& status : ItemsAt(pod, {"status", list})) {
      const Value* waiting = status.FindPath({"state", "waiting"});
      const bool starting = waiting == nullptr || waiting->StringOr("reason") == "PodInitializing" ||
                            waiting->StringOr("reason") == "ContainerCreating";
      if (!starting) return StrCat("container ", status.StringOr("name"), ": ", Because(*waiting, "is waiting"));
    }
  }
  return {};
}

ReadyState Pod(const Value& object) {
  const std::string_view phase = TextAt(object, {"status", "phase"});
  const Value* status = object.Find("status");
  if (phase == "Succeeded") return Ready();
  if (phase == "Failed") return Failed(Because(*status, "the Pod failed"));
  const Value* ready = FindCondition(object, "Ready");
  if (HasStatus(ready, "True")) return Ready();
  if (std::string trouble = ContainerTrouble(object); !trouble.empty()) return NotYet(std::move(trouble));
  const Value* scheduled = FindCondition(object, "PodScheduled");
  if (HasStatus(scheduled, "False")) return NotYet(Because(*scheduled, "is not scheduled"));
  if (ready != nullptr) return NotYet(Because(*ready, "is not ready"));
  return NotYet(phase.empty() ? "has no status yet" : StrCat("is ", phase));
}

// Custom resources and other kinds with a Ready condition. Stalled: the condition by which kstatus marks a
// reconciliation that will not continue by itself.
ReadyState ByCondition(const Value& object) {
  const Value* ready = FindCondition(object, "Ready");
  if (ready == nullptr) return {};
  const int64_t current = IntAt(object, {"metadata", "generation"});
  const int64_t of_status = IntAt(object, {"status", "observedGeneration"}, current);
  if (const auto state = Unobserved(object, IntAt(*ready, {"observedGeneration"}, of_status))) return *state;
  const Value* stalled = FindCondition(object, "Stalled");
  if (HasStatus(stalled, "True")) return Failed(Because(*stalled, "it is stalled"));
  return HasStatus(ready, "True") ? Ready() : NotYet(Because(*ready, "is not ready"));
}

// Returns true for .status.conditions[?(@.type=="Ready")].status and the like.
bool SelectsReady(std::string_view json_path) {
  std::string text;
  for (const char c : json_path) {
    if (c != ' ') text += c == '\'' ? '"' : c;
  }
  return text.find("conditions[?(@.type==\"Ready\")]") != text.npos;
}

struct Rule {
  std::string_view group, kind;
  ReadyState (*state)(const Value&);
};

constexpr Rule kRules[] = {
    {"apps", "Deployment", &Deployment},
    {"apps", "StatefulSet", &StatefulSet},
    {"apps", "DaemonSet", &DaemonSet},
    {"batch", "Job", &Job},
    {"apiextensions.k8s.io", "CustomResourceDefinition", &DefinitionState},
    {"", "Pod", &Pod},
};

}  // namespace

const Value* FindCondition(const Value& object, std::string_view type) {
  for (const Value& condition : ItemsAt(object, {"status", "conditions"})) {
    if (condition.StringOr("type") == type) return &condition;
  }
  return nullptr;
}

ReadyState DefinitionState(const Value& object) {
  const Value* names = FindCondition(object, "NamesAccepted");
  if (HasStatus(names, "False")) return Failed(Because(*names, "its names are not accepted"));
  const Value* established = FindCondition(object, "Established");
  if (HasStatus(names, "True") && HasStatus(established, "True")) return Ready();
  return NotYet(established == nullptr ? "is not established" : Because(*established, "is not established"));
}

ReadyState StateWithoutCondition(const Value& definition, std::string_view version) {
  const Value* entry = VersionOfDefinition(definition, version);
  const bool shown =
      entry != nullptr && std::ranges::any_of(ItemsAt(*entry, {"additionalPrinterColumns"}), [](const Value& column) {
        return column.is_object() && SelectsReady(column.StringOr("jsonPath"));
      });
  return shown ? NotYet("its controller has not written a Ready condition yet")
               : ReadyState{Readiness::kUnknown, "it has no Ready condition"};
}

ReadyState ReadyStateOf(const Value& object) {
  if (!object.is_object()) return {};
  if (object.FindPath({"metadata", "deletionTimestamp"}) != nullptr) return NotYet("is being deleted");
  const auto gvk = GvkOf(object);
  for (const Rule& rule : kRules) {
    if (gvk.ok() && rule.group == gvk->group && rule.kind == gvk->kind) return rule.state(object);
  }
  return ByCondition(object);
}

}  // namespace smp::apply
