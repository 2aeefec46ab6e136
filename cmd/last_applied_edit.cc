// last-applied edit: the records of objects in the user's editor, all in one file.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "apply/last_applied.h"
#include "base/strings.h"
#include "cmd/command.h"
#include "cmd/connection.h"
#include "cmd/editor.h"
#include "cmd/exit_code.h"
#include "cmd/last_applied.h"
#include "cmd/object_selection.h"
#include "value/json.h"
#include "value/yaml.h"

namespace smp {

namespace {

// kubectl's words.
constexpr std::string_view kHeader =
    "# Please edit the 'last-applied-configuration' annotations below.\n"
    "# Lines beginning with a '#' will be ignored, and an empty file will abort the edit.\n"
    "#\n";

struct Record {
  Selected selected;
  Document document;
};

// What an object is called in its record, to find it again in the edited file.
using Name = std::tuple<std::string, std::string, std::string, std::string>;

Name NameOf(const Value& object) {
  const Value* metadata = object.Find("metadata");
  const auto text = [](const Value* in, std::string_view field) {
    return std::string(in == nullptr ? "" : in->StringOr(field));
  };
  return {text(&object, "apiVersion"), text(&object, "kind"), text(metadata, "namespace"), text(metadata, "name")};
}

struct Session {
  std::vector<Record> records;
  bool json = false;
  bool windows_line_endings = false;
};

std::string WithWindowsLineEndings(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return out;
}

Value RootOf(const Session& session, Arena& arena) {
  if (session.records.size() == 1) return session.records[0].document.root();
  std::vector<Value> items;
  for (const Record& record : session.records) items.push_back(record.document.root());
  return arena.Object({{"apiVersion", arena.String("v1")},
                       {"kind", arena.String("List")},
                       {"metadata", arena.SortedObject({})},
                       {"items", arena.Array(items)}});
}

std::string BodyOf(const Session& session) {
  Arena arena;
  const Value root = RootOf(session, arena);
  return session.json ? WriteIndentedJson(root) + "\n" : WriteYaml(root);
}

// JSON has no comments, so its file has no header, as kubectl's has not.
std::string FileText(const Session& session, const std::string& reason, std::string_view body) {
  std::string header(session.json ? "" : kHeader);
  if (!session.json && !reason.empty()) {
    for (const std::string_view line : Split(reason, '\n')) header += StrCat("# ", line, "\n");
    header += "#\n";
  }
  const std::string text = StrCat(header, body);
  return session.windows_line_endings ? WithWindowsLineEndings(text) : text;
}

// Without the lines that are comments.
std::string Stripped(std::string_view text) {
  std::string out;
  for (const std::string_view line : Split(text, '\n')) {
    if (!line.starts_with('#')) out += StrCat(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line, "\n");
  }
  return out;
}

// Line numbers count from the beginning of the file, comments and all.
Result<std::map<Name, Document>> ReadEdited(const std::string& text) {
  std::map<Name, Document> out;
  for (const Result<Manifest>& item : ParseManifests(text, "the edited file").items) {
    if (!item.ok()) return item.error();
    out.insert_or_assign(NameOf(item->document.root()), item->document);
  }
  return out;
}

Error Preserved(TemporaryFile& file, Error error, Io& io) {
  file.Keep();
  io.err << "A copy of your changes has been stored to \"" << Printable(file.path(), Newlines::kEscape) << "\"\n";
  return error;
}

enum class Ended { kNoChange, kEmpty, kEdited };
struct Edit {
  Ended ended = Ended::kEdited;
  std::map<Name, Document> edited = {};
};

// Until the file can be read, or nothing changes any more.
Result<Edit> EditUntilValid(const Session& session, TemporaryFile& file, Io& io) {
  const std::string original = BodyOf(session);
  std::string body = original, reason;
  while (true) {
    SMP_TRY(file.Write(FileText(session, reason, body)));
    SMP_TRY(LaunchEditor(file.path()));
    SMP_ASSIGN(const std::string text, file.Read());
    const std::string stripped = Stripped(text);
    if (Trim(stripped).empty()) return Edit{Ended::kEmpty};
    const bool same = Trim(stripped) == Trim(body);
    if (same && reason.empty()) return Edit{Ended::kNoChange};
    if (same) return Preserved(file, Error::InvalidArgument("Edit cancelled, no valid changes were saved."), io);
    Result<std::map<Name, Document>> edited = ReadEdited(text);
    if (edited.ok()) return Edit{Ended::kEdited, *std::move(edited)};
    reason = StrCat("The edited file had a syntax error: ", ToString(edited.error()));
    body = stripped;
  }
}

// The record as it was when the editor was opened, or nobody knows what was edited.
RecordChange Replace(const Record& record, const std::string& text) {
  return [&record, text](const Document& live) -> Result<std::optional<std::string>> {
    if (RecordText(live.root()) != RecordText(record.selected.live.root())) {
      return Error::Conflict("what is recorded was changed by somebody else meanwhile");
    }
    return std::optional(text);
  };
}

Status WriteOne(const Record& record, const Document& edited, const Connection& connection,
                const RecordOptions& options, DonePrinter& printer) {
  const ObjectRef& ref = record.selected.ref;
  if (edited.root() == record.document.root()) {
    printer.Done(ref, "skipped", edited);
    return Ok();
  }
  const RecordChange change = Replace(record, LastAppliedText(edited.root()));
  Result<std::optional<Document>> changed =
      ChangeRecord(*connection.client, ref, record.selected.live, change, options);
  if (!changed.ok()) {
    Error error = std::move(changed).error();
    error.path = LabelOf(ref);
    return error;
  }
  printer.Done(ref, "edited", edited);
  return Ok();
}

// Records that are in the file no longer stay as they are.
Status WriteAll(const Session& session, std::map<Name, Document> edited, const Connection& connection,
                const RecordOptions& options, DonePrinter& printer) {
  for (const Record& record : session.records) {
    const auto at = edited.find(NameOf(record.document.root()));
    if (at == edited.end()) continue;
    SMP_TRY(WriteOne(record, at->second, connection, options, printer));
    edited.erase(at);
  }
  if (edited.empty()) return Ok();
  const auto& [api_version, kind, name_space, name] = edited.begin()->first;
  return Error::InvalidArgument(
      StrCat("no original object found for ", kind, " \"", name, "\": its apiVersion, kind, namespace and name stay"));
}

// Objects without a record are passed over, as kubectl does.
Result<std::vector<Record>> ReadRecords(const ChosenObjects& chosen, DonePrinter& printer) {
  std::vector<Record> out;
  for (const Result<Selected>& selected : chosen.objects) {
    if (!selected.ok()) {
      printer.Failed(selected.error());
      continue;
    }
    SMP_ASSIGN(std::optional<Document> record, ReadLastApplied(selected->live.root()));
    if (record) out.push_back({*selected, *std::move(record)});
  }
  return out;
}

Status RunSession(const Session& session, const Connection& connection, const RecordOptions& options,
                  DonePrinter& printer) {
  SMP_ASSIGN(TemporaryFile file, TemporaryFile::Make(session.json ? "record.json" : "record.yaml"));
  SMP_ASSIGN(Edit edit, EditUntilValid(session, file, printer.io()));
  switch (edit.ended) {
    case Ended::kNoChange: printer.io().err << "Edit cancelled, no changes made.\n"; return Ok();
    case Ended::kEmpty: printer.io().err << "Edit cancelled, saved file was empty.\n"; return Ok();
    case Ended::kEdited: break;
  }
  Status written = WriteAll(session, std::move(edit.edited), connection, options, printer);
  return written.ok() ? written : Status(Preserved(file, std::move(written).error(), printer.io()));
}

int RunEdit(const ParsedFlags& flags, Io& io) {
  const auto format = ToObjectFormat(flags);
  if (!format.ok()) return Fail(io, format.error(), kExitFailed);
  const auto connection = Connect(flags, io);
  if (!connection.ok()) return Fail(io, connection.error(), kExitFailed);
  const auto chosen = ChooseObjects(flags, flags.arguments(), ObjectArguments::BareType::kMeansAll, *connection, io);
  if (!chosen.ok()) return Fail(io, chosen.error(), kExitFailed);
  DonePrinter printer(*format, "", io);
  auto records = ReadRecords(*chosen, printer);
  if (!records.ok()) return Fail(io, records.error(), kExitFailed);
  if (records->empty() && printer.Finish() != kExitOk) return kExitFailed;
  if (records->empty()) {
    return Fail(io,
                Error::NotFound("no last-applied-configuration annotation found on resources, to create the "
                                "annotation, use command `kubectl smp last-applied set --create-annotation`"),
                kExitFailed);
  }
  const Session session = {*std::move(records), format->form == ObjectForm::kJson, flags.On("windows-line-endings")};
  RecordOptions options;
  options.field_manager = flags.Text("field-manager");
  Status done = RunSession(session, *connection, options, printer);
  if (!done.ok()) printer.Failed(done.error());
  return printer.Finish();
}

std::vector<Flag> EditFlags() {
  std::vector<Flag> flags = ObjectSelectionFlags();
  flags.push_back(
      {.name = "windows-line-endings", .kind = FlagKind::kSwitch, .help = "end the lines of the file as Windows does"});
  flags.push_back(FieldManagerFlag());
  for (Flag& flag : ObjectFormatFlags()) flags.push_back(std::move(flag));
  return flags;
}

}  // namespace

Command LastAppliedEditCommand() {
  return {
      .name = "last-applied edit",
      .summary = "edit what apply recorded of objects",
      .description =
          "Edit what was last applied of live objects, in the editor of KUBE_EDITOR or EDITOR, else vi; nothing "
          "else of them\n"
          "changes. -o json edits JSON instead of YAML. When a change cannot be stored, the edited file is kept, and "
          "its name said.",
      .usage = "last-applied edit (TYPE [NAME] | TYPE/NAME | TYPE -l LABELS | -f FILE) [flags]",
      .examples =
          "  # of a deployment; of what a file names, as JSON\n"
          "  {program} last-applied edit deploy/web\n"
          "  {program} last-applied edit -f web.yaml -o json\n",
      .flags = EditFlags(),
      .run = RunEdit,
      .takes_arguments = true,
      .argument_hint = Hint::kObject};
}

}  // namespace smp
