// Adopt: for an object without last-applied annotation, what managers set and the manifest lacks, as the last-applied
// object, so that the plan deletes it (--adopt).
#pragma once

#include <string>
#include <vector>

#include "schema/schema.h"
#include "smp/managed_fields.h"
#include "value/document.h"

namespace smp {

struct Adopted {
  Document original;  // null if there is nothing to delete
  // The new object, with an empty map or list where the manifest has none and others own a part of live's, so that the
  // plan deletes the rest only.
  Document desired;
};

// Which entries of a manager. Other programs may write by Update under the name by which kubectl applies: "kubectl".
enum class EntriesOf { kAnyOperation, kApply };

// `managers`: names in metadata.managedFields. Their entries of subresources are left out, and those of other API versions in
// which fields have other names, as are defaults, what the server allocates (schema/facts/allocated.txt), finalizers and owner references.
Adopted Adopt(const Document& desired, const Document& live, const std::vector<std::string>& managers,
              EntriesOf entries, const Schema& schema, TypeId type);

// Returns those of `managers` that have no entry which Adopt would take.
std::vector<std::string> UnknownManagers(const Value& live, const std::vector<std::string>& managers);

}  // namespace smp
