// Forget: takes a field out of the last-applied annotation, so that the next apply takes it for nobody's: it is neither
// deleted when it leaves the manifest nor reverted. For a field that a controller is to own from now on.
//
//   Forget(record, *ParsePathPattern("spec.replicas"), schema, type)   →   record without it, and [spec.replicas]
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "schema/schema.h"
#include "value/document.h"
#include "value/path.h"

namespace smp::apply {

struct Forgotten {
  FieldPath path;
  Value value;  // points into the given document
};

struct ForgetResult {
  Document record;  // shares the memory of the given one
  std::vector<Forgotten> fields;
};

// Removes the fields and list items that the steps name (a nullopt step matches any). Maps and lists that become empty
// go with them: if they stayed, apply would delete all of the live map or list once it leaves the manifest. Error:
// refused, for what identifies the object (apiVersion, kind, metadata, metadata.name, metadata.namespace), for a key of
// a list item, and for a part of a list that apply replaces as a whole.
Result<ForgetResult> Forget(const Document& record, const std::vector<std::optional<PathStep>>& steps,
                            const Schema& schema, TypeId type);

}  // namespace smp::apply
