// last-applied edit: the last-applied annotations of several objects as one text, and back.
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

// apiVersion, kind, namespace and name, by which an object is found again in the edited text.
using EditedName = std::tuple<std::string, std::string, std::string, std::string>;

enum class EditEnd {
  kNoChange,
  kEmpty,     // the user deleted everything
  kRejected,  // invalid, and the user did not mend it
  kEdited
};
struct EditResult {
  EditEnd ended = EditEnd::kEdited;
  std::map<EditedName, Document> edited = {};
};

// Shows a text to the user and returns what the user made of it.
using RunEditor = std::function<Result<std::string>(const std::string& text)>;

// Runs the editor until its text can be read or no longer changes. Errors: those of the editor.
Result<EditResult> EditUntilValid(const EditSession& session, const RunEditor& run_editor);

// Tells what happened to an object: "edited" or "skipped".
using EditDone = std::function<void(const kube::ObjectRef& ref, std::string_view word, const Document& last_applied)>;

// Stores the annotations that changed. Objects that are no longer in the text keep theirs. Errors: conflict if an
// annotation changed since the editor was opened; invalid-argument for an object that the session does not have; those of
// the server. The first error ends it.
Status StoreEdited(const EditSession& session, std::map<EditedName, Document> edited, kube::Client& client,
                   const RecordOptions& options, const EditDone& done);

}  // namespace smp::apply
