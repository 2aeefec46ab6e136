// The Pods that objects are or make.
#pragma once

#include "lint/object.h"
#include "value/path.h"

namespace smp::lint {

// A Pod, or the template of one: what has metadata and spec.
struct PodPart {
  const Value* value = nullptr;  // nullptr: the object has none
  FieldPath path = {};
};

PodPart PodOf(const Object& object);

}  // namespace smp::lint
