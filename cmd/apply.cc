#include <optional>
#include <utility>

#include "apply/keep_annotation.h"
#include "apply/manifests.h"
#include "apply/pipeline.h"
#include "apply/prepare.h"
#include "apply/server_side.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/strings.h"
#include "cmd/apply_combinations.h"
#include "cmd/apply_output.h"
#include "cmd/apply_preview.h"
#include "cmd/apply_set_flags.h"
#include "cmd/command.h"
#include "cmd/connection.h"
#include "cmd/deletion_flags.h"
#include "cmd/dry_run.h"
#include "cmd/exit_code.h"
#include "cmd/input.h"
#include "cmd/keep_live_flag.h"
#include "cmd/left_files.h"
#include "cmd/object_printer.h"
#include "cmd/override_flags.h"
#include "cmd/prune.h"
#include "cmd/reviewed_objects.h"
#include "cmd/server_side_flags.h"
#include "cmd/wait_ready_flag.h"
#include "net/tls_preload.h"
#include "schema/builtin.h"
#include "value/at.h"

namespace smp::cmd {

namespace {

struct ApplyOptions {
  apply::PipelineOptions pipeline;
  OddKeys odd_keys = OddKeys::kRefuse;
  apply::TypeErrors type_errors = apply::TypeErrors::kRefuse;
  apply::Planning planning;
  std::optional<PruneOptions> prune;
  ObjectFormat format;
  std::optional<int64_t> wait_ready_ms;
};

Result<std::string> ToFieldValidation(const std::string& text) {
  if (text == "strict" || text == "true") return std::string("Strict");
  if (text == "warn") return std::string("Warn");
  if (text == "ignore" || text == "false") return std::string("Ignore");
  return Error::InvalidArgument(
      StrCat("invalid - validate option \"", text, "\"; must be one of: strict (or true), warn, ignore (or false)"));
}

apply::TypeErrors ToTypeErrors(const std::string& field_validation) {
  if (field_validation == "Strict") return apply::TypeErrors::kRefuse;
  return field_validation == "Warn" ? apply::TypeErrors::kWarn : apply::TypeErrors::kIgnore;
}

Result<ObjectFormat> ToApplyFormat(const ParsedFlags& flags) {
  if (flags.Text("output") == "changed") return ObjectFormat{.form = ObjectForm::kChanged};
  if (flags.Text("output") == "result-json") return ObjectFormat{.form = ObjectForm::kResultJson};
  return ToObjectFormat(flags, "changed,result-json");
}

// nullopt without --server-side.
std::optional<apply::ServerSideOptions> ToServerSideOptions(const ParsedFlags& flags,
                                                            const apply::SubmitOptions& submit) {
  const std::optional<apply::ServerSidePlanning> planning = ToServerSide(flags);
  if (!planning) return std::nullopt;
  apply::ServerSideOptions out = {.force_conflicts = planning->force_conflicts, .field_manager = planning->manager};
  out.dry_run = submit.dry_run == apply::DryRun::kServer;
  out.field_validation = submit.field_validation;
  out.subresource = flags.Text("subresource");
  return out;
}

Result<ApplyOptions> ToOptions(const ParsedFlags& flags) {
  ApplyOptions out;
  apply::SubmitOptions& submit = out.pipeline.submit;
  SMP_ASSIGN(submit.dry_run, ToDryRun(flags.Text("dry-run")));
  SMP_TRY(CheckApplyCombinations(flags, submit.dry_run));
  SMP_TRY(CheckPreviewCombinations(flags, submit.dry_run));
  SMP_ASSIGN(submit.field_validation, ToFieldValidation(flags.Text("validate")));
  SMP_ASSIGN(out.pipeline.parallel, ToParallel(flags));
  // As in kubectl, duplicate keys cause a warning even if the server is asked to ignore them.
  out.odd_keys = submit.field_validation == "Strict" ? OddKeys::kRefuse : OddKeys::kWarn;
  out.type_errors = ToTypeErrors(submit.field_validation);
  out.pipeline.order = flags.Text("order") == "input" ? apply::Order::kInput : apply::Order::kWaves;
  out.planning.dialect = flags.Given("compat") ? compat::Dialect::kKubectl : compat::Dialect::kVerified;
  SMP_ASSIGN(out.planning.keep_live, ToKeepLive(flags));
  SMP_ASSIGN(out.planning.adopt, ToAdopt(flags));
  out.planning.overwrite = flags.On("overwrite") ? compat::Overwrite::kYes : compat::Overwrite::kNo;
  submit.field_manager = flags.Text("field-manager");
  SetMode(flags, out.planning);
  SMP_ASSIGN(submit.force, ToForce(flags));
  SMP_ASSIGN(out.prune, ToPrune(flags, submit.dry_run, out.pipeline.parallel));
  out.pipeline.server_side = ToServerSideOptions(flags, submit);
  SMP_ASSIGN(out.format, ToApplyFormat(flags));
  SMP_ASSIGN(out.wait_ready_ms, ToWaitReady(flags));
  return out;
}

apply::Target ToTarget(const Connection& connection, const ApplyOptions& options) {
  apply::Target out = connection.target();
  out.type_errors = options.type_errors;
  out.planning = options.planning;
  return out;
}

bool KeepsLiveFields(const Result<apply::Manifest>& manifest, const apply::Planning& planning) {
  return !planning.keep_live.empty() || (manifest.ok() && apply::HasKeepAnnotation(manifest->document.root()));
}

// Applies each manifest and prints the results (ApplyOutput). Adds each object to `applied`, for --prune.
int ApplyTo(const Connection& connection, const apply::Manifests& manifests, const ApplyOptions& options,
            LeftSets left_sets, apply::Applied& applied, Io& io) {
  const apply::Target target = ToTarget(connection, options);
  const bool writes = options.pipeline.submit.dry_run == apply::DryRun::kNone;
  LeftFiles left_files(connection);
  std::vector<apply::WaitedObject> done;  // in order of completion
  UnmatchedPaths unmatched;
  const bool as_kubectl = options.planning.dialect == compat::Dialect::kKubectl;
  // Differs from kubectl: with several objects, its warnings do not say which object they are about.
  if (manifests.items.size() > 1 && !as_kubectl) connection.warnings->Hold();
  const bool may_force = !options.pipeline.submit.force && !options.pipeline.server_side && !options.prune;
  ApplyOutput output(manifests, {options.format, options.pipeline.submit.dry_run, as_kubectl, may_force}, io);
  std::optional<InterruptNotice> notice(std::in_place,
                                        "interrupted: waiting for the requests in flight; again to exit at once\n");
  apply::ApplyAll(
      manifests, target, options.pipeline,
      {.on_result =
           [&](apply::ObjectResult result) {
             if (result.fate == apply::ObjectResult::Fate::kDone)
               done.push_back({*result.ref, std::string(TextAt(result.submitted.object.root(), {"metadata", "uid"}))});
             if (result.ref) applied.AddObject(*result.ref, result.submitted.object.root());
             if (writes) left_files.AddResult(result, KeepsLiveFields(manifests.items[result.index], options.planning));
             unmatched.AddObject(result.unmatched);
             if (result.ref) left_sets.AddObject(result.set_left, *result.ref);
             output.Add(std::move(result));
           },
       .on_progress = [&](const apply::Progress& progress) { output.Show(progress); }});
  notice.reset();
  connection.warnings->Flush();
  const int exit = output.Finish(ProcessInterrupt().raised());
  unmatched.WarnOf(io);
  if (!as_kubectl) left_sets.WarnOf(io);
  left_files.Settle(io);
  const bool waits = options.wait_ready_ms && writes;
  if (!waits || ProcessInterrupt().raised()) return exit;
  const int waited = RunWaitReady(connection, std::move(done), *options.wait_ready_ms, io);
  return exit == kExitOk ? waited : exit;
}

// Differs from kubectl: it always refuses --force-conflicts without --server-side. Reads all objects before the first is
// written.
Status CheckForceConflicts(const Connection& connection, const apply::Manifests& manifests,
                           const ApplyOptions& options) {
  if (!options.planning.force_conflicts || options.pipeline.server_side) return Ok();
  const apply::Target target = ToTarget(connection, options);
  bool any = false;
  SMP_TRY(apply::PrepareAll(manifests, target, {.parallel = options.pipeline.parallel},
                            [&](const Result<apply::Manifest>&, const Result<apply::Prepared>& prepared) {
                              any |= prepared.ok() && prepared->mode.server_side;
                            }));
  return any ? Ok() : Status(ForceConflictsAlone());
}

// How the objects are explained that are not as reviewed.
ExplainOptions ToExplainOptions(const ApplyOptions& options) {
  ExplainOptions out = {
      .report = {.field_manager = options.pipeline.submit.field_manager, .now = ProcessClock().WallTime()}};
  out.force = options.pipeline.submit.force;
  if (out.force) out.deletion = out.force->deletion;
  if (options.prune) out.deletion = options.prune->run.deletion;
  out.submit = options.pipeline.submit;
  out.planning = options.planning;
  return out;
}

Result<int> RunApply(const ParsedFlags& flags, Io& io) {
  const net::TlsPreload preload;
  SMP_ASSIGN(ApplyOptions options, ToOptions(flags));
  SMP_ASSIGN(apply::Manifests input, ReadInput(flags, options.odd_keys, io));
  SMP_ASSIGN(Chosen chosen, ChooseByLabels(std::move(input), flags));
  SMP_ASSIGN(const Connection connection, Connect(flags, io));
  FoldCopies(flags, connection.config.name_space, chosen, io);
  if (chosen.manifests.items.empty()) return Error::InvalidArgument("no objects passed to apply");
  SMP_ASSIGN(std::optional<apply::ApplySet> set,
             OpenApplySet(flags, connection, options.pipeline.submit, chosen.manifests, io));
  const apply::Manifests& manifests = chosen.manifests;
  if (options.prune) SMP_TRY(CheckPruneKinds(connection, *options.prune, manifests));
  if (!flags.On("openapi-patch")) connection.schemas->AnswerFrom(BuiltinSchema());
  const SignalsInterrupt signals;
  SMP_TRY(CheckForceConflicts(connection, manifests, options));
  TellOfForce(options.pipeline.submit, ServerIdentity(connection.config), io);
  const apply::ApplySet* members = set ? &*set : nullptr;
  const apply::Target target = ToTarget(connection, options);
  const ExplainOptions explain = ToExplainOptions(options);
  if (set) SMP_TRY(set->AddInput(manifests, target));
  SMP_ASSIGN(Preview preview,
             PreviewApply(
                 flags, {connection, chosen, target, explain, options.prune, members, options.pipeline.parallel}, io));
  if (preview.exit) return *preview.exit;
  if (set && preview.asked) SMP_TRY(set->ReadAgain());
  if (set) SMP_TRY(set->WriteSuperset());
  const apply::Review* review = preview.review ? &*preview.review : nullptr;
  ReviewedObjects reviewed(review, explain);
  reviewed.Guard(options.pipeline.submit);
  apply::Applied applied = StartApplied(chosen, connection.config);
  const int exit = ApplyTo(connection, manifests, options, LeftSets(set.has_value()), applied, io);
  reviewed.TellRefused(ToContext(connection.config), io);
  if (!options.prune || ProcessInterrupt().raised()) return exit;
  if (exit == kExitOk) return PruneRest(connection, applied, *options.prune, members, {review, preview.agreed}, io);
  Warn(io, "nothing was pruned, because of errors");
  if (set) SMP_TRY(set->KeepSuperset());
  return exit;
}

std::vector<Flag> ApplyFlags() {
  std::vector<Flag> flags = InputFlagTable();
  for (Flag& flag : PruneFlagTable()) flags.push_back(std::move(flag));
  flags.push_back(YesFlag());
  for (Flag& flag : DeletionFlagTable()) flags.push_back(std::move(flag));
  flags.push_back(DryRunFlag());
  for (Flag& flag : ObjectFormatFlags()) {
    if (flag.name == "output") {
      flag.placeholder += "|changed|result-json";
      flag.help +=
          "; changed: the actions, without unchanged objects; result-json: the action, reason, error, number of tries "
          "and milliseconds of each object";
    }
    flags.push_back(std::move(flag));
  }
  for (Flag& flag : PaceFlags()) flags.push_back(std::move(flag));
  flags.push_back(In(FlagGroup::kRequests,
                     Choice("order", {"waves", "input"},
                            "waves: first what other objects need (namespaces, CRDs, configuration), then the rest; "
                            "input: one object after the other, in the order of the input",
                            "waves")));
  flags.push_back({.name = "validate",
                   .placeholder = "strict|warn|ignore",
                   .help = "how to treat unknown fields, duplicate keys and values of the wrong type: strict: refuse "
                           "the object; warn: print a warning; ignore: do nothing",
                   .fallback = "strict",
                   .bare = "strict"});
  flags.push_back(DuplicatesFlag());
  flags.push_back(Switch("overwrite",
                         "false: refuse to undo changes that others made to the live object; list the fields", "true"));
  flags.push_back(Switch("openapi-patch",
                         "false: use the built-in schema instead of the server's; patch kinds that it does not "
                         "contain by JSON merge patch",
                         "true"));
  flags.push_back(Choice("compat", {"kubectl"},
                         "send exactly the patch that kubectl apply would send; only warn if its result differs from "
                         "the manifest"));
  for (Flag& flag : PreviewFlagTable()) flags.push_back(std::move(flag));
  flags.push_back(KeepLiveFlag());
  flags.push_back(AdoptFlag());
  flags.push_back(FieldManagerFlag());
  for (Flag& flag : OverrideStepFlagTable()) flags.push_back(std::move(flag));
  for (Flag& flag : ServerSideFlagTable()) flags.push_back(std::move(flag));
  flags.push_back(In(FlagGroup::kServerSide, TextFlag("subresource", "status|scale|resize",
                                                      "with --server-side: apply only to this subresource")));
  flags.push_back(WaitReadyFlag());
  return Grouped(FlagGroup::kChanges, std::move(flags));
}

}  // namespace

Command ApplyCommand() {
  return {
      .summary = "create or update objects from manifests",
      .description =
          "Create objects from manifests, or update existing objects to match them.\n"
          "\n"
          "apply compares each field in the manifest, in the manifest that was last applied, and in the live "
          "object on the server,\n"
          "and turns the necessary changes into a patch. Before it sends the patch, it runs the server's merge "
          "rules on it locally\n"
          "to check that the result is exactly the object that the manifest asks for.\n"
          "\n"
          "explain-diff shows the same changes with their reasons, without making them; --confirm shows them first and "
          "asks, and\n"
          "--plan makes only those that explain-diff --plan-out has shown. kubectl apply can be used "
          "on the same\n"
          "objects: both write the same last-applied annotation.\n"
          "\n"
          "An object that is too large for this annotation is applied server-side, and so is one that was applied so "
          "before;\n"
          "--last-applied=annotation prevents that. --compat=kubectl never applies server-side by itself.\n"
          "\n"
          "--prune deletes objects that were applied before and are no longer in any manifest: those with the labels "
          "of -l and of\n"
          "the usual kinds, or, with --applyset, exactly those that were applied with the same parent object. --force "
          "recreates\n"
          "objects whose immutable fields changed; it deletes an object only if the server would accept the new one.",
      .usage = "apply -f FILE [flags]",
      .examples =
          "  # a file, a directory and its subdirectories, a kustomization, standard input\n"
          "  {program} apply -f web.yaml\n"
          "  {program} apply -f manifests/ -R\n"
          "  {program} apply -k overlay/\n"
          "  cat web.yaml | {program} apply -f -\n\n"
          "  # let the server validate the changes without storing them\n"
          "  {program} apply -f web.yaml --dry-run=server\n\n"
          "  # let it validate all of them before the first is stored\n"
          "  {program} apply -f web.yaml --check=all\n\n"
          "  # also delete objects that were removed from the directory\n"
          "  {program} apply -f manifests/ --prune -l app=web --dry-run=server\n"
          "  {program} apply -f manifests/ --prune -l app=web\n\n"
          "  # the same with an ApplySet: delete what was applied with the parent Secret web, and no longer is\n"
          "  {program} apply -f manifests/ -n web --prune --applyset=web\n",
      .flags = ApplyFlags(),
      .run = RunApply};
}

}  // namespace smp::cmd
