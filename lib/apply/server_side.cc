#include "apply/server_side.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "apply/guard.h"
#include "apply/last_applied.h"
#include "apply/reviewed_apply.h"
#include "base/hash.h"
#include "base/strings.h"
#include "smp/managed_fields.h"
#include "value/at.h"
#include "value/json.h"
#include "value/path_match.h"
#include "value/redact.h"
#include "value/utf8.h"

namespace smp::apply {

namespace {

constexpr int kMaxTries = 5;  // of a migration, as in kubectl, and of removing the guard
constexpr int kUnsupportedMediaType = 415;
constexpr size_t kMostColons = 20;      // in a path, at which a line is cut
constexpr size_t kMostExplained = 100;  // conflicts; each costs a search in both objects

kube::WriteOptions ToWriteOptions(const ServerSideOptions& options) {
  return {
      .dry_run = options.dry_run, .field_manager = options.field_manager, .field_validation = options.field_validation};
}

// --- conflicts

// Returns what may be the paths that the message names: "- .spec.replicas", or "…: .spec.replicas" if there is only one.
ViewSet NamedIn(std::string_view message) {
  ViewSet out;
  for (const std::string_view line : Split(message, '\n')) {
    if (line.starts_with("- ")) out.insert(line.substr(2));
    size_t at = line.size();
    for (size_t colons = 0; colons < kMostColons && (at = line.rfind(": ", at)) != line.npos; ++colons) {
      out.insert(line.substr(at + 2));
      if (at-- == 0) break;
    }
  }
  return out;
}

std::string Shown(const Value* value, bool masked) {
  constexpr size_t kLongest = 80;
  if (value == nullptr) return "nothing";
  if (masked) return "***";
  return CutEnd(WriteJson(*value), kLongest);
}

Error Explained(kube::Client& client, const kube::ObjectRef& ref, const Document& manifest,
                const ServerSideOptions& options, Error error) {
  if (error.http_status == kUnsupportedMediaType) {
    error.message = StrCat("Server-side apply not available on the server: (", error.message, ")");
  }
  const bool conflict = error.code == ErrorCode::kConflict;
  const bool of_secret = error.http_status != 0 && IsSecret(manifest.root());  // may quote a value that live has
  if (!conflict && !of_secret) return error;
  kube::ObjectRef object = ref;
  object.subresource.clear();
  const Result<Document> live = client.Get(object);
  if (live.ok()) SecretRegistry::Instance().Remember(live->root());
  error.message = kube::WithoutSecrets(error.message, object);
  if (!conflict) return error;
  if (live.ok()) {
    const std::string said = error.message;
    for (const std::string& line : ExplainConflicts(said, manifest.root(), live->root(), options.field_manager)) {
      error.message += "\n  " + line;
    }
  }
  error.message += StrCat("\n", kConflictAdvice);
  return error;
}

// --- migration

Document AnnotationAlone(const Value& object, const Value& text) {
  Arena arena;
  Value out = WithAt(Value(), {"metadata", "annotations", kLastAppliedAnnotation}, text, arena);
  out = WithNamesOf(object, out, arena);
  return Document(std::move(arena), out);
}

// Returns true if the annotation gets a manager of its own before the migration. As in kubectl, only for its manager.
bool KeepsAnnotation(const Value& live, const std::string& manager) {
  return manager == kServerSideManager &&
         live.FindPath({"metadata", "annotations", kLastAppliedAnnotation}) != nullptr &&
         AnnotationOwners(live, "Apply").empty();
}

// Applies the annotation under its own manager, if live is what the guard says.
Result<Document> ApplyAnnotation(kube::Client& client, const kube::ObjectRef& ref, const Document& live,
                                 const Value& text, const Guard& guard, kube::WriteOptions write) {
  Arena arena;
  const Document patch = AnnotationAlone(live.root(), text);
  write.field_manager = std::string(kAnnotationManager);
  return client.Patch(ref, kube::PatchType::kApply, Guarded(patch.root(), guard, arena), write);
}

// So that the annotation remains for later client-side applies after the migration.
Status KeepAnnotation(kube::Client& client, const kube::ObjectRef& ref, const ServerSideOptions& options,
                      Document& live) {
  if (!KeepsAnnotation(live.root(), options.field_manager)) return Ok();
  const Value& text = *live.root().FindPath({"metadata", "annotations", kLastAppliedAnnotation});
  const Guard same_object = {GuardOf(live).uid, {}};
  SMP_ASSIGN(live, ApplyAnnotation(client, ref, live, text, same_object, ToWriteOptions(options)));
  return Ok();
}

Value Replace(std::string_view path, const Value& value, Arena& arena) {
  return arena.Object({{"op", arena.String("replace")}, {"path", arena.String(path)}, {"value", value}});
}

// Returns the JSON patch that transfers the fields of the client-side managers to ours; nullopt if they own none. It
// also sets resourceVersion, so that the server returns a conflict if the object has changed.
std::optional<Document> MigrationPatch(const Value& live, const std::set<std::string>& managers,
                                       const std::string& manager) {
  Arena arena;
  const auto entries = MigratedToServerSide(ManagedFields(live), managers, manager, arena);
  if (!entries) return std::nullopt;
  const Value* version = live.FindPath({"metadata", "resourceVersion"});
  const Value operations[] = {Replace("/metadata/managedFields", arena.Array(*entries), arena),
                              Replace("/metadata/resourceVersion", version == nullptr ? Value() : *version, arena)};
  const Value root = arena.Array(operations);
  return Document(std::move(arena), root);
}

// Calls `send` with live, and again with what is there after a conflict with another writer, until it is stored. Returns false where
// there is nothing to send.
Result<bool> SendOnto(kube::Client& client, const kube::ObjectRef& ref, Document& live,
                      const std::function<std::optional<Result<Document>>(const Document&)>& send) {
  const std::string uid = GuardOf(live).uid;
  for (int tries = 1;; ++tries) {
    std::optional<Result<Document>> answer = send(live);
    if (!answer) return false;
    if (answer->ok()) {
      live = **std::move(answer);
      return true;
    }
    if (answer->error().code != ErrorCode::kConflict || tries == kMaxTries) return std::move(*answer).error();
    SMP_ASSIGN(Document now, client.Get(ref));
    if (GuardOf(now).uid != uid) return std::move(*answer).error();  // another object
    live = std::move(now);
  }
}

// Returns true if anything was migrated.
Result<bool> Migrate(kube::Client& client, const kube::ObjectRef& ref, const ServerSideOptions& options,
                     Document& live) {
  const std::set<std::string> managers = AnnotationOwners(live.root(), "Update");
  return SendOnto(client, ref, live, [&](const Document& now) -> std::optional<Result<Document>> {
    const std::optional<Document> patch = MigrationPatch(now.root(), managers, options.field_manager);
    if (!patch) return std::nullopt;
    return client.Patch(ref, kube::PatchType::kJson, patch->root(), ToWriteOptions(options));
  });
}

// Corrects the annotation, into which the server has written the guard. Its manager may be another one, so that this is forced, but only
// onto what was read: the annotation may be newer than what we applied.
Status RemoveGuard(kube::Client& client, const kube::ObjectRef& ref, const ServerSideOptions& options,
                   const Guard& guard, Document& live) {
  if (options.dry_run) return Ok();
  kube::WriteOptions write = ToWriteOptions(options);
  write.force = true;
  const Result<bool> sent = SendOnto(client, ref, live, [&](const Document& now) -> std::optional<Result<Document>> {
    const std::optional<std::string> text = RecordWithout(guard, now.root());
    if (!text) return std::nullopt;
    return ApplyAnnotation(client, ref, now, Value::UnownedString(*text), GuardOf(now), write);
  });
  return sent.ok() ? Ok() : Status(sent.error());
}

// No conflict: the caller must not take it for one that a second try resolves.
Error Incomplete(std::string_view what, const Error& error) {
  return Error{ErrorCode::kServer, StrCat("only a part of what was reviewed was applied: ", what, ": ", error.message,
                                          "; make a new plan")};
}

constexpr std::string_view kReapplyFailed =
    "failed to re-apply configuration after performing Server-Side Apply migration";

// kubectl's words.
std::string Harmless(std::string_view what, const Error& error) {
  return StrCat(what, ". This is non-fatal and will be retried next time you apply. Error: ", error.message);
}

}  // namespace

std::vector<Value> EntriesAfterMigration(const Value& live, const std::string& manager, Arena& arena) {
  std::vector<Value> entries = ManagedFields(live);
  const std::set<std::string> managers = AnnotationOwners(live, "Update");
  const bool applied = std::ranges::any_of(entries, [&](const Value& e) { return IsEntryOf(e, manager, "Apply"); });
  // The first request makes an entry of ours in the manifest's version. What managers own in another one is then nobody's.
  if (!managers.empty() && !applied) {
    entries.push_back(EntryOf(live, {.name = manager, .operation = "Apply"}, arena.Object({}), arena));
  }
  if (KeepsAnnotation(live, manager)) {
    entries.push_back(ApplyEntryOfAnnotation(live, kAnnotationManager, kLastAppliedAnnotation, arena));
  }
  const auto migrated = MigratedToServerSide(entries, managers, manager, arena);
  return migrated ? *migrated : entries;
}

std::set<std::string> AnnotationOwners(const Value& live, std::string_view operation) {
  const FieldOwners owners(live);
  std::set<std::string> out;
  const auto annotation = owners.root().Field("metadata").Field("annotations").Field(kLastAppliedAnnotation);
  for (FieldManager& manager : annotation.Owners()) {
    if (manager.operation == operation) out.insert(std::move(manager.name));
  }
  return out;
}

std::string ExplainConflict(const FieldConflict& conflict, const Value& object, const std::string& manager) {
  const bool masked = IsMasked(object, conflict.path);
  return StrCat(ToString(conflict.path), ": \"", manager, "\" applies ", Shown(conflict.modified, masked),
                "; live has ", Shown(conflict.live, masked), ", owned by ", Describe(conflict.owners));
}

std::vector<std::string> ExplainConflicts(const std::string& message, const Value& manifest, const Value& live,
                                          const std::string& manager) {
  // By the server's path: our path of the field, and all its owners except us.
  std::map<std::string, std::pair<FieldPath, std::vector<FieldManager>>> owners;
  const ViewSet named = NamedIn(message);
  for (const Value& entry : ManagedFields(live)) {
    if (entry.StringOr("manager") == manager && entry.StringOr("operation") == "Apply") continue;
    ForEachOwnedField(entry, [&](const std::string& server_path, const FieldPath& path) {
      if (!named.contains(server_path)) return;
      auto& [where, managers] = owners[server_path];
      where = path;
      managers.push_back(ManagerOf(entry));
    });
  }
  std::vector<std::string> out;
  for (const auto& [server_path, owner] : owners) {
    const auto& [path, managers] = owner;
    if (out.size() == kMostExplained) {
      out.push_back(StrCat("and ", owners.size() - kMostExplained, " more"));
      break;
    }
    out.push_back(ExplainConflict({path, ValueAt(manifest, path), ValueAt(live, path), managers}, live, manager));
  }
  return out;
}

kube::WriteOptions ApplyRequestOptions(const ServerSideOptions& options) {
  kube::WriteOptions out = ToWriteOptions(options);
  out.force = options.force_conflicts;
  return out;
}

Result<Document> ApplyServerSide(kube::Client& client, const kube::ObjectRef& ref, const Document& manifest,
                                 const ServerSideOptions& options) {
  kube::ObjectRef target = ref;
  target.subresource = options.subresource;
  const kube::WriteOptions write = ApplyRequestOptions(options);
  const auto send = [&](const Guard& guard, const kube::WriteOptions& how) {
    Arena arena;
    return client.Patch(target, kube::PatchType::kApply, Guarded(manifest.root(), guard, arena), how);
  };
  Result<Document> answer = send(options.guard, write);
  if (!answer.ok()) return Explained(client, ref, manifest, options, std::move(answer).error());
  Document live = *std::move(answer);
  // What was reviewed is done as a whole, or it is an error.
  const auto incomplete = [&](std::string_view what, const Error& error) -> Result<Document> {
    if (!options.guard.empty() && !options.keeps_removed) return Incomplete(what, error);
    options.warn(Harmless(what, error));
    return live;
  };
  if (const Status kept = KeepAnnotation(client, target, options, live); !kept.ok()) {
    return incomplete("failed to migrate kubectl.kubernetes.io/last-applied-configuration for Server-Side Apply",
                      kept.error());
  }
  const Result<bool> migrated = Migrate(client, target, options, live);
  if (!migrated.ok()) {
    return incomplete("server rejected managed fields migration to Server-Side Apply", migrated.error());
  }
  Guard guard = options.guard;
  if (*migrated) {
    // Apply again to delete fields that the client-side manager owned and the manifest no longer contains.
    if (!guard.empty()) guard = GuardOf(live);
    if (!options.may_change) {
      kube::WriteOptions dry_run = write;
      dry_run.dry_run = true;
      const Result<Document> told = send(guard, dry_run);
      if (!told.ok()) return Incomplete(kReapplyFailed, told.error());
      if (HasEffect(live, *told)) {
        return Incomplete("its manager now owns what client-side managers owned",
                          Error::Conflict("the apply that follows would change the object, as nobody has reviewed"));
      }
    }
    Result<Document> again = send(guard, write);
    if (!again.ok()) return incomplete(kReapplyFailed, again.error());
    live = *std::move(again);
  }
  if (const Status clean = RemoveGuard(client, target, options, NotStated(manifest.root(), guard), live); !clean.ok()) {
    return incomplete("failed to remove resourceVersion and uid from last-applied", clean.error());
  }
  return live;
}

}  // namespace smp::apply
