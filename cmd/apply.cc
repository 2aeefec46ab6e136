#include <utility>

#include "apply/established.h"
#include "apply/last_applied.h"
#include "apply/manifests.h"
#include "apply/prepare.h"
#include "apply/submit.h"
#include "base/strings.h"
#include "cmd/command.h"
#include "cmd/connection.h"
#include "cmd/dry_run.h"
#include "cmd/exit_code.h"
#include "cmd/input.h"
#include "cmd/object_printer.h"
#include "value/escape.h"

namespace smp {

namespace {

struct ApplyOptions {
  SubmitOptions submit;
  OddKeys odd_keys = OddKeys::kRefuse;
  TypeErrors type_errors = TypeErrors::kRefuse;
  Planning planning;
  std::string output;  // "", name, json, yaml
};

Result<std::string> ToFieldValidation(const std::string& text) {
  if (text == "strict" || text == "true") return std::string("Strict");
  if (text == "warn") return std::string("Warn");
  if (text == "ignore" || text == "false") return std::string("Ignore");
  return Error::InvalidArgument(
      StrCat("invalid - validate option ", text, "; must be one of: strict (or true), warn, ignore (or false)"));
}

TypeErrors ToTypeErrors(const std::string& field_validation) {
  if (field_validation == "Strict") return TypeErrors::kRefuse;
  return field_validation == "Warn" ? TypeErrors::kWarn : TypeErrors::kIgnore;
}

Result<ApplyOptions> ToOptions(const ParsedFlags& flags) {
  ApplyOptions out;
  SMP_ASSIGN(out.submit.dry_run, ToDryRun(flags.Text("dry-run")));
  SMP_ASSIGN(out.submit.field_validation, ToFieldValidation(flags.Text("validate")));
  // As kubectl, which warns of duplicate keys even where the server is asked to ignore them.
  out.odd_keys = out.submit.field_validation == "Strict" ? OddKeys::kRefuse : OddKeys::kWarn;
  out.type_errors = ToTypeErrors(out.submit.field_validation);
  out.planning.dialect = flags.Given("compat") ? Dialect::kKubectl : Dialect::kVerified;
  out.planning.overwrite = flags.On("overwrite") ? Overwrite::kYes : Overwrite::kNo;
  out.submit.field_manager = flags.Text("field-manager");
  out.output = flags.Text("output");
  return out;
}

std::string_view DryRunSuffix(DryRun dry_run) {
  switch (dry_run) {
    case DryRun::kNone: return "";
    case DryRun::kClient: return " (dry run)";
    case DryRun::kServer: return " (server dry run)";
  }
  return "";
}

// kubectl's words, so that people find what they know.
void WarnOfMissingLastApplied(const Prepared& prepared, Io& io) {
  if (!prepared.lacks_last_applied()) return;
  Warn(io.err, StrCat("resource ", Visible(prepared.ref.plural, Newlines::kEscape), "/",
                      Visible(prepared.ref.name, Newlines::kEscape), " is missing the ", kLastAppliedAnnotation,
                      " annotation which is required by apply. apply should only be used on resources created "
                      "declaratively by either create --save-config or apply. The missing annotation will be patched "
                      "automatically."));
}

class Applier {
 public:
  Applier(Target target, const ApplyOptions& options, Io& io) : target_(std::move(target)), options_(options), io_(io) {
    target_.type_errors = options.type_errors;
    target_.planning = options.planning;
  }

  void Apply(const Manifest& manifest) {
    auto done = ApplyOne(manifest);
    if (!done.ok()) return Fail(Labelled(manifest, std::move(done).error()));
    Print(manifest, *done);
    Status awaited = AwaitDefinition(manifest, done->done);
    if (!awaited.ok()) Fail(Labelled(manifest, std::move(awaited).error()));
  }

  void Fail(const Error& error) { exit_ = smp::Fail(io_, error, kExitFailed); }

  // As kubectl: with -o json or yaml objects are printed at the end, and only when everything went well.
  int Finish() {
    if (exit_ == kExitOk && !objects_.empty()) io_.out << PrintObjects(objects_, options_.output);
    return exit_;
  }

 private:
  Result<Submitted> ApplyOne(const Manifest& manifest) {
    SMP_ASSIGN(Prepared prepared, Prepare(manifest, target_));
    WarnOfMissingLastApplied(prepared, io_);
    Warn(manifest, prepared.type_errors);
    Warn(manifest, prepared.deviations);
    if (prepared.refusal) Warn(manifest, {*prepared.refusal});
    return Submit(prepared, target_, options_.submit);
  }

  Status AwaitDefinition(const Manifest& manifest, Done done) {
    const bool changed = options_.submit.dry_run == DryRun::kNone && done != Done::kUnchanged;
    if (!changed || !IsDefinition(manifest.gvk)) return Ok();
    const ObjectRef ref = {manifest.gvk, "customresourcedefinitions", "", manifest.name};
    return AwaitEstablished(*target_.client, *target_.schemas, ref);
  }

  void Warn(const Manifest& manifest, const std::vector<Error>& errors) {
    for (const Error& error : errors) {
      const std::string text = ToString(Labelled(manifest, error));
      smp::Warn(io_.err, text);
    }
  }

  static Error Labelled(const Manifest& manifest, Error error) {
    if (error.source.file.empty()) error.source = manifest.source();
    error.path = StrCat(Label(manifest.gvk, manifest.name), error.path.empty() ? "" : ": ", error.path);
    return error;
  }

  void Print(const Manifest& manifest, const Submitted& done) {
    const std::string label = Visible(Label(manifest.gvk, manifest.name), Newlines::kEscape);
    if (options_.output.empty()) {
      io_.out << label << " " << DoneWord(done.done) << DryRunSuffix(options_.submit.dry_run) << std::endl;
    } else if (options_.output == "name") {
      io_.out << label << std::endl;
    } else {
      objects_.push_back(done.object);
    }
  }

  Target target_;
  const ApplyOptions& options_;
  Io& io_;
  std::vector<Document> objects_;
  int exit_ = kExitOk;
};

int RunApply(const ParsedFlags& flags, Io& io) {
  const auto options = ToOptions(flags);
  if (!options.ok()) return Fail(io, options.error(), kExitFailed);
  const auto manifests = ReadInput(flags, options->odd_keys, io);
  if (!manifests.ok()) return Fail(io, manifests.error(), kExitFailed);
  const auto connection = Connect(flags, io);
  if (!connection.ok()) return Fail(io, connection.error(), kExitFailed);
  if (manifests->items.empty()) return Fail(io, Error::InvalidArgument("no objects passed to apply"), kExitFailed);

  Applier applier(connection->target(), *options, io);
  for (size_t i = 0; i < manifests->items.size(); ++i) {
    const auto& manifest = manifests->items[i];
    if (manifest.ok()) {
      applier.Apply(*manifest);
    } else {
      applier.Fail(manifest.error());
    }
    const size_t left = manifests->items.size() - i - 1;
    if (left > 0 && connection->schemas->unreachable()) {
      applier.Fail(Error::Transport(StrCat(left, left == 1 ? " more object was" : " more objects were", " not tried")));
      break;
    }
  }
  return applier.Finish();
}

std::vector<Flag> Flags() {
  std::vector<Flag> flags = InputFlagTable();
  flags.push_back(DryRunFlag());
  flags.push_back({.name = "output",
                   .letter = 'o',
                   .placeholder = "name|json|yaml",
                   .help = "print the objects, or their names, instead of what was done",
                   .choices = {"name", "json", "yaml"}});
  flags.push_back({.name = "validate",
                   .placeholder = "strict|warn|ignore",
                   .help = "what becomes of an object with unknown fields, duplicate keys or values of the wrong type: "
                           "strict: it is refused; warn: a warning; ignore: nothing",
                   .fallback = "strict",
                   .bare = "strict"});
  flags.push_back({.name = "overwrite",
                   .kind = FlagKind::kSwitch,
                   .help = "false: do not apply an object where that would undo changes that others made to the live "
                           "object; name the fields",
                   .fallback = "true"});
  flags.push_back({.name = "compat",
                   .placeholder = "kubectl",
                   .help = "send exactly the patch that kubectl apply would send; where it does something else than "
                           "the manifest says, that is only a warning",
                   .choices = {"kubectl"}});
  flags.push_back({.name = "field-manager",
                   .placeholder = "NAME",
                   .help = "name under which the server records who owns the fields",
                   .fallback = "kubectl-client-side-apply"});
  return flags;
}

}  // namespace

Command ApplyCommand() {
  return {.name = "apply",
          .summary = "create or change objects as manifests say",
          .description =
              "Create objects from manifests, or change the objects that exist to match them.\n"
              "\n"
              "Field by field three values are compared: the one in the manifest, the one that was last applied, and "
              "the live one\n"
              "on the server. What has to change becomes a patch. Before it is sent, the server's merge rules are run "
              "on it here, to\n"
              "check that it gives exactly the object that the manifest asks for.\n"
              "\n"
              "explain-diff shows the same changes with their reasons, and makes none. kubectl apply can be used on "
              "the same objects:\n"
              "both keep the same record of what was last applied.",
          .usage = "apply -f FILE [flags]",
          .examples =
              "  # a file, a folder and those below it, a kustomization, standard input\n"
              "  {program} apply -f web.yaml\n"
              "  {program} apply -f manifests/ -R\n"
              "  {program} apply -k overlay/\n"
              "  cat web.yaml | {program} apply -f -\n\n"
              "  # let the server check everything and store nothing\n"
              "  {program} apply -f web.yaml --dry-run=server\n",
          .flags = Flags(),
          .run = RunApply};
}

}  // namespace smp
