#include "apply/ask_server.h"

#include <string_view>
#include <utility>

#include "apply/chosen_server_side.h"
#include "apply/plan_server_side.h"
#include "apply/reviewed_apply.h"
#include "apply/submit.h"
#include "base/strings.h"
#include "kube/brief_message.h"
#include "value/at.h"

namespace smp::apply {

namespace {

constexpr int kTooManyRequests = 429;
constexpr int kInternalError = 500;

bool Says(const Error& error, std::string_view words) { return error.message.find(words) != std::string::npos; }

// Admission, too, answers 403, but in other words. Source: apiserver, responsewriters.Forbidden.
bool LacksPermission(const Error& error) {
  return error.code == ErrorCode::kForbidden &&
         (error.reason == "Unauthorized" || Says(error, "cannot patch resource") ||
          Says(error, "cannot create resource"));
}

// Returns true if the error says nothing of whether the server would take the object. A webhook that cannot be called
// is an answer: apply would get it, too.
bool IsNoAnswer(const Error& error) {
  if (error.code == ErrorCode::kTransport || LacksPermission(error) || CannotDryRun(error)) return true;
  if (error.http_status == kInternalError) return !Says(error, "webhook");
  return error.http_status == kTooManyRequests || error.http_status > kInternalError;
}

// A dry run answers a POST without resourceVersion, and a PATCH with that of the object. The latter was guarded, so no
// other client can have changed it.
bool ShowsWrite(const Prepared& prepared, const Submitted& answer) {
  switch (answer.done) {
    case Done::kCreated: return !VersionOf(answer.object.root()).empty();
    case Done::kServerSide:
      if (!prepared.live) return !VersionOf(answer.object.root()).empty();
      [[fallthrough]];
    case Done::kUnchanged:
    case Done::kConfigured: return VersionOf(answer.object.root()) != VersionOf(prepared.live->root());
    default: return false;
  }
}

Error Located(const Prepared& prepared, Error error) {
  if (error.source.file.empty()) error.source = prepared.manifest.SourceOf(&prepared.manifest.root());
  return error;
}

// Returns the CRD of the input that defines the object's kind; nullptr: none.
const Manifest* DefinitionOf(const Prepared& prepared, const Target& target) {
  const InputDefinitions::Kind* kind = KindIn(target.definitions, prepared.ref.gvk);
  return kind == nullptr ? nullptr : kind->definition;
}

// As apply --server-side sends it, but guarded. Then, of a migration, what the request after it leaves.
Result<Submitted> AskServerSide(Prepared& prepared, const Target& target, const std::string& field_validation) {
  ++prepared.tries;
  SMP_ASSIGN(Document answer, RehearseServerSide(prepared, target, field_validation));
  if (!prepared.server_side || !prepared.server_side->migrates) return Submitted{Done::kServerSide, std::move(answer)};
  kube::WriteOptions write = {.field_manager = target.planning.server_side->manager,
                              .field_validation = field_validation};
  Result<Document> in_the_end = RehearseOutcome(prepared, *target.client, std::move(write));
  if (in_the_end.ok()) return Submitted{Done::kServerSide, *std::move(in_the_end)};
  if (IsNoAnswer(in_the_end.error())) return std::move(in_the_end).error();
  SMP_TRY(PlanFirstRequest(prepared, in_the_end.error()));
  return Submitted{Done::kServerSide, std::move(answer)};
}

// Returns why a dry run cannot tell what apply would do; "" if it can.
std::string WhyUnaskable(const Prepared& prepared, const Target& target) {
  if (!prepared.unserved && !prepared.resource.dry_run) return "its API does not say that it offers dry runs";
  if (!target.planning.server_side) return {};
  return prepared.unserved ? "its CRD is in the same input, and a dry run does not create it" : "";
}

// A server-side apply is sent where reading shows no change, too, and the server may know better.
bool WouldSend(const Prepared& prepared, const Target& target) {
  if (!ShowsNoChange(prepared)) return !prepared.live || prepared.patch;
  return target.planning.server_side || (prepared.mode.server_side && !IsRecordedAlready(prepared));
}

// Returns true if reading shows no change, and the answer neither.
bool Confirms(const Document& answer, const Prepared& prepared) {
  return ShowsNoChange(prepared) && !HasEffect(*prepared.live, answer);
}

}  // namespace

bool CannotDryRun(const Error& error) {
  constexpr int kBadRequest = 400;
  return error.http_status == kBadRequest && Says(error, "does not support dry run");
}

void ServerQuestions::Ask(Prepared& prepared) {
  if (wrote_ || !WouldSend(prepared, target_) || prepared.refusal) return;
  if (ConflictOf(prepared, std::nullopt)) return;  // foretold
  prepared.unasked = WhyUnaskable(prepared, target_);
  if (!prepared.unasked.empty()) return;
  const SubmitOptions dry_run = {
      .dry_run = DryRun::kServer, .guarded = true, .field_validation = field_validation_, .clock = &clock_};
  Result<Submitted> answer = target_.planning.server_side ? AskServerSide(prepared, target_, field_validation_)
                                                          : Submit(prepared, target_, dry_run);
  if (answer.ok() && answer->set_aside && !IsByFormerDefinition(prepared)) answer = *std::move(answer->set_aside);
  if (!answer.ok() && !prepared.live && LacksNamespaceOfInput(prepared.ref, answer.error(), target_)) {
    prepared.unasked = kNamespaceNotThere;
  } else if (!answer.ok()) {
    prepared.unasked =
        IsNoAnswer(answer.error()) ? answer.error().message : WhyRefusalMayNotHold(prepared, answer.error());
    if (prepared.unasked.empty()) {
      prepared.server_refusal = Located(prepared, std::move(answer).error());
    }
  } else if (!answer->unasked.empty()) {
    prepared.unasked = std::move(answer->unasked);
  } else if (ShowsWrite(prepared, *answer)) {
    wrote_ = true;
  } else if (prepared.tries > 0 && !Confirms(answer->object, prepared)) {
    prepared.unasked = inputs_.WhyNotYet(prepared);
    if (prepared.unasked.empty() && IsByFormerDefinition(prepared)) prepared.unasked = kDefinitionNotThere;
    if (prepared.unasked.empty()) prepared.answer = std::move(answer->object);
  }
}

bool ServerQuestions::IsByFormerDefinition(const Prepared& prepared) {
  const Manifest* definition = DefinitionOf(prepared, target_);
  return definition != nullptr && inputs_.WillBeJudgedOtherwise(prepared, *definition);
}

std::string ServerQuestions::WhyRefusalMayNotHold(const Prepared& prepared, const Error& refusal) {
  const bool holds = IsDenied(refusal) || !IsByFormerDefinition(prepared);
  const std::string why = holds ? inputs_.WhyNotYet(prepared, refusal) : std::string(kDefinitionNotThere);
  return why.empty() ? why : StrCat("it refused the dry run, but ", why, ": ", kube::BriefMessage(refusal.message));
}

Status ServerQuestions::status() const {
  if (!wrote_) return Ok();
  return Error::Internal(
      "the server stored an object that it was sent in a dry run, so it was asked nothing more; look at it, and use "
      "explain-diff without --ask-server there");
}

}  // namespace smp::apply
