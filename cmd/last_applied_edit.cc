// last-applied edit: the last-applied annotations of objects in the user's editor, all in one file.
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apply/edit_session.h"
#include "apply/last_applied.h"
#include "base/interrupt.h"
#include "base/strings.h"
#include "base/user_programs.h"
#include "cmd/command.h"
#include "cmd/connection.h"
#include "cmd/dry_run.h"
#include "cmd/editor.h"
#include "cmd/exit_code.h"
#include "cmd/last_applied.h"
#include "cmd/object_selection.h"
#include "value/escape.h"

namespace smp::cmd {

namespace {

Error Preserved(TemporaryFile& file, Error error, Io& io) {
  file.Keep();
  io.err << "A copy of your changes has been stored to \"" << Visible(file.path(), Newlines::kEscape) << "\"\n";
  return error;
}

// Skips objects without the annotation, as kubectl does.
Result<std::vector<apply::Annotated>> ReadAnnotations(const ChosenObjects& chosen, DonePrinter& printer) {
  std::vector<apply::Annotated> out;
  for (const Result<apply::Selected>& selected : chosen.objects) {
    if (!selected.ok()) {
      printer.Failed(selected.error());
      continue;
    }
    if (chosen.by == ChosenBy::kName) {
      if (Status has = CheckHasRecord(*selected); !has.ok()) {
        printer.Failed(About(selected->ref, std::move(has).error()));
        continue;
      }
    }
    SMP_ASSIGN(std::optional<Document> last_applied, apply::ReadLastApplied(selected->live.root()));
    if (last_applied) out.push_back({*selected, *std::move(last_applied)});
  }
  return out;
}

Status RunSession(const apply::EditSession& session, const Connection& connection, const apply::RecordOptions& options,
                  DonePrinter& printer) {
  const SignalsInterrupt signals;  // so that the file is removed
  SMP_ASSIGN(TemporaryFile file, TemporaryFile::Make(session.json ? "record.json" : "record.yaml"));
  const auto run_editor = [&](const std::string& text) -> Result<std::string> {
    SMP_TRY(file.Write(text));
    SMP_TRY(LaunchEditor(file.path()));
    return file.Read();
  };
  SMP_ASSIGN(apply::EditResult edit, apply::EditUntilValid(session, run_editor));
  switch (edit.ended) {
    case apply::EditEnd::kNoChange: printer.io().err << "Edit cancelled, no changes made.\n"; return Ok();
    case apply::EditEnd::kEmpty: printer.io().err << "Edit cancelled, saved file was empty.\n"; return Ok();
    case apply::EditEnd::kRejected:
      return Preserved(file, Error::InvalidArgument("Edit cancelled, no valid changes were saved."), printer.io());
    case apply::EditEnd::kEdited: break;
  }
  const auto done = [&](const kube::ObjectRef& ref, std::string_view word, const Document& object) {
    printer.Done(ref, word, object);
  };
  Status stored = apply::StoreEdited(session, std::move(edit.edited), *connection.client, options, done);
  return stored.ok() ? stored : Status(Preserved(file, std::move(stored).error(), printer.io()));
}

Result<int> RunEdit(const ParsedFlags& flags, Io& io) {
  SMP_ASSIGN(const ObjectFormat format, ToObjectFormat(flags));
  SMP_ASSIGN(const Connection connection, Connect(flags, io));
  SMP_ASSIGN(const ChosenObjects chosen,
             ChooseObjects(flags, flags.arguments(), apply::ObjectArguments::BareType::kMeansAll, connection, io));
  DonePrinter printer(format, "", io);
  SMP_ASSIGN(std::vector<apply::Annotated> objects, ReadAnnotations(chosen, printer));
  if (objects.empty() && printer.Finish() != kExitOk) return kExitFailed;
  if (objects.empty()) {
    return Error::NotFound(
        "no last-applied-configuration annotation found on resources, to create the annotation, use command `kubectl "
        "smp last-applied set --create-annotation`");
  }
  const apply::EditSession session = {std::move(objects), format.form == ObjectForm::kJson,
                                      flags.On("windows-line-endings")};
  apply::RecordOptions options;
  options.field_manager = flags.Text("field-manager");
  Status done = RunSession(session, connection, options, printer);
  if (!done.ok()) printer.Failed(done.error());
  const int exit = printer.Finish();
  return ProcessInterrupt().raised() ? kExitInterrupted : exit;
}

std::vector<Flag> EditFlags() {
  std::vector<Flag> flags = ObjectSelectionFlags();
  flags.push_back(Switch("windows-line-endings", "use Windows line endings in the edited file",
                         EditorsWantCarriageReturns() ? "true" : ""));
  flags.push_back(FieldManagerFlag());
  for (Flag& flag : ObjectFormatFlags()) flags.push_back(std::move(flag));
  return flags;
}

}  // namespace

Command LastAppliedEditCommand() {
  return {.summary = "edit the last-applied annotation of objects",
          .description =
              "Edit the last-applied annotation of live objects in the editor of KUBE_EDITOR or EDITOR, or in vi, "
              "without changing\n"
              "anything else; -o json edits JSON instead of YAML. If a change cannot be stored, the edited file is "
              "kept and its path\n"
              "printed.",
          .usage = "last-applied edit (TYPE [NAME] | TYPE/NAME | TYPE -l LABELS | -f FILE) [flags]",
          .examples =
              "  # of a Deployment; of the objects in a file, as JSON\n"
              "  {program} last-applied edit deploy/web\n"
              "  {program} last-applied edit -f web.yaml -o json\n",
          .flags = EditFlags(),
          .run = RunEdit,
          .takes_arguments = true,
          .argument_hint = Hint::kObject};
}

}  // namespace smp::cmd
