#include "apply/apply_mode.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "apply/last_applied.h"
#include "apply/prepare.h"
#include "apply/server_side.h"
#include "base/strings.h"
#include "smp/managed_fields.h"
#include "smp/owned_part.h"
#include "value/at.h"

namespace smp::apply {

namespace {

bool IsUpdateOfAny(const Value& entry, const std::set<std::string>& managers) {
  return std::ranges::any_of(managers, [&](const std::string& manager) { return IsEntryOf(entry, manager, "Update"); });
}

// Returns the object whose annotations the server would check.
const Value& WithRecord(const Prepared& prepared) {
  return prepared.patch ? prepared.patch->outcome.root() : prepared.modified.root();
}

// The maps and lists of metadata themselves stay nobody's: if they were ours, a manifest that gives up its last label
// would also remove the labels that others injected without owning them.
Value WithoutMapsOfMetadata(const Value& fields, Arena& arena) {
  const Value* metadata = fields.Find("f:metadata");
  if (metadata == nullptr) return fields;
  std::vector<Member> kept;
  for (const Member& member : metadata->Members()) {
    const Value below = WithoutAt(member.value, {}, {kItself}, arena);
    if (!below.empty()) kept.push_back({member.name, below});
  }
  return kept.empty() ? WithoutAt(fields, {}, {"f:metadata"}, arena)
                      : WithAt(fields, {"f:metadata"}, arena.SortedObject(kept), arena);
}

// Returns the fields of an entry that the last-applied object names.
Value RecordedFields(const Value& entry, const Prepared& prepared, Arena& arena) {
  const Value* fields = entry.Find("fieldsV1");
  if (fields == nullptr || !prepared.original) return arena.SortedObject({});
  const Place root = PlaceOfObject(*prepared.schema, prepared.resource.type);
  return WithoutMapsOfMetadata(OwnedFieldsIn(*fields, prepared.original->root(), root, arena), arena);
}

// Of nothing that could exist. A server that finds no entry of ours at all gives everything in the object to a manager
// "before-first-apply", and then no later apply could remove a field.
constexpr std::string_view kNoAnnotation = "smp.io/applied-server-side";

std::set<std::string> MigratedManagers(const Prepared& prepared, const Planning& planning, bool has_annotation) {
  if (has_annotation) return AnnotationOwners(prepared.live->root(), "Update");
  std::set<std::string> out(planning.adopt.begin(), planning.adopt.end());
  out.insert({std::string(kClientSideManager), std::string(kCreateManager), planning.server_side_manager});
  const std::vector<Value> entries = ManagedFields(prepared.live->root());
  std::erase_if(out, [&](const std::string& manager) {
    return std::ranges::none_of(entries, [&](const Value& entry) { return IsEntryOf(entry, manager, "Update"); });
  });
  return out;
}

}  // namespace

size_t AnnotationBytes(const Value& object) {
  const Value* annotations = object.FindPath({"metadata", "annotations"});
  if (annotations == nullptr || !annotations->is_object()) return 0;
  size_t bytes = 0;
  for (const Member& annotation : annotations->Members()) {
    if (annotation.value.is_string()) bytes += annotation.name.size() + annotation.value.AsString().size();
  }
  return bytes;
}

std::optional<Value> ApplyEntryOf(const Value& live, std::string_view manager) {
  for (const Value& entry : ManagedFields(live)) {
    if (IsEntryOf(entry, manager, "Apply")) return entry;
  }
  return std::nullopt;
}

Document OwnedBy(const Value& entry, const Document& live) {
  Arena arena;
  arena.Retain(live);
  const Value* fields = entry.Find("fieldsV1");
  Value out = OwnedPartOf(live.root(), fields == nullptr ? Value() : *fields, arena);
  out = WithNamesOf(live.root(), out, arena);
  return Document(std::move(arena), out);
}

std::optional<Document> ServerSideRecord(const Document& live, std::string_view manager) {
  if (!LastAppliedTextOf(live.root()).empty()) return std::nullopt;
  const std::optional<Value> ours = ApplyEntryOf(live.root(), manager);
  return ours ? std::optional(OwnedBy(*ours, live)) : std::nullopt;
}

bool GoesBack(const Prepared& prepared, const Planning& planning) {
  return planning.record_in == RecordIn::kAnnotation && prepared.live &&
         LastAppliedTextOf(prepared.live->root()).empty() &&
         ApplyEntryOf(prepared.live->root(), planning.server_side_manager);
}

// Differs from kubectl: it decides by the flag --server-side alone, so that an annotation that is too large is refused by
// the server.
ApplyMode ModeOf(const Prepared& prepared, const Planning& planning) {
  if (planning.dialect == compat::Dialect::kKubectl || planning.server_side || !planning.may_switch) return {};
  ApplyMode out = {.annotation_bytes = AnnotationBytes(WithRecord(prepared))};
  out.too_large = out.annotation_bytes > kMaxAnnotationBytes;
  out.goes_back = GoesBack(prepared, planning);
  if (planning.record_in == RecordIn::kAnnotation) return out;
  const bool has_annotation = prepared.live && !LastAppliedTextOf(prepared.live->root()).empty();
  const bool applied = prepared.live && !has_annotation && planning.adopt.empty() &&
                       ApplyEntryOf(prepared.live->root(), planning.server_side_manager);
  out.server_side = out.too_large || applied;
  out.removes_annotation = out.server_side && has_annotation;
  if (out.server_side && prepared.live && !applied) out.migrates = MigratedManagers(prepared, planning, has_annotation);
  return out;
}

Status CheckFits(const ApplyMode& mode, const Planning& planning) {
  if (!mode.too_large || planning.record_in != RecordIn::kAnnotation) return Ok();
  Error error = Error::Refused(
      StrCat("the annotations would have ", mode.annotation_bytes, " bytes with last-applied, and the server accepts ",
             kMaxAnnotationBytes,
             "; apply the object without --last-applied=annotation, which applies it server-side, or make it smaller"));
  error.path = "metadata.annotations";
  return error;
}

std::vector<Value> EntriesAfterMigration(const Prepared& prepared, const ApplyMode& mode, const std::string& manager,
                                         Arena& arena) {
  std::vector<Value> entries;
  for (const Value& entry : ManagedFields(prepared.live->root())) {
    if (mode.removes_annotation && IsEntryOf(entry, kAnnotationManager, "Apply")) continue;
    if (!IsUpdateOfAny(entry, mode.migrates)) {
      entries.push_back(entry);
      continue;
    }
    const Value fields = RecordedFields(entry, prepared, arena);
    if (!fields.empty()) entries.push_back(WithAt(entry, {"fieldsV1"}, fields, arena));
  }
  entries = MigratedToServerSide(entries, mode.migrates, manager, arena).value_or(entries);
  const auto is_ours = [&](const Value& entry) { return IsEntryOf(entry, manager, "Apply"); };
  if (std::ranges::none_of(entries, is_ours)) {
    entries.push_back(ApplyEntryOfAnnotation(prepared.live->root(), manager, kNoAnnotation, arena));
  }
  // So that the plan shows its removal. The server drops the path from the entry together with the annotation.
  Value& ours = *std::ranges::find_if(entries, is_ours);
  if (mode.removes_annotation) ours = OwningAnnotation(ours, kLastAppliedAnnotation, arena);
  return entries;
}

std::vector<Value> EntriesAfterReturn(const Value& live, const std::string& manager, const std::string& client_side,
                                      Arena& arena) {
  const std::vector<Value> entries = ManagedFields(live);
  return MigratedToClientSide(entries, manager, client_side, arena).value_or(entries);
}

}  // namespace smp::apply
