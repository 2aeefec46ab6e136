// Chooses the patch rules of a type: those of strategic merge patches (x-kubernetes-patch-strategy) for Go types, those
// of list types (x-kubernetes-list-type, KEP-555) for custom resources. Compiling a schema chooses for every type, so
// code that walks an object only reads Field::patch and Type::storage. Differs from kubectl: it replaces every list of
// a custom resource, other managers' items included.
#pragma once

#include <memory>
#include <vector>

#include "schema/schema.h"

namespace smp {

void ReadAs(Type& type, Storage storage);

// Gives the types `objects`, and all types that they refer to, the rules of custom resources. Types that `go_types`
// also refer to are copied first. The metadata of an object, also of one that is embedded in it, keeps its type: the server
// stores it in the Go type that all kinds share.
void ReadAsWritten(Schema& schema, const std::vector<TypeId>& objects, std::vector<TypeId> go_types);

// Does this for all resources that do not accept strategic merge patches. Used by the compilers, after AddResources.
void ReadCustomResources(Schema& schema);

// Returns a copy of `schema` in which `object` and all types that it refers to have this storage. The id of `object`
// stays the same.
std::shared_ptr<const Schema> WithReading(const Schema& schema, TypeId object, Storage storage);

// Adds the type of an object about which nothing is known: every list is replaced as a whole.
TypeId AddUnknownObject(Schema& schema);

}  // namespace smp
