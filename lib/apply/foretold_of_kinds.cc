#include "apply/foretold_of_kinds.h"

#include <algorithm>
#include <set>
#include <string>

#include "base/strings.h"
#include "kube/object_ref.h"
#include "smp/foretell.h"
#include "value/at.h"
#include "value/formats.h"

namespace smp::apply {

FieldPath ToPath(const FieldNames& names) {
  FieldPath path;
  for (const std::string_view name : names) path.push_back(PathStep::Field(name));
  return path;
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

bool IsClaim(const Prepared& prepared) {
  return prepared.ref.gvk.kind == "PersistentVolumeClaim" && prepared.ref.gvk.group.empty();
}

std::string_view SizeOf(const Value& claim) { return TextAt(claim, {"spec", "resources", "requests", "storage"}); }

namespace {

// A CRD keeps the versions in which the server may have stored objects. Source: apiextensions-apiserver,
// validateCustomResourceDefinitionStoredVersions.
std::optional<Error> ForetoldOfStoredVersions(const Prepared& prepared) {
  if (!kube::IsDefinition(prepared.ref.gvk)) return std::nullopt;
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
  if (!IsClaim(prepared)) return std::nullopt;
  const Value& live = prepared.live->root();
  const std::string_view before = SizeOf(live), after = SizeOf(prepared.patch->outcome.root());
  const std::string_view has = TextAt(live, {"status", "capacity", "storage"});
  if (!IsMoreThan(before, after) || IsMoreThan(after, has)) return std::nullopt;
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
  if (prepared.ref.gvk.kind != "Service" || !prepared.ref.gvk.group.empty()) return std::nullopt;
  auto error = ForetoldOfPorts(prepared, outcome);
  if (!error) error = ForetoldOfHeadless(prepared, outcome);
  return error ? std::move(error) : ForetoldOfSourceRanges(prepared, outcome);
}

}  // namespace

// Source: pkg/apis/apps/validation, ValidatePodTemplateSpecForReplicaSet and its like.
std::optional<Error> ForetoldOfSelector(const Prepared& prepared, const Value& outcome) {
  if (prepared.ref.gvk.group != "apps") return std::nullopt;
  const Value* selector = outcome.FindPath({"spec", "selector", "matchLabels"});
  if (selector == nullptr || !selector->is_object()) return std::nullopt;
  const bool matches = std::ranges::all_of(selector->Members(), [&](const Member& label) {
    const Value* given = outcome.FindPath({"spec", "template", "metadata", "labels", label.name});
    return given != nullptr && *given == label.value;
  });
  return matches ? std::nullopt
                 : std::optional(ForetellField(prepared, {"spec", "template", "metadata", "labels"},
                                               "Invalid value: `selector` does not match template `labels`"));
}

std::optional<Error> ForetoldOfChange(const Prepared& prepared) {
  auto error = ForetoldOfStoredVersions(prepared);
  if (!error) error = ForetoldOfService(prepared, prepared.patch->outcome.root());
  return error ? std::move(error) : ForetoldOfClaim(prepared);
}

std::optional<Error> ForetoldOfNew(const Prepared& prepared, const Value& object) {
  auto error = ForetoldOfService(prepared, object);
  return error ? std::move(error) : ForetoldOfSelector(prepared, object);
}

}  // namespace smp::apply
