#include "cmd/explained_input.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "apply/foretold_refusals.h"
#include "apply/input_definitions.h"
#include "apply/pipeline.h"
#include "apply/planned_writes.h"
#include "apply/recreate.h"
#include "cmd/apply_set_flags.h"
#include "cmd/default_classes.h"
#include "cmd/hit_objects.h"
#include "cmd/invalid_values.h"
#include "cmd/left_behind.h"
#include "cmd/left_workloads.h"
#include "cmd/live_progress.h"
#include "cmd/missing_needs.h"
#include "cmd/named_objects.h"
#include "cmd/node_labels.h"
#include "cmd/override_flags.h"
#include "cmd/port_users.h"
#include "cmd/refused_kinds.h"
#include "cmd/refused_pods.h"
#include "cmd/server_side_flags.h"
#include "cmd/unread_objects.h"
#include "cmd/unread_settings.h"
#include "explain/lost_rights.h"
#include "explain/needed_keys.h"
#include "explain/object_names.h"
#include "explain/states.h"
#include "kube/brief_message.h"
#include "kube/object_ref.h"
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

// Adds what is lost with pruned objects of some kinds, which must be read for that. What may not be read loses nothing.
void AddPrunedFacts(const std::vector<apply::Stale>& plan, kube::Client& client, explain::Report& report) {
  constexpr std::string_view kRbac = "rbac.authorization.k8s.io", kNetworking = "networking.k8s.io";
  constexpr std::pair<std::string_view, std::string_view> kKinds[] = {
      {kRbac, "ClusterRole"},  {kRbac, "ClusterRoleBinding"}, {kRbac, "Role"},
      {kRbac, "RoleBinding"},  {kNetworking, "Ingress"},      {kNetworking, "NetworkPolicy"},
      {"apps", "StatefulSet"}, {"apps", "DaemonSet"},         {"apps", "Deployment"}};
  constexpr size_t kMost = 200;  // each is a request
  std::vector<kube::ObjectRef> refs;
  std::vector<explain::ObjectReport*> pruned;
  for (size_t i = 0; i < plan.size() && refs.size() < kMost; ++i) {
    const kube::ObjectRef& ref = plan[i].ref;
    const std::pair<std::string_view, std::string_view> kind = {ref.gvk.group, ref.gvk.kind};
    if (std::ranges::find(kKinds, kind) == std::end(kKinds)) continue;
    refs.push_back(ref);
    pruned.push_back(&report.objects[report.objects.size() - plan.size() + i]);
  }
  const std::vector<Result<Document>> live = client.GetAll(refs);
  for (size_t i = 0; i < live.size(); ++i) {
    if (!live[i].ok()) continue;
    explain::AddFactsOfPruned(live[i]->root(), *pruned[i]);
    if (refs[i].gvk.group == "apps") {
      NoteReplaced({refs[i].gvk.kind, refs[i].name_space, refs[i].name}, live[i]->root(), report);
    }
  }
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
    object.orphans = options.deletion.propagation == "Orphan";
    object.deleted_of = stale.managers;
    object.now = options.report.now;
    if (report.asked == explain::Asked::kServer) object.unasked = "deletions are not tried";
  }
  AddPrunedFacts(plan, *connection.client, report);
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
  std::optional<ToValidate> unchecked;
  if (prepared.ok() && !input.asks) unchecked = ToValidate(*prepared);
  Explain(manifest, std::move(prepared), options, unmatched, report);
  explain::ObjectReport& object = report.objects.back();
  needs.AddTo(object);
  if (unchecked) FindInvalidValues(*unchecked, object);
  if (definition) AddHitObjects(*input.connection.client, *definition, object);
  if (planned) input.plan->Add(*planned, object.action);
  if (input.on_object) input.on_object(object);
}

// Plans the object again by what the server has now, as the input's CRD will not be there.
Result<apply::Prepared> PreparedAsServed(const apply::Manifest& manifest, apply::Target target,
                                         apply::PlanningOptions planning, const RefusedKinds& refused) {
  target.definitions = nullptr;
  planning.on_progress = {};
  std::optional<Result<apply::Prepared>> out;
  apply::Manifests alone;
  alone.items.emplace_back(manifest);
  SMP_TRY(apply::PrepareAll(alone, target, planning,
                            [&](const auto&, Result<apply::Prepared> prepared) { out = std::move(prepared); }));
  return out->ok() ? *std::move(out)
                   : Result<apply::Prepared>(refused.Explained(std::move(*out).error(), manifest.gvk));
}

std::set<std::pair<std::string, std::string>> ServicesIn(const apply::Manifests& manifests,
                                                         const std::string& name_space) {
  std::set<std::pair<std::string, std::string>> out;
  for (const Result<apply::Manifest>& manifest : manifests.items) {
    if (!manifest.ok() || manifest->gvk.kind != "Service") continue;
    out.emplace(manifest->name_space.empty() ? name_space : manifest->name_space, manifest->name);
  }
  return out;
}

// What the server would refuse because of other objects, and what --force could not recreate.
class RefusalsByOthers {
 public:
  RefusalsByOthers(const InputToExplain& input, const ExplainOptions& options)
      : input_(input),
        options_(options),
        namespaces_(*input.connection.client, input.definitions),
        definitions_(*input.connection.client),
        growth_(*input.connection.client, input.definitions),
        allocations_(*input.connection.client, ServicesIn(input.chosen.manifests, input.target.name_space)) {}

  void AddTo(apply::Prepared& prepared) {
    // Where the server could not be asked, reading still shows what is not there, or is being deleted.
    if (!input_.asks || (!prepared.unasked.empty() && !prepared.live)) {
      prepared.server_refusal = namespaces_.RefusalIn(prepared);
      if (!prepared.server_refusal) prepared.server_refusal = definitions_.RefusalIn(prepared);
      if (!prepared.server_refusal) prepared.server_refusal = growth_.RefusalIn(prepared);
      if (!prepared.server_refusal) prepared.server_refusal = allocations_.RefusalIn(prepared);
      if (prepared.server_refusal) prepared.unasked.clear();
    }
    if (options_.force && prepared.live && prepared.patch && !prepared.refusal) AddRecreationRefusal(prepared);
  }

  // Notes a manifest of the input that will not be sent, and what is being deleted.
  void Note(const Result<apply::Manifest>& manifest, const explain::ObjectReport& report) {
    if (!manifest.ok()) return;
    if (kube::IsNamespace(manifest->gvk) && (report.error || report.is_going)) namespaces_.NotBrought(manifest->name);
    kinds_.Note(*manifest, report);
    if (!kube::IsDefinition(manifest->gvk) || report.action != explain::Action::kRecreate) return;
    if (!recreated_) recreated_ = input_.definitions;
    for (const GroupVersionKind& kind : apply::KindsBroughtBy(*manifest)) recreated_->kinds.at(kind).stored = true;
  }

  // Plans the object again, if the input's CRD of its kind will not be there, or will be there anew.
  Result<apply::Prepared> Replanned(const Result<apply::Manifest>& manifest, Result<apply::Prepared> prepared,
                                    const apply::Target& target, const apply::PlanningOptions& planning) const {
    if (kinds_.Has(manifest)) prepared = PreparedAsServed(*manifest, target, planning, kinds_);
    return prepared.ok() && IsRecreated(prepared->ref.gvk) ? Recreated(*manifest, *prepared, target)
                                                           : std::move(prepared);
  }

 private:
  bool IsRecreated(const GroupVersionKind& gvk) const {
    if (!recreated_) return false;
    const auto kind = recreated_->kinds.find(gvk);
    return kind != recreated_->kinds.end() && kind->second.stored;
  }

  // Plans an object of a CRD that --force recreates, perhaps with another scope, as a new one: it is deleted with its CRD.
  Result<apply::Prepared> Recreated(const apply::Manifest& manifest, const apply::Prepared& before,
                                    apply::Target target) const {
    target.definitions = &*recreated_;
    SMP_ASSIGN(apply::Prepared out, apply::PrepareAsNew(manifest, target));
    if (before.live) out.notes.emplace_back("the object is deleted with its CRD, and created again");
    if (input_.asks) out.unasked = "a dry run does not delete its CRD";
    return out;
  }

  // As apply --force, which asks the server before it deletes anything.
  void AddRecreationRefusal(apply::Prepared& prepared) {
    const std::optional<apply::ForetoldRefusal> refusal = RefusalOf(prepared, options_);
    if (!refusal || !refusal->recreatable) return;
    prepared.recreation_refusal = namespaces_.RefusalOfNew(prepared);
    if (!input_.asks || prepared.recreation_refusal) return;
    apply::RecreateOptions dry_run = *options_.force;
    dry_run.write = apply::ToWriteOptions(options_.submit);
    dry_run.write.dry_run = true;
    auto anew = apply::Recreate(*input_.connection.client, {prepared.ref, *prepared.live, apply::NewObject(prepared)},
                                refusal->error, dry_run);
    if (!anew.ok()) prepared.recreation_refusal = std::move(anew).error();
  }

  const InputToExplain& input_;
  const ExplainOptions& options_;
  RefusedKinds kinds_;
  std::optional<apply::InputDefinitions> recreated_;  // `stored`: kinds whose CRDs --force recreates
  apply::NamespaceCheck namespaces_;
  apply::DefinitionCheck definitions_;
  apply::GrowthCheck growth_;
  apply::AllocationCheck allocations_;
};

// Reads the CRDs and Namespaces that come behind their objects, which are explained before them.
Status NoteLateDefinitions(const apply::Manifests& manifests, const apply::Target& target,
                           apply::PlanningOptions planning, const ExplainOptions& options, RefusalsByOthers& refusals) {
  const apply::Manifests late = LateDefinitions(manifests, target.name_space);
  if (late.items.empty()) return Ok();
  planning.on_progress = {};
  explain::Report report;
  Unmatched unmatched = {.ignored = UnmatchedIgnores(options.ignored)};
  return apply::PrepareAll(late, target, planning,
                           [&](const Result<apply::Manifest>& manifest, Result<apply::Prepared> prepared) {
                             Explain(manifest, std::move(prepared), options, unmatched, report);
                             refusals.Note(manifest, report.objects.back());
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
  MissingNeeds needs(*connection.client, manifests, connection.config.name_space);
  bool chosen_server_side = false;
  LeftSets left_sets(input.set != nullptr);
  RefusalsByOthers refusals(input, options);
  LiveProgress progress(io);
  const apply::PlanningOptions planning = {.parallel = input.parallel,
                                           .ask_server = input.asks,
                                           .field_validation = input.field_validation,
                                           .on_progress = [&](const auto& now) { progress.Show(now); }};
  SMP_TRY(NoteLateDefinitions(manifests, target, planning, options, refusals));
  SMP_TRY(apply::PrepareAll(manifests, target, planning,
                            [&](const Result<apply::Manifest>& manifest, Result<apply::Prepared> prepared) {
                              prepared = refusals.Replanned(manifest, std::move(prepared), target, planning);
                              if (prepared.ok()) {
                                applied.AddObject(prepared->ref, prepared->live ? prepared->live->root() : Value());
                                left_sets.AddObject(SetLeftBy(*prepared), prepared->ref);
                                refusals.AddTo(*prepared);
                              }
                              chosen_server_side |= prepared.ok() && prepared->mode.server_side;
                              Add(manifest, std::move(prepared), input, options, unmatched, needs, report);
                              refusals.Note(manifest, report.objects.back());
                              if (manifest.ok() && report.objects.back().error) needs.NotBrought(*manifest);
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
  FindRefusedPods(*connection.client, report);
  if (input.prune) {
    SMP_TRY(ExplainPrune(input, applied, options, report, io));
  } else {
    FindLeftWorkloads(*connection.client, manifests, report);
    if (input.chosen.left_out.empty()) FindLeftObjects(*connection.client, manifests, report);
  }
  // These know what --prune deletes.
  FindPortUsers(*connection.client, report);
  FindOtherDefaults(*connection.client, report);
  FindMissingNamed(*connection.client, report);
  explain::FindMissingKeys(report);
  explain::ForgetRegranted(report);
  explain::NoteWhoLosesRoles(report);
  explain::SayGroups(report);
  explain::SayNamespaceOnce(report);
  return report;
}

bool HasError(const explain::Report& report) {
  return std::any_of(report.objects.begin(), report.objects.end(),
                     [](const explain::ObjectReport& object) { return object.error.has_value(); });
}

}  // namespace smp::cmd
