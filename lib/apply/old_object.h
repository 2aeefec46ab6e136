// An object that was deleted, in the form in which it can be created again, and a file to keep it in when that did not
// happen.
#ifndef SMP_APPLY_OLD_OBJECT_H_
#define SMP_APPLY_OLD_OBJECT_H_

#include <string>

#include "base/result.h"
#include "value/document.h"

namespace smp {

// Without status and what servers set themselves: uid, resourceVersion, managedFields and the like, and the selector
// that a Job gets from its uid. Shares memory.
Document Recreatable(const Document& live);

// Writes it as JSON, as "kubectl create --raw" wants it, to a new file that only the user can read (0600, O_EXCL) below
// `folder`; "": TMPDIR, else /tmp, and where that is not possible the working directory. Gives the file's path. Error:
// invalid-argument.
Result<std::string> SaveObject(const Document& object, const std::string& folder);

}  // namespace smp

#endif  // SMP_APPLY_OLD_OBJECT_H_
