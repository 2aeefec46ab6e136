// The rules that need the live object.
#pragma once

#include "apply/prepare.h"
#include "lint/sink.h"

namespace smp::lint {

// `prepared`: how the object would be applied.
void CheckLive(Sink& sink, const apply::Prepared& prepared);

}  // namespace smp::lint
