// JSON patch (RFC 6902): a list of operations that address values by JSON pointer (RFC 6901).
#pragma once

#include "base/result.h"
#include "value/document.h"

namespace smp {

// Limits of the API server (k8s.io/apiserver, maxJSONPatchOperations), and one like its jsonPatchMaxCopyBytes: `copy`
// can double a document with every operation.
inline constexpr size_t kMaxPatchOperations = 10'000;
inline constexpr size_t kMaxCopiedBytes = 64UL << 20;

// `target` after all operations; after none of them where one fails. The values are shared with the inputs, which must
// outlive the arena's document. Errors name the operation (counted from 1) and its path: patch-format; conflict, when a
// `test` fails; refused, when a limit is exceeded (depth: kMaxDepth of json.h). Linear, but for items put into or taken
// from the middle of a list.
Result<Value> ApplyJsonPatch(const Value& target, const Value& patch, Arena& arena);

// The operations that make `outcome` of `live` (both objects), nulls included; [] when they are equal. Lists that
// differ are replaced whole.
Value CreateJsonPatch(const Value& live, const Value& outcome, Arena& arena);

}  // namespace smp
