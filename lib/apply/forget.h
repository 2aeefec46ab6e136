// Forget: a field taken out of what was last applied, so that the next apply takes it for nobody's: it is neither
// deleted when it leaves the manifest nor set back. For a field that a controller shall own from now on.
//
//   Forget(record, *ParsePathPattern("spec.replicas"), {schema, type})   →   the record without it, and [spec.replicas]
#ifndef SMP_APPLY_FORGET_H_
#define SMP_APPLY_FORGET_H_

#include <optional>
#include <vector>

#include "base/result.h"
#include "schema/schema.h"
#include "value/document.h"
#include "value/path.h"

namespace smp {

struct Forgotten {
  FieldPath path;
  Value value;  // points into the record that was given
};

struct ForgetResult {
  Document record;  // shares the memory of the one that was given
  std::vector<Forgotten> fields;
};

// The fields and list items that the steps name (nothing: any one). Maps and lists that have nothing else go with them:
// left behind empty they would be deleted with all that is in live when they leave the manifest. Errors: refused for
// what names the object (apiVersion, kind, metadata, metadata.name, metadata.namespace), for a key of a list item, and
// for a part of a list that apply replaces as a whole.
Result<ForgetResult> Forget(const Document& record, const std::vector<std::optional<PathStep>>& steps,
                            const Schema& schema, TypeId type);

}  // namespace smp

#endif  // SMP_APPLY_FORGET_H_
