// Creates the patches that kubectl would create, JSON-equal to those of k8s.io/apimachinery's strategicpatch and
// jsonmergepatch, quirks included: single merge keys, items paired by the text of their key, deletions sent again, sets
// sorted before they are compared, … Each quirk is named where it is reproduced. Used for --compat=kubectl, and by the
// differential tests that check the rules of this directory. Input for which the reference panics or returns a random
// result is refused.
#pragma once

#include "base/result.h"
#include "smp/diff.h"
#include "value/document.h"

namespace smp::compat {

enum class Overwrite { kYes, kNo };  // kNo (--overwrite=false): error conflict if others changed the same field

// The values are shared with the inputs, which must outlive the arena's document.
Result<Value> KubectlThreeWayPatch(const DiffInput& input, Overwrite overwrite, Arena& arena);
Result<Value> KubectlTwoWayPatch(const DiffInput& input, Arena& arena);  // original → modified; live is not read

// For custom resources. Error patch-format: apiVersion, kind or metadata.name would change.
Result<Value> KubectlJsonMergePatch(const DiffInput& input, Arena& arena);

}  // namespace smp::compat
