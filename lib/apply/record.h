// Changes the last-applied annotation of an object, and nothing else of it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "apply/submit.h"
#include "base/result.h"
#include "kube/client.h"
#include "value/document.h"

namespace smp::apply {

struct RecordOptions {
  DryRun dry_run = DryRun::kNone;
  std::string field_manager = "kubectl-client-side-apply";  // owner of the annotation after an apply
};

// Returns the new text of the annotation, nullopt to leave it as it is.
using RecordChange = std::function<Result<std::optional<std::string>>(const Document& live)>;

// Returns the object with its annotation changed, as the server answered or (kClient) as it would be; nullopt if `change`
// returns nullopt. Sends a JSON merge patch of the annotation that is valid for this resourceVersion only; on a
// conflict, reads the object and calls `change` again, up to five times. Errors: those of `change` and of the server.
Result<std::optional<Document>> ChangeRecord(kube::Client& client, const kube::ObjectRef& ref, Document live,
                                             const RecordChange& change, const RecordOptions& options);

// Returns true if the two texts differ at most in JSON spelling and in the empty annotations map that apply always
// writes.
bool SameRecord(std::string_view a, std::string_view b);

}  // namespace smp::apply
