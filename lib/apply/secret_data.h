// stringData of a Secret, which the server takes in and never gives back: it stands base64-encoded in data from then
// on.
#ifndef SMP_APPLY_SECRET_DATA_H_
#define SMP_APPLY_SECRET_DATA_H_

#include "value/document.h"

namespace smp {

// The object as the server stores it: of a Secret, with stringData moved into data (where it wins); any other as it is.
// Differs from kubectl: it sends stringData at every apply, and leaves a key that was taken out of it in data for ever.
Document WithStringDataStored(const Document& object);

}  // namespace smp

#endif  // SMP_APPLY_SECRET_DATA_H_
