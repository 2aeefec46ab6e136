// An object that was deleted, in the form in which it can be created again, and a file to keep it in when that did not
// happen.
#pragma once

#include <string>

#include "base/result.h"
#include "value/document.h"

namespace smp::apply {

// Without status and what servers set themselves: uid, resourceVersion, managedFields and the like, and the selector
// that a Job gets from its uid. Shares memory.
Document Recreatable(const Document& live);

// Writes the object as JSON, which "kubectl create --raw" can read, to a new file in `folder` and returns the file's
// path. When it returns, file and folder are on the disk (fsync), so that the file outlives a crash of the machine.
//
// `folder` "": the first of these that works: kubectl-smp in $XDG_STATE_HOME or ~/.local/state (0700, ours alone, kept
// over a restart), $TMPDIR or /tmp, the working directory. The object may be a Secret: only the user can read the file
// (0600, O_EXCL), and its callers remove it as soon as the object is on the server again. Error: invalid-argument.
Result<std::string> SaveObject(const Document& object, const std::string& folder);

}  // namespace smp::apply
