#include "cmd/explained_input.h"

#include <algorithm>
#include <span>
#include <utility>

#include "apply/foretold_refusals.h"
#include "apply/input_definitions.h"
#include "apply/pipeline.h"
#include "apply/planned_writes.h"
#include "apply/recreate.h"
#include "cmd/apply_set_flags.h"
#include "cmd/hit_objects.h"
#include "cmd/left_behind.h"
#include "cmd/live_progress.h"
#include "cmd/missing_needs.h"
#include "cmd/node_labels.h"
#include "cmd/override_flags.h"
#include "cmd/refused_kinds.h"
#include "cmd/server_side_flags.h"
#include "cmd/unread_objects.h"
#include "explain/object_names.h"
#include "explain/states.h"
#include "kube/brief_message.h"
#include "value/at.h"
#include "value/redact.h"

namespace smp::cmd {

namespace {

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
    report.objects[first + i].states = explain::StatesOfPruned(*live[i], {secrets});
  }
  return Ok();
}

// Appends what apply --prune would delete to the report, after the objects of the manifests.
Status ExplainPrune(const InputToExplain& input, const apply::Applied& applied, const ExplainOptions& options,
                    explain::Report& report, Io& io) {
  if (HasError(report)) {
    Warn(io, "the objects that --prune would delete are not shown because of errors");
    return Ok();
  }
  const Connection& connection = input.connection;
  SMP_ASSIGN(const std::vector<apply::Stale> plan, PlanPrune(connection, applied, *input.prune, input.set, io));
  if (input.plan != nullptr) input.plan->AddPruned(plan);
  for (const apply::Stale& stale : plan) {
    report.objects.push_back(explain::ReportPruned(stale.ref.gvk, stale.ref.name_space, stale.ref.name));
    explain::ObjectReport& object = report.objects.back();
    object.loses = apply::HeldBy(stale.ref.gvk);
    object.deleted_of = stale.managers;
    object.now = options.report.now;
    if (report.asked == explain::Asked::kServer) object.unasked = "deletions are not tried";
  }
  for (size_t i = 0; options.requests && i < plan.size(); ++i) {
    SMP_ASSIGN(apply::PlannedWrite write, apply::PlannedDeletion(plan[i], options.deletion));
    report.objects[report.objects.size() - plan.size() + i].requests = {
        ToRequest(std::move(write), Value(), options.report.secrets)};
  }
  if (options.states) return AddPrunedStates(plan, *connection.client, options.report.secrets, report);
  return Ok();
}

// The id of the ApplySet that apply takes the object out of; "": none.
std::string SetLeftBy(const apply::Prepared& prepared) {
  const bool planned = prepared.live && prepared.patch;
  return planned ? apply::SetLeftBy(prepared.live->root(), prepared.patch->outcome.root()) : "";
}

// Explains one object, and plans it for --plan-out.
void Add(const Result<apply::Manifest>& manifest, Result<apply::Prepared> prepared, const InputToExplain& input,
         const ExplainOptions& options, Unmatched& unmatched, MissingNeeds& needs, explain::Report& report) {
  std::optional<apply::Prepared> planned;
  if (input.plan != nullptr && prepared.ok()) planned = *prepared;
  std::optional<ChangedDefinition> definition;
  if (prepared.ok()) definition = DefinitionIn(*prepared);
  Explain(manifest, std::move(prepared), options, unmatched, report);
  explain::ObjectReport& object = report.objects.back();
  needs.AddTo(object);
  if (definition) AddHitObjects(*input.connection.client, *definition, object);
  if (planned) input.plan->Add(*planned, object.action);
  if (input.on_object) input.on_object(object);
}

// Reads the CRDs that come behind their objects, which are explained before them.
Status NoteLateDefinitions(const apply::Manifests& manifests, const apply::Target& target,
                           apply::PlanningOptions planning, const ExplainOptions& options, RefusedKinds& refused) {
  const apply::Manifests late = LateDefinitions(manifests);
  if (late.items.empty()) return Ok();
  planning.on_progress = {};
  explain::Report report;
  Unmatched unmatched = {.ignored = UnmatchedIgnores(options.ignored)};
  return apply::PrepareAll(late, target, planning,
                           [&](const Result<apply::Manifest>& manifest, Result<apply::Prepared> prepared) {
                             const std::vector<GroupVersionKind> brings = KindsToCome(manifest, prepared);
                             Explain(manifest, std::move(prepared), options, unmatched, report);
                             refused.Note(brings, report.objects.back());
                           });
}

}  // namespace

void Explain(const Result<apply::Manifest>& manifest, Result<apply::Prepared> prepared, const ExplainOptions& options,
             Unmatched& unmatched, explain::Report& report) {
  unmatched.kept.AddObject(prepared.ok() ? prepared->unmatched : std::vector<KeepPath>());
  unmatched.ignored.AddObject(prepared.ok() ? &*prepared : nullptr);
  const Document document = manifest.ok() ? manifest->document : Document();
  report.objects.push_back(prepared.ok() ? ExplainObject(*std::move(prepared), options)
                                         : explain::ReportError(document, std::move(prepared).error()));
  std::optional<Error>& error = report.objects.back().error;
  if (error) error = kube::Brief(*std::move(error));
  if (manifest.ok()) AddPolicySources(*manifest, report.objects.back());
}

Result<explain::Report> ExplainInput(const InputToExplain& input, const ExplainOptions& options, Io& io) {
  const Connection& connection = input.connection;
  const apply::Manifests& manifests = input.chosen.manifests;
  explain::Report report;
  report.context = ToContext(connection.config);
  report.asked = input.asks ? explain::Asked::kServer : explain::Asked::kNobody;
  Unmatched unmatched = {.ignored = UnmatchedIgnores(options.ignored)};
  apply::Applied applied = StartApplied(input.chosen, connection.config);
  apply::Target target = input.target;
  target.definitions = &input.definitions;
  apply::NamespaceCheck namespaces(*connection.client, input.definitions);
  apply::GrowthCheck growth(*connection.client, input.definitions);
  MissingNeeds needs(*connection.client, manifests, connection.config.name_space);
  bool chosen_server_side = false;
  LeftSets left_sets(input.set != nullptr);
  RefusedKinds refused;
  LiveProgress progress(io);
  const apply::PlanningOptions planning = {.parallel = input.parallel,
                                           .ask_server = input.asks,
                                           .field_validation = input.field_validation,
                                           .on_progress = [&](const auto& now) { progress.Show(now); }};
  SMP_TRY(NoteLateDefinitions(manifests, target, planning, options, refused));
  SMP_TRY(apply::PrepareAll(manifests, target, planning,
                            [&](const Result<apply::Manifest>& manifest, Result<apply::Prepared> prepared) {
                              if (prepared.ok()) {
                                applied.AddObject(prepared->ref, prepared->live ? prepared->live->root() : Value());
                                left_sets.AddObject(SetLeftBy(*prepared), prepared->ref);
                                if (!input.asks) {
                                  prepared->server_refusal = namespaces.RefusalIn(*prepared);
                                  if (!prepared->server_refusal) prepared->server_refusal = growth.RefusalIn(*prepared);
                                }
                              }
                              chosen_server_side |= prepared.ok() && prepared->mode.server_side;
                              const std::vector<GroupVersionKind> brings = KindsToCome(manifest, prepared);
                              if (std::optional<Error> error = refused.ErrorOf(manifest)) prepared = *std::move(error);
                              Add(manifest, std::move(prepared), input, options, unmatched, needs, report);
                              refused.Note(brings, report.objects.back());
                            }));
  progress.Stop();
  if (target.planning.force_conflicts && !target.planning.server_side && !chosen_server_side) {
    return ForceConflictsAlone();
  }
  report.prunes = input.prune.has_value();
  unmatched.WarnOf(io);
  left_sets.WarnOf(io);
  FindUnreadChanges(*connection.client, report);
  FindUnreadObjects(*connection.client, report);
  FindNodes(*connection.client, report);
  if (input.prune) {
    SMP_TRY(ExplainPrune(input, applied, options, report, io));
  } else {
    FindLeftWorkloads(*connection.client, report);
    if (input.chosen.left_out.empty()) FindLeftObjects(*connection.client, manifests, report);
  }
  explain::SayNamespaceOnce(report);
  return report;
}

bool HasError(const explain::Report& report) {
  return std::any_of(report.objects.begin(), report.objects.end(),
                     [](const explain::ObjectReport& object) { return object.error.has_value(); });
}

}  // namespace smp::cmd
