// metadata.managedFields: who owns which field (KEP-555). A FieldsV1 is a trie: {"f:spec":{"f:replicas":{}}}. {} marks
// an owned field; the member "." marks a node with children as owned, too; "k:{…}" is a list item, given by its keys,
// "v:…" an element of a set, "i:N" an index.
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

// Returns the managedFields entries of an object; empty if it has none.
std::vector<Value> ManagedFields(const Value& object);

// Returns the managers that own the field at path `names` in an entry of this operation ("Update" or "Apply").
std::set<std::string> OwnersOf(const std::vector<Value>& entries, std::string_view operation,
                               const std::vector<std::string_view>& names);

// Calls `visit` for each owned field of an entry. `server_path` is written as in the server's conflict messages
// (.spec.containers[name="web"].image), `path` in our notation.
using OwnedField = std::function<void(const std::string& server_path, const FieldPath& path)>;
void ForEachOwnedField(const Value& entry, const OwnedField& visit);

// Returns the fields of two FieldsV1 that are owned in either of them.
Value UnionOfFields(const Value& a, const Value& b, Arena& arena);

// Returns `entries` with the fields of the client-side `managers` moved to the server-side `manager`, as kubectl
// migrates them (client-go, util/csaupgrade). nullopt if there is nothing to move.
std::optional<std::vector<Value>> MigratedToServerSide(const std::vector<Value>& entries,
                                                       const std::set<std::string>& managers,
                                                       const std::string& manager, Arena& arena);

}  // namespace smp
