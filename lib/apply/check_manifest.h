// Checks a manifest before anything is sent: values of the wrong type and unknown fields (schema/check.h), and duplicate
// list items. Built-in kinds by the server's documents; custom resources by their CRD, of the input or of the server.
#pragma once

#include "apply/prepare.h"
#include "base/result.h"
#include "schema/schema.h"

namespace smp::apply {

// Returns true if the server drops the status before it validates the object: of a custom resource that has the subresource.
bool DropsStatus(const Resource& resource);

// Sets `prepared.duplicates` and, with TypeErrors::kWarn, `prepared.type_errors`. REQUIRES: manifest, ref, schema and
// resource are set. Error: schema, with one line per finding.
Status CheckManifest(Prepared& prepared, const Target& target);

// Does this without a server. Unknown fields are reported only by a CRD of the input: the release of the built-in schema may
// be another than the server's. REQUIRES: live is set, too, if the object exists.
Status CheckManifestOffline(Prepared& prepared);

}  // namespace smp::apply
