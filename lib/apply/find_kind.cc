#include "apply/find_kind.h"

#include <utility>

#include "apply/type_source.h"
#include "base/strings.h"

namespace smp::apply {

namespace {

// `lists`: whether the CRD has the version at all.
Error NotServed(const GroupVersionKind& gvk, const InputDefinitions::Kind& kind, bool lists) {
  return Error::Schema(StrCat("no matches for kind \"", gvk.kind, "\" in version \"", gvk.ApiVersion(), "\"\n",
                              Label(kind.definition->gvk, kind.definition->name), " of the same input does not ",
                              lists ? "serve it (served: false)" : "have the version"));
}

// Returns an error if the input has the kind's CRD, in which the version is not served, or missing.
Status CheckServedByInput(const GroupVersionKind& gvk, const InputDefinitions* definitions) {
  if (definitions == nullptr) return Ok();
  if (const InputDefinitions::Kind* defined = KindIn(definitions, gvk)) {
    return defined->served ? Ok() : Status(NotServed(gvk, *defined, true));
  }
  for (auto at = definitions->kinds.lower_bound({gvk.group, "", ""});
       at != definitions->kinds.end() && at->first.group == gvk.group; ++at) {
    if (at->first.kind == gvk.kind && at->second.definition != nullptr) return NotServed(gvk, at->second, false);
  }
  return Ok();
}

Error NoSchema(const GroupVersionKind& gvk) {
  return Error::Schema(StrCat("no schema for kind \"", gvk.kind, "\" in version \"", gvk.ApiVersion(),
                              "\"; without a cluster, only built-in kinds and those of CRDs in the input are known"));
}

// Only the server behind the APIService knows the resource of the kind, so that nothing can be planned yet.
Error NotThereYet(const GroupVersionKind& gvk) {
  return Error::NotFound(
      StrCat("no matches for kind \"", gvk.kind, "\" in version \"", gvk.ApiVersion(),
             "\"\nan APIService of the same input brings it; what it will be is known once that is applied"));
}

bool IsOfApiService(const GroupVersionKind& gvk, const Target& target) {
  return target.definitions != nullptr && target.definitions->api_services.contains({gvk.group, gvk.version, ""});
}

// Takes the fields and subresources from the CRD of the input, and all else from the server if it has the kind.
void TakeFromInput(const GroupVersionKind& gvk, const InputDefinitions& definitions, Prepared& out) {
  out.schema = definitions.SchemaOf(gvk);
  const Resource& defined = *out.schema->FindResource(gvk);
  if (out.unserved) out.resource = defined;
  out.resource.type = defined.type;
  out.resource.subresources = defined.subresources;
  out.defined_by_input = true;
}

// Returns true if the server's document has all that the server knows about the kind. OpenAPI v2 lacks much of what a CRD
// states: list keys, defaults, and everything below a node that preserves unknown fields.
bool IsDescribed(const Resource& resource, kube::SchemaSource& schemas) {
  return resource.strategic || (resource.type != kNoType && !schemas.ReadsV2());
}

// Takes the type that the CRD states, which the server publishes only a moment after it serves the kind. Returns false if
// there is no CRD to read.
bool TakeFromServersCrd(const Target& target, Prepared& out) {
  const auto defined = target.schemas->Defined(out.resource);
  const Resource* resource = defined.ok() ? (*defined)->FindResource(out.resource.gvk) : nullptr;
  if (resource == nullptr || resource->type == kNoType) return false;
  out.schema = *defined;
  out.resource.type = resource->type;
  return true;
}

void TakeUnknownType(Prepared& out) {
  const FoundType unknown = UnknownType();
  out.schema = unknown.schema;
  out.resource.type = unknown.type;
}

}  // namespace

Result<Resource> ResourceOf(const GroupVersionKind& gvk, const Target& target) {
  const InputDefinitions::Kind* defined = KindIn(target.definitions, gvk);
  return defined != nullptr && defined->stored ? defined->resource : target.schemas->FindResource(gvk);
}

Status FindKind(const GroupVersionKind& gvk, const Target& target, Prepared& out) {
  const InputDefinitions::Kind* defined = KindIn(target.definitions, gvk);
  SMP_TRY(CheckServedByInput(gvk, target.definitions));
  auto resource = ResourceOf(gvk, target);
  const bool unknown = !resource.ok() && resource.error().code == ErrorCode::kNotFound;
  out.unserved = unknown && defined != nullptr;
  if (unknown && !out.unserved && IsOfApiService(gvk, target)) return NotThereYet(gvk);
  if (!resource.ok() && !out.unserved) return std::move(resource).error();
  if (resource.ok()) out.resource = *std::move(resource);
  if (defined != nullptr) {
    TakeFromInput(gvk, *target.definitions, out);
  } else {
    SMP_ASSIGN(out.schema, target.schemas->Get(gvk));
  }
  const bool by_server = !out.defined_by_input && !IsDescribed(out.resource, *target.schemas);
  if (!(by_server && TakeFromServersCrd(target, out)) && out.resource.type == kNoType) TakeUnknownType(out);
  return Ok();
}

Status FindKindOffline(const GroupVersionKind& gvk, const InputDefinitions* definitions,
                       const std::shared_ptr<const Schema>& builtin, Prepared& out) {
  SMP_TRY(CheckServedByInput(gvk, definitions));
  if (const InputDefinitions::Kind* defined = KindIn(definitions, gvk)) {
    out.resource = defined->resource;
    TakeFromInput(gvk, *definitions, out);
    if (out.resource.type == kNoType) TakeUnknownType(out);
    return Ok();
  }
  const Resource* resource = builtin->FindResource(gvk);
  if (resource == nullptr) return NoSchema(gvk);
  out.resource = *resource;
  out.schema = builtin;
  return Ok();
}

std::optional<Resource> ServedVersion(const GroupVersionKind& gvk, const Target& target) {
  for (const auto& [other, kind] : target.definitions->kinds) {
    if (other.group != gvk.group || other.kind != gvk.kind || other == gvk) continue;
    if (auto resource = target.schemas->FindResource(other); resource.ok()) return *std::move(resource);
  }
  return std::nullopt;
}

}  // namespace smp::apply
