// stringData of a Secret, which the server accepts but never returns: it stores it base64-encoded in data.
#ifndef SMP_APPLY_SECRET_DATA_H_
#define SMP_APPLY_SECRET_DATA_H_

#include "value/document.h"

namespace smp {

// Returns the object as the server stores it: a Secret with stringData moved into data (where it wins), any other
// object unchanged. Differs from kubectl: it sends stringData at every apply, and a key that was removed from it stays
// in data forever.
Document WithStringDataStored(const Document& object);

}  // namespace smp

#endif  // SMP_APPLY_SECRET_DATA_H_
