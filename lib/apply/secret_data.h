// stringData of a Secret: the server accepts it but never returns it, and stores its values base64-encoded in data.
#pragma once

#include "value/document.h"

namespace smp::apply {

// Returns the object as the server stores it: a Secret with stringData moved into data (replacing equal keys), any
// other object unchanged. Differs from kubectl: it sends stringData at every apply, and a key removed from stringData
// stays in data forever.
Document WithStringDataStored(const Document& object);

// Returns true if a Secret has all its data from stringData.
bool HasStringDataAlone(const Value& object);

// Returns the Secret with an empty data if it has none. Compared with a record that HasStringDataAlone, that removes the keys of the
// record, and not the whole data with what others have added, as no data would. (kubectl removes nothing then.)
Document WithSomeData(const Document& secret);

// Returns the object as a server-side apply reads it: of a Secret, with "" for the nulls in stringData.
Document WithNullStringDataEmpty(const Document& object);

}  // namespace smp::apply
