#include "apply/check_manifest.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "schema/check.h"
#include "smp/duplicates.h"

namespace smp::apply {

namespace {

// Joins the errors into one, with one line per error.
Error Joined(const std::vector<Error>& errors) {
  constexpr size_t kMostNamed = 10;
  Error out = errors.front();
  for (size_t i = 1; i < errors.size() && i < kMostNamed; ++i) out.message += StrCat("\n", ToString(errors[i]));
  if (errors.size() > kMostNamed) out.message += StrCat("\nand ", errors.size() - kMostNamed, " more");
  return out;
}

// The server itself warns of unknown fields if it knows the kind, so look for them only to refuse them.
UnknownFields ToFind(const Prepared& prepared, TypeErrors type_errors) {
  return type_errors == TypeErrors::kRefuse || prepared.unserved ? UnknownFields::kFind : UnknownFields::kLeave;
}

bool IsInStatus(const Error& error) {
  return error.path == "status" || error.path.starts_with("status.") || error.path.starts_with("status[");
}

// Of a custom resource with the subresource status, the server drops the status before it validates the object.
bool DropsStatus(const Resource& resource) {
  const auto& names = resource.subresources;
  return !resource.strategic && std::find(names.begin(), names.end(), "status") != names.end();
}

std::vector<Error> FindingsBy(const Schema& schema, const Resource& resource, const Document& manifest,
                              UnknownFields unknown) {
  std::vector<Error> findings = CheckTypes(manifest, schema, resource.type, unknown);
  if (DropsStatus(resource)) std::erase_if(findings, IsInStatus);
  return findings;
}

std::vector<Error> Findings(const Prepared& prepared, UnknownFields unknown) {
  return FindingsBy(*prepared.schema, prepared.resource, prepared.manifest, unknown);
}

// The published document of a custom resource lags behind a change of its CRD, and does not tell if the CRD keeps unknown
// fields (spec.preserveUnknownFields). So its findings count only if the CRD confirms them. Without a CRD to read, unknown
// fields are left to the server: it may be an aggregated API, which has its own rules.
std::vector<Error> ConfirmedFindings(const Prepared& prepared, UnknownFields unknown, kube::SchemaSource& schemas) {
  std::vector<Error> findings = Findings(prepared, unknown);
  if (findings.empty()) return findings;
  const auto defined = schemas.Defined(prepared.resource);
  const Resource* resource = defined.ok() ? (*defined)->FindResource(prepared.ref.gvk) : nullptr;
  if (resource == nullptr) return Findings(prepared, UnknownFields::kLeave);
  return FindingsBy(**defined, *resource, prepared.manifest, unknown);
}

Status Take(std::vector<Error> errors, TypeErrors type_errors, Prepared& prepared) {
  DuplicateFindings duplicates = FindDuplicates(prepared.manifest, *prepared.schema, prepared.resource.type);
  errors.insert(errors.end(), duplicates.refused.begin(), duplicates.refused.end());
  prepared.duplicates = std::move(duplicates.taken);
  if (errors.empty()) return Ok();
  if (type_errors == TypeErrors::kRefuse) return Joined(errors);
  prepared.type_errors = std::move(errors);
  return Ok();
}

}  // namespace

Status CheckManifest(Prepared& prepared, const Target& target) {
  if (target.type_errors == TypeErrors::kIgnore) return Ok();
  const UnknownFields unknown = ToFind(prepared, target.type_errors);
  const bool certain = prepared.resource.strategic || prepared.defined_by_input;
  return Take(certain ? Findings(prepared, unknown) : ConfirmedFindings(prepared, unknown, *target.schemas),
              target.type_errors, prepared);
}

Status CheckManifestOffline(Prepared& prepared) {
  return Take(Findings(prepared, UnknownFields::kLeave), TypeErrors::kRefuse, prepared);
}

}  // namespace smp::apply
