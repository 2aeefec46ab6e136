#include "explain/report.h"

#include <algorithm>
#include <optional>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/changed_hosts.h"
#include "explain/mask_copies.h"
#include "explain/object_names.h"
#include "explain/rows.h"
#include "explain/scale_worries.h"
#include "explain/webhook_calls.h"
#include "smp/dropped.h"
#include "smp/foretell.h"
#include "smp/last_applied_change.h"
#include "value/at.h"
#include "value/json.h"
#include "value/redact.h"

namespace smp::explain {

namespace {

std::string_view FormatName(PatchFormat format) {
  switch (format) {
    case PatchFormat::kStrategic: return "strategic";
    case PatchFormat::kMerge: return "merge";
    case PatchFormat::kJson: return "json";
    case PatchFormat::kApply: return "apply";
  }
  return "strategic";
}

ObjectReport::PatchInfo DescribePatch(const VerifiedPatch& patch, const Document& modified,
                                      const ReportOptions& options) {
  ObjectReport::PatchInfo info;
  info.type = FormatName(patch.format);
  info.encoding = EncodingName(patch.encoding);
  info.guarded = patch.guarded;
  info.why = patch.why;
  info.redacted = options.secrets == Secrets::kMask && IsSecret(modified.root());
  info.body = info.redacted ? RedactedPatch(patch.body, modified.root()) : patch.body;
  if (!info.redacted) info.bytes = WriteJson(patch.body.root()).size();
  return info;
}

Action ActionOf(const Plan& plan) {
  if (!plan.changed()) return Action::kUnchanged;
  return ChangesOnlyLastApplied(plan) ? Action::kRecord : Action::kChange;
}

// Returns true for what keeps a number of Pods, and has a template only for the next ones.
bool OnlyCounts(const ObjectReport& report) {
  return (report.api_version == "v1" && report.kind == "ReplicationController") ||
         (report.api_version.starts_with("apps/") && report.kind == "ReplicaSet");
}

// Returns true if Pods start as soon as the object is created.
bool StartsPods(const ObjectReport& report, const Value& object) {
  const bool apps = report.api_version.starts_with("apps/"), batch = report.api_version.starts_with("batch/");
  if (report.kind == "Pod") return report.api_version == "v1";
  if (batch && report.kind == "Job") return !IsTrueAt(object, {"spec", "suspend"});
  if (apps && report.kind == "DaemonSet") return true;
  const bool scales = OnlyCounts(report) || (apps && (report.kind == "Deployment" || report.kind == "StatefulSet"));
  return scales && IntAt(object, {"spec", "replicas"}, 1) > 0 && !IsTrueAt(object, {"spec", "paused"});
}

bool Rolls(const ObjectReport& report) {
  const bool rolls = report.kind == "Deployment" || report.kind == "DaemonSet" || report.kind == "StatefulSet";
  return rolls && report.api_version.starts_with("apps/") && report.action == Action::kChange;
}

// Returns why a change of the template replaces no Pods; "" if it does.
std::string WhyPodsStay(const ObjectReport& report, const Value& outcome) {
  if (OnlyCounts(report)) return StrCat("a ", report.kind, " replaces none");
  if (IsTrueAt(outcome, {"spec", "paused"})) return "paused";
  if (TextAt(outcome, {"spec", "updateStrategy", "type"}) == "OnDelete") return "updateStrategy OnDelete";
  const int64_t partition = IntAt(outcome, {"spec", "updateStrategy", "rollingUpdate", "partition"});
  const bool none = partition > 0 && partition >= IntAt(outcome, {"spec", "replicas"}, 1);
  return none ? StrCat("partition ", partition) : "";
}

bool ChangesTemplate(const ReportRow& row) {
  return row.op != RowOp::kKeep && row.path.size() > 1 && row.path[0].name == "spec" && row.path[1].name == "template";
}

bool ReplacesPods(const ObjectReport& report, const Value& outcome) {
  if (!Rolls(report) || !WhyPodsStay(report, outcome).empty()) return false;
  if (report.kind != "DaemonSet" && IntAt(outcome, {"spec", "replicas"}, 1) == 0) return false;
  return std::any_of(report.rows.begin(), report.rows.end(), [](const ReportRow& row) {
    if (row.op == RowOp::kKeep || row.path.size() < 2 || row.path[0].name != "spec") return false;
    const bool had_none = row.live != nullptr && row.live->is_int() && row.live->AsInt() == 0;
    return ChangesTemplate(row) || (row.path[1].name == "replicas" && had_none);
  });
}

// Returns true for a Job that was suspended.
bool Resumes(const ObjectReport& report, const Value& live, const Value& outcome) {
  const bool was_suspended = report.kind == "Job" && IsTrueAt(live, {"spec", "suspend"});
  return was_suspended && report.action == Action::kChange && StartsPods(report, outcome);
}

bool DeletesClaims(const Value& live, const Value& outcome) {
  const auto replicas = [](const Value& object) { return IntAt(object, {"spec", "replicas"}, 1); };
  const bool has_claims = !ItemsAt(outcome, {"spec", "volumeClaimTemplates"}).empty();
  const std::string_view when = TextAt(outcome, {"spec", "persistentVolumeClaimRetentionPolicy", "whenScaled"});
  return has_claims && when == "Delete" && replicas(outcome) < replicas(live);
}

bool StaysAtZero(const ObjectReport& report, const Value& manifest, const Value& live, const Value& outcome) {
  const bool scales = report.api_version == "apps/v1" && report.kind != "DaemonSet";
  const auto is_zero = [](const Value& object) { return IntAt(object, {"spec", "replicas"}, 1) == 0; };
  return scales && is_zero(live) && is_zero(outcome) && manifest.FindPath({"spec", "replicas"}) == nullptr;
}

// Returns the keys of a ConfigMap or Secret whose values change; "": all.
std::set<std::string> ChangedKeys(const ObjectReport& report) {
  std::set<std::string> out;
  if (report.api_version != "v1" || (report.kind != "ConfigMap" && report.kind != "Secret")) return out;
  for (const ReportRow& row : report.rows) {
    const std::string_view place = row.path.empty() ? "" : std::string_view(row.path[0].name);
    const bool is_data = place == "data" || place == "stringData" || place == "binaryData";
    if (is_data && row.op != RowOp::kKeep) out.insert(row.path.size() > 1 ? row.path[1].name : "");
  }
  return out;
}

}  // namespace

bool HasChange(const ObjectReport& report) {
  return std::any_of(report.rows.begin(), report.rows.end(),
                     [](const ReportRow& row) { return row.op != RowOp::kKeep; });
}

std::string_view RowOpName(RowOp op) {
  switch (op) {
    case RowOp::kSet: return "set";
    case RowOp::kDelete: return "delete";
    case RowOp::kMove: return "move";
    case RowOp::kKeep: return "keep";
  }
  return "set";
}

std::string_view ActionName(Action action) {
  switch (action) {
    case Action::kCreate: return "create";
    case Action::kChange: return "change";
    case Action::kRecord: return "record";
    case Action::kUnchanged: return "unchanged";
    case Action::kPrune: return "prune";
    case Action::kRecreate: return "recreate";
    case Action::kError: return "error";
  }
  return "error";
}

std::string_view NameInComparison(Action action) {
  switch (action) {
    case Action::kCreate: return "only-here";
    case Action::kPrune: return "only-there";
    case Action::kUnchanged: return "equal";
    case Action::kError: return "error";
    default: return "different";
  }
}

ObjectReport DescribeObject(const Document& manifest) {
  ObjectReport report;
  const Value& root = manifest.root();
  report.api_version = root.StringOr("apiVersion");
  report.kind = KindInWords(report.api_version, root.StringOr("kind"));
  report.name_space = TextAt(root, {"metadata", "namespace"});
  report.name = TextAt(root, {"metadata", "name"});
  report.source = manifest.SourceOf(&root);
  return report;
}

namespace {

std::string Dropped(const std::vector<FieldPath>& paths) {
  NamesOnce names;
  for (const FieldPath& path : paths) names.Add(ToString(path));
  return StrCat("the server has dropped ", names.Some(kMostNamed),
                ", which managedFields still list, and may drop it again (--ask-server tells)");
}

// Adds the Services and Secrets that an object names, and did not name before. REQUIRES: report.reach.
void AddNames(const Value& before, const Value& after, ObjectReport& report) {
  const std::vector<NamedObject> of_pods = ServicesOfNewPods(before, after, report.names);
  report.names.insert(report.names.end(), of_pods.begin(), of_pods.end());
  const ReachFacts& reach = report.reach;
  for (const std::string& service : reach.backends) {
    if (reach.backends_before.contains(service)) continue;
    report.names.push_back({"Service", report.name_space, service, StrCat("backend ", service)});
  }
  for (const std::string& secret : reach.new_certificates) {
    report.names.push_back({"Secret", report.name_space, secret, secret});
  }
  if (!reach.new_class.empty()) report.names.push_back({"IngressClass", "", reach.new_class, reach.new_class});
}

// Adds what only matters together with other objects.
void AddFactsForOthers(const Value& before, const Value& after, ObjectReport& report) {
  report.keys_needed_now = KeysNeededBy(before);
  report.keys_needed = KeysNeededBy(after);
  report.keys_before = KeysOf(before);
  report.keys_after = KeysOf(after);
  report.scale = ScaleFactsOf(before, after);
  report.policy = PolicyOf(after);
  if (report.kind == "Namespace") report.enforced = PodSecurityOf(after);
  report.is_default = IsDefaultClass(after);
  report.becomes_default = report.is_default && !IsDefaultClass(before);
}

}  // namespace

ObjectReport ReportChange(const Document& modified, const Document& live, const VerifiedPatch& patch,
                          const KindOfObject& kind, const ReportOptions& options, const ChangeContext& context) {
  Arena arena;
  const Value* answer = context.answer ? &context.answer->root() : nullptr;
  Plan plan = patch.empty() && answer == nullptr ? patch.plan
                                                 : Foretell(patch, live.root(), answer, *kind.schema, kind.type, arena);
  std::optional<FieldOwners> read;
  if (context.owners == nullptr) read.emplace(live.root(), options.field_manager);
  const LiveFacts facts = {.owners = read ? *read : *context.owners,
                           .schema = kind.schema,
                           .last_applied = patch.plan.root.original != nullptr && !context.adopted,
                           .answered = context.answer.has_value(),
                           .sent_as = context.sent_as};
  const std::vector<FieldPath> dropped =
      answer == nullptr ? CallDroppedAdded(plan, facts.owners) : std::vector<FieldPath>();
  ObjectReport report;
  // Of a change that only concerns what has no rows, such as the status, at most the last-applied annotation is left.
  for (Action action : {ActionOf(plan), Action::kRecord, Action::kUnchanged}) {
    report = DescribeObject(modified);
    report.action = action;
    report.now = options.now;
    AddRows(plan, context.kept, modified, facts, options, report);
    if (!report.differs() || HasChange(report)) break;
  }
  if (!dropped.empty()) report.warnings.push_back(Dropped(dropped));
  report.changes_spec = std::ranges::any_of(report.rows, [](const ReportRow& row) {
    return row.op != RowOp::kKeep && !row.path.empty() && row.path.front().name == "spec";
  });
  report.lacks_record = context.sent_as != SentAs::kClientSide || context.goes_back || !facts.last_applied;
  report.appliers = Appliers(facts.owners);
  report.is_taken_over =
      report.action == Action::kChange && !facts.last_applied && report.appliers.empty() && facts.owners.recorded();
  const Value& outcome = answer != nullptr ? *answer : patch.outcome.root();
  report.new_pods = ReplacesPods(report, outcome) || Resumes(report, live.root(), outcome);
  const bool has_template = Rolls(report) || (OnlyCounts(report) && report.action == Action::kChange);
  if (has_template && std::ranges::any_of(report.rows, ChangesTemplate)) {
    report.pods_stay = WhyPodsStay(report, outcome);
  }
  report.account = AccountOf(outcome);
  report.needs_now = NeedsOf(live.root());
  AddFactsForOthers(live.root(), outcome, report);
  report.scale.deletes_claims = report.action == Action::kChange && DeletesClaims(live.root(), outcome);
  report.scale.stays_at_zero = StaysAtZero(report, modified.root(), live.root(), outcome);
  if (!report.new_pods && report.kind != "Job" && StartsPods(report, outcome)) {
    report.reads_at_start = SettingsReadAtStart(live.root());  // by the Pods that run
  }
  report.changed_keys = ChangedKeys(report);
  if (report.starts_pods()) {
    report.pods = PodFactsOf(live.root(), outcome);
  } else {
    report.pods.needs = NeedsOf(outcome);
    if (!report.pods_stay.empty()) report.pods.moving_images = PodFactsOf(live.root(), outcome).moving_images;
  }
  if (report.differs()) report.access = AccessFactsOf(live.root(), outcome);
  if (report.differs()) report.unread = UnreadSettings(live.root(), outcome);
  report.role = RoleFactsOf(live.root(), outcome);
  report.reach = ReachFactsOf(live.root(), outcome);
  report.ports_before = PortFactsOf(live.root());
  report.ports_after = PortFactsOf(outcome);
  if (!patch.body.root().empty()) report.patch = DescribePatch(patch, modified, options);
  std::vector<const Value*> states = {&modified.root(), &live.root()};
  if (answer != nullptr) states.push_back(answer);
  MaskCopies(report, states, options);
  report.names = NamedServices(report);  // without what is masked
  if (report.differs()) AddNames(live.root(), outcome, report);
  report.keep_alive.insert(report.keep_alive.end(), {modified, live, patch.outcome, patch.body});
  if (context.answer) report.keep_alive.push_back(*context.answer);
  report.keep_alive.push_back(Document(std::move(arena), Value()));
  return report;
}

namespace {

// Adds what follows from an object that will be created. `before`: the one that is deleted for it; null: there is none.
void AddFactsOfNew(const Value& before, const Value& created, ObjectReport& report) {
  report.new_pods = StartsPods(report, created);
  if (IsTrueAt(created, {"spec", "paused"})) report.pods_stay = WhyPodsStay(report, created);
  report.account = AccountOf(created);
  report.pods = PodFactsOf(before, created);
  report.access = AccessFactsOf(before, created);
  report.calls = CalledServices(created);
  report.role = RoleFactsOf(before, created);
  report.reach = ReachFactsOf(before, created);
  report.ports_before = PortFactsOf(before);
  report.ports_after = PortFactsOf(created);
  AddNames(before, created, report);
  AddFactsForOthers(before, created, report);
}

}  // namespace

ObjectReport ReportRecreation(const Document& modified, const Document& live, const VerifiedPatch& patch,
                              const KindOfObject& kind, const ReportOptions& options) {
  ObjectReport report = DescribeObject(modified);
  report.action = Action::kRecreate;
  report.now = options.now;
  Arena arena;
  const FieldOwners owners(live.root(), options.field_manager);
  const LiveFacts facts = {
      .owners = owners, .schema = kind.schema, .last_applied = patch.plan.root.original != nullptr, .recreated = true};
  report.appliers = Appliers(facts.owners);
  const Plan plan = ForetellRecreation(patch.plan, modified.root(), live.root(), *kind.schema, kind.type, arena);
  AddRows(plan, {}, modified, facts, options, report);
  AddFactsOfNew(live.root(), modified.root(), report);
  report.needs_now = NeedsOf(live.root());
  report.unread = UnreadSettings(live.root(), modified.root());
  MaskCopies(report, {&modified.root(), &live.root()}, options);
  report.keep_alive.insert(report.keep_alive.end(), {modified, live, Document(std::move(arena), Value())});
  return report;
}

ObjectReport ReportCreation(const Document& modified, const KindOfObject& kind, const ReportOptions& options,
                            const std::optional<Document>& answer) {
  ObjectReport report = DescribeObject(modified);
  report.action = Action::kCreate;
  Arena arena;
  const Value* answered = answer ? &answer->root() : nullptr;
  const FieldOwners nobody{Value()};
  const LiveFacts absent = {.owners = nobody, .schema = nullptr, .answered = answer.has_value()};
  const Plan plan = ForetellCreation(modified.root(), answered, *kind.schema, kind.type, arena);
  AddRows(plan, {}, modified, absent, options, report);
  AddFactsOfNew(Value(), modified.root(), report);
  MaskCopies(report, {&modified.root(), answered != nullptr ? answered : &modified.root()}, options);
  report.keep_alive.push_back(modified);
  if (answer) report.keep_alive.push_back(*answer);
  report.keep_alive.push_back(Document(std::move(arena), Value()));
  return report;
}

ObjectReport ReportPruned(const GroupVersionKind& gvk, const std::string& name_space, const std::string& name) {
  ObjectReport report;
  report.api_version = gvk.ApiVersion();
  report.kind = KindInWords(report.api_version, gvk.kind);
  report.name_space = name_space;
  report.name = name;
  report.action = Action::kPrune;
  return report;
}

void AddFactsOfPruned(const Value& live, ObjectReport& report) {
  const ReachFacts reach = ReachFactsOf(live, live);
  report.reach.hosts_before = reach.hosts_before;
  const RoleFacts role = RoleFactsOf(Value(), live);
  report.role = {.lost = role.allowed, .role = role.role, .subjects_before = role.subjects};
  report.access.lost_by = role.subjects;
  report.policy = PolicyOf(live);
  if (report.loses.empty() && !report.orphans) report.loses = HeldByClaims(live);
}

std::string_view HeldByClaims(const Value& live) {
  const bool has_claims = !ItemsAt(live, {"spec", "volumeClaimTemplates"}).empty();
  const std::string_view when_deleted = TextAt(live, {"spec", "persistentVolumeClaimRetentionPolicy", "whenDeleted"});
  return has_claims && when_deleted == "Delete" ? "its PersistentVolumeClaims" : "";
}

ObjectReport ReportError(const Document& manifest, Error error) {
  ObjectReport report = DescribeObject(manifest);
  report.action = Action::kError;
  if (report.source.file.empty()) report.source = error.source;
  report.error = std::move(error);
  return report;
}

// An assignment of {} would keep the memory of a vector.
void ForgetRows(ObjectReport& report) {
  report.rows = std::vector<ReportRow>();
  if (report.patch) report.patch->body = Document();
  report.states.reset();
  report.requests = std::vector<Request>();
  report.keep_alive = std::vector<Document>();
  report.schema.reset();
}

}  // namespace smp::explain
