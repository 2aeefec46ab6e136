#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include "apply/deletion.h"
#include "apply/foretold_refusals.h"
#include "apply/harm.h"
#include "apply/input_definitions.h"
#include "apply/manifests.h"
#include "apply/older_file.h"
#include "apply/pipeline.h"
#include "apply/plan_server_side.h"
#include "apply/planned_writes.h"
#include "apply/prepare.h"
#include "base/clock.h"
#include "base/strings.h"
#include "cmd/command.h"
#include "cmd/connection.h"
#include "cmd/deletion_flags.h"
#include "cmd/dry_run.h"
#include "cmd/exit_code.h"
#include "cmd/external_diff.h"
#include "cmd/input.h"
#include "cmd/keep_live_flag.h"
#include "cmd/override_flags.h"
#include "cmd/prune.h"
#include "cmd/server_side_flags.h"
#include "explain/github.h"
#include "explain/in_words.h"
#include "explain/json.h"
#include "explain/markdown.h"
#include "explain/report.h"
#include "explain/requests.h"
#include "explain/states.h"
#include "explain/summary.h"
#include "explain/text.h"
#include "schema/builtin.h"
#include "schema/facts/immutable.h"
#include "value/escape.h"
#include "value/json.h"
#include "value/redact.h"
#include "value/utf8.h"
#include "yaml/write_yaml.h"

namespace smp::cmd {

namespace {

Result<apply::Planning> ToPlanning(const ParsedFlags& flags) {
  apply::Planning out = {.dialect = flags.Given("compat") ? compat::Dialect::kKubectl : compat::Dialect::kVerified};
  SMP_ASSIGN(out.keep_live, ToKeepLive(flags));
  SMP_ASSIGN(out.adopt, ToAdopt(flags));
  SetMode(flags, out);
  return out;
}

// Omits the source (file and line), because the message already names the lines of all duplicates.
std::string TextOfDuplicates(const Error& duplicates) { return StrCat(duplicates.path, " ", duplicates.message); }

struct ExplainOptions {
  explain::ReportOptions report = {};
  std::optional<apply::RecreateOptions> force = {};  // nullopt without --force
  bool states = false;                               // whether the format shows ObjectReport::states
  bool requests = false;                             // likewise, ObjectReport::requests
  apply::Deletion deletion = {};                     // how --prune and --force delete
  apply::SubmitOptions submit = {};                  // how a client-side apply writes
  apply::Planning planning = {};
};

// Returns the server's refusal, or else one that reading shows.
std::optional<apply::ForetoldRefusal> RefusalOf(const apply::Prepared& prepared,
                                                std::optional<std::chrono::sys_seconds> now) {
  if (const auto& refusal = prepared.server_refusal) {
    return apply::ForetoldRefusal{*refusal, IsImmutableChange(*refusal, prepared.schema->release())};
  }
  if (prepared.answer) return std::nullopt;
  if (auto conflict = apply::ConflictOf(prepared, now)) return apply::ForetoldRefusal{*std::move(conflict)};
  if (auto clash = apply::ClashOf(prepared)) return apply::ForetoldRefusal{*std::move(clash)};
  return apply::ForetellRefusal(prepared);
}

// Returns the refusal, which is `recreatable` only if --force does recreate the object.
std::optional<apply::ForetoldRefusal> RefusalOf(const apply::Prepared& prepared, const ExplainOptions& options) {
  std::optional<apply::ForetoldRefusal> refusal = RefusalOf(prepared, options.report.now);
  if (!refusal || !refusal->recreatable) return refusal;
  if (!options.force) return apply::ForetoldRefusal{std::move(refusal->error)};
  Status may = apply::CheckMayRecreate(prepared.ref, options.force->dangerous, refusal->error);
  return may.ok() ? refusal : apply::ForetoldRefusal{std::move(may).error()};
}

// A server may quote the whole object.
std::string Shortened(std::string_view message) {
  constexpr size_t kLongest = 160;
  const std::string_view line = message.substr(0, message.find('\n'));
  const std::string_view shown = Utf8Prefix(line, kLongest);
  return StrCat(shown, shown.size() < message.size() ? "…" : "");
}

explain::ObjectReport ExplainRecreation(const apply::Prepared& prepared, const Error& refusal,
                                        const ExplainOptions& options) {
  const explain::KindOfObject kind = {prepared.schema.get(), prepared.resource.type};
  explain::ObjectReport report = explain::ReportRecreation(prepared.anew.value_or(prepared.desired), *prepared.live,
                                                           *prepared.patch, kind, options.report);
  report.warnings.push_back(StrCat("the server would refuse to change ",
                                   refusal.path.empty() ? "the object" : refusal.path, " (", Shortened(refusal.message),
                                   ")"));
  std::string loss = apply::LossByRecreation(prepared.ref, prepared.live->root(), options.force->deletion);
  if (!loss.empty()) report.warnings.push_back(std::move(loss));
  const Value& live = prepared.live->root();
  if (const std::string held = apply::WhatHolds(live); !held.empty() && !apply::IsBeingDeleted(live)) {
    report.warnings.push_back(StrCat("apply may wait for the old object to go, and then fail: ", held));
  }
  return report;
}

explain::ApplyMode ModeOf(const apply::Prepared& prepared) {
  if (!prepared.server_side) return explain::ApplyMode::kClientSide;
  return prepared.server_side->planning.force_conflicts ? explain::ApplyMode::kForced : explain::ApplyMode::kServerSide;
}

explain::ObjectReport ExplainPlan(const apply::Prepared& prepared, const explain::ReportOptions& options) {
  const explain::KindOfObject kind = {prepared.schema.get(), prepared.resource.type};
  return prepared.live ? explain::ReportChange(prepared.desired, *prepared.live, *prepared.patch, kind, options,
                                               {prepared.kept, prepared.answer, prepared.adopted, ModeOf(prepared)})
                       : explain::ReportCreation(prepared.desired, kind, options, prepared.answer);
}

explain::ObjectStates StatesOf(const apply::Prepared& prepared, explain::Action action, explain::Secrets secrets) {
  const explain::KindOfObject kind = {prepared.schema.get(), prepared.resource.type};
  if (!prepared.live) return explain::StatesOfCreation(prepared.desired, kind, prepared.answer, secrets);
  if (action == explain::Action::kRecreate) {
    return explain::StatesOfRecreation(prepared.anew.value_or(prepared.desired), *prepared.live, kind, secrets);
  }
  return explain::StatesOfChange(*prepared.live, *prepared.patch, kind, prepared.answer, secrets);
}

explain::Request ToRequest(apply::PlannedWrite write, const Value& object, explain::Secrets secrets) {
  const bool masked = secrets == explain::Secrets::kMask && IsSecret(object) && write.method != "DELETE";
  Document body = masked ? explain::MaskedBody(write.body, object, secrets) : write.body;
  return {std::move(write.method), std::move(write.path), std::move(write.content_type), std::move(body), masked};
}

// The body of a patch is that of the report, which is masked already.
Result<std::vector<explain::Request>> RequestsOf(const apply::Prepared& prepared, const explain::ObjectReport& report,
                                                 const ExplainOptions& options) {
  const bool recreates = report.action == explain::Action::kRecreate;
  SMP_ASSIGN(std::vector<apply::PlannedWrite> writes,
             recreates ? apply::PlannedRecreation(prepared, options.submit, options.deletion)
                       : apply::PlannedWrites(prepared, options.submit, options.planning));
  std::vector<explain::Request> out;
  for (apply::PlannedWrite& write : writes) {
    const bool patches = write.method == "PATCH" && !write.content_type.starts_with("application/apply-patch");
    out.push_back(ToRequest(std::move(write), prepared.modified.root(), options.report.secrets));
    if (patches && report.patch) out.back().body = report.patch->body;
  }
  return out;
}

explain::ObjectReport Explain(apply::Prepared prepared, const ExplainOptions& options) {
  if (prepared.refusal) return explain::ReportError(prepared.manifest, *std::move(prepared.refusal));
  std::optional<apply::ForetoldRefusal> refusal = RefusalOf(prepared, options);
  if (refusal && !prepared.live) return explain::ReportError(prepared.manifest, std::move(refusal->error));
  const bool recreates = refusal && refusal->recreatable;
  std::vector<std::string> harm = apply::HarmWarnings(prepared, options.report.now);
  explain::ObjectReport report =
      recreates ? ExplainRecreation(prepared, refusal->error, options) : ExplainPlan(prepared, options.report);
  report.schema = prepared.schema;
  if (options.requests) {
    auto requests = RequestsOf(prepared, report, options);
    if (!requests.ok()) return explain::ReportError(prepared.manifest, std::move(requests).error());
    report.requests = *std::move(requests);
  }
  if (options.states && report.differs()) report.states = StatesOf(prepared, report.action, options.report.secrets);
  report.unasked = std::move(prepared.unasked);
  if (recreates && prepared.server_refusal) {
    report.unasked = "a dry run does not delete the object, so the server cannot say what it makes of the new one";
  }
  if (refusal && !recreates) {
    report.action = explain::Action::kError;
    report.error = std::move(refusal->error);
  }
  for (const std::optional<Document>* part : {&prepared.original, &prepared.migrated}) {
    if (*part) report.keep_alive.push_back(**part);
  }
  if (prepared.live && apply::IsBeingDeleted(prepared.live->root())) {
    const std::string held = apply::WhatHolds(prepared.live->root());
    report.warnings.push_back(StrCat("the object is being deleted; applied changes will be lost",
                                     held.empty() ? "" : StrCat(" (", held, ")")));
  }
  if (prepared.lacks_last_applied()) {
    report.warnings.push_back(StrCat(
        report.appliers.empty() ? "the live object has" : "the live object was applied server-side and has",
        " no last-applied annotation",
        prepared.adopted ? "; what is adopted and the manifest lacks goes" : ", so removed fields cannot be detected"));
  }
  if (std::string older = apply::OlderFileWarning(prepared, report.appliers, options.report.now); !older.empty()) {
    report.warnings.push_back(std::move(older));
  }
  for (const std::string& note : prepared.notes) report.warnings.push_back(note);
  if (const std::string why = apply::WhyServerSide(prepared.mode); !why.empty() && !prepared.live) {
    report.warnings.push_back(StrCat("applied server-side: ", why));
  }
  for (std::string& warning : harm) report.warnings.push_back(std::move(warning));
  for (std::string& warning : apply::MetadataWarnings(prepared)) report.warnings.push_back(std::move(warning));
  for (const Error& duplicates : prepared.duplicates) report.warnings.push_back(TextOfDuplicates(duplicates));
  for (const Error& deviation : prepared.deviations) report.warnings.push_back(ToString(deviation));
  return report;
}

explain::ReportContext ToContext(const auth::ConnectionConfig& config) {
  return {config.context, config.cluster, config.server, config.user, config.name_space};
}

// Adds the explanation of a manifest to the report, or its error if it cannot be read or prepared.
void Explain(const Result<apply::Manifest>& manifest, Result<apply::Prepared> prepared, const ExplainOptions& options,
             UnmatchedPaths& unmatched, explain::Report& report) {
  unmatched.AddObject(prepared.ok() ? prepared->unmatched : std::vector<KeepPath>());
  const Document document = manifest.ok() ? manifest->document : Document();
  report.objects.push_back(prepared.ok() ? Explain(*std::move(prepared), options)
                                         : explain::ReportError(document, std::move(prepared).error()));
  if (manifest.ok()) AddPolicySources(*manifest, report.objects.back());
}

// Warns of objects that are in the input more than once: apply writes them in turn, and the last one wins.
void WarnOfCopies(explain::Report& report) {
  std::map<std::array<std::string_view, 4>, const Source*> first;
  for (explain::ObjectReport& object : report.objects) {
    const size_t slash = object.api_version.find('/');
    const std::string_view group =
        slash == std::string::npos ? std::string_view() : std::string_view(object.api_version).substr(0, slash);
    const auto [at, is_first] = first.try_emplace({group, object.kind, object.name_space, object.name}, &object.source);
    if (is_first || object.name.empty()) continue;
    object.warnings.push_back(StrCat("the same object is in ", at->second->file, ":", at->second->line,
                                     "; apply writes both in turn, and these rows compare with live"));
  }
}

// --- without a cluster

using OfflineObjects = std::vector<apply::Manifest>;  // few, looked up by kind and name

// Returns an empty list if `file` is "". Returns the error of the first object that cannot be read.
Result<OfflineObjects> ReadOfflineObjects(const std::string& file) {
  OfflineObjects out;
  if (file.empty()) return out;
  SMP_ASSIGN(apply::Manifests manifests, apply::ReadManifests({.files = {file}}));
  for (auto& item : manifests.items) {
    SMP_ASSIGN(apply::Manifest object, std::move(item));
    out.push_back(std::move(object));
  }
  return out;
}

// Matches group, kind and name, and the namespace if both have one. nullopt if there is no such object.
std::optional<Document> FindObject(const OfflineObjects& objects, const apply::Manifest& wanted) {
  for (const apply::Manifest& object : objects) {
    const bool same_place =
        wanted.name_space.empty() || object.name_space.empty() || object.name_space == wanted.name_space;
    if (object.gvk.group == wanted.gvk.group && object.gvk.kind == wanted.gvk.kind && object.name == wanted.name &&
        same_place) {
      return object.document;
    }
  }
  return std::nullopt;
}

// Warns of objects that count as new, because the cause may be a misspelt name or a wrong namespace.
void WarnOfCreations(const ParsedFlags& flags, explain::Report& report) {
  for (explain::ObjectReport& object : report.objects) {
    if (object.action != explain::Action::kCreate) continue;
    object.warnings.push_back(flags.Given("live") ? "the --live file does not contain this object, so it counts as new"
                                                  : "--live is not set, so the object counts as new");
  }
}

Result<explain::Report> ExplainOffline(const ParsedFlags& flags, const apply::Manifests& manifests,
                                       const ExplainOptions& options, Io& io) {
  SMP_ASSIGN(const OfflineObjects live, ReadOfflineObjects(flags.Text("live")));
  SMP_ASSIGN(const OfflineObjects original, ReadOfflineObjects(flags.Text("original")));
  SMP_ASSIGN(const apply::Planning planning, ToPlanning(flags));
  explain::Report report;
  UnmatchedPaths unmatched;
  const auto prepare = [&](const apply::Manifest& manifest) {
    return apply::PrepareOffline(
        manifest, {FindObject(live, manifest), FindObject(original, manifest), flags.Text("namespace"), planning},
        BuiltinSchema());
  };
  for (const Result<apply::Manifest>& manifest : manifests.items) {
    Explain(manifest, manifest.ok() ? prepare(*manifest) : Result<apply::Prepared>(manifest.error()), options,
            unmatched, report);
  }
  unmatched.WarnOf(io);
  WarnOfCreations(flags, report);
  return report;
}

bool HasError(const explain::Report& report) {
  return std::any_of(report.objects.begin(), report.objects.end(),
                     [](const explain::ObjectReport& object) { return object.error.has_value(); });
}

// Adds the states of the pruned objects, which must be read: the plan knows only their names.
Status AddPrunedStates(const std::vector<apply::Stale>& plan, kube::Client& client, explain::Secrets secrets,
                       explain::Report& report) {
  std::vector<kube::ObjectRef> refs;
  for (const apply::Stale& stale : plan) refs.push_back(stale.ref);
  const size_t first = report.objects.size() - plan.size();
  std::vector<Result<Document>> live = client.GetAll(refs);
  for (size_t i = 0; i < live.size(); ++i) {
    if (!live[i].ok()) return std::move(live[i]).error();
    SecretRegistry::Instance().Remember(live[i]->root());
    report.objects[first + i].states = explain::StatesOfPruned(*live[i], secrets);
  }
  return Ok();
}

// Appends what apply --prune would delete to the report, after the objects of the manifests.
Status ExplainPrune(const ParsedFlags& flags, const Connection& connection, const apply::Applied& applied,
                    const ExplainOptions& options, explain::Report& report, Io& io) {
  if (HasError(report)) {
    Warn(io, "the objects that --prune would delete are not shown because of errors");
    return Ok();
  }
  SMP_ASSIGN(const apply::PruneScope scope, ToPruneScope(flags));
  SMP_ASSIGN(const std::vector<apply::Stale> plan,
             apply::PlanPrune(*connection.client, *connection.schemas, scope, applied));
  for (const apply::Stale& stale : plan) {
    report.objects.push_back(explain::ReportPruned(stale.ref.gvk, stale.ref.name_space, stale.ref.name));
    if (report.asked == explain::Asked::kServer) report.objects.back().unasked = "deletions are not tried";
  }
  for (size_t i = 0; options.requests && i < plan.size(); ++i) {
    SMP_ASSIGN(apply::PlannedWrite write, apply::PlannedDeletion(plan[i], options.deletion));
    report.objects[report.objects.size() - plan.size() + i].requests = {
        ToRequest(std::move(write), Value(), options.report.secrets)};
  }
  if (options.states) return AddPrunedStates(plan, *connection.client, options.report.secrets, report);
  return Ok();
}

Result<explain::Report> ExplainLive(const ParsedFlags& flags, const Chosen& chosen, const ExplainOptions& options,
                                    Io& io) {
  SMP_ASSIGN(const Connection connection, Connect(flags, io));
  explain::Report report;
  UnmatchedPaths unmatched;
  report.context = ToContext(connection.config);
  apply::Target target = connection.target();
  SMP_ASSIGN(target.planning, ToPlanning(flags));
  SMP_ASSIGN(const int parallel, ToParallel(flags));
  apply::Applied applied = StartApplied(chosen, connection.config);
  const apply::InputDefinitions definitions = apply::DefinitionsOf(chosen.manifests);
  target.definitions = &definitions;
  apply::NamespaceCheck namespaces(*connection.client, definitions);
  const bool asks = flags.On("ask-server");
  bool chosen_server_side = false;
  report.asked = asks ? explain::Asked::kServer : explain::Asked::kNobody;
  SMP_TRY(apply::PrepareAll(chosen.manifests, target, {.parallel = parallel, .ask_server = asks},
                            [&](const Result<apply::Manifest>& manifest, Result<apply::Prepared> prepared) {
                              if (prepared.ok()) {
                                applied.AddObject(prepared->ref, prepared->live ? prepared->live->root() : Value());
                                if (!asks) prepared->server_refusal = namespaces.RefusalIn(*prepared);
                              }
                              chosen_server_side |= prepared.ok() && prepared->mode.server_side;
                              Explain(manifest, std::move(prepared), options, unmatched, report);
                            }));
  if (target.planning.force_conflicts && !target.planning.server_side && !chosen_server_side) {
    return ForceConflictsAlone();
  }
  unmatched.WarnOf(io);
  if (flags.On("prune")) SMP_TRY(ExplainPrune(flags, connection, applied, options, report, io));
  return report;
}

// --- output

void Note(Io& io, const explain::ObjectReport& object, std::string_view text) {
  const std::string line = StrCat(object.kind, "/", object.name, ": ", text);
  Tell(io, StrCat(Visible(line, Newlines::kEscape), "\n"));
}

void TellOfRedacted(const explain::Report& report, Io& io) {
  for (const explain::ObjectReport& object : report.objects) {
    const bool redacted = std::any_of(object.requests.begin(), object.requests.end(),
                                      [](const explain::Request& request) { return request.redacted; });
    if (redacted) Note(io, object, "redacted, not replayable; use --show-secrets to show the values");
  }
}

// Prints repeated errors of an unreachable server only once.
void TellErrors(const explain::Report& report, Io& io) {
  const Error* told = nullptr;
  size_t same = 0;
  for (const explain::ObjectReport& object : report.objects) {
    if (!object.error) continue;
    const bool again = told != nullptr && object.error->message == told->message;
    same += again ? 1 : 0;
    if (!again) (void)Fail(io, *object.error, kExitDiffError);
    if (object.error->code == ErrorCode::kTransport) told = &*object.error;
  }
  if (same > 0)
    Tell(io, StrCat("error: ", same, same == 1 ? " more object" : " more objects", " failed for the same reason\n"));
}

Status PrintDiff(const explain::Report& report, Io& io) {
  TellErrors(report, io);
  for (const explain::ObjectReport& object : report.objects) {
    if (object.action == explain::Action::kRecord) Note(io, object, explain::ActionWords(object));
  }
  io.out << std::flush;
  return ShowDifferences(report);
}

explain::TextOptions ToTextOptions(const ParsedFlags& flags) {
  const std::optional<size_t> terminal = TerminalWidth();
  std::error_code error;
  return {.width = terminal.value_or(explain::TextOptions().width),
          .wide = flags.On("wide"),
          .unchanged = flags.Text("show") == "all",
          .legend = terminal.has_value(),
          .directory = std::filesystem::current_path(error).string()};
}

// Prints any --output but diff. Errors of objects go to io.err, unless the format includes them.
std::string PrintReport(const explain::Report& report, const ParsedFlags& flags, Io& io) {
  const std::string format = flags.Text("output");
  if (format == "json") return VisibleJson(WriteIndentedJson(explain::ToJson(report).root(), 2)) + "\n";
  if (format == "yaml") return yaml::WriteVisibleYaml(explain::ToJson(report).root());
  if (format == "markdown") return explain::PrintMarkdown(report);
  if (format == "github") return explain::PrintGithub(report);
  TellErrors(report, io);
  if (format == "summary") return explain::PrintSummary(report);
  TellOfRedacted(report, io);
  if (format == "patch") return explain::PrintJsonLines(report);
  if (format == "curl") return explain::PrintCurl(report);
  return explain::PrintText(report, ToTextOptions(flags));
}

// `mode`: value of --exit-code (normal, never, detailed).
int ExitStatus(const explain::Report& report, const std::string& mode) {
  bool differs = false;
  for (const explain::ObjectReport& object : report.objects) {
    if (object.error) return mode == "detailed" ? DetailedExitCode(object.error->code) : kExitDiffError;
    differs |= object.differs();
  }
  return differs && mode != "never" ? kExitDifferences : kExitOk;
}

// --- the command

Status CheckCombinations(const ParsedFlags& flags, bool offline) {
  if (flags.On("all") && !flags.Text("selector").empty()) {
    return Error::InvalidArgument("cannot set --all and --selector at the same time");
  }
  SMP_TRY(CheckServerSideCombinations(flags));
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
                TimeOfSentences(format)};
  SMP_ASSIGN(out.force, ToForetoldForce(flags));
  out.states = format == "diff";
  out.requests = format == "patch" || format == "curl";
  if (out.force) out.deletion = out.force->deletion;
  out.submit.field_manager = flags.Text("field-manager");
  SMP_ASSIGN(out.planning, ToPlanning(flags));
  return out;
}

Result<int> ExplainDiff(const ParsedFlags& flags, Io& io) {
  const bool offline = flags.Given("live") || flags.Given("original");
  SMP_TRY(CheckCombinations(flags, offline));
  SMP_ASSIGN(const Chosen chosen, ReadChosen(flags, io));
  if (chosen.manifests.items.empty()) return Error::InvalidArgument("no objects passed to explain-diff");
  SMP_ASSIGN(const ExplainOptions options, ToExplainOptions(flags));
  SMP_ASSIGN(explain::Report report,
             offline ? ExplainOffline(flags, chosen.manifests, options, io) : ExplainLive(flags, chosen, options, io));
  WarnOfCopies(report);
  if (flags.Text("output") == "diff") {
    SMP_TRY(PrintDiff(report, io));
  } else {
    io.out << PrintReport(report, flags, io) << std::flush;
  }
  return ExitStatus(report, flags.Text("exit-code"));
}

Result<int> RunExplainDiff(const ParsedFlags& flags, Io& io) {
  Result<int> exit = ExplainDiff(flags, io);
  if (exit.ok() || flags.Text("exit-code") != "detailed") return exit;
  return Fail(io, exit.error(), DetailedExitCode(exit.error().code));
}

std::vector<Flag> Flags() {
  std::vector<Flag> flags = InputFlagTable();
  for (Flag& flag : PruneFlagTable()) {
    if (flag.name == "prune") flag.help = "also show what apply --prune would delete";
    flags.push_back(std::move(flag));
  }
  flags.push_back(OutputFlag({"text", "summary", "diff", "patch", "curl", "json", "yaml", "markdown", "github"},
                             "text: for people; summary: one line for each object; diff: as kubectl diff; patch: the "
                             "requests that apply would send, a JSON object a line; curl: commands that send them, "
                             "without credentials; json and yaml: for programs; markdown: for a pull request; github: "
                             "annotations of a workflow",
                             "text"));
  for (Flag& flag : PaceFlags()) flags.push_back(std::move(flag));
  flags.push_back(DocumentFlag(
      "live", "compare with the objects in this file instead of the live objects, without contacting a cluster"));
  flags.push_back(
      DocumentFlag("original", "with --live: last-applied objects, instead of the annotations of the live objects"));
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
  flags.push_back(KeepLiveFlag());
  flags.push_back(AdoptFlag());
  flags.push_back(Choice("show", {"changes", "live-only", "all"},
                         "live-only: also show fields that only the live object has, which apply keeps; all: also list "
                         "the objects that do not change",
                         "changes"));
  flags.push_back(
      Switch("wide", "do not cut or fold anything to fit the width of the terminal (80 columns without one)"));
  flags.push_back(Switch("ask-server",
                         "also send what apply would send, as a dry run that stores nothing, and show what the server "
                         "makes of it: validation, defaults, admission, webhooks"));
  flags.push_back(Switch("show-secrets", "show the values of Secrets"));
  flags.push_back(Choice("exit-code", {"normal", "never", "detailed"},
                         "normal: 1 for differences, 2 for errors; never: 0 for differences; detailed: as normal, "
                         "but errors are 3 input, 4 server, 5 conflict, 6 refused",
                         "normal"));
  for (Flag& flag : OverrideStepFlagTable()) flags.push_back(std::move(flag));
  return flags;
}

}  // namespace

Command ExplainDiffCommand() {
  return {
      .name = "explain-diff",
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
          "Exit status: 0 no differences, 1 differences, 2 errors (see --exit-code).",
      .usage = "explain-diff -f FILE [flags]",
      .examples =
          "  # against the cluster\n"
          "  {program} explain-diff -f web.yaml\n\n"
          "  # with what admission and webhooks make of it\n"
          "  {program} explain-diff -f web.yaml --ask-server\n\n"
          "  # files only\n"
          "  {program} explain-diff -f web.yaml --live live.yaml --original last-applied.yaml\n\n"
          "  # one line for each object\n"
          "  {program} explain-diff -f web.yaml -o summary\n\n"
          "  # as kubectl diff, with a program of your own\n"
          "  KUBECTL_EXTERNAL_DIFF='git diff --no-index' {program} explain-diff -f web.yaml -o diff\n\n"
          "  # output for programs; the requests that apply would send\n"
          "  {program} explain-diff -f web.yaml -o json\n"
          "  {program} explain-diff -f web.yaml -o patch\n",
      .flags = Flags(),
      .run = RunExplainDiff,
      .usage_error = kExitDiffError};
}

}  // namespace smp::cmd
