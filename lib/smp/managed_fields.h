// metadata.managedFields: who owns which field (KEP-555). A FieldsV1 is a trie: {"f:spec":{"f:replicas":{}}}. {} is an
// owned field; "." marks a node with children as owned itself; "k:{…}" is a list item by its keys, "v:…" an element of
// a set, "i:N" an index.
#pragma once

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

// Returns the entries of an object; empty if it has none.
std::vector<Value> ManagedFields(const Value& object);

// Returns the managers of all entries of that operation ("Update", "Apply") which own the field at this path.
std::set<std::string> OwnersOf(const std::vector<Value>& entries, std::string_view operation,
                               const std::vector<std::string_view>& names);

// Visits the owned fields of an entry: `server_path` as the server prints it in conflicts
// (.spec.containers[name="web"].image), `path` as we do.
using OwnedField = std::function<void(const std::string& server_path, const FieldPath& path)>;
void ForEachOwnedField(const Value& entry, const OwnedField& visit);

// Returns the fields that either of the two owns.
Value UnionOfFields(const Value& a, const Value& b, Arena& arena);

// Returns the entries with the fields of the client-side `managers` handed over to `manager`, as kubectl migrates them
// (client-go, util/csaupgrade). nullopt if there is nothing to hand over.
std::optional<std::vector<Value>> MigratedToServerSide(const std::vector<Value>& entries,
                                                       const std::set<std::string>& managers,
                                                       const std::string& manager, Arena& arena);

}  // namespace smp
