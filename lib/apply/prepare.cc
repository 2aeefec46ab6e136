#include "apply/prepare.h"

#include <algorithm>
#include <set>

#include "apply/check_manifest.h"
#include "apply/find_kind.h"
#include "apply/keep_annotation.h"
#include "apply/last_applied.h"
#include "apply/manifest_form.h"
#include "apply/old_object.h"
#include "apply/plan_server_side.h"
#include "apply/secret_data.h"
#include "apply/stored_form.h"
#include "apply/unrecorded.h"
#include "apply/version_loss.h"
#include "base/strings.h"
#include "smp/adopt.h"
#include "smp/conflicts.h"
#include "smp/last_applied_change.h"
#include "smp/managed_fields.h"
#include "smp/meaning.h"
#include "smp/server_side_merge.h"
#include "value/at.h"
#include "value/derived_document.h"
#include "value/json.h"
#include "value/redact.h"

namespace smp::apply {

namespace {

Error Located(const Manifest& manifest, Error error) {
  if (error.source.file.empty()) error.source = manifest.source();
  return error;
}

Result<std::string> NamespaceOf(const Manifest& manifest, const Resource& resource, const Target& target) {
  if (!resource.namespaced) return std::string();
  if (manifest.name_space.empty()) return target.name_space;
  if (target.name_space_given && manifest.name_space != target.name_space) {
    return Error::InvalidArgument(StrCat(
        "the namespace from the provided object \"", manifest.name_space, "\" does not match the namespace \"",
        target.name_space, "\". You must pass '--namespace=", manifest.name_space, "' to perform this operation."));
  }
  return manifest.name_space;
}

DiffInput ToDiffInput(const Prepared& prepared, const Document& desired) {
  return {
      .original = prepared.original ? &prepared.original->root() : nullptr,
      .modified = &desired.root(),
      .live = &prepared.live->root(),
      .schema = prepared.schema.get(),
      .type = prepared.resource.type,
  };
}

Status PlanAsKubectl(Prepared& prepared, compat::Overwrite overwrite) {
  SMP_ASSIGN(compat::KubectlPatch made, compat::PlanKubectlPatch(ToDiffInput(prepared, prepared.desired), overwrite));
  prepared.patch = std::move(made.patch);
  prepared.refusal = std::move(made.refusal);
  prepared.deviations = std::move(made.deviations);
  return Ok();
}

void CollectReasons(const PlanNode& node, FieldPath& path, std::set<Reason>& out) {
  if (IsLastAppliedAnnotation(path)) return;
  const bool written = node.op == Op::kSet || node.op == Op::kDelete;
  const bool of_elements = !node.adds.empty() || !node.removes.empty();
  if (node.changes() && (written || of_elements)) out.insert(node.reason);
  if (node.moved) out.insert(Reason::kReordered);
  for (const PlanNode& child : node.children) {
    path.push_back(StepTo(node, child));
    CollectReasons(child, path, out);
    path.pop_back();
  }
}

// Differs from kubectl: it takes the last-applied annotation, which it wrote itself, for another's change, so its
// --overwrite=false refuses every change.
Status CheckOverwrite(const Prepared& prepared) {
  std::vector<OverwrittenField> fields =
      OverwrittenFields(prepared.patch->plan, prepared.live->root(), *prepared.schema);
  std::erase_if(fields, [](const OverwrittenField& field) { return IsLastAppliedAnnotation(field.path); });
  return RefuseToOverwrite(fields);
}

// Returns true if the patch changes only the last-applied annotation, and live's annotation and the manifest have equal
// values that are only written differently (500m and 0.5).
bool OnlySpellsAnew(const Prepared& prepared) {
  if (!prepared.original || !ChangesOnlyLastApplied(prepared.patch->plan)) return false;
  const auto recorded = ReadLastApplied(prepared.live->root());
  const auto wanted = ParseJson(LastAppliedText(prepared.manifest.root()));
  const Storage storage = prepared.resource.strategic ? Storage::kGoTypes : Storage::kAsWritten;
  return recorded.ok() && *recorded && wanted.ok() &&
         SameButForSpelling((*recorded)->root(), wanted->root(),
                            {.schema = prepared.schema.get(), .type = prepared.resource.type, .storage = storage});
}

// Returns `object` as the server stores it.
Document Stored(const Document& object, const Prepared& prepared) {
  const Existence existence = prepared.live ? Existence::kExists : Existence::kNew;
  const Document stored = StoredForm(object, prepared.resource, *prepared.schema, existence);
  return prepared.keeps_data && !prepared.mode.server_side ? WithSomeData(stored) : stored;
}

// Returns the manifest with the last-applied annotation that live has: no difference to keep. Without it, if none is to be
// written.
Document WithRecordOfLive(const Prepared& prepared) {
  if (prepared.mode.server_side) return prepared.modified;
  const std::string_view record = LastAppliedTextOf(prepared.live->root());
  return record.empty() ? prepared.manifest : WithLastApplied(prepared.manifest, record);
}

std::string NoEntryOf(const std::string& manager, const Value& live) {
  std::set<std::string> names;
  for (const Value& entry : ManagedFields(live)) {
    if (entry.StringOr("manager") == manager && NamesFieldsOtherwise(entry, live)) {
      return StrCat("--adopt: ", manager, " set fields through ", entry.StringOr("apiVersion"),
                    ", where they have other names: they are not adopted");
    }
    names.insert(std::string(entry.StringOr("manager")));
  }
  return StrCat(
      "--adopt: managedFields have no entry of ", manager,
      names.empty() ? "" : StrCat("; there are ", Join(std::vector<std::string>(names.begin(), names.end()), ", ")));
}

// Returns true if the record has a map entry of which live has none of that name. The items of lists are not compared.
bool NamesOtherwise(const Value& record, const Value& live) {
  return std::ranges::any_of(record.Members(), [&](const Member& member) {
    const Value* same = live.Find(member.name);
    if (same == nullptr) return !member.value.is_null();
    return member.value.is_object() && same->is_object() && NamesOtherwise(member.value, *same);
  });
}

// Warns if the object was last applied in an API version in which fields have other names.
std::string RecordOfOtherVersion(const Prepared& prepared) {
  if (!prepared.original) return {};
  const Value& record = prepared.original->root();
  const std::string_view version = record.StringOr("apiVersion");
  const Value *before = record.Find("spec"), *live = prepared.live->root().Find("spec");
  const bool have_specs = before != nullptr && before->is_object() && live != nullptr && live->is_object();
  if (version.empty() || version == prepared.ref.gvk.ApiVersion() || !have_specs) return {};
  if (!NamesOtherwise(*before, *live)) return {};
  return StrCat(
      "the object was last applied as ", version,
      "; what has another name there and the manifest lacks now is not seen: it stays, unless this version has no "
      "place for it");
}

// Sets `prepared.original` if it is to be adopted. Returns `desired`, changed as Adopt says.
Document Adopting(const Document& desired, Prepared& prepared, const Planning& planning) {
  if (planning.adopt.empty() || !prepared.lacks_last_applied()) return desired;
  prepared.notes.clear();
  for (const std::string& manager : UnknownManagers(prepared.live->root(), planning.adopt)) {
    prepared.notes.push_back(NoEntryOf(manager, prepared.live->root()));
  }
  const EntriesOf entries = GoesBack(prepared, planning) ? EntriesOf::kApply : EntriesOf::kAnyOperation;
  Adopted adopted = Adopt(desired, *prepared.live, planning.adopt, entries, *prepared.schema, prepared.resource.type);
  prepared.adopted = !adopted.original.root().is_null();
  if (prepared.adopted) prepared.original = std::move(adopted.original);
  return adopted.desired;
}

// Returns what --force creates in place of live. A new object lacks all that it is not created with, so that whatever live
// has at the paths counts as what the plan would delete.
Result<Document> Anew(const Prepared& prepared, std::string_view record, const std::vector<KeepPath>& keep) {
  const Document old = Recreatable(*prepared.live);
  const Document stored = StoredForm(WithRecordOfLive(prepared), prepared.resource, *prepared.schema, Existence::kNew);
  DiffInput input = ToDiffInput(prepared, stored);
  input.original = input.live = &old.root();
  SMP_ASSIGN(const KeptLive kept, KeepLive(stored, input, keep));
  Arena arena;
  arena.Retain(kept.desired);
  arena.Retain(old);
  const Document object = DerivedDocument(kept.desired, std::move(arena), kept.desired.root());
  return record.empty() ? object : WithLastApplied(object, record);
}

// Returns what of live only `manager`, and those whose fields it takes over, own.
Document OwnedAlone(const Prepared& prepared, std::string_view manager) {
  OwnedFields owned;
  for (const Value& entry : ManagedFields(prepared.live->root())) {
    const FieldManager of_entry = ManagerOf(entry);
    const bool applied = IsOfApply(of_entry) && of_entry.name == manager;
    const bool is_ours = applied || prepared.mode.migrates.contains(of_entry.name);
    (is_ours ? owned.ours : owned.others).push_back(entry);
  }
  Arena arena;
  arena.Retain(*prepared.live);
  const Value alone = OwnedByUsAlone(prepared.live->root(), owned, *prepared.schema, prepared.resource.type, arena);
  const Value root = alone.is_object() ? alone : arena.Object({});
  return Document(std::move(arena), root);
}

// Sets what the plan compares with live. `modified`: the manifest, perhaps with a last-applied annotation.
Status SetDesired(Prepared& prepared, const Document& modified, const Planning& planning) {
  SMP_ASSIGN(const std::vector<KeepPath> keep, KeepPathsOf(prepared.manifest.root(), planning.keep_live));
  if (keep.empty()) {
    prepared.desired = Adopting(Stored(modified, prepared), prepared, planning);
    return Ok();
  }
  const Document stored = Adopting(Stored(WithRecordOfLive(prepared), prepared), prepared, planning);
  DiffInput input = ToDiffInput(prepared, stored);
  const bool server_side = prepared.mode.server_side;
  if (server_side) prepared.owned = OwnedAlone(prepared, planning.server_side_manager);
  if (prepared.owned) input.original = &prepared.owned->root();
  SMP_ASSIGN(KeptLive kept, KeepLive(stored, input, keep, server_side ? KeepHow::kServerSide : KeepHow::kClientSide));
  prepared.kept = std::move(kept.fields);
  prepared.unmatched = std::move(kept.unmatched);
  const std::string_view record = LastAppliedTextOf(modified.root());
  SMP_ASSIGN(prepared.anew, Anew(prepared, record, keep));
  prepared.desired = record.empty() ? kept.desired : WithLastApplied(kept.desired, record);
  return Ok();
}

// Differs from kubectl: it sends the annotation when 500m became 0.5 in the manifest. Here the old annotation stays.
Status KeepRecord(Prepared& prepared, const Planning& planning) {
  SMP_TRY(SetDesired(prepared, WithRecordOfLive(prepared), planning));
  SMP_ASSIGN(prepared.patch, PlanPatch(ToDiffInput(prepared, prepared.desired)));
  return Ok();
}

// Replaces the client-side plan by that of a server-side apply, which has no last-applied annotation.
Status PlanOnServer(Prepared& prepared, Planning planning) {
  planning.adopt.clear();  // the entries of these managers are migrated
  prepared.modified = WithoutNullFields(WithoutLastApplied(prepared.manifest), prepared);
  SMP_TRY(SetDesired(prepared, prepared.modified, planning));
  DropDuplicatesIfRefused(prepared);
  return PlanChosenServerSide(prepared, planning);
}

Status PlanClientSide(Prepared& prepared, Planning planning) {
  const bool goes_back = GoesBack(prepared, planning);
  if (goes_back) planning.adopt = {planning.server_side_manager};
  SMP_TRY(SetDesired(prepared, prepared.modified, planning));
  if (goes_back) prepared.adopted = false;  // this program applied it: nothing to tell
  SMP_ASSIGN(prepared.patch, PlanPatch(ToDiffInput(prepared, prepared.desired)));
  return OnlySpellsAnew(prepared) ? KeepRecord(prepared, planning) : Ok();
}

Status PlanAgainstLive(Prepared& prepared, const Planning& planning) {
  if (planning.server_side) return PlanServerSideApply(prepared, *planning.server_side);
  if (planning.dialect == compat::Dialect::kKubectl) {
    prepared.desired = prepared.modified;
    return PlanAsKubectl(prepared, planning.overwrite);
  }
  prepared.owned.reset();
  prepared.keeps_data = prepared.original && HasStringDataAlone(prepared.original->root());
  if (prepared.original) {
    prepared.original = StoredFormOfRecord(*prepared.original, prepared.resource, *prepared.schema);
  }
  SMP_TRY(PlanClientSide(prepared, planning));
  prepared.mode = ModeOf(prepared, planning);
  SMP_TRY(CheckFits(prepared.mode, planning));
  if (prepared.mode.server_side) SMP_TRY(PlanOnServer(prepared, planning));
  for (std::string& text : UnmatchedWarnings(prepared.unmatched)) prepared.notes.push_back(std::move(text));
  if (std::string text = RecordOfOtherVersion(prepared); !text.empty()) prepared.notes.push_back(std::move(text));
  if (planning.guards_renames && prepared.lacks_last_applied()) {
    SMP_TRY(RefuseUnrecordedRename(prepared.patch->plan, prepared.live->root(), prepared.manifest.source_name()));
  }
  // The conflicts of a server-side apply are refused when it is sent (CheckTakeover).
  const bool overwrites = planning.overwrite == compat::Overwrite::kYes || prepared.mode.server_side;
  return overwrites ? Ok() : CheckOverwrite(prepared);
}

Status Plan(Prepared& prepared, const Planning& planning) {
  if (planning.server_side) {
    prepared.modified = prepared.manifest;
    prepared.desired = Stored(WithNullStringDataEmpty(prepared.manifest), prepared);
  }
  if (prepared.live) return PlanAgainstLive(prepared, planning);
  const bool as_kubectl = planning.dialect == compat::Dialect::kKubectl;  // it plans with objects as they are written
  if (!as_kubectl) SMP_TRY(KeepPathsOf(prepared.manifest.root(), planning.keep_live));
  prepared.desired = as_kubectl ? prepared.manifest : Stored(prepared.manifest, prepared);
  prepared.mode = ModeOf(prepared, planning);
  if (prepared.mode.server_side) {
    prepared.modified = WithoutNullFields(WithoutLastApplied(prepared.manifest), prepared);
    prepared.desired = Stored(prepared.modified, prepared);
    DropDuplicatesIfRefused(prepared);
  }
  return CheckFits(prepared.mode, planning);
}

// Returns true if a GET says that the object does not exist. A path that is missing says nothing: a kind that the input has brought is
// served in a moment, and of others the server still publishes the schema.
bool IsAbsent(const Error& error, const kube::ObjectRef& ref, const Target& target) {
  const bool lacks_path = error.reason == kube::kNoSuchPath && KindToCome(target.definitions, ref.gvk) == nullptr;
  return error.code == ErrorCode::kNotFound && !lacks_path;
}

Status PlanWith(Prepared& prepared, Result<Document> live, const Target& target) {
  prepared.live.reset();
  prepared.original.reset();
  prepared.patch.reset();
  if (prepared.mode.server_side) prepared.modified = WithLastApplied(prepared.manifest);
  prepared.mode = {};
  prepared.migrated.reset();
  prepared.kept.clear();
  prepared.unmatched.clear();
  prepared.anew.reset();
  prepared.notes.clear();
  prepared.lost.clear();
  prepared.lost_values.clear();
  prepared.adopted = false;
  prepared.server_side.reset();
  prepared.refusal.reset();
  prepared.deviations.clear();
  if (!live.ok()) {
    if (!IsAbsent(live.error(), prepared.ref, target)) return std::move(live).error();
    return Plan(prepared, target.planning);
  }
  prepared.live = *std::move(live);
  SecretRegistry::Instance().Remember(prepared.live->root());
  SMP_ASSIGN(prepared.original, ReadLastApplied(prepared.live->root()));
  return Plan(prepared, target.planning);
}

Result<Document> ReadLive(Prepared& prepared, const Target& target) {
  if (target.read_ahead != nullptr) {
    if (auto listed = target.read_ahead->Take(prepared.ref)) {
      prepared.aged = listed->aged;
      return std::move(listed->live);
    }
  }
  return target.client->Get(prepared.ref);
}

// Returns true if an aged object must be read again, because nothing would guard the write: kubectl's patch, one with a
// resourceVersion of the manifest's, and a server-side apply that creates the object.
bool MustBeFresh(const Prepared& prepared, const Target& target) {
  return target.planning.dialect == compat::Dialect::kKubectl || (prepared.mode.server_side && !prepared.live) ||
         prepared.manifest.root().FindPath({"metadata", "resourceVersion"}) != nullptr;
}

// Plans an object of a kind of which the server serves no version.
Status PlanUnread(Prepared& prepared, const Target& target) {
  const bool is_known = target.schemas->FindResource(prepared.ref.gvk).ok();
  SMP_TRY(Plan(prepared, target.planning));
  if (!is_known) return Ok();
  prepared.notes.emplace_back(
      "the server serves no version of its kind today, so that nobody can read whether it exists: if it does, it will "
      "be changed");
  return Ok();
}

// Plans an object of a version that only the input brings. If it exists, it is read in a version that is served now: all but
// apiVersion, and what the new version has no place for, stays as it is, unless a webhook converts it.
Status PlanUnserved(Prepared& prepared, const Target& target) {
  const std::optional<Resource> served = ServedVersion(prepared.ref.gvk, target);
  if (!served) return PlanUnread(prepared, target);
  Result<Document> found =
      target.client->Get({served->gvk, served->plural, prepared.ref.name_space, prepared.ref.name});
  if (!found.ok()) return PlanWith(prepared, std::move(found), target);
  const std::string version = prepared.ref.gvk.ApiVersion();
  Arena arena;
  arena.Retain(*found);
  const Value root = WithAt(found->root(), {"apiVersion"}, arena.String(version), arena);
  Document live(std::move(arena), root);
  const bool is_plain = PlainDefinition(prepared.ref, target) != nullptr;
  const LostFields lost = is_plain ? RemoveUnknownFields(prepared, live) : LostFields();
  SMP_TRY(PlanWith(prepared, std::move(live), target));
  prepared.notes.push_back(
      StrCat("live was read as ", served->gvk.ApiVersion(), ", because the server does not serve ", version, " yet"));
  NoteLost(prepared, lost, version, ", which live has: the apply in this version loses it");
  return Ok();
}

// Plans an object by the answer to its GET. The server goes on publishing the schema of a version that it no longer serves, so that
// only the answer tells that the input brings the version again.
Status PlanRead(Prepared& prepared, Result<Document> live, const Target& target) {
  const bool lacks_path = !live.ok() && live.error().reason == kube::kNoSuchPath;
  if (lacks_path && KindToCome(target.definitions, prepared.ref.gvk) != nullptr) prepared.unserved = true;
  return prepared.unserved ? PlanUnserved(prepared, target) : PlanWith(prepared, std::move(live), target);
}

Status SetResolved(const Manifest& manifest, const Target& target, Prepared& out) {
  SMP_TRY(FindKind(manifest.gvk, target, out));
  SMP_ASSIGN(const std::string name_space, NamespaceOf(manifest, out.resource, target));
  out.manifest = DocumentIn(manifest, name_space);
  out.ref = {manifest.gvk, out.resource.plural, name_space, manifest.name};
  return CheckManifest(out, target);
}

// Returns the namespace for a manifest: its own, else that of -n, else live's; "" for cluster-scoped objects.
std::string OfflineNamespace(const Manifest& manifest, const OfflineInput& input, const Resource& resource) {
  if (!resource.namespaced) return {};
  if (!manifest.name_space.empty()) return manifest.name_space;
  if (!input.name_space.empty() || !input.live) return input.name_space;
  return std::string(TextAt(input.live->root(), {"metadata", "namespace"}));
}

Result<Prepared> PlanOffline(const Manifest& manifest, const OfflineInput& input,
                             const std::shared_ptr<const Schema>& schema) {
  Prepared out;
  SMP_TRY(FindKindOffline(manifest.gvk, input.definitions, schema, out));
  const std::string name_space = OfflineNamespace(manifest, input, out.resource);
  out.manifest = DocumentIn(manifest, name_space);
  out.ref = {manifest.gvk, out.resource.plural, name_space, manifest.name};
  out.live = input.live;
  SMP_TRY(CheckManifestOffline(out));
  out.modified = out.manifest;
  SMP_ASSIGN(out.original, ReadLastApplied(out.live ? out.live->root() : Value()));
  if (out.original) out.modified = WithLastApplied(out.manifest);
  if (out.live && input.original) out.original = input.original;
  Planning planning = input.planning;
  planning.may_switch = false;  // there is no server to apply it
  SMP_TRY(Plan(out, planning));
  return out;
}

// Returns a Service without the node ports that each cluster chooses: a port of the other one would seem to keep its number.
Document WithoutNodePorts(const Document& live) {
  const auto old = ItemsAt(live.root(), {"spec", "ports"});
  if (live.root().StringOr("kind") != "Service" || old.empty()) return live;
  Arena arena;
  arena.Retain(live);
  std::vector<Value> ports;
  for (const Value& port : old) ports.push_back(WithoutAt(port, {}, {"nodePort"}, arena));
  const Value root = WithAt(live.root(), {"spec", "ports"}, arena.Array(ports), arena);
  return DerivedDocument(live, std::move(arena), root);
}

}  // namespace

Document WithoutNullFields(const Document& object, const Prepared& prepared) {
  Arena arena;
  arena.Retain(object);
  const Storage storage = prepared.resource.strategic ? Storage::kGoTypes : Storage::kAsWritten;
  const Value root = WithoutNulls(
      object.root(), arena, {.schema = prepared.schema.get(), .type = prepared.resource.type, .storage = storage});
  return DerivedDocument(object, std::move(arena), root);
}

Document DocumentIn(const Manifest& manifest, const std::string& name_space) {
  const Document read = WithNullAnnotationsEmpty(manifest.document);
  if (name_space.empty()) return WithoutNamespace(read);
  return manifest.name_space.empty() ? WithNamespace(read, name_space) : read;
}

Result<kube::ObjectRef> FindRef(const Manifest& manifest, const Target& target) {
  SMP_ASSIGN(const Resource resource, ResourceOf(manifest.gvk, target));
  SMP_ASSIGN(const std::string name_space, NamespaceOf(manifest, resource, target));
  return kube::ObjectRef{manifest.gvk, resource.plural, name_space, manifest.name};
}

std::optional<kube::ObjectRef> GuessRef(const Manifest& manifest, const Target& target) {
  const std::optional<Resource> resource = target.schemas->Guess(manifest.gvk);
  if (!resource) return std::nullopt;
  const Result<std::string> name_space = NamespaceOf(manifest, *resource, target);
  if (!name_space.ok()) return std::nullopt;
  return kube::ObjectRef{manifest.gvk, resource->plural, *name_space, manifest.name};
}

Result<Prepared> Resolve(const Manifest& manifest, const Target& target) {
  Prepared out;
  Status status = SetResolved(manifest, target, out);
  if (!status.ok()) return Located(manifest, std::move(status).error());
  return out;
}

Result<Prepared> Prepare(const Manifest& manifest, const Target& target) {
  Result<Prepared> prepared = Resolve(manifest, target);
  if (!prepared.ok()) return prepared;
  prepared->modified = WithLastApplied(prepared->manifest);
  Status status =
      prepared->unserved ? PlanUnserved(*prepared, target) : PlanRead(*prepared, ReadLive(*prepared, target), target);
  if (prepared->aged && (!status.ok() || MustBeFresh(*prepared, target))) status = PrepareAgain(*prepared, target);
  if (!status.ok()) return Located(manifest, std::move(status).error());
  NoteLossInStorage(*prepared, target);
  NoteLossByWrite(*prepared, target);
  return prepared;
}

Result<Prepared> PrepareAsNew(const Manifest& manifest, const Target& target) {
  SMP_ASSIGN(Prepared prepared, Resolve(manifest, target));
  prepared.modified = WithLastApplied(prepared.manifest);
  Status status = PlanWith(prepared, Error::NotFound(""), target);
  if (!status.ok()) return Located(manifest, std::move(status).error());
  return prepared;
}

Result<Prepared> PrepareEdited(const Manifest& manifest, const Prepared& before, const Planning& planning) {
  Prepared out;
  out.schema = before.schema;
  out.resource = before.resource;
  out.ref = before.ref;
  out.live = before.live;
  out.original = before.original;
  out.manifest = DocumentIn(manifest, before.ref.name_space);
  const bool records = before.mode.server_side || !LastAppliedTextOf(before.modified.root()).empty();
  out.modified = records ? WithLastApplied(out.manifest) : out.manifest;
  const Status planned = Plan(out, planning);
  if (!planned.ok()) return Located(manifest, planned.error());
  return out;
}

Status PrepareAgain(Prepared& prepared, const Target& target) {
  prepared.aged = false;
  return PlanRead(prepared, target.client->Get(prepared.ref), target);
}

std::vector<Reason> ReasonsOf(const Prepared& prepared) {
  std::set<Reason> reasons;
  FieldPath path;
  if (prepared.patch) CollectReasons(prepared.patch->plan.root, path, reasons);
  return {reasons.begin(), reasons.end()};
}

Result<Prepared> PrepareComparison(const Manifest& here, const std::optional<Document>& there, const Target& target) {
  Prepared out;
  SMP_TRY(FindKind(here.gvk, target, out));
  out.manifest = out.modified = ManifestForm(here.document, *out.schema, out.resource.type);
  out.ref = {here.gvk, out.resource.plural, here.name_space, here.name};
  if (there) {
    out.live = WithoutNodePorts(WithoutLastApplied(*there));
    out.original = ManifestForm(*there, *out.schema, out.resource.type);
  }
  SMP_TRY(Plan(out, {.may_switch = false}));
  return out;
}

Result<Prepared> PrepareOffline(const Manifest& manifest, const OfflineInput& input,
                                const std::shared_ptr<const Schema>& builtin) {
  auto prepared = PlanOffline(manifest, input, builtin);
  if (!prepared.ok()) return Located(manifest, std::move(prepared).error());
  return prepared;
}

}  // namespace smp::apply
