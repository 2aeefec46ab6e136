// Checks a manifest before anything is sent: values of the wrong type and unknown fields (schema/check.h), and duplicate
// list items. Built-in kinds by the server's documents; custom resources by their CRD, of the input or of the server.
#pragma once

#include "apply/prepare.h"
#include "base/result.h"

namespace smp::apply {

// Sets `prepared.duplicates` and, with TypeErrors::kWarn, `prepared.type_errors`. REQUIRES: manifest, ref, schema and
// resource are set. Error: schema, with one line per finding.
Status CheckManifest(Prepared& prepared, const Target& target);

// Does this without a server, by a schema whose release may be another: unknown fields are not reported.
Status CheckManifestOffline(Prepared& prepared);

}  // namespace smp::apply
