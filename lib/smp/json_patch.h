// JSON patch (RFC 6902): a list of operations that address values by JSON pointer (RFC 6901).
#pragma once

#include "base/result.h"
#include "value/document.h"

namespace smp {

// Limits: maxJSONPatchOperations of k8s.io/apiserver, and one like its jsonPatchMaxCopyBytes, because each `copy` can
// double the document.
inline constexpr size_t kMaxPatchOperations = 10'000;
inline constexpr size_t kMaxCopiedBytes = 64UL << 20;

// Returns `target` after all operations, or the error of the first one that fails; `target` itself never changes. The
// result shares values with the inputs, which must outlive the arena's document. Errors name the operation (counted
// from 1) and its path: patch-format if it is invalid; conflict if a `test` fails; refused if a limit is exceeded
// (depth: kMaxDepth of json.h). Linear, except for items that are inserted into or removed from the middle of a list.
Result<Value> ApplyJsonPatch(const Value& target, const Value& patch, Arena& arena);

// Returns the operations that turn `live` into `outcome` (both objects), nulls included; [] if they are equal. A list
// that differs is replaced as a whole.
Value CreateJsonPatch(const Value& live, const Value& outcome, Arena& arena);

}  // namespace smp
