// Creates the patches that kubectl would create, JSON-equal to those of k8s.io/apimachinery's strategicpatch and
// jsonmergepatch, quirks included: single merge keys, items paired by the text of their key, deletions sent again, sets
// sorted before they are compared, … Each quirk is named where it is reproduced. Used for --compat=kubectl, and by the
// differential tests that check the rules of this directory. Input for which the reference panics or returns a random
// result is refused.
#pragma once

#include "base/result.h"
#include "schema/schema.h"
#include "value/document.h"

namespace smp::compat {

enum class Overwrite { kYes, kNo };  // --overwrite=false: error conflict where live was changed by others, too

struct CompatInput {
  const Value* original = nullptr;  // nullptr: none
  const Value* modified = nullptr;  // REQUIRES: objects
  const Value* live = nullptr;      // not for two-way
  const Schema* schema = nullptr;
  TypeId type = kNoType;
};

// The values are shared with the inputs, which must outlive the arena's document.
Result<Value> KubectlThreeWayPatch(const CompatInput& input, Overwrite overwrite, Arena& arena);
Result<Value> KubectlTwoWayPatch(const CompatInput& input, Arena& arena);  // original → modified

// For custom resources. Error patch-format: apiVersion, kind or metadata.name would change.
Result<Value> KubectlJsonMergePatch(const CompatInput& input, Arena& arena);

}  // namespace smp::compat
