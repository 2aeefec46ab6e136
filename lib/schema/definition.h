// Compiles the schemas that a CustomResourceDefinition states to what the server publishes for its kinds once it has the
// CRD. For CRDs that the server does not have yet, and for the time until it publishes the schema of one that was changed.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "schema/schema.h"
#include "value/value.h"

namespace smp {

struct DefinedKind {
  Resource resource;  // without its type
  bool served = true;
  bool stored = false;
  const Value* schema = nullptr;  // openAPIV3Schema, in the CRD; nullptr: the CRD states none
};

// Returns the kinds that the CRD defines, one for each version. Skips what is malformed.
std::vector<DefinedKind> KindsOfDefinition(const Value& definition);

// Returns the entry of spec.versions with that name, in the CRD; nullptr if there is none.
const Value* VersionOfDefinition(const Value& definition, std::string_view version);

// Returns the name of the version in which objects are stored; "" if there is none.
std::string_view StoredVersion(const Value& definition);

// Returns false if objects of one version are taken for those of another as they are.
bool IsConvertedByWebhook(const Value& definition);

// Returns the schema of one version, with its resource; an empty one if the CRD has no such version, and a resource without
// a type if it states no schema. Error: schema, if the schema is malformed.
Result<std::shared_ptr<const Schema>> CompileDefinition(const Value& definition, std::string_view version);

}  // namespace smp
