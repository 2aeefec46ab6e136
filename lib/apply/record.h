// Changes of what is recorded of an object as last applied, and of nothing else of it.
#ifndef SMP_APPLY_RECORD_H_
#define SMP_APPLY_RECORD_H_

#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "kube/client.h"
#include "value/document.h"

namespace smp {

struct RecordOptions {
  enum class Send { kYes, kServerDryRun, kNo };
  Send send = Send::kYes;
  std::string field_manager = "kubectl-client-side-apply";  // who owns the annotation when apply wrote it
};

// The new text of the record, given the live object; nothing: it stays as it is.
using RecordChange = std::function<Result<std::optional<std::string>>(const Document& live)>;

// The object with its record changed, as the server answered or (kNo) as it would be; nothing when `change` wants none.
// Sends a JSON merge patch of the one annotation that holds for this version of the object only; where the object
// changed meanwhile it is read and asked for again, five times. Errors: those of `change` and of the server.
Result<std::optional<Document>> ChangeRecord(Client& client, const ObjectRef& ref, Document live,
                                             const RecordChange& change, const RecordOptions& options);

// The same record, apart from what apply always writes (an empty map of annotations) and how it is spelt.
bool SameRecord(std::string_view a, std::string_view b);

}  // namespace smp

#endif  // SMP_APPLY_RECORD_H_
