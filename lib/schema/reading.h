// Which of the rules in a document count: those of strategic merge patches (x-kubernetes-patch-strategy) for Go types,
// those of list types (x-kubernetes-list-type, KEP-555) for custom resources. Decided for each type when a schema is
// compiled, so that whoever walks an object only reads Field::patch and Type::storage.
// Differs from kubectl: it replaces every list of a custom resource, other managers' items included.
#ifndef SMP_SCHEMA_READING_H_
#define SMP_SCHEMA_READING_H_

#include <memory>
#include <vector>

#include "schema/schema.h"

namespace smp {

void ReadAs(Type& type, Storage storage);

// Makes custom resources of the types `objects` and all that they refer to. Types that are also reached from
// `go_types` stay as they are and are copied. So does the metadata of an object, which the server keeps in the Go type
// that all kinds have.
void ReadAsWritten(Schema& schema, const std::vector<TypeId>& objects, std::vector<TypeId> go_types);

// The same for the resources that do not take strategic merge patches. Used by the compilers, after AddResources.
void ReadCustomResources(Schema& schema);

// A copy of `schema` in which `object` and all that it refers to is read in this way; its id stays the same.
std::shared_ptr<const Schema> WithReading(const Schema& schema, TypeId object, Storage storage);

// Adds the type of an object of which nothing is known: every list is replaced as a whole.
TypeId AddUnknownObject(Schema& schema);

}  // namespace smp

#endif  // SMP_SCHEMA_READING_H_
