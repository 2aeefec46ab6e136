// The form in which the server stores a manifest, as far as that is known without asking it.
#pragma once

#include "schema/schema.h"
#include "value/document.h"

namespace smp::apply {

enum class Existence { kNew, kExists };

// Returns the object with stringData of a Secret moved into data (secret_data.h), and without the fields that the server
// does not keep (schema/facts/unkept.txt). `existence` is that of the object on the server. Shares memory and lines.
// Differs from kubectl: it sends status, metadata.generation and the like at every apply, although the server ignores
// them.
Document StoredForm(const Document& object, const Resource& resource, const Schema& schema, Existence existence);

// Returns the manifest of a last-applied annotation in this form. Also without maps that become empty: apply would
// delete such a map with everything in it if the manifest lacks it now.
Document StoredFormOfRecord(const Document& record, const Resource& resource, const Schema& schema);

}  // namespace smp::apply
