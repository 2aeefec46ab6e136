// Changes the last-applied annotation of an object and no other field.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "apply/submit.h"
#include "base/result.h"
#include "kube/client.h"
#include "smp/managed_fields.h"
#include "value/document.h"

namespace smp::apply {

struct RecordOptions {
  DryRun dry_run = DryRun::kNone;
  std::string field_manager{kClientSideManager};  // owner of the annotation after an apply
};

// Returns the new text of the annotation, nullopt to leave it unchanged.
using RecordChange = std::function<Result<std::optional<std::string>>(const Document& live)>;

// Returns the object with the changed annotation, from the server or (DryRun::kClient) computed here; nullopt if
// `change` returns nullopt. Sends a JSON merge patch that the server accepts only for the resourceVersion of `live`; on
// a conflict, reads the object and calls `change` again, up to five times. Errors: those of `change` and of the server.
Result<std::optional<Document>> ChangeRecord(kube::Client& client, const kube::ObjectRef& ref, Document live,
                                             const RecordChange& change, const RecordOptions& options);

// Returns true if the two annotation texts differ at most in JSON formatting and in the empty annotations map that
// apply always writes.
bool SameRecord(std::string_view a, std::string_view b);

}  // namespace smp::apply
