// last-applied edit: writes the last-applied annotations of several objects to one text, and parses the edited text.
//
//   EditSession session = {annotations, .json = false};
//   SMP_ASSIGN(EditResult edit, EditUntilValid(session, run_editor));
//   if (edit.ended == EditEnd::kEdited) SMP_TRY(StoreEdited(session, edit.edited, client, options, done));
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "apply/record.h"
#include "apply/selection.h"
#include "base/result.h"
#include "kube/client.h"
#include "value/document.h"

namespace smp::apply {

struct Annotated {
  Selected selected;
  Document last_applied;
};

struct EditSession {
  std::vector<Annotated> objects;
  bool json = false;  // else YAML
  bool windows_line_endings = false;
};

// apiVersion, kind, namespace and name, which identify an object in the edited text.
using EditedName = std::tuple<std::string, std::string, std::string, std::string>;

enum class EditEnd {
  kNoChange,
  kEmpty,     // the user deleted everything
  kRejected,  // invalid, and the user closed the editor without fixing it
  kEdited
};
struct EditResult {
  EditEnd ended = EditEnd::kEdited;
  std::map<EditedName, Document> edited = {};
};

// Lets the user edit `text` and returns the edited text.
using RunEditor = std::function<Result<std::string>(const std::string& text)>;

// Runs the editor until the edited text is valid, empty or unchanged. Errors: those of the editor.
Result<EditResult> EditUntilValid(const EditSession& session, const RunEditor& run_editor);

// Called for each object in the edited text; `word`: "edited", or "skipped" if its annotation did not change.
using EditDone = std::function<void(const kube::ObjectRef& ref, std::string_view word, const Document& last_applied)>;

// Stores the annotations that changed. Objects missing from `edited` keep theirs. Stops at the first error; earlier
// objects stay changed. Errors: conflict, if an annotation changed on the server since the session began;
// invalid-argument, for an object that is not in the session; those of the server.
Status StoreEdited(const EditSession& session, std::map<EditedName, Document> edited, kube::Client& client,
                   const RecordOptions& options, const EditDone& done);

}  // namespace smp::apply
