#include "apply/foretold_of_kinds.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_set>

#include "base/strings.h"
#include "kube/object_ref.h"
#include "smp/defaulting.h"
#include "smp/foretell.h"
#include "smp/meaning.h"
#include "value/at.h"
#include "value/formats.h"
#include "value/json.h"

namespace smp::apply {

namespace {

bool Is(const Prepared& prepared, std::string_view group, std::string_view kind) {
  return prepared.ref.gvk.group == group && prepared.ref.gvk.kind == kind;
}

}  // namespace

FieldPath ToPath(const FieldNames& names) {
  FieldPath path;
  for (const std::string_view name : names) path.push_back(PathStep::Field(name));
  return path;
}

const Value* ValueAt(const Value& object, const FieldNames& path) {
  const Value* out = &object;
  for (const std::string_view name : path) out = out == nullptr ? nullptr : out->Find(name);
  return out;
}

Error Foretell(const Prepared& prepared, const FieldPath& path, std::string_view words) {
  Error error = Error::Refused(StrCat(kForetold, words));
  error.path = ToString(path);
  error.source = prepared.manifest.SourceOf(&prepared.manifest.root());
  return error;
}

Error ForetellField(const Prepared& prepared, const FieldNames& names, std::string_view words) {
  return Foretell(prepared, ToPath(names), words);
}

bool IsClaim(const Prepared& prepared) { return Is(prepared, "", "PersistentVolumeClaim"); }

std::string_view SizeOf(const Value& claim) { return TextAt(claim, {"spec", "resources", "requests", "storage"}); }

namespace {

// A CRD keeps the versions in which the server may have stored objects. Source: apiextensions-apiserver,
// validateCustomResourceDefinitionStoredVersions.
std::optional<Error> ForetoldOfStoredVersions(const Prepared& prepared) {
  std::set<std::string_view> versions;
  for (const Value& version : ItemsAt(prepared.patch->outcome.root(), {"spec", "versions"})) {
    versions.insert(TextAt(version, {"name"}));
  }
  const std::vector<std::string> stored = TextsAt(prepared.live->root(), {"status", "storedVersions"});
  const auto gone = std::ranges::find_if(stored, [&](const std::string& name) { return !versions.contains(name); });
  if (gone == stored.end()) return std::nullopt;
  FieldPath path = ToPath({"status", "storedVersions"});
  path.push_back(PathStep::Index(gone - stored.begin()));
  return Foretell(prepared, path,
                  StrCat("Invalid value: \"", *gone, "\": missing from spec.versions; ", *gone,
                         " was previously a storage version, and must remain in spec.versions until a storage "
                         "migration ensures no data remains persisted in ",
                         *gone, " and removes ", *gone, " from status.storedVersions"));
}

// A volume cannot shrink: a claim that was enlarged in vain may ask for less again, but not for less than it has. Source:
// pkg/apis/core/validation, ValidatePersistentVolumeClaimUpdate; before Kubernetes 1.32, it may never ask for less.
std::optional<Error> ForetoldOfClaim(const Prepared& prepared) {
  const Value& live = prepared.live->root();
  const std::string_view before = SizeOf(live), after = SizeOf(prepared.patch->outcome.root());
  const std::string_view has = TextAt(live, {"status", "capacity", "storage"});
  const bool is_bound = TextAt(live, {"status", "phase"}) != "Pending";  // of others, fixed.txt tells
  if (!is_bound || !IsMoreThan(before, after) || IsMoreThan(after, has)) return std::nullopt;
  return ForetellField(prepared, {"spec", "resources", "requests", "storage"},
                       "field can not be less than status.capacity");
}

// --- Services

Error ForetellPortName(const Prepared& prepared, size_t index, std::string_view words) {
  FieldPath path = ToPath({"spec", "ports"});
  path.push_back(PathStep::Index(static_cast<int64_t>(index)));
  path.push_back(PathStep::Field("name"));
  return Foretell(prepared, path, words);
}

// The names of ports need not be different for a merge, which goes by their numbers: a port whose number somebody changed in
// live comes back beside the new one. Source: pkg/apis/core/validation, validateServicePort.
std::optional<Error> ForetoldOfPorts(const Prepared& prepared, const Value& outcome) {
  const auto ports = ItemsAt(outcome, {"spec", "ports"});
  std::set<std::string_view> names;
  for (size_t i = 0; i < ports.size(); ++i) {
    const std::string_view name = TextAt(ports[i], {"name"});
    if (name.empty() && ports.size() > 1) return ForetellPortName(prepared, i, "Required value");
    if (!names.insert(name).second) {
      return ForetellPortName(prepared, i, StrCat("Duplicate value: \"", name, "\""));
    }
  }
  return std::nullopt;
}

// What somebody set in live beside type LoadBalancer stays where the manifest has another type. Source: pkg/apis/core/validation,
// ValidateService.
std::optional<Error> ForetoldOfSourceRanges(const Prepared& prepared, const Value& outcome) {
  constexpr std::string_view kAnnotation = "service.beta.kubernetes.io/load-balancer-source-ranges";
  constexpr std::string_view kWords = "Forbidden: may only be used when `type` is 'LoadBalancer'";
  if (TextAt(outcome, {"spec", "type"}) == "LoadBalancer") return std::nullopt;
  if (!ItemsAt(outcome, {"spec", "loadBalancerSourceRanges"}).empty()) {
    return ForetellField(prepared, {"spec", "loadBalancerSourceRanges"}, kWords);
  }
  const bool annotated = outcome.FindPath({"metadata", "annotations", kAnnotation}) != nullptr;
  return annotated ? std::optional(ForetellField(prepared, {"metadata", "annotations", kAnnotation}, kWords))
                   : std::nullopt;
}

// Source: pkg/apis/core/validation, ValidateServiceClusterIPsRelatedFields and ValidateService.
std::optional<Error> ForetoldOfHeadless(const Prepared& prepared, const Value& outcome) {
  const std::string_view type = TextAt(outcome, {"spec", "type"});
  const bool has_address = type == "NodePort" || type == "LoadBalancer";
  if (!has_address || TextAt(outcome, {"spec", "clusterIP"}) != "None") return std::nullopt;
  FieldPath path = ToPath({"spec", "clusterIPs"});
  path.push_back(PathStep::Index(0));
  return Foretell(prepared, path, StrCat("Invalid value: \"None\": may not be set to 'None' for ", type, " services"));
}

std::optional<Error> ForetoldOfService(const Prepared& prepared, const Value& outcome) {
  auto error = ForetoldOfPorts(prepared, outcome);
  if (!error) error = ForetoldOfHeadless(prepared, outcome);
  return error ? std::move(error) : ForetoldOfSourceRanges(prepared, outcome);
}

FieldPath ItemPath(const FieldNames& list, size_t index) {
  FieldPath path = ToPath(list);
  path.push_back(PathStep::Index(static_cast<int64_t>(index)));
  return path;
}

// The first family is that of the address, which stays. Source: pkg/apis/core/validation, ValidateServiceClusterIPsRelatedFields.
std::optional<Error> ForetoldOfFamilies(const Prepared& prepared, const Value& outcome) {
  const auto before = ItemsAt(prepared.live->root(), {"spec", "ipFamilies"});
  const auto after = ItemsAt(outcome, {"spec", "ipFamilies"});
  const auto addresses = ItemsAt(outcome, {"spec", "clusterIPs"});
  const bool has_address = !addresses.empty() && addresses.front() != Value::UnownedString("None");
  if (before.empty() || after.empty() || before.front() == after.front() || !has_address) return std::nullopt;
  return Foretell(
      prepared, ItemPath({"spec", "clusterIPs"}, 0),
      StrCat("Invalid value: ", WriteJson(addresses.front()), ": expected an ",
             after.front().is_string() ? after.front().AsString() : "", " value as indicated by `ipFamilies[0]`"));
}

// Source: pkg/apis/core/validation, ValidateServiceUpdate.
std::optional<Error> ForetoldOfHealthPort(const Prepared& prepared, const Value& outcome) {
  const auto port_of = [](const Value& service) -> const Value* {
    const bool has_port = TextAt(service, {"spec", "type"}) == "LoadBalancer" &&
                          TextAt(service, {"spec", "externalTrafficPolicy"}) == "Local";
    return has_port ? service.FindPath({"spec", "healthCheckNodePort"}) : nullptr;
  };
  const Value *before = port_of(prepared.live->root()), *after = port_of(outcome);
  if (before == nullptr || after == nullptr || *before == *after) return std::nullopt;
  return ForetellField(prepared, {"spec", "healthCheckNodePort"}, "field is immutable");
}

// An address range may get a second one of the other family. Source: pkg/apis/networking/validation, ValidateServiceCIDRUpdate.
std::optional<Error> ForetoldOfAddressRanges(const Prepared& prepared, const Value& outcome) {
  const auto before = ItemsAt(prepared.live->root(), {"spec", "cidrs"}), after = ItemsAt(outcome, {"spec", "cidrs"});
  for (size_t i = 0; i < before.size(); ++i) {
    if (i >= after.size()) return ForetellField(prepared, {"spec", "cidrs"}, "field is immutable");
    if (before[i] != after[i]) return Foretell(prepared, ItemPath({"spec", "cidrs"}, i), "field is immutable");
  }
  return std::nullopt;
}

// Source: pkg/apis/batch/validation, validateCompletions. Of a Job that is not Indexed, fixed.txt tells.
std::optional<Error> ForetoldOfIndexedJob(const Prepared& prepared, const Value& outcome) {
  if (TextAt(outcome, {"spec", "completionMode"}) != "Indexed") return std::nullopt;
  const Value* before = prepared.live->root().FindPath({"spec", "completions"});
  const Value* after = outcome.FindPath({"spec", "completions"});
  const Value* parallelism = outcome.FindPath({"spec", "parallelism"});
  if (before == nullptr) return std::nullopt;
  if (after == nullptr) {
    return ForetellField(prepared, {"spec", "completions"}, "Required value: when completion mode is Indexed");
  }
  if (*before == *after || *after == (parallelism == nullptr ? Value::Int(1) : *parallelism)) return std::nullopt;
  return ForetellField(prepared, {"spec", "completions"}, "can only be modified in tandem with spec.parallelism");
}

std::unordered_set<size_t> HashesOf(std::span<const Value> items) {
  std::unordered_set<size_t> out;
  for (const Value& item : items) out.insert(HashValue(item));
  return out;
}

// Source: pkg/apis/core/validation, validateOnlyAddedTolerations.
std::optional<Error> ForetoldOfTolerations(const Prepared& prepared, const Value& stored) {
  Arena arena;
  const auto without_seconds = [&arena](const Value& pod) {
    std::unordered_set<size_t> out;
    for (const Value& one : ItemsAt(pod, {"spec", "tolerations"})) {
      out.insert(HashValue(one.is_object() ? WithoutAt(one, {}, {"tolerationSeconds"}, arena) : one));
    }
    return out;
  };
  const std::unordered_set<size_t> before = without_seconds(prepared.live->root()), after = without_seconds(stored);
  if (!std::ranges::all_of(before, [&](size_t hash) { return after.contains(hash); })) {
    return ForetellField(prepared, {"spec", "tolerations"},
                         "existing toleration can not be modified except its tolerationSeconds");
  }
  return std::nullopt;
}

// Source: pkg/apis/core/validation, validatePodSchedulingGates and ValidatePodUpdate.
std::optional<Error> ForetoldOfGates(const Prepared& prepared, const Value& outcome) {
  const auto before = ItemsAt(prepared.live->root(), {"spec", "schedulingGates"});
  const auto after = ItemsAt(outcome, {"spec", "schedulingGates"});
  const std::unordered_set<size_t> had = HashesOf(before);
  for (size_t i = 0; i < after.size(); ++i) {
    if (had.contains(HashValue(after[i]))) continue;
    FieldPath path = ItemPath({"spec", "schedulingGates"}, i);
    path.push_back(PathStep::Field("name"));
    return Foretell(
        prepared, path,
        StrCat("only deletion is allowed, but found new scheduling gate '", TextAt(after[i], {"name"}), "'"));
  }
  const Value* chosen = before.empty() ? nullptr : prepared.live->root().FindPath({"spec", "nodeSelector"});
  if (chosen == nullptr || !chosen->is_object()) return std::nullopt;
  const bool stay = std::ranges::all_of(chosen->Members(), [&](const Member& label) {
    const Value* now = outcome.FindPath({"spec", "nodeSelector", label.name});
    return now != nullptr && *now == label.value;
  });
  return stay ? std::nullopt
              : std::optional(
                    ForetellField(prepared, {"spec", "nodeSelector"},
                                  "only additions to spec.nodeSelector are allowed (no mutations or deletions)"));
}

// Source: pkg/apis/core/validation, ValidatePodUpdate.
std::optional<Error> ForetoldOfDeadline(const Prepared& prepared, const Value& outcome) {
  const Value* before = prepared.live->root().FindPath({"spec", "activeDeadlineSeconds"});
  const Value* after = outcome.FindPath({"spec", "activeDeadlineSeconds"});
  if (before == nullptr || !before->is_int()) return std::nullopt;
  const auto foretell = [&](std::string_view words) {
    return ForetellField(prepared, {"spec", "activeDeadlineSeconds"}, words);
  };
  if (after == nullptr) return foretell("must not update from a positive integer to nil value");
  if (!after->is_int() || after->AsInt() <= before->AsInt()) return std::nullopt;
  return foretell("must be less than or equal to previous value");
}

std::optional<Error> ForetoldOfPod(const Prepared& prepared, const Value& outcome) {
  Arena arena;
  const Value& live = prepared.live->root();
  const Value stored = AsStored(outcome, &live, PlaceOfObject(*prepared.schema, prepared.resource.type), arena);
  auto error = ForetoldOfTolerations(prepared, stored);
  if (!error) error = ForetoldOfGates(prepared, outcome);
  return error ? std::move(error) : ForetoldOfDeadline(prepared, outcome);
}

// Source: pkg/apis/apps/validation, ValidatePodTemplateSpecForReplicaSet and its like.
std::optional<Error> ForetoldOfSelector(const Prepared& prepared, const Value& outcome) {
  const bool of_controller = Is(prepared, "", "ReplicationController");
  if (prepared.ref.gvk.group != "apps" && !of_controller) return std::nullopt;
  const Value* selector =
      of_controller ? outcome.FindPath({"spec", "selector"}) : outcome.FindPath({"spec", "selector", "matchLabels"});
  if (selector == nullptr || !selector->is_object()) return std::nullopt;
  const bool matches = std::ranges::all_of(selector->Members(), [&](const Member& label) {
    const Value* given = outcome.FindPath({"spec", "template", "metadata", "labels", label.name});
    return given != nullptr && *given == label.value;
  });
  if (matches) return std::nullopt;
  const Value* labels = outcome.FindPath({"spec", "template", "metadata", "labels"});
  return ForetellField(prepared, {"spec", "template", "metadata", "labels"},
                       StrCat("Invalid value: ", labels == nullptr ? "null" : WriteJson(*labels),
                              ": `selector` does not match template `labels`"));
}

// Returns the path to the spec of the Pods that a workload starts; empty for other kinds. A custom resource may look like one.
FieldNames PathOfPods(const Prepared& prepared) {
  if (Is(prepared, "batch", "CronJob")) return {"spec", "jobTemplate", "spec", "template", "spec"};
  const bool is_workload =
      prepared.ref.gvk.group == "apps" || Is(prepared, "batch", "Job") || Is(prepared, "", "ReplicationController");
  return is_workload ? FieldNames{"spec", "template", "spec"} : FieldNames();
}

// Returns the path to `field` of an item of a list in a container.
FieldPath PathInContainer(const FieldNames& pods, std::string_view list, size_t container, std::string_view items,
                          size_t item, std::string_view field) {
  FieldPath path = ToPath(pods);
  for (PathStep step : {PathStep::Field(list), PathStep::Index(static_cast<int64_t>(container)), PathStep::Field(items),
                        PathStep::Index(static_cast<int64_t>(item)), PathStep::Field(field)}) {
    path.push_back(std::move(step));
  }
  return path;
}

// A port that others added may have the name of one that the manifest adds. Source: pkg/apis/core/validation,
// validateContainerPorts.
// `pod`: the spec, at `place`.
std::optional<Error> ForetoldOfPortNames(const Prepared& prepared, const FieldNames& place, const Value& pod) {
  for (const std::string_view list : {"containers", "initContainers"}) {
    const auto containers = ItemsAt(pod, {list});
    for (size_t i = 0; i < containers.size(); ++i) {
      const auto ports = ItemsAt(containers[i], {"ports"});
      std::set<std::string_view> names;
      for (size_t j = 0; j < ports.size(); ++j) {
        const std::string_view name = TextAt(ports[j], {"name"});
        if (name.empty() || names.insert(name).second) continue;
        return Foretell(prepared, PathInContainer(place, list, i, "ports", j, "name"),
                        StrCat("Duplicate value: \"", name, "\""));
      }
    }
  }
  return std::nullopt;
}

// A container that others added may mount a volume that the manifest no longer has. Source: pkg/apis/core/validation,
// ValidateVolumeMounts.
std::optional<Error> ForetoldOfMounts(const Prepared& prepared, const FieldNames& place, const Value& pod,
                                      const Value& outcome) {
  std::set<std::string_view> volumes;
  for (const Value& volume : ItemsAt(pod, {"volumes"})) volumes.insert(TextAt(volume, {"name"}));
  for (const Value& claim : ItemsAt(outcome, {"spec", "volumeClaimTemplates"})) {
    volumes.insert(TextAt(claim, {"metadata", "name"}));
  }
  for (const std::string_view list : {"containers", "initContainers"}) {
    const auto containers = ItemsAt(pod, {list});
    for (size_t i = 0; i < containers.size(); ++i) {
      const auto mounts = ItemsAt(containers[i], {"volumeMounts"});
      for (size_t j = 0; j < mounts.size(); ++j) {
        const std::string_view name = TextAt(mounts[j], {"name"});
        if (volumes.contains(name)) continue;
        return Foretell(prepared, PathInContainer(place, list, i, "volumeMounts", j, "name"),
                        StrCat("Not found: \"", name, "\""));
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> ForetoldOfChange(const Prepared& prepared) {
  const Value& outcome = prepared.patch->outcome.root();
  if (kube::IsDefinition(prepared.ref.gvk)) return ForetoldOfStoredVersions(prepared);
  if (IsClaim(prepared)) return ForetoldOfClaim(prepared);
  if (Is(prepared, "", "Pod")) return ForetoldOfPod(prepared, outcome);
  if (Is(prepared, "batch", "Job")) return ForetoldOfIndexedJob(prepared, outcome);
  if (Is(prepared, "networking.k8s.io", "ServiceCIDR")) return ForetoldOfAddressRanges(prepared, outcome);
  if (!Is(prepared, "", "Service")) return std::nullopt;
  auto error = ForetoldOfFamilies(prepared, outcome);
  return error ? std::move(error) : ForetoldOfHealthPort(prepared, outcome);
}

std::optional<Error> ForetoldOfObject(const Prepared& prepared, const Value& object) {
  if (Is(prepared, "", "Service")) return ForetoldOfService(prepared, object);
  auto error = ForetoldOfSelector(prepared, object);
  const FieldNames place = PathOfPods(prepared);
  const Value* pod = place.empty() ? nullptr : ValueAt(object, place);
  if (error || pod == nullptr || !pod->is_object()) return error;
  error = ForetoldOfPortNames(prepared, place, *pod);
  return error ? std::move(error) : ForetoldOfMounts(prepared, place, *pod, object);
}

}  // namespace smp::apply
