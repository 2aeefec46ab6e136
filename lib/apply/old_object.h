// Prepares a deleted object for being created again, and saves it to a file in case that fails or the program is killed;
// finds the files of runs that were killed.
#pragma once

#include <string>
#include <vector>

#include "base/locked_file.h"
#include "base/result.h"
#include "kube/object_ref.h"
#include "value/document.h"

namespace smp::apply {

// Returns the object without status and fields that the server sets: uid, resourceVersion, managedFields and the like,
// and the selector that a Job gets from its uid. Shares memory.
Document Recreatable(const Document& live);

using SavedObject = LockedFile;

// Writes the object as JSON, which "kubectl create --raw" can read, to a new file in `folder` and returns the locked
// file. Its name says which server the object is of, by a digest of `server`: what tells it from all others. File and folder are flushed to disk (fsync), so that the file
// survives a machine crash.
//
// If `folder` is "", uses the first of these that works: kubectl-smp in $XDG_STATE_HOME or ~/.local/state (0700,
// survives a reboot), $TMPDIR or /tmp, the working directory. The object may be a Secret: only the user can read the
// file (0600, O_EXCL), and callers must delete it once the object exists on the server. Error: invalid-argument.
Result<SavedObject> SaveObject(const Document& object, const std::string& server, const std::string& folder);

// Returns the command that creates the object of a file. A plain "kubectl create" would rewrite its last-applied
// annotation to include the server's defaults, and the next apply would remove those.
std::string RestoreCommand(const kube::ObjectRef& ref, const std::string& path);

// A file of an earlier run, which no running program needs.
struct LeftFile {
  SavedObject saved;
  Document object;
};

// Returns the files that earlier runs have left of objects of this server, and locks them. Removes those that are not
// complete: their objects were not deleted.
std::vector<LeftFile> FindLeftFiles(const std::string& server);

}  // namespace smp::apply
