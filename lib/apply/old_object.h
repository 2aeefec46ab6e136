// Prepares a deleted object for being created again, and saves it to a file in case that fails.
#pragma once

#include <string>

#include "base/result.h"
#include "value/document.h"

namespace smp::apply {

// Returns the object without status and fields that the server sets: uid, resourceVersion, managedFields and the like,
// and the selector that a Job gets from its uid. Shares memory.
Document Recreatable(const Document& live);

// Writes the object as JSON, which "kubectl create --raw" can read, to a new file in `folder` and returns the file's
// path. File and folder are flushed to disk (fsync), so that the file survives a machine crash.
//
// If `folder` is "", uses the first of these that works: kubectl-smp in $XDG_STATE_HOME or ~/.local/state (0700,
// survives a reboot), $TMPDIR or /tmp, the working directory. The object may be a Secret: only the user can read the
// file (0600, O_EXCL), and callers must delete it once the object exists on the server. Error: invalid-argument.
Result<std::string> SaveObject(const Document& object, const std::string& folder);

}  // namespace smp::apply
