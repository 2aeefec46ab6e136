#include "cmd/explained_object.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apply/harm.h"
#include "apply/older_file.h"
#include "apply/plan_server_side.h"
#include "base/strings.h"
#include "explain/comparison.h"
#include "explain/message.h"
#include "explain/requests.h"
#include "explain/states.h"
#include "kube/brief_message.h"
#include "schema/facts/immutable.h"
#include "smp/foretell.h"
#include "smp/managed_fields.h"
#include "value/at.h"
#include "value/redact.h"

namespace smp::cmd {

namespace {

// Omits the source (file and line), because the message already names the lines of all duplicates.
std::string TextOfDuplicates(const Error& duplicates) { return StrCat(duplicates.path, " ", duplicates.message); }

// Returns the server's refusal, or else one that reading shows.
std::optional<apply::ForetoldRefusal> ServersRefusalOf(const apply::Prepared& prepared, const ExplainOptions& options) {
  if (const auto& refusal = prepared.server_refusal) {
    // The server validates a change before admission may refuse it.
    auto foretold =
        refusal->message.starts_with(kForetold) && prepared.live ? apply::ForetellRefusal(prepared) : std::nullopt;
    if (foretold && foretold->recreatable) return foretold;
    return apply::ForetoldRefusal{*refusal, IsImmutableChange(*refusal, prepared.schema->release())};
  }
  if (prepared.answer) return std::nullopt;
  if (auto conflict = apply::ConflictOf(prepared, options.report.now)) {
    return apply::ForetoldRefusal{*std::move(conflict)};
  }
  const bool server_side = options.planning.server_side.has_value();
  if (auto refusal = apply::ServerSideRefusalOf(prepared, server_side)) {
    return apply::ForetoldRefusal{*std::move(refusal)};
  }
  return apply::ForetellRefusal(prepared);
}

explain::ObjectReport ExplainRecreation(const apply::Prepared& prepared, const Error& refusal,
                                        const ExplainOptions& options) {
  const explain::KindOfObject kind = {prepared.schema.get(), prepared.resource.type};
  explain::ObjectReport report = explain::ReportRecreation(prepared.anew.value_or(prepared.desired), *prepared.live,
                                                           *prepared.patch, kind, options.report);
  report.loses = apply::HeldBy(prepared.ref.gvk);
  report.orphans = options.force->deletion.propagation == "Orphan";
  if (report.loses.empty() && !report.orphans) report.loses = explain::HeldByClaims(prepared.live->root());
  const std::string brief = kube::BriefMessage(refusal.message);
  report.warnings.push_back(StrCat("the server would refuse to change ",
                                   refusal.path.empty() ? "the object" : refusal.path, " (", explain::FirstCause(brief),
                                   ")"));
  std::string loss = apply::LossByRecreation(prepared.ref, prepared.live->root(), options.force->deletion);
  if (!loss.empty()) report.warnings.push_back(std::move(loss));
  const Value& live = prepared.live->root();
  if (const std::string held = apply::WhatHolds(live); !held.empty() && !apply::IsBeingDeleted(live)) {
    report.warnings.push_back(StrCat("apply may wait for the old object to go, and then fail: ", held));
  }
  return report;
}

explain::SentAs SentAsOf(const apply::Prepared& prepared) {
  if (!prepared.server_side) return explain::SentAs::kClientSide;
  return prepared.server_side->planning.force_conflicts ? explain::SentAs::kForced : explain::SentAs::kServerSide;
}

// Returns true for a manifest that is only a name: the server keeps no manager of nothing, so that nobody can tell who has applied it.
bool IsOnlyAName(const Value& manifest) {
  constexpr std::string_view kTypeAndName[] = {"apiVersion", "kind", "name", "namespace"};
  const auto names_it = [&](const Member& member) {
    return std::ranges::find(kTypeAndName, member.name) != std::end(kTypeAndName);
  };
  return std::ranges::all_of(manifest.Members(), [&](const Member& member) {
    const bool is_metadata = member.name == "metadata" && member.value.is_object();
    return is_metadata ? std::ranges::all_of(member.value.Members(), names_it) : names_it(member);
  });
}

bool BecomesServerSide(const apply::Prepared& prepared) {
  if (!prepared.server_side || prepared.mode.server_side || !prepared.live) return false;
  if (IsOnlyAName(prepared.desired.root())) return false;
  return std::ranges::none_of(ManagedFields(prepared.live->root()), [&](const Value& entry) {
    return IsEntryOf(entry, prepared.server_side->planning.manager, "Apply");
  });
}

explain::ObjectReport ExplainPlan(const apply::Prepared& prepared, const FieldOwners& owners,
                                  const explain::ReportOptions& options) {
  const explain::KindOfObject kind = {prepared.schema.get(), prepared.resource.type};
  return prepared.live ? explain::ReportChange(prepared.desired, *prepared.live, *prepared.patch, kind, options,
                                               {.kept = prepared.kept,
                                                .answer = prepared.answer,
                                                .adopted = prepared.adopted,
                                                .sent_as = SentAsOf(prepared),
                                                .owners = &owners,
                                                .goes_back = prepared.mode.goes_back})
                       : explain::ReportCreation(prepared.desired, kind, options, prepared.answer);
}

explain::ObjectStates StatesOf(const apply::Prepared& prepared, explain::Action action,
                               const explain::StateOptions& options) {
  const explain::KindOfObject kind = {prepared.schema.get(), prepared.resource.type};
  if (!prepared.live) return explain::StatesOfCreation(prepared.desired, kind, prepared.answer, options);
  if (action == explain::Action::kRecreate) {
    return explain::StatesOfRecreation(prepared.anew.value_or(prepared.desired), *prepared.live, kind, options);
  }
  return explain::StatesOfChange(*prepared.live, *prepared.patch, kind, prepared.answer, options);
}

void Move(std::vector<std::string> from, std::vector<std::string>& to) {
  for (std::string& text : from) {
    if (!text.empty()) to.push_back(std::move(text));
  }
}

std::string DeletionWarning(const apply::Prepared& prepared) {
  if (!prepared.live || !apply::IsBeingDeleted(prepared.live->root())) return {};
  const std::string held = apply::WhatHolds(prepared.live->root());
  return StrCat("the object is being deleted; applied changes will be lost",
                held.empty() ? "" : StrCat(" (", held, ")"));
}

std::string UnrecordedWarning(const apply::Prepared& prepared, const explain::ObjectReport& report) {
  if (!prepared.lacks_last_applied()) return {};
  return StrCat(
      report.appliers.empty() ? "the live object has" : "the live object was applied server-side and has",
      " no last-applied annotation",
      prepared.adopted ? "; what is adopted and the manifest lacks goes" : ", so removed fields cannot be detected");
}

// A row about last-applied says why of an object that is there.
std::string CreationModeWarning(const apply::Prepared& prepared) {
  const std::string why = prepared.live ? "" : apply::WhyServerSide(prepared.mode);
  return why.empty() ? "" : StrCat("applied server-side: ", why);
}

void AddWarnings(const apply::Prepared& prepared, const FieldOwners& owners,
                 std::optional<std::chrono::sys_seconds> now, explain::ObjectReport& report) {
  std::vector<std::string>& out = report.warnings;
  report.applied_since = apply::AppliedSinceFile(prepared, report.appliers);
  Move({DeletionWarning(prepared), UnrecordedWarning(prepared, report), apply::OlderFileWarning(report.applied_since)},
       out);
  Move(prepared.notes, out);
  report.lost_fields = prepared.lost;
  Move({CreationModeWarning(prepared)}, out);
  Move(apply::HarmWarnings(prepared, now, &owners), out);
  Move(apply::MetadataWarnings(prepared), out);
  for (const Error& duplicates : prepared.duplicates) out.push_back(TextOfDuplicates(duplicates));
  for (const Error& deviation : prepared.deviations) out.push_back(ToString(deviation));
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

void AddStates(const apply::Prepared& prepared, const ExplainOptions& options, explain::ObjectReport& report) {
  if (!options.states || !report.differs()) return;
  report.states = StatesOf(prepared, report.action, {options.report.secrets, options.managed_fields});
}

explain::ObjectReport ReportNotCreated(const Document& manifest, Error refusal) {
  explain::ObjectReport report = explain::ReportError(manifest, std::move(refusal));
  report.is_absent = true;
  const bool lacks_namespace = report.error->path == "metadata.namespace";
  if (lacks_namespace && report.error->message.ends_with("not found")) {
    report.way_out = "create the namespace first, or add it to the input";
  }
  return report;
}

void TakeOutIgnored(const apply::Prepared& prepared, const ExplainOptions& options, explain::ObjectReport& report) {
  if (!prepared.live) return;
  explain::TakeOutIgnored(options.ignored, {prepared.live->root(), prepared.desired.root()}, report);
}

std::string WayOutByForce(const apply::Prepared& prepared) {
  const std::string_view kind = prepared.ref.gvk.kind;
  if (kind == "Job") return "apply --force deletes Jobs that are refused like this and runs them again";
  const Value& live = prepared.live->root();
  const bool has_claims = kind == "StatefulSet" && !ItemsAt(live, {"spec", "volumeClaimTemplates"}).empty();
  const bool keeps = has_claims && explain::HeldByClaims(live).empty();
  return keeps
             ? "apply --force deletes StatefulSets that are refused like this and creates them again; their claims stay"
             : "apply --force deletes objects that are refused like this and creates them again";
}

}  // namespace

std::optional<apply::ForetoldRefusal> RefusalOf(const apply::Prepared& prepared, const ExplainOptions& options) {
  std::optional<apply::ForetoldRefusal> refusal = ServersRefusalOf(prepared, options);
  if (!refusal || !refusal->recreatable) return refusal;
  if (options.force && prepared.recreation_refusal) return apply::ForetoldRefusal{*prepared.recreation_refusal};
  const apply::RecreateOptions force = options.force.value_or(apply::RecreateOptions());
  Status may = apply::CheckMayRecreate(prepared.ref, force.dangerous, refusal->error);
  if (may.ok()) return refusal;
  return apply::ForetoldRefusal{options.force ? std::move(may).error() : std::move(refusal->error)};
}

explain::ReportContext ToContext(const auth::ConnectionConfig& config) {
  return {config.context, config.cluster, config.server, config.user, config.name_space};
}

explain::Request ToRequest(apply::PlannedWrite write, const Value& object, explain::Secrets secrets) {
  const bool masked = secrets == explain::Secrets::kMask && IsSecret(object) && write.method != "DELETE";
  Document body = masked ? explain::MaskedBody(write.body, object, secrets) : write.body;
  return {std::move(write.method), std::move(write.path), std::move(write.content_type), std::move(body), masked};
}

explain::ObjectReport CompareObject(const apply::Prepared& prepared, const ExplainOptions& options) {
  const FieldOwners owners(prepared.live ? prepared.live->root() : Value(), options.report.field_manager);
  explain::ObjectReport report = ExplainPlan(prepared, owners, options.report);
  report.schema = prepared.schema;
  explain::ToComparison(report);
  AddStates(prepared, options, report);
  if (prepared.original) report.keep_alive.push_back(*prepared.original);
  TakeOutIgnored(prepared, options, report);
  return report;
}

explain::ObjectReport ExplainObject(apply::Prepared prepared, const ExplainOptions& options) {
  if (prepared.refusal) return explain::ReportError(prepared.manifest, *std::move(prepared.refusal));
  std::optional<apply::ForetoldRefusal> refusal = RefusalOf(prepared, options);
  if (refusal && !prepared.live) return ReportNotCreated(prepared.manifest, std::move(refusal->error));
  const bool recreates = refusal && refusal->recreatable && options.force;
  const FieldOwners owners(prepared.live ? prepared.live->root() : Value(), options.report.field_manager);
  explain::ObjectReport report =
      recreates ? ExplainRecreation(prepared, refusal->error, options) : ExplainPlan(prepared, owners, options.report);
  report.schema = prepared.schema;
  report.becomes_server_side = BecomesServerSide(prepared);
  report.is_going = prepared.live && apply::IsBeingDeleted(prepared.live->root());
  if (options.requests) {
    auto requests = RequestsOf(prepared, report, options);
    if (!requests.ok()) return explain::ReportError(prepared.manifest, std::move(requests).error());
    report.requests = *std::move(requests);
  }
  AddStates(prepared, options, report);
  report.unasked = std::move(prepared.unasked);
  if (recreates && prepared.server_refusal) {
    report.unasked = "the server would take the new object, but a dry run does not delete the old one to show it";
  }
  if (refusal && !recreates) {
    report.action = explain::Action::kError;
    report.error = std::move(refusal->error);
    report.also_refused = std::move(refusal->other_paths);
    if (refusal->recreatable) report.way_out = WayOutByForce(prepared);
  }
  for (const std::optional<Document>* part : {&prepared.original, &prepared.owned, &prepared.migrated}) {
    if (*part) report.keep_alive.push_back(**part);
  }
  // Most objects are unchanged, and the report has them all. A patch points into the documents, too.
  const bool has_patch = report.patch && !report.patch->body.root().empty();
  if (report.rows.empty() && !has_patch && !report.states && report.requests.empty()) report.keep_alive.clear();
  AddWarnings(prepared, owners, options.report.now, report);
  TakeOutIgnored(prepared, options, report);
  return report;
}

}  // namespace smp::cmd
