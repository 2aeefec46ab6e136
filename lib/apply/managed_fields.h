// metadata.managedFields: who owns which field (KEP-555). A FieldsV1 is a trie: {"f:spec":{"f:replicas":{}}}; {} is an
// owned field, "." says that a node with fields below it is owned itself; "k:{…}" is a list item by its keys, "v:…" an
// element of a set, "i:N" an index.
#ifndef SMP_APPLY_MANAGED_FIELDS_H_
#define SMP_APPLY_MANAGED_FIELDS_H_

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "value/document.h"
#include "value/path.h"
#include "value/value.h"

namespace smp {

// The entries of an object, none where it has none.
std::vector<Value> ManagedFields(const Value& object);

// The managers of entries of that operation ("Update", "Apply") which own the field at these names.
std::set<std::string> OwnersOf(const std::vector<Value>& entries, std::string_view operation,
                               const std::vector<std::string_view>& names);

// The owned fields of an entry: `path` as the server prints it in conflicts (.spec.containers[name="web"].image), and
// as we do.
using OwnedField = std::function<void(const std::string& server_path, const FieldPath& path)>;
void ForEachOwnedField(const Value& entry, const OwnedField& visit);

// What the two own together.
Value UnionOfFields(const Value& a, const Value& b, Arena& arena);

// The entries with those of the client-side `managers` given over to `manager`, as kubectl migrates them (client-go,
// util/csaupgrade); nothing: there is nothing to give over.
std::optional<std::vector<Value>> MigratedToServerSide(const std::vector<Value>& entries,
                                                       const std::set<std::string>& managers,
                                                       const std::string& manager, Arena& arena);

}  // namespace smp

#endif  // SMP_APPLY_MANAGED_FIELDS_H_
