#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "apply/input_definitions.h"
#include "apply/manifests.h"
#include "apply/prepare.h"
#include "apply/waves.h"
#include "base/clock.h"
#include "base/strings.h"
#include "cmd/apply_set_flags.h"
#include "cmd/color.h"
#include "cmd/command.h"
#include "cmd/connection.h"
#include "cmd/deletion_flags.h"
#include "cmd/dry_run.h"
#include "cmd/exit_code.h"
#include "cmd/explain_diff_output.h"
#include "cmd/explained_input.h"
#include "cmd/explained_object.h"
#include "cmd/ignore_flag.h"
#include "cmd/input.h"
#include "cmd/keep_live_flag.h"
#include "cmd/left_files.h"
#include "cmd/live_elsewhere.h"
#include "cmd/offline_objects.h"
#include "cmd/override_flags.h"
#include "cmd/pager.h"
#include "cmd/plan_maker.h"
#include "cmd/prune.h"
#include "cmd/server_side_flags.h"
#include "explain/message.h"
#include "explain/reasons.h"
#include "explain/report.h"
#include "net/tls_preload.h"
#include "schema/builtin.h"
#include "value/metadata.h"

namespace smp::cmd {

namespace {

Result<apply::Planning> ToPlanning(const ParsedFlags& flags) {
  apply::Planning out = {.dialect = flags.Given("compat") ? compat::Dialect::kKubectl : compat::Dialect::kVerified};
  SMP_ASSIGN(out.keep_live, ToKeepLive(flags));
  SMP_ASSIGN(out.adopt, ToAdopt(flags));
  SetMode(flags, out);
  return out;
}

// With --compat=kubectl, apply writes an object that is in the input more than once in turn, and the last one wins.
void WarnOfCopies(explain::Report& report) {
  std::map<std::array<std::string_view, 4>, const Source*> first;
  for (explain::ObjectReport& object : report.objects) {
    const auto [at, is_first] =
        first.try_emplace({GroupOf(object.api_version), object.kind, object.name_space, object.name}, &object.source);
    if (is_first || object.name.empty()) continue;
    object.warnings.push_back(StrCat("the same object is in ", at->second->file, ":", at->second->line,
                                     "; apply writes both in turn, and these rows compare with live"));
  }
}

// Puts the objects into the order in which apply sends them, so that -o patch and curl can be replayed; after them what apply
// does not send, and what --prune deletes at the end.
void SortAsSent(const apply::Manifests& manifests, const std::string& name_space,
                const apply::InputDefinitions& definitions, explain::Report& report) {
  std::vector<explain::ObjectReport> sorted;
  std::vector<bool> moved(report.objects.size());
  const auto move = [&](size_t i) {
    if (!moved[i]) sorted.push_back(std::move(report.objects[i]));
    moved[i] = true;
  };
  for (const apply::Step& step : apply::StepsOf(manifests, apply::Order::kWaves, name_space, definitions)) {
    std::ranges::for_each(step, move);
  }
  for (size_t i = 0; i < report.objects.size(); ++i) move(i);
  report.objects = std::move(sorted);
}

// --- without a cluster

// Standard input cannot be two of the inputs.
Status CheckStandardInput(const ParsedFlags& flags) {
  const std::vector<std::string>& files = flags.List("filename");
  size_t uses = std::ranges::count(files, "-") > 0 ? 1 : 0;
  for (const char* name : {"live", "original"}) uses += flags.Text(name) == "-" ? 1 : 0;
  return uses <= 1 ? Ok() : Status(Error::InvalidArgument("standard input (-) can be used only once"));
}

// Warns of objects that count as new, because the cause may be a misspelt name or a wrong namespace.
void WarnOfCreations(const ParsedFlags& flags, explain::Report& report) {
  for (explain::ObjectReport& object : report.objects) {
    if (object.action != explain::Action::kCreate) continue;
    object.warnings.push_back(flags.Given("live") ? "the --live file does not contain this object, so it counts as new"
                                                  : "--live is not set, so the object counts as new");
  }
}

Result<explain::Report> ExplainOffline(const ParsedFlags& flags, Chosen chosen, ExplainOptions options,
                                       ReportPrinter& printer, Io& io) {
  SMP_TRY(ResolveKinds(options.ignored, nullptr));
  FoldCopies(flags, flags.Text("namespace"), chosen, io);
  const apply::Manifests& manifests = chosen.manifests;
  SMP_ASSIGN(const OfflineObjects live, OfflineObjects::Read(flags, "live"));
  SMP_ASSIGN(const OfflineObjects original, OfflineObjects::Read(flags, "original"));
  SMP_ASSIGN(const apply::Planning planning, ToPlanning(flags));
  explain::Report report;
  Unmatched unmatched = {.ignored = UnmatchedIgnores(options.ignored)};
  const std::string name_space = flags.Text("namespace");
  const apply::InputDefinitions definitions = apply::DefinitionsOf(manifests);
  const auto prepare = [&](const apply::Manifest& manifest) -> Result<apply::Prepared> {
    const auto there = live.Find(manifest, name_space, definitions);
    const auto applied = original.Find(manifest, name_space, definitions);
    if (!there.ok()) return there.error();
    if (!applied.ok()) return applied.error();
    return apply::PrepareOffline(manifest, {*there, *applied, name_space, planning, &definitions}, BuiltinSchema());
  };
  for (const Result<apply::Manifest>& manifest : manifests.items) {
    Explain(manifest, manifest.ok() ? prepare(*manifest) : Result<apply::Prepared>(manifest.error()), options,
            unmatched, report);
    printer.Take(report.objects.back());
  }
  unmatched.WarnOf(io);
  WarnOfCreations(flags, report);
  if (options.requests) SortAsSent(manifests, name_space, definitions, report);
  return report;
}

// Starts the plan of --plan-out; nullopt without it.
Result<std::optional<PlanMaker>> StartPlan(const ParsedFlags& flags, const Connection& connection,
                                           const apply::Manifests& manifests) {
  if (!flags.Given(kPlanOut)) return std::optional<PlanMaker>();
  SMP_ASSIGN(PlanMaker maker, PlanMaker::Start(flags, connection, manifests));
  return std::optional(std::move(maker));
}

Result<explain::Report> ExplainLive(const ParsedFlags& flags, Chosen chosen, ExplainOptions options,
                                    ReportPrinter& printer, Io& io) {
  SMP_ASSIGN(const Connection connection, ConnectToLive(flags, io));
  SMP_TRY(ResolveKinds(options.ignored, connection.client.get()));
  FoldCopies(flags, connection.config.name_space, chosen, io);
  SMP_ASSIGN(std::optional<apply::ApplySet> set, OpenApplySet(flags, connection, options.submit, chosen.manifests, io));
  apply::Target target = connection.target();
  SMP_ASSIGN(target.planning, ToPlanning(flags));
  SMP_ASSIGN(const int parallel, ToParallel(flags));
  if (set) SMP_TRY(set->AddInput(chosen.manifests, target));
  const apply::InputDefinitions definitions = apply::DefinitionsOf(chosen.manifests);
  SMP_ASSIGN(std::optional<apply::PruneScope> prune, ToOptionalPruneScope(flags));
  SMP_ASSIGN(std::optional<PlanMaker> plan, StartPlan(flags, connection, chosen.manifests));
  SMP_ASSIGN(explain::Report report,
             ExplainInput({.connection = connection,
                           .chosen = chosen,
                           .definitions = definitions,
                           .target = std::move(target),
                           .prune = std::move(prune),
                           .set = set ? &*set : nullptr,
                           .parallel = parallel,
                           .asks = flags.On("ask-server"),
                           .plan = plan ? &*plan : nullptr,
                           .on_object = [&](explain::ObjectReport& object) { printer.Take(object); }},
                          options, io));
  report.forces = options.force.has_value();
  if (options.requests) SortAsSent(chosen.manifests, connection.config.name_space, definitions, report);
  if (plan) SMP_TRY(plan->Write(flags.Text(kPlanOut), report, io));
  LeftFiles(connection).Settle(io);
  return report;
}

// --- the command

// `mode`: value of --exit-code (normal, never, detailed).
int ExitStatus(const explain::Report& report, const std::string& mode) {
  bool differs = false;
  for (const explain::ObjectReport& object : report.objects) {
    if (object.error) return mode == "detailed" ? DetailedExitCode(object.error->code) : kExitDiffError;
    differs |= object.differs();
  }
  return differs && mode != "never" ? kExitDifferences : kExitOk;
}

Status CheckManagedFields(const ParsedFlags& flags) {
  if (!flags.On("show-managed-fields") || (flags.Text("output") == "diff" && flags.On("ask-server"))) return Ok();
  return Error::InvalidArgument(
      "--show-managed-fields only works with -o diff and --ask-server: only the server knows what managedFields will "
      "be "
      "(the managers of each field that changes are in -o json)");
}

Status CheckPlanOut(const ParsedFlags& flags, bool offline) {
  if (!flags.Given(kPlanOut)) return Ok();
  const bool elsewhere = flags.Given("live-context") || flags.Given("live-namespace");
  if (!offline && !elsewhere) return Ok();
  return Error::InvalidArgument(StrCat("--plan-out cannot be used with ",
                                       offline ? "--live and --original" : "--live-context and --live-namespace",
                                       ": a plan is for the cluster and namespace that apply uses"));
}

Status CheckCombinations(const ParsedFlags& flags, bool offline) {
  if (flags.On("all") && !flags.Text("selector").empty()) {
    return Error::InvalidArgument("cannot set --all and --selector at the same time");
  }
  SMP_TRY(CheckElsewhereCombinations(flags, offline));
  SMP_TRY(CheckStandardInput(flags));
  SMP_TRY(CheckManagedFields(flags));
  SMP_TRY(CheckPlanOut(flags, offline));
  SMP_TRY(CheckServerSideCombinations(flags));
  SMP_TRY(CheckApplySetCombinations(flags));
  if (flags.On("prune") && flags.On("force")) return Error::InvalidArgument("--force cannot be used with --prune");
  if (flags.On("force-dangerous") && !flags.On("force")) {
    return Error::InvalidArgument("--force-dangerous only works with --force");
  }
  if (offline && flags.On("prune")) {
    return Error::InvalidArgument(
        "--prune cannot be used with --live: it finds objects that were applied before in the cluster");
  }
  if (offline && flags.On("ask-server")) {
    return Error::InvalidArgument("--ask-server cannot be used with --live: there is no server to ask");
  }
  return Ok();
}

Result<Chosen> ReadChosen(const ParsedFlags& flags, Io& io) {
  SMP_ASSIGN(apply::Manifests input, ReadInput(flags, OddKeys::kRefuse, io));
  MoveToLiveNamespace(flags, input);
  return ChooseByLabels(std::move(input), flags);
}

// Only a person reads "3d ago"; JSON of the same objects is always the same.
std::optional<std::chrono::sys_seconds> TimeOfSentences(const std::string& format) {
  if (format != "text") return std::nullopt;
  return ProcessClock().WallTime();
}

Result<ExplainOptions> ToExplainOptions(const ParsedFlags& flags) {
  const std::string format = flags.Text("output");
  ExplainOptions out;
  out.report = {flags.On("show-secrets") ? explain::Secrets::kShow : explain::Secrets::kMask,
                flags.Text("show") == "live-only" ? explain::Show::kLiveOnly : explain::Show::kChanges,
                flags.Text("field-manager"), TimeOfSentences(format)};
  SMP_ASSIGN(out.force, ToForetoldForce(flags));
  out.states = format == "diff";
  out.managed_fields = flags.On("show-managed-fields");
  out.requests = format == "patch" || format == "curl";
  SMP_ASSIGN(out.deletion, ToForetoldDeletion(flags));
  out.submit.field_manager = flags.Text("field-manager");
  SMP_ASSIGN(out.planning, ToPlanning(flags));
  SMP_ASSIGN(out.ignored, ToIgnored(flags));
  return out;
}

// `offline`: without a cluster.
Result<explain::Report> ExplainManifests(const ParsedFlags& flags, bool offline, const ExplainOptions& options,
                                         ReportPrinter& printer, Io& io) {
  SMP_ASSIGN(Chosen chosen, ReadChosen(flags, io));
  if (chosen.manifests.items.empty()) return Error::InvalidArgument("no objects passed to explain-diff");
  SMP_ASSIGN(explain::Report report, offline ? ExplainOffline(flags, std::move(chosen), options, printer, io)
                                             : ExplainLive(flags, std::move(chosen), options, printer, io));
  WarnOfCopies(report);
  return report;
}

Result<int> ExplainDiff(const ParsedFlags& flags, Io& io) {
  const bool offline = flags.Given("live") || flags.Given("original");
  SMP_TRY(CheckCombinations(flags, offline));
  const auto preload = offline ? nullptr : std::make_unique<net::TlsPreload>();
  SMP_ASSIGN(const ExplainOptions options, ToExplainOptions(flags));
  ReportPrinter printer(flags, io);
  SMP_ASSIGN(const explain::Report report, ComparesObjects(flags)
                                               ? CompareElsewhere(flags, options, io)
                                               : ExplainManifests(flags, offline, options, printer, io));
  SMP_TRY(printer.Print(report));
  return ExitStatus(report, flags.Text("exit-code"));
}

Result<int> RunExplainDiff(const ParsedFlags& flags, Io& io) {
  if (flags.On("reasons")) {
    PrintReasons(flags, io);
    return kExitOk;
  }
  Result<int> exit = ExplainDiff(flags, io);
  if (exit.ok() || flags.Text("exit-code") != "detailed") return exit;
  return Fail(io, exit.error(), DetailedExitCode(exit.error().code));
}

std::vector<Flag> ExplainDiffFlags() {
  std::vector<Flag> flags = InputFlagTable();
  for (Flag& flag : PruneFlagTable()) {
    if (flag.name == "prune") flag.help = "also show what apply --prune would delete";
    flags.push_back(std::move(flag));
  }
  flags.push_back(OutputFlag({"text", "summary", "diff", "patch", "curl", "json", "yaml", "markdown", "github", "html"},
                             "text: for people; summary: one line for each object; diff: as kubectl diff; patch: the "
                             "requests that apply would send, a JSON object a line; curl: commands that send them, "
                             "without credentials; json and yaml: for programs; markdown: for a pull request; github: "
                             "annotations of a workflow; html: a page in one file, to be filtered and folded",
                             "text"));
  for (Flag& flag : PaceFlags()) flags.push_back(std::move(flag));
  flags.push_back({.name = "concurrency",
                   .kind = FlagKind::kNumber,
                   .placeholder = "N",
                   .help = "kubectl diff's name of --parallel; any number is taken as one from 1 to 100"});
  flags.push_back(DocumentFlag(
      "live", "compare with the objects in this file instead of the live objects, without contacting a cluster"));
  flags.push_back(
      DocumentFlag("original", "with --live: last-applied objects, instead of the annotations of the live objects"));
  for (Flag& flag : ElsewhereFlagTable()) flags.push_back(std::move(flag));
  for (Flag& flag : ForceFlagTable()) {
    if (flag.name == "force") flag.help = "explain what apply --force would delete and create again";
    if (flag.name == "cascade") flag.help = "with --force: what becomes of the dependents of a deleted object";
    flags.push_back(std::move(flag));
  }
  flags.push_back(
      Choice("compat", {"kubectl"},
             "explain the patch that kubectl apply would send; warn if its result differs from the manifest"));
  for (Flag& flag : ServerSideFlagTable()) flags.push_back(std::move(flag));
  flags.push_back(FieldManagerFlag());
  flags.push_back(DuplicatesFlag());
  flags.push_back(KeepLiveFlag());
  flags.push_back(AdoptFlag());
  for (Flag& flag : IgnoreFlagTable()) flags.push_back(std::move(flag));
  flags.push_back(In(FlagGroup::kOutput, PlanOutFlag()));
  flags.push_back(
      In(FlagGroup::kOutput,
         Choice("show", {"changes", "live-only", "all"},
                "live-only: also show fields that only the live object has, which apply keeps; all: also list "
                "the objects that do not change",
                "changes")));
  flags.push_back(
      In(FlagGroup::kOutput,
         Switch("wide", "do not cut or fold anything to fit the width of the terminal (80 columns without one)")));
  flags.push_back(
      In(FlagGroup::kOutput, Switch("reasons", "print all reasons, each with an example, and nothing else")));
  flags.push_back(ColorFlag());
  flags.push_back(NoPagerFlag());
  flags.push_back(Switch("ask-server",
                         "also send what apply would send, as a dry run that stores nothing, and show what the server "
                         "makes of it: validation, defaults, admission, webhooks"));
  flags.push_back(
      In(FlagGroup::kOutput,
         Switch("show-managed-fields",
                "with -o diff and --ask-server: also show metadata.managedFields, which only the server writes")));
  flags.push_back(In(FlagGroup::kOutput, Switch("show-secrets", "show the values of Secrets")));
  flags.push_back(In(FlagGroup::kOutput,
                     Choice("exit-code", {"normal", "never", "detailed"},
                            "normal: 1 for differences, 2 for errors; never: 0 for differences; detailed: as normal, "
                            "but errors are 3 input, 4 server, 5 conflict, 6 refused",
                            "normal")));
  for (Flag& flag : OverrideStepFlagTable()) flags.push_back(std::move(flag));
  return Grouped(FlagGroup::kChanges, std::move(flags));
}

std::vector<Term> Reasons() {
  std::vector<Term> out;
  for (const explain::ReasonExample& example : explain::ReasonExamples()) {
    out.push_back({std::string(ReasonName(example.reason)), std::string(explain::MeaningOf(example.reason)),
                   explain::LinesOf(example)});
  }
  return out;
}

}  // namespace

Command ExplainDiffCommand() {
  return {
      .summary = "show what apply would change, and why, field by field",
      .description =
          "Show what apply would change, field by field, with the reason for each change.\n"
          "\n"
          "Nothing is changed: explain-diff only sends GET requests, and with --live it does not contact a cluster "
          "at all. It\n"
          "foretells refusals that reading shows (immutable fields, a missing namespace). With --ask-server it also "
          "sends what\n"
          "apply would send, as a dry run, and shows what validation, admission and webhooks say.\n"
          "\n"
          "With TYPE/NAME, TYPE -l LABELS or TYPE it shows how live objects differ from those of the same name in "
          "another "
          "context\n"
          "or namespace (--live-context, --live-namespace).\n"
          "\n"
          "Exit status: 0 no differences, 1 differences, 2 errors (see --exit-code).",
      .usage = "explain-diff (-f FILE | TYPE [NAME] | TYPE/NAME) [flags]",
      .examples =
          "  # against the cluster\n"
          "  {program} explain-diff -f web.yaml\n\n"
          "  # with what admission and webhooks make of it\n"
          "  {program} explain-diff -f web.yaml --ask-server\n\n"
          "  # files only\n"
          "  {program} explain-diff -f web.yaml --live live.yaml --original last-applied.yaml\n\n"
          "  # what it would change in another cluster; what differs between the objects of two clusters\n"
          "  {program} explain-diff -f web.yaml --live-context staging\n"
          "  {program} explain-diff deploy/web --live-context staging --live-namespace web\n\n"
          "  # one line for each object\n"
          "  {program} explain-diff -f web.yaml -o summary\n\n"
          "  # as kubectl diff, with a program of your own\n"
          "  KUBECTL_EXTERNAL_DIFF='git diff --no-index' {program} explain-diff -f web.yaml -o diff\n\n"
          "  # output for programs; the requests that apply would send\n"
          "  {program} explain-diff -f web.yaml -o json\n"
          "  {program} explain-diff -f web.yaml -o patch\n\n"
          "  # a plan to be reviewed, and then applied as it was reviewed\n"
          "  {program} explain-diff -f web.yaml --plan-out web.plan\n"
          "  {program} apply -f web.yaml --plan web.plan\n",
      .flags = ExplainDiffFlags(),
      .run = RunExplainDiff,
      .usage_error = kExitDiffError,
      .takes_arguments = true,
      .argument_hint = Hint::kObject,
      .terms = Reasons(),
      .terms_title = "Reasons",
      .terms_flag = "--reasons",
      .suggest_for = {"diff", "plan"}};
}

}  // namespace smp::cmd
