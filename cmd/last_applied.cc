#include "cmd/last_applied.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "apply/apply_mode.h"
#include "apply/forget.h"
#include "apply/last_applied.h"
#include "base/strings.h"
#include "cmd/command.h"
#include "cmd/connection.h"
#include "cmd/dry_run.h"
#include "cmd/exit_code.h"
#include "cmd/object_selection.h"
#include "kube/resource_mapper.h"
#include "value/escape.h"
#include "value/json.h"
#include "value/redact.h"
#include "yaml/write_kyaml.h"
#include "yaml/write_yaml.h"

namespace smp::cmd {

namespace {

// --- shared by the writers

struct Writing {
  apply::RecordOptions record;
  ObjectFormat format;
  std::string_view suffix;
};

Result<Writing> ToWriting(const ParsedFlags& flags) {
  Writing out;
  SMP_ASSIGN(out.format, ToObjectFormat(flags));
  SMP_ASSIGN(out.record.dry_run, ToDryRun(flags.Text("dry-run")));
  out.suffix = DryRunSuffix(out.record.dry_run);
  out.record.field_manager = flags.Text("field-manager");
  return out;
}

std::vector<Flag> WriterFlags() {
  std::vector<Flag> flags = {DryRunFlag(), FieldManagerFlag()};
  for (Flag& flag : ObjectFormatFlags()) flags.push_back(std::move(flag));
  return flags;
}

// Calls `step` for each object that was found. Returns the exit status.
int ForEach(const ChosenObjects& chosen, DonePrinter& printer,
            const std::function<Status(const apply::Selected&)>& step) {
  for (const Result<apply::Selected>& selected : chosen.objects) {
    const Status done = selected.ok() ? step(*selected) : Status(selected.error());
    if (!done.ok()) printer.Failed(done.error());
  }
  return printer.Finish();
}

// --- view

struct ViewFormat {
  std::string form;  // yaml, kyaml, json
  std::optional<ObjectFormat> path;
};

Result<ViewFormat> ToViewFormat(const ParsedFlags& flags) {
  ViewFormat out{flags.Given("output") ? flags.Text("output") : "yaml", {}};
  if (out.form == "yaml" || out.form == "kyaml" || out.form == "json") return out;
  if (!out.form.starts_with("jsonpath")) {
    // kubectl's message.
    return Error::InvalidArgument(
        StrCat("Unexpected -o output mode: ", out.form, ", the flag 'output' must be one of yaml|kyaml|json"));
  }
  SMP_ASSIGN(out.path, ToObjectFormat(flags));
  return out;
}

// Differs from kubectl: in YAML, several annotations are separated by a line `---`, so that they are several documents.
Result<std::string> ViewText(const std::vector<Document>& records, const ViewFormat& format) {
  std::string out;
  for (const Document& record : records) {
    if (format.path) {
      SMP_ASSIGN(const std::string text, PrintObjects({record}, *format.path));
      out += text;
    } else if (format.form == "json") {
      out += VisibleJson(WriteIndentedJson(record.root(), 2)) + "\n";
    } else if (format.form == "kyaml") {
      out += yaml::WriteKyaml(record.root());
    } else {
      out += StrCat(out.empty() ? "" : "---\n", yaml::WriteVisibleYaml(record.root()));
    }
  }
  return out;
}

// nullopt if the object has no last-applied annotation and was not chosen by name. Differs from kubectl: of an object that
// is applied server-side, it prints what the entry in managedFields owns.
Result<std::optional<Document>> RecordToView(const Result<apply::Selected>& selected, ChosenBy by) {
  if (!selected.ok()) return selected.error();
  Result<std::optional<Document>> record = apply::ReadLastApplied(selected->live.root());
  if (!record.ok()) return About(selected->ref, std::move(record).error());
  if (auto applied = apply::ServerSideRecord(selected->live, kServerSideManager)) return applied;
  // Differs from kubectl: it prints nothing and succeeds for an object chosen by name.
  if (!*record && by == ChosenBy::kName) return NoRecord(selected->ref.name);
  return record;
}

Result<int> RunView(const ParsedFlags& flags, Io& io) {
  SMP_ASSIGN(const ViewFormat format, ToViewFormat(flags));
  SMP_ASSIGN(const Connection connection, Connect(flags, io));
  SMP_ASSIGN(const ChosenObjects chosen,
             ChooseObjects(flags, flags.arguments(), apply::ObjectArguments::BareType::kMeansAll, connection, io));
  int exit = kExitOk;
  std::vector<Document> records;
  for (const Result<apply::Selected>& selected : chosen.objects) {
    Result<std::optional<Document>> record = RecordToView(selected, chosen.by);
    if (!record.ok()) exit = Fail(io, record.error(), kExitFailed);
    if (record.ok() && *record) records.push_back(**record);
  }
  SMP_ASSIGN(const std::string text, ViewText(records, format));
  io.out << text;
  return exit;
}

// --- set

// Returns the annotation's text as apply writes it: the manifest with the namespace of the object.
std::string NewRecord(const apply::Selected& selected) {
  return apply::LastAppliedText(apply::DocumentIn(*selected.manifest, selected.ref.name_space).root());
}

Status SetRecord(const apply::Selected& selected, bool create, kube::Client& client, const Writing& writing,
                 DonePrinter& printer) {
  if (Status has = CheckHasRecord(selected); !has.ok()) return About(selected.ref, std::move(has).error());
  const std::string text = NewRecord(selected);
  const apply::RecordChange change = [&](const Document& live) -> Result<std::optional<std::string>> {
    const std::string_view old = apply::LastAppliedTextOf(live.root());
    if (old.empty() && !create) {
      Error error = NoRecord(selected.ref.name);
      error.message += ", to create the annotation, run the command with --create-annotation";
      return error;
    }
    // Differs from kubectl: it writes an annotation that apply then replaces, because apply spells it differently.
    return apply::SameRecord(old, text) ? std::nullopt : std::optional(text);
  };
  SMP_ASSIGN(const std::optional<Document> changed,
             apply::ChangeRecord(client, selected.ref, selected.live, change, writing.record));
  if (changed || !printer.prints_lines()) {
    printer.Done(selected.ref, "configured", changed.value_or(selected.live));
  } else {
    printer.io().out << "set-last-applied " << Visible(selected.ref.name, Newlines::kEscape) << ": no changes required."
                     << std::endl;
  }
  return Ok();
}

Result<int> RunSet(const ParsedFlags& flags, Io& io) {
  SMP_ASSIGN(const Writing writing, ToWriting(flags));
  if (flags.List("filename").empty() && flags.Text("kustomize").empty()) {
    return Error::InvalidArgument("must specify one of -f and -k");
  }
  SMP_ASSIGN(const Connection connection, Connect(flags, io));
  SMP_ASSIGN(const ChosenObjects chosen,
             ChooseObjects(flags, {}, apply::ObjectArguments::BareType::kRefuse, connection, io));
  DonePrinter printer(writing.format, writing.suffix, io);
  return ForEach(chosen, printer, [&](const apply::Selected& selected) {
    return SetRecord(selected, flags.On("create-annotation"), *connection.client, writing, printer);
  });
}

// --- forget

using Steps = std::vector<std::optional<PathStep>>;

struct Forgetting {
  Steps steps;
  std::string path;  // as given on the command line
  Writing writing;
  const Connection* connection;
  ChosenBy by;
  bool alone = false;  // one object was chosen, which must have the path
};

struct ForgetWords {
  std::string path;
  std::vector<std::string> objects;
};

// "deploy/web", but not `metadata.annotations["a/b"]`.
bool NamesObject(const std::string& word) {
  const size_t first = word.find_first_of("/[\"");
  return first != word.npos && word[first] == '/';
}

// Returns true for "deploy/web spec.replicas", "deploy web spec.replicas" and, with -l, "deploy spec.replicas".
bool IsPathLast(const std::vector<std::string>& words, kube::ResourceMapper& mapper) {
  if (words.size() < 2 || NamesObject(words.back())) return false;
  if (NamesObject(words.front())) return true;
  return !mapper.Find(words[1]).ok() && mapper.Find(words[0]).ok();
}

ForgetWords SplitWords(std::vector<std::string> words, bool path_last) {
  if (!path_last) std::rotate(words.begin(), words.begin() + 1, words.end());
  std::string path = std::move(words.back());
  words.pop_back();
  return {std::move(path), std::move(words)};
}

// "spec.replicas (3)"; for Secrets without the value.
std::string ForgottenText(const apply::Forgotten& field, const Value& live) {
  const bool shown = field.value.is_scalar() && !IsSecret(live);
  return StrCat(ToString(field.path), shown ? StrCat(" (", WriteJson(field.value), ")") : "");
}

void PrintForgotten(const apply::Selected& selected, const std::vector<std::string>& lines, const std::string& path,
                    DonePrinter& printer) {
  std::ostream& out = printer.io().out;
  for (const std::string& line : lines) {
    out << LabelOf(selected.ref) << ": forgot " << Visible(line, Newlines::kEscape) << printer.suffix() << "\n";
  }
  if (lines.empty()) {
    out << LabelOf(selected.ref) << " unchanged: its last-applied annotation has no "
        << Visible(path, Newlines::kEscape) << "\n";
  }
  out << std::flush;
}

// Warns of fields that the manifest still has, because the next apply would set them again.
void WarnOfManifest(const apply::Selected& selected, const Forgetting& forgetting, const Schema& schema, TypeId type,
                    Io& io) {
  if (!selected.manifest) return;
  const auto still = apply::Forget(selected.manifest->document, forgetting.steps, schema, type);
  if (!still.ok() || still->fields.empty()) return;
  Error warning = Error::Parse("the manifest still has this field, so the next apply will set it; remove it there too");
  warning.path = StrCat(LabelOf(selected.ref), ": ", ToString(still->fields.front().path));
  warning.source = selected.manifest->source();
  const std::string text = ToString(warning);
  Warn(io, text);
}

Result<std::optional<std::string>> ForgetIn(const Document& live, const Forgetting& forgetting, const Schema& schema,
                                            TypeId type, std::vector<std::string>& lines) {
  lines.clear();
  SMP_ASSIGN(const std::optional<Document> record, apply::ReadLastApplied(live.root()));
  if (!record) return std::optional<std::string>();
  SMP_ASSIGN(const apply::ForgetResult left, apply::Forget(*record, forgetting.steps, schema, type));
  for (const apply::Forgotten& field : left.fields) lines.push_back(ForgottenText(field, live.root()));
  if (lines.empty()) return std::optional<std::string>();
  return std::optional(apply::LastAppliedText(left.record.root()));
}

// Sets `found` if the annotation has the path.
Status ForgetOne(const apply::Selected& selected, const Forgetting& forgetting, DonePrinter& printer, bool& found) {
  if (apply::LastAppliedTextOf(selected.live.root()).empty()) {
    if (forgetting.by == ChosenBy::kName) SMP_TRY(CheckHasRecord(selected));
    return forgetting.by == ChosenBy::kName ? Status(NoRecord(selected.ref.name)) : Ok();
  }
  SMP_ASSIGN(const auto schema, forgetting.connection->schemas->Get(selected.ref.gvk));
  const TypeId type = schema->FindType(selected.ref.gvk);
  std::vector<std::string> lines;
  const apply::RecordChange change = [&](const Document& live) {
    return ForgetIn(live, forgetting, *schema, type, lines);
  };
  kube::Client& client = *forgetting.connection->client;
  SMP_ASSIGN(const std::optional<Document> changed,
             apply::ChangeRecord(client, selected.ref, selected.live, change, forgetting.writing.record));
  found |= !lines.empty();
  if (lines.empty() && forgetting.alone) {
    return Error::NotFound(StrCat("its last-applied annotation has no ", forgetting.path));
  }
  if (!printer.prints_lines()) {
    printer.Done(selected.ref, "", changed ? *changed : selected.live);
  } else {
    PrintForgotten(selected, lines, forgetting.path, printer);
  }
  WarnOfManifest(selected, forgetting, *schema, type, printer.io());
  return Ok();
}

Result<int> RunForget(const ParsedFlags& flags, Io& io) {
  SMP_ASSIGN(const Writing writing, ToWriting(flags));
  if (flags.arguments().empty()) {
    return Error::InvalidArgument("must specify the path of a field, such as spec.replicas");
  }
  SMP_ASSIGN(const Connection connection, Connect(flags, io));
  kube::ResourceMapper mapper(connection.client.get());
  ForgetWords words = SplitWords(flags.arguments(), IsPathLast(flags.arguments(), mapper));
  SMP_ASSIGN(Steps steps, ParsePathPattern(words.path));
  SMP_ASSIGN(const ChosenObjects chosen,
             ChooseObjects(flags, std::move(words.objects), apply::ObjectArguments::BareType::kRefuse, connection, io));
  const Forgetting forgetting = {std::move(steps), words.path, writing,
                                 &connection,      chosen.by,  chosen.objects.size() == 1};
  DonePrinter printer(writing.format, writing.suffix, io);
  bool found = false;
  const int exit = ForEach(chosen, printer, [&](const apply::Selected& selected) -> Status {
    Status done = ForgetOne(selected, forgetting, printer, found);
    return done.ok() ? done : Status(About(selected.ref, std::move(done).error()));
  });
  if (exit != kExitOk || found || chosen.objects.empty()) return exit;
  return Fail(io, Error::NotFound(StrCat("no last-applied annotation of these objects has ", words.path)), kExitFailed);
}

// --- flags

std::vector<Flag> ViewFlags() {
  std::vector<Flag> flags = ObjectSelectionFlags();
  for (Flag& flag : ObjectFormatFlags()) flags.push_back(std::move(flag));
  std::erase_if(flags, [](const Flag& flag) { return flag.name == "show-managed-fields"; });
  Flag& output = *std::find_if(flags.begin(), flags.end(), [](const Flag& flag) { return flag.name == "output"; });
  output.placeholder = "yaml|kyaml|json|jsonpath=|jsonpath-file=|jsonpath-as-json=";
  output.help = "output format";
  output.fallback = "yaml";
  return flags;
}

std::vector<Flag> SetFlags() {
  std::vector<Flag> flags = ObjectSelectionFlags();
  std::erase_if(flags, [](const Flag& flag) { return flag.name == "selector" || flag.name == "all"; });
  flags.push_back(
      In(FlagGroup::kChanges, Switch("create-annotation", "create the annotation if an object does not have it")));
  for (Flag& flag : WriterFlags()) flags.push_back(std::move(flag));
  return flags;
}

std::vector<Flag> ForgetFlags() {
  std::vector<Flag> flags = ObjectSelectionFlags();
  for (Flag& flag : WriterFlags()) flags.push_back(std::move(flag));
  return flags;
}

}  // namespace

Error NoRecord(const std::string& name) {
  return Error::NotFound("no last-applied-configuration annotation found on resource: " + name);
}

Error About(const kube::ObjectRef& ref, Error error) {
  error.path = StrCat(LabelOf(ref), error.path.empty() ? "" : ": ", error.path);
  return error;
}

Status CheckHasRecord(const apply::Selected& selected) {
  if (!apply::ServerSideRecord(selected.live, kServerSideManager)) return Ok();
  return Error::Refused(
      StrCat("the object is applied server-side, so what was applied is recorded in metadata.managedFields (entry of ",
             kServerSideManager,
             ") and not in an annotation; `kubectl smp apply --last-applied=annotation` goes back to one"));
}

void DonePrinter::Done(const kube::ObjectRef& ref, std::string_view word, const Document& object) {
  switch (format_.form) {
    case ObjectForm::kNotGiven: io_.out << LabelOf(ref) << " " << word << suffix_ << std::endl; return;
    case ObjectForm::kName: io_.out << LabelOf(ref) << std::endl; return;
    default: objects_.push_back(object);
  }
}

void DonePrinter::Failed(const Error& error) {
  failed_ = true;
  Fail(io_, error, kExitFailed);
}

int DonePrinter::Finish() {
  if (failed_) return kExitFailed;
  if (objects_.empty()) return kExitOk;
  const Result<std::string> text = PrintObjects(objects_, format_);
  if (!text.ok()) return Fail(io_, text.error(), kExitFailed);
  io_.out << *text;
  return kExitOk;
}

Command LastAppliedViewCommand() {
  return {
      .summary = "print the last-applied annotation of objects",
      .description = "Print the manifest that was last applied to live objects, from their annotation\n" +
                     std::string(kLastAppliedAnnotation) +
                     ".\n"
                     "Of an object that is applied server-side, print the fields that kubectl owns since then, with "
                     "their live values.",
      .usage = "last-applied view (TYPE [NAME] | TYPE/NAME | TYPE -l LABELS | -f FILE) [flags]",
      .examples =
          "  # of a Deployment, by name; of the objects in a file\n"
          "  {program} last-applied view deploy/web\n"
          "  {program} last-applied view -f web.yaml -o json\n\n"
          "  # one field\n"
          "  {program} last-applied view deploy web -o jsonpath='{.spec.template.spec.containers[*].image}'\n",
      .flags = ViewFlags(),
      .run = RunView,
      .takes_arguments = true,
      .argument_hint = Hint::kObject};
}

Command LastAppliedSetCommand() {
  return {.summary = "set the last-applied annotation without changing anything else",
          .description =
              "Set the last-applied annotation of live objects to the manifests, as if these had been applied, without "
              "changing\n"
              "anything else.",
          .usage = "last-applied set -f FILE [flags]",
          .examples =
              "  # a file; a directory with objects that were not created by apply\n"
              "  {program} last-applied set -f web.yaml\n"
              "  {program} last-applied set -f manifests/ --create-annotation\n",
          .flags = SetFlags(),
          .run = RunSet};
}

Command LastAppliedForgetCommand() {
  return {.summary = "remove a field from the last-applied annotation, so that apply leaves it to others",
          .description =
              "Remove fields from the last-applied annotation. The next apply deletes a field that is in the "
              "annotation and no longer\n"
              "in the manifest; it does not touch a field that is in neither. To hand a field over to a controller, "
              "such as\n"
              "spec.replicas to an autoscaler, forget it and remove it from the manifest.\n"
              "\n"
              "A path is written as explain-diff prints it; [*] and .* are wildcards. It may also follow the object.\n"
              "A path that no annotation has is refused.",
          .usage = "last-applied forget PATH (TYPE NAME | TYPE/NAME | TYPE -l LABELS | -f FILE) [flags]",
          .examples =
              "  # leave the replicas to an autoscaler\n"
              "  {program} last-applied forget spec.replicas deploy/web\n\n"
              "  # all images of the Deployments with a label, without changing them\n"
              "  {program} last-applied forget 'spec.template.spec.containers[*].image' deploy -l app=web "
              "--dry-run=client\n",
          .flags = ForgetFlags(),
          .run = RunForget,
          .takes_arguments = true,
          .argument_hint = Hint::kPathAndObject};
}

}  // namespace smp::cmd
