#include "lint/kinds.h"

#include <utility>

#include "schema/builtin.h"

namespace smp::lint {

namespace {

Kind FromSchema(const std::shared_ptr<const Schema>& schema, const GroupVersionKind& gvk, Authority authority) {
  const Resource* resource = schema->FindResource(gvk);
  if (resource == nullptr) return {};
  return {authority, schema, *resource};
}

// A kind without a path, such as one of a --schema document that has only components.
Kind FromType(const apply::FoundType& found, const GroupVersionKind& gvk, Authority authority) {
  Kind kind = FromSchema(found.schema, gvk, authority);
  if (kind.authority != Authority::kNobody) return kind;
  return {authority, found.schema, {.gvk = gvk, .strategic = found.strategic, .type = found.type}};
}

}  // namespace

Kinds::Kinds(const Schemas& schemas, std::vector<apply::Manifest> input) : schemas_(schemas) {
  for (const apply::Manifest& definition : schemas_.definitions) crds_.items.emplace_back(definition);
  for (apply::Manifest& manifest : input) crds_.items.emplace_back(std::move(manifest));
  definitions_ = apply::DefinitionsOf(crds_);
}

Kind Kinds::FromDefinition(const GroupVersionKind& gvk, const apply::InputDefinitions::Kind& defined) const {
  Kind kind = {Authority::kDefinition, definitions_.SchemaOf(gvk), defined.resource, &defined.definition->document};
  const Resource* compiled = kind.schema->FindResource(gvk);
  if (compiled != nullptr) kind.resource = *compiled;
  return kind;
}

Result<Kind> Kinds::Look(const GroupVersionKind& gvk) const {
  const auto defined = definitions_.kinds.find(gvk);
  if (defined != definitions_.kinds.end()) return FromDefinition(gvk, defined->second);
  if (schemas_.types != nullptr) {
    SMP_ASSIGN(const std::optional<apply::FoundType> found, schemas_.types->OfKind(gvk));
    if (found) return FromType(*found, gvk, schemas_.authority);
    if (schemas_.authority == Authority::kServer) return Kind{};
  }
  return FromSchema(BuiltinSchema(), gvk, Authority::kBuiltin);
}

Result<std::shared_ptr<const Kind>> Kinds::Find(const GroupVersionKind& gvk) {
  if (const auto known = found_.find(gvk); known != found_.end()) return known->second;
  SMP_ASSIGN(Kind kind, Look(gvk));
  return found_[gvk] = std::make_shared<const Kind>(std::move(kind));
}

}  // namespace smp::lint
