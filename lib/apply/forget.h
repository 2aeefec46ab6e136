// Forget: removes a field from the last-applied annotation, for a field that a controller shall own from now on. Once
// the manifest no longer contains the field, apply neither deletes nor reverts it.
//
//   Forget(record, *ParsePathPattern("spec.replicas"), schema, type)   →   the changed record, and [spec.replicas]
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
  Value value;  // the removed value; points into the given document
};

struct ForgetResult {
  Document record;  // the changed annotation; shares the given document's memory
  std::vector<Forgotten> fields;
};

// Removes the fields and list items at the path `steps` (a nullopt step matches any) and all maps and lists that become
// empty: an empty one left in the annotation would make apply delete the whole live map or list once the manifest lacks
// it. Of a Secret, data.a and stringData.a each mean both. Error: refused, for fields that identify the object
// (apiVersion, kind, metadata, metadata.name, metadata.namespace), for a key of a list item, and for a part of a list
// that apply replaces as a whole.
Result<ForgetResult> Forget(const Document& record, const std::vector<std::optional<PathStep>>& steps,
                            const Schema& schema, TypeId type);

}  // namespace smp::apply
