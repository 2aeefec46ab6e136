#include "apply/recreate.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string_view>
#include <vector>

#include "apply/last_applied.h"
#include "apply/old_object.h"
#include "base/interrupt.h"
#include "base/strings.h"
#include "kube/status_error.h"
#include "net/transport.h"
#include "value/at.h"

namespace smp::apply {

namespace {

// The file with the old object, which exists from before the deletion until the outcome is known.
struct OldFile {
  SavedObject saved = {};
  bool needed = false;  // an error message names the file: keep it
};

struct Attempt {
  kube::Client& client;
  const Replacement& replacement;
  const Error& refusal;
  const RecreateOptions& options;
  OldFile& file;

  const kube::ObjectRef& ref() const { return replacement.ref; }
  const Value& live() const { return replacement.live.root(); }
  const Value& object() const { return replacement.object.root(); }
  void Notice(const std::string& text) const {
    if (options.notice) options.notice(ref(), text);
  }
};

// Clears what would make callers plan again (after a conflict) or retry at the end of the run.
Error Final(Error error) {
  error.code = ErrorCode::kServer;
  error.http_status = 0;
  error.reason.clear();
  return error;
}

// --- before anything is deleted

struct Loss {
  std::string_view group;
  std::string_view kind;
  std::string_view loses;
  bool dangerous = false;
};

// Differs from kubectl: it deletes the dangerous ones like any other, with all that is in them (kubernetes issue 90968).
constexpr Loss kLosses[] = {
    {"", "Namespace", "everything in it", true},
    {"", "PersistentVolumeClaim", "possibly the data of its volume", true},
    {"", "PersistentVolume", "possibly its data", true},
    {"apiextensions.k8s.io", "CustomResourceDefinition", "all objects of that kind", true},
    {"", "ReplicationController", "its Pods"},
    {"apps", "DaemonSet", "its Pods"},
    {"apps", "Deployment", "its Pods"},
    {"apps", "ReplicaSet", "its Pods"},
    {"apps", "StatefulSet", "its Pods"},
    {"batch", "Job", "its Pods"},
};

const Loss* LossOf(const GroupVersionKind& gvk) {
  const auto* at = std::find_if(std::begin(kLosses), std::end(kLosses),
                                [&](const Loss& row) { return row.group == gvk.group && row.kind == gvk.kind; });
  return at == std::end(kLosses) ? nullptr : at;
}

std::string TextOf(const Loss& loss) {
  return StrCat("--force would delete the ", loss.kind, " and with it ", loss.loses);
}

std::vector<Value> NodePorts(const Value& service) {
  std::vector<Value> out;
  for (const Value& port : ItemsAt(service, {"spec", "ports"})) {
    if (const Value* number = port.Find("nodePort")) out.push_back(*number);
  }
  return out;
}

Value WithoutNodePorts(const Value& ports, const std::vector<Value>& held, Arena& arena) {
  std::vector<Value> out;
  for (const Value& port : ports.Items()) {
    const Value* number = port.Find("nodePort");
    const bool is_held = number != nullptr && std::find(held.begin(), held.end(), *number) != held.end();
    out.push_back(is_held ? WithoutAt(port, {}, {"nodePort"}, arena) : port);
  }
  return arena.Array(out);
}

// Returns the new Service without the addresses and ports that the live Service holds, which its deletion frees.
Document WithoutHeldValues(const Attempt& attempt) {
  Arena arena;
  arena.Retain(attempt.replacement.object);
  arena.Retain(attempt.replacement.live);
  Value object = attempt.object();
  for (const std::string_view name : {"clusterIP", "clusterIPs", "healthCheckNodePort"}) {
    const Value* live = attempt.live().FindPath({"spec", name});
    const Value* wanted = object.FindPath({"spec", name});
    if (live != nullptr && wanted != nullptr && *wanted == *live) object = WithoutAt(object, {"spec"}, {name}, arena);
  }
  if (const Value* ports = object.FindPath({"spec", "ports"}); ports != nullptr && ports->is_array()) {
    const Value free = WithoutNodePorts(*ports, NodePorts(attempt.live()), arena);
    object = WithAt(object, {"spec", "ports"}, free, arena);
  }
  return Document(std::move(arena), object);
}

std::vector<std::string> Addresses(const Value& service) {
  std::vector<std::string> out = TextsAt(service, {"spec", "clusterIPs"});
  if (const std::string_view first = TextAt(service, {"spec", "clusterIP"}); !first.empty()) out.emplace_back(first);
  return out;
}

// A dry run does not detect that the address belongs to another Service. Servers from 1.33 on have addresses as objects
// (networking.k8s.io/v1 IPAddress), which are checked here; on older servers, the old Service would be restored.
Status CheckAddresses(const Attempt& attempt) {
  const std::vector<std::string> held = Addresses(attempt.live());
  for (const std::string& address : Addresses(attempt.object())) {
    const bool own = address.empty() || address == "None" || std::find(held.begin(), held.end(), address) != held.end();
    if (own) continue;
    const kube::ObjectRef ref = {{"networking.k8s.io", "v1", "IPAddress"}, "ipaddresses", "", address};
    if (!attempt.client.Get(ref).ok()) continue;
    return Error{ErrorCode::kServer, StrCat("spec.clusterIP: ", address, " is already allocated")};
  }
  return Ok();
}

Status TryRun(const Attempt& attempt, const Value& object) {
  kube::WriteOptions options = attempt.options.write;
  options.dry_run = true;
  auto answer = attempt.client.Create(attempt.ref(), object, options);
  // AlreadyExists means valid: the server checks for the existing object last.
  if (answer.ok() || answer.error().reason == "AlreadyExists") return Ok();
  return std::move(answer).error();
}

bool IsService(const kube::ObjectRef& ref) { return ref.gvk.group.empty() && ref.gvk.kind == "Service"; }

// In a dry run of a Service, the ports are still allocated to the live Service itself.
bool IsAllocated(const Error& error) {
  return error.http_status == kube::kInvalidStatus && error.message.find("is already allocated") != std::string::npos;
}

Status CheckService(const Attempt& attempt) {
  Status valid = TryRun(attempt, attempt.object());
  if (!valid.ok() && IsAllocated(valid.error())) valid = TryRun(attempt, WithoutHeldValues(attempt).root());
  return valid.ok() ? CheckAddresses(attempt) : valid;
}

Status CheckNewObject(const Attempt& attempt) {
  Status valid = IsService(attempt.ref()) ? CheckService(attempt) : TryRun(attempt, attempt.object());
  if (valid.ok()) return Ok();
  Error error = Final(std::move(valid).error());
  error.message =
      StrCat(attempt.refusal.message,
             "\n--force: the server would not accept the new object, so nothing was deleted: ", error.message);
  return error;
}

// Only with a uid is the deletion sure to be of the object that was planned.
Status CheckHasUid(const Attempt& attempt) {
  if (!TextAt(attempt.live(), {"metadata", "uid"}).empty()) return Ok();
  Error error = attempt.refusal;
  error.message += "\n--force: the server's object has no uid, so nothing was deleted";
  return Final(std::move(error));
}

Status CheckNotInterrupted(const Attempt& attempt) {
  if (!attempt.options.clock->interrupted()) return Ok();
  Error error = attempt.refusal;
  error.message += "\n--force: interrupted, nothing was deleted";
  error.reason = kInterruptedReason;
  return error;
}

// Saves the old object before the deletion, so that it is not lost even if this program is killed (SIGKILL).
Status SaveOld(const Attempt& attempt) {
  auto saved = SaveObject(Recreatable(attempt.replacement.live), attempt.options.server, attempt.options.folder);
  if (saved.ok()) {
    attempt.file.saved = *std::move(saved);
    return Ok();
  }
  Error error = attempt.refusal;
  error.message +=
      StrCat("\n--force: cannot save the old object to a file, so nothing was deleted: ", saved.error().message,
             "\nset XDG_STATE_HOME or TMPDIR to a writable directory");
  return Final(std::move(error));
}

// --- while the old object is being deleted

// Returns where the old object is saved and how to restore it.
std::string SavedText(const Attempt& attempt) {
  const std::string& path = attempt.file.saved.path;
  return StrCat("the old object is saved in ", path, "; to restore it, run: ", RestoreCommand(attempt.ref(), path));
}

// Returns SavedText for an error message, and keeps the file.
std::string Kept(const Attempt& attempt) {
  attempt.file.needed = true;
  return SavedText(attempt);
}

// The caller may plan again, and that may fail, too, so the file stays.
Error SomebodyElse(const Attempt& attempt) {
  Error error = Error::Conflict(StrCat(
      "--force: the object was deleted, but someone else has created another one of that name, which stays; look "
      "at it, and apply again; ",
      Kept(attempt)));
  error.reason = kCreatedByOthersReason;
  return error;
}

// The server may or may not have received the DELETE: returns Ok if the object is gone or being deleted. If it is not, the
// file stays all the same: the DELETE may be on its way.
Status LookWhetherDeleted(const Attempt& attempt, Error error) {
  const auto object = attempt.client.Get(attempt.ref());
  const bool gone = !object.ok() && object.error().code == ErrorCode::kNotFound;
  if (gone || (object.ok() && IsBeingDeleted(object->root()))) return Ok();
  error.message = StrCat(attempt.refusal.message, "\n--force: ", error.message);
  error.message += StrCat(object.ok() ? "\nthe object exists now, but may be deleted later; "
                                      : "\nit is not known whether the object was deleted; ",
                          Kept(attempt));
  return Final(std::move(error));
}

Status DeleteOld(const Attempt& attempt) {
  const Status deleted = attempt.client.Delete(attempt.ref(), DeletionOf(attempt.live(), attempt.options.deletion));
  if (deleted.ok() || deleted.error().code == ErrorCode::kNotFound) return Ok();
  Error error = deleted.error();
  if (error.code == ErrorCode::kTransport || error.http_status >= 500 || net::IsAnswerLost(error))
    return LookWhetherDeleted(attempt, std::move(error));
  if (error.code == ErrorCode::kConflict) return error;  // live has changed: the caller plans again
  error.message = StrCat(attempt.refusal.message, "\n--force: cannot delete the object: ", error.message);
  return Final(std::move(error));
}

int64_t TimeoutMs(const Attempt& attempt) {
  if (attempt.options.deletion.timeout_ms > 0) return attempt.options.deletion.timeout_ms;
  constexpr int64_t kAfterGraceMs = 10'000;
  const int64_t own = std::clamp<int64_t>(IntAt(attempt.live(), {"spec", "terminationGracePeriodSeconds"}), 0, 86'400);
  const int64_t given = attempt.options.deletion.grace_period_seconds;
  return std::max(kForceTimeoutMs, (given >= 0 ? given : own) * 1000 + kAfterGraceMs);
}

std::string Holding(const Awaited& awaited) {
  const std::string held = awaited.object ? WhatHolds(awaited.object->root()) : "";
  return held.empty() ? held : StrCat(" (", held, ")");
}

Error NotGone(const Attempt& attempt, const Awaited& awaited, int64_t timeout_ms) {
  Error error = attempt.refusal;
  const bool interrupted = awaited.absence == Absence::kInterrupted;
  if (interrupted) error.reason = kInterruptedReason;
  const std::string how = interrupted     ? "was interrupted"
                          : awaited.error ? StrCat("cannot be read (", awaited.error->message, ")")
                                          : StrCat("after ", timeout_ms / 1000, " s it still exists");
  error.message += StrCat("\n--force: the object is being deleted and ", how, Holding(awaited),
                          ", so it was not recreated; apply again when it is gone. ");
  error.message += StrCat("Until then ", Kept(attempt));
  return error;
}

Status AwaitOldGone(const Attempt& attempt) {
  const int64_t timeout_ms = TimeoutMs(attempt);
  const auto still_there = [&](const Value& object) {
    const std::string held = WhatHolds(object);
    attempt.Notice(StrCat("waiting for the deletion of the object", held.empty() ? "" : ": ", held));
  };
  const Awaited awaited = AwaitGone(attempt.client, attempt.ref(), TextAt(attempt.live(), {"metadata", "uid"}),
                                    timeout_ms, *attempt.options.clock, still_there);
  if (awaited.absence == Absence::kGone) return Ok();
  if (awaited.absence == Absence::kReplaced) return SomebodyElse(attempt);
  return NotGone(attempt, awaited, timeout_ms);
}

// --- after the old object is gone

// A server gives each object a uid. What answers without one, a gateway say, has created nothing.
Result<Document> Create(const Attempt& attempt, const Value& object, const kube::WriteOptions& options) {
  auto answer = attempt.client.Create(attempt.ref(), object, options);
  if (!answer.ok() || !TextAt(answer->root(), {"metadata", "uid"}).empty()) return answer;
  return Error{ErrorCode::kTransport, "unexpected response: the new object has no uid"};
}

Error PutBack(const Attempt& attempt, Error error) {
  const Document old = Recreatable(attempt.replacement.live);
  const auto restored = Create(attempt, old.root(), {.field_manager = attempt.options.write.field_manager});
  if (restored.ok()) {
    error.message += "\n--force: the old object was deleted and then restored with a new uid";
  } else if (restored.error().reason == "AlreadyExists") {
    error.message += StrCat("\n--force: the old object was deleted, and there is another one now; ", Kept(attempt));
  } else {
    error.message += StrCat("\n--force: the object is gone: the old one was deleted and could not be restored: ",
                            restored.error().message, "\n", Kept(attempt));
  }
  return Final(std::move(error));
}

bool IsOurs(const Attempt& attempt, const Value& found) {
  const auto annotation = [](const Value& object) {
    return object.FindPath({"metadata", "annotations", kLastAppliedAnnotation});
  };
  return annotation(found) != nullptr && SameOrBothAbsent(annotation(found), annotation(attempt.object()));
}

enum class Created { kDone, kRefused, kUnknown };

Created OutcomeOf(const Result<Document>& answer) {
  if (answer.ok()) return Created::kDone;
  const Error& error = answer.error();
  const bool unknown = error.code == ErrorCode::kTransport || net::IsAnswerLost(error);
  return unknown || error.reason == "AlreadyExists" ? Created::kUnknown : Created::kRefused;
}

Result<Document> CreateNew(const Attempt& attempt) {
  constexpr int kTries = 3;
  for (int tries = 1;; ++tries) {
    auto answer = Create(attempt, attempt.object(), attempt.options.write);
    const Created outcome = OutcomeOf(answer);
    if (outcome == Created::kDone) return answer;
    if (outcome == Created::kRefused) return PutBack(attempt, std::move(answer).error());
    auto found = attempt.client.Get(attempt.ref());
    if (found.ok() && IsOurs(attempt, found->root())) return found;
    if (found.ok()) return SomebodyElse(attempt);
    const bool absent = found.error().code == ErrorCode::kNotFound;
    if (absent && tries < kTries) continue;
    if (absent) return PutBack(attempt, std::move(answer).error());
    Error error = std::move(answer).error();
    error.message += StrCat("\n--force: the old object was deleted; it is not known whether the new one was created; ",
                            Kept(attempt));
    return Final(std::move(error));
  }
}

Result<Document> Replace(const Attempt& attempt) {
  // The program may be killed at any moment from now on, so tell the user about the file.
  attempt.Notice(StrCat("deleting the object to recreate it; ", SavedText(attempt)));
  SMP_TRY(DeleteOld(attempt));
  SMP_TRY(AwaitOldGone(attempt));
  return CreateNew(attempt);
}

}  // namespace

kube::DeleteOptions DeletionOf(const Value& live, const Deletion& how) {
  return ToDeleteOptions(how, TextAt(live, {"metadata", "uid"}), TextAt(live, {"metadata", "resourceVersion"}));
}

std::string_view HeldBy(const GroupVersionKind& gvk) {
  const Loss* loss = LossOf(gvk);
  return loss != nullptr && loss->dangerous ? loss->loses : "";
}

Status CheckMayRecreate(const kube::ObjectRef& ref, Dangerous dangerous, const Error& refusal) {
  const Loss* loss = LossOf(ref.gvk);
  if (dangerous == Dangerous::kAllow || loss == nullptr || !loss->dangerous) return Ok();
  Error error = Error::Refused(
      StrCat(refusal.message, "\n", TextOf(*loss), ", so nothing was done; use --force-dangerous to do it"));
  error.path = refusal.path;
  error.source = refusal.source;
  return error;
}

std::string LossByRecreation(const kube::ObjectRef& ref, const Value& live, const Deletion& deletion) {
  const Loss* loss = LossOf(ref.gvk);
  const bool orphans = deletion.propagation == "Orphan";
  if (loss == nullptr || (orphans && !loss->dangerous)) return {};
  const bool deletes_claims = TextAt(live, {"spec", "persistentVolumeClaimRetentionPolicy", "whenDeleted"}) == "Delete";
  return StrCat(TextOf(*loss), deletes_claims ? " and PersistentVolumeClaims (whenDeleted is Delete)" : "");
}

Result<Document> Recreate(kube::Client& client, const Replacement& replacement, const Error& refusal,
                          const RecreateOptions& options) {
  OldFile file;
  const Attempt attempt{client, replacement, refusal, options, file};
  SMP_TRY(CheckMayRecreate(replacement.ref, options.dangerous, refusal));
  SMP_TRY(CheckHasUid(attempt));
  SMP_TRY(CheckNewObject(attempt));
  if (options.write.dry_run) return replacement.object;
  SMP_TRY(CheckNotInterrupted(attempt));
  const HoldExit half_done;
  SMP_TRY(SaveOld(attempt));
  auto created = Replace(attempt);
  // Not in a destructor: after an exception the file must remain.
  if (!file.needed) (void)std::remove(file.saved.path.c_str());
  if (created.ok()) {
    attempt.Notice("the object was deleted and recreated because the server does not allow the change");
  }
  return created;
}

}  // namespace smp::apply
