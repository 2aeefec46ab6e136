#include "apply/last_applied.h"

#include <vector>

#include "base/strings.h"
#include "value/at.h"
#include "value/json.h"

namespace smp::apply {

namespace {

using Lines = std::vector<std::pair<const Value*, int>>;

// Copies the line numbers of the old map's members to the new map's.
void CopyLines(const Document& from, const Value* old_map, const Value* new_map, Lines& lines) {
  if (old_map == nullptr || new_map == nullptr || !new_map->is_object()) return;
  for (const Member& m : new_map->Members()) {
    if (const Value* old = old_map->Find(m.name)) lines.emplace_back(&m.value, from.LineOf(old));
  }
}

Document Derived(const Document& from, Arena arena, Value root) {
  Document out(std::move(arena), root);
  Lines lines = {{&out.root(), from.LineOf(&from.root())}};
  CopyLines(from, &from.root(), &out.root(), lines);
  CopyLines(from, from.root().Find("metadata"), out.root().Find("metadata"), lines);
  CopyLines(from, from.root().FindPath({"metadata", "annotations"}), out.root().FindPath({"metadata", "annotations"}),
            lines);
  out.SetSource(from.source_name());
  out.SetLines(std::move(lines));
  return out;
}

}  // namespace

Result<std::optional<Document>> ReadLastApplied(const Value& live) {
  const std::string_view text = LastAppliedTextOf(live);
  if (text.empty()) return std::optional<Document>();
  auto document = ParseJson(text);
  if (!document.ok() || !document->root().is_object()) {
    Error error = Error::Parse("must be a JSON object; remove the annotation to apply as if for the first time");
    error.path = StrCat("metadata.annotations[\"", kLastAppliedAnnotation, "\"]");
    return error;
  }
  return std::optional<Document>(*std::move(document));
}

std::string_view LastAppliedTextOf(const Value& live) {
  return TextAt(live, {"metadata", "annotations", kLastAppliedAnnotation});
}

std::string LastAppliedText(const Value& manifest) {
  Arena arena;
  const Value* annotations = manifest.FindPath({"metadata", "annotations"});
  const Value some = annotations != nullptr && annotations->is_object() ? *annotations : arena.SortedObject({});
  const Value kept = WithoutAt(some, {}, {kLastAppliedAnnotation}, arena);
  return WriteJson(WithAt(manifest, {"metadata", "annotations"}, kept, arena)) + "\n";
}

Document WithLastApplied(const Document& manifest) {
  return WithLastApplied(manifest, LastAppliedText(manifest.root()));
}

Document WithLastApplied(const Document& manifest, std::string_view text) {
  Arena arena;
  arena.Retain(manifest);
  const Value root =
      WithAt(manifest.root(), {"metadata", "annotations", kLastAppliedAnnotation}, arena.String(text), arena);
  return Derived(manifest, std::move(arena), root);
}

Document WithNamespace(const Document& document, std::string_view name_space) {
  Arena arena;
  arena.Retain(document);
  const Value root = WithAt(document.root(), {"metadata", "namespace"}, arena.String(name_space), arena);
  return Derived(document, std::move(arena), root);
}

}  // namespace smp::apply
