#include "apply/check_manifest.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "apply/plan_server_side.h"
#include "base/strings.h"
#include "schema/check.h"
#include "smp/duplicates.h"
#include "value/path.h"
#include "value/path_match.h"

namespace smp::apply {

namespace {

// Joins the errors into one, with one line per error.
Error Joined(const std::vector<Error>& errors) {
  constexpr size_t kMostErrors = 10;
  Error out = errors.front();
  for (size_t i = 1; i < errors.size() && i < kMostErrors; ++i) out.message += StrCat("\n", ToString(errors[i]));
  if (errors.size() > kMostErrors) out.message += StrCat("\nand ", errors.size() - kMostErrors, " more");
  return out;
}

// The server itself warns of unknown fields if it knows the kind, so look for them only to refuse them.
UnknownFields ToFind(const Prepared& prepared, const Target& target) {
  if (target.type_errors != TypeErrors::kRefuse && !prepared.unserved) return UnknownFields::kLeave;
  return target.planning.server_side ? UnknownFields::kFindInApply : UnknownFields::kFind;
}

bool IsInStatus(const Error& error) {
  return error.path == "status" || error.path.starts_with("status.") || error.path.starts_with("status[");
}

struct Findings {
  std::vector<Error> errors;      // to be refused
  std::vector<Error> duplicates;  // that the server accepts
};

Findings FindingsBy(const Schema& schema, const Resource& resource, const Document& manifest, UnknownFields unknown) {
  DuplicateFindings duplicates = FindDuplicates(manifest, schema, resource.type);
  Findings out = {CheckTypes(manifest, schema, resource.type, unknown), std::move(duplicates.taken)};
  out.errors.insert(out.errors.end(), duplicates.refused.begin(), duplicates.refused.end());
  if (DropsStatus(resource)) std::erase_if(out.errors, IsInStatus);
  return out;
}

Findings FindingsOf(const Prepared& prepared, UnknownFields unknown) {
  return FindingsBy(*prepared.schema, prepared.resource, prepared.manifest, unknown);
}

// The published document of a custom resource lags behind a change of its CRD, and does not tell if the CRD keeps unknown
// fields (spec.preserveUnknownFields). So its findings count only if the CRD confirms them; if that may not be read, all is
// left to the server. Without a CRD, unknown fields are: it is an aggregated API, which has its own rules.
Findings ConfirmedFindings(const Prepared& prepared, UnknownFields unknown, kube::SchemaSource& schemas) {
  Findings findings = FindingsOf(prepared, unknown);
  if (findings.errors.empty()) return findings;
  const auto defined = schemas.Defined(prepared.resource);
  if (!defined.ok()) return {};
  const Resource* resource = (*defined)->FindResource(prepared.ref.gvk);
  if (resource == nullptr) return FindingsOf(prepared, UnknownFields::kLeave);
  return FindingsBy(**defined, *resource, prepared.manifest, unknown);
}

// Returns true if the value at the path, or one that contains it, is in both.
bool IsSameAt(const std::string& path, const Value& a, const Value& b) {
  const Result<PathPattern> steps = ParsePathPattern(path);
  if (!steps.ok()) return false;
  FieldPath prefix;
  for (const std::optional<PathStep>& step : *steps) {
    if (!step) return false;
    prefix.push_back(*step);
    const Value* of_a = ValueAt(a, prefix);
    const Value* of_b = ValueAt(b, prefix);
    if (of_a != nullptr && of_b != nullptr && *of_a == *of_b) return true;
  }
  return false;
}

// The server accepts in a custom resource what it would refuse in a new one, where live has it already (KEP-4008, CRD
// validation ratcheting). But it drops a field that a changed CRD no longer has, so that live lacks it then.
void DropUnchanged(const Prepared& prepared, const Value& live, std::vector<Error>& errors) {
  if (prepared.resource.strategic) return;
  std::erase_if(errors, [&](const Error& error) {
    const bool goes = prepared.defined_by_input && error.message.starts_with("unknown field");
    return !goes && IsSameAt(error.path, prepared.manifest.root(), live);
  });
}

void DropUnchangedOnServer(const Prepared& prepared, kube::Client& client, std::vector<Error>& errors) {
  if (errors.empty() || prepared.resource.strategic || prepared.unserved) return;
  const Result<Document> live = client.Get(prepared.ref);
  if (live.ok()) DropUnchanged(prepared, live->root(), errors);
}

Status Take(Findings findings, TypeErrors type_errors, Prepared& prepared) {
  prepared.duplicates = std::move(findings.duplicates);
  if (findings.errors.empty()) return Ok();
  if (type_errors == TypeErrors::kRefuse) return Joined(findings.errors);
  prepared.type_errors = std::move(findings.errors);
  return Ok();
}

}  // namespace

bool DropsStatus(const Resource& resource) {
  const auto& names = resource.subresources;
  return !resource.strategic && std::find(names.begin(), names.end(), "status") != names.end();
}

Status CheckManifest(Prepared& prepared, const Target& target) {
  if (target.type_errors == TypeErrors::kIgnore) return Ok();
  const UnknownFields unknown = ToFind(prepared, target);
  const bool certain = prepared.resource.strategic || prepared.defined_by_input;
  Findings findings = certain ? FindingsOf(prepared, unknown) : ConfirmedFindings(prepared, unknown, *target.schemas);
  DropUnchangedOnServer(prepared, *target.client, findings.errors);
  SMP_TRY(Take(std::move(findings), target.type_errors, prepared));
  if (target.planning.server_side) DropDuplicatesIfRefused(prepared);
  return Ok();
}

Status CheckManifestOffline(Prepared& prepared) {
  Findings findings = FindingsOf(prepared, prepared.defined_by_input ? UnknownFields::kFind : UnknownFields::kLeave);
  if (prepared.live) DropUnchanged(prepared, prepared.live->root(), findings.errors);
  return Take(std::move(findings), TypeErrors::kRefuse, prepared);
}

}  // namespace smp::apply
