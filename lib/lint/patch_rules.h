// The rules about a strategic merge patch: what the proposals say of its directives, and what servers make of it.
//
//   docs: strategic-merge-patch ($patch, $deleteFromPrimitiveList, $setElementOrder), retain-keys ($retainKeys),
//   multi-fields-merge-key
#pragma once

#include "lint/sink.h"

namespace smp::lint {

// REQUIRES: the sink's object is the patch, and its kind is that of the object to be patched.
void CheckPatch(Sink& sink);

}  // namespace smp::lint
