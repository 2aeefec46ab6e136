// stringData of a Secret, which the server accepts but never returns: it stores it base64-encoded in data.
#pragma once

#include "value/document.h"

namespace smp::apply {

// Returns the object as the server stores it: a Secret with stringData moved into data (where it wins), any other
// object unchanged. Differs from kubectl: it sends stringData at every apply, and a key that was removed from it stays
// in data forever.
Document WithStringDataStored(const Document& object);

}  // namespace smp::apply
