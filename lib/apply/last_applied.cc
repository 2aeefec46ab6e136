#include "apply/last_applied.h"

#include <vector>

#include "base/strings.h"
#include "value/json.h"

namespace smp {

namespace {

std::vector<Member> MembersOf(const Value* map) {
  if (map == nullptr || !map->is_object()) return {};
  return {map->Members().begin(), map->Members().end()};
}

std::vector<Member> Without(std::vector<Member> members, std::string_view name) {
  std::erase_if(members, [&](const Member& m) { return m.name == name; });
  return members;
}

// Returns the map with one member set.
Value With(const Value* map, std::string_view name, Value value, Arena& arena) {
  std::vector<Member> members = MembersOf(map);
  members.push_back({name, value});
  return arena.Object(std::move(members));
}

using Lines = std::vector<std::pair<const Value*, int>>;

// Carries the lines of members over to their copies.
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
  const Value* old_metadata = from.root().Find("metadata");
  const Value* metadata = out.root().Find("metadata");
  CopyLines(from, old_metadata, metadata, lines);
  if (old_metadata != nullptr && metadata != nullptr) {
    CopyLines(from, old_metadata->Find("annotations"), metadata->Find("annotations"), lines);
  }
  out.SetSource(from.source_name());
  out.SetLines(std::move(lines));
  return out;
}

Value WithAnnotations(const Value& root, Value annotations, Arena& arena) {
  return With(&root, "metadata", With(root.Find("metadata"), "annotations", annotations, arena), arena);
}

}  // namespace

Result<std::optional<Document>> ReadLastApplied(const Value& live) {
  const Value* text = live.FindPath({"metadata", "annotations", kLastAppliedAnnotation});
  if (text == nullptr || !text->is_string() || text->empty()) return std::optional<Document>();
  auto document = ParseJson(text->AsString());
  if (!document.ok() || !document->root().is_object()) {
    Error error = Error::Parse(
        "is no JSON object, so nothing can be compared with it; remove the annotation to apply as if for the first "
        "time");
    error.path = StrCat("metadata.annotations[\"", kLastAppliedAnnotation, "\"]");
    return error;
  }
  return std::optional<Document>(*std::move(document));
}

std::string_view LastAppliedTextOf(const Value& live) {
  const Value* text = live.FindPath({"metadata", "annotations", kLastAppliedAnnotation});
  return text != nullptr && text->is_string() ? text->AsString() : std::string_view();
}

std::string LastAppliedText(const Value& manifest) {
  Arena arena;
  const Value* annotations = manifest.FindPath({"metadata", "annotations"});
  const Value kept = arena.Object(Without(MembersOf(annotations), kLastAppliedAnnotation));
  return WriteJson(WithAnnotations(manifest, kept, arena)) + "\n";
}

Document WithLastApplied(const Document& manifest) {
  return WithLastApplied(manifest, LastAppliedText(manifest.root()));
}

Document WithLastApplied(const Document& manifest, std::string_view text) {
  Arena arena;
  arena.Retain(manifest);
  const Value* annotations = manifest.root().FindPath({"metadata", "annotations"});
  const Value recorded = With(annotations, kLastAppliedAnnotation, arena.String(text), arena);
  const Value root = WithAnnotations(manifest.root(), recorded, arena);
  return Derived(manifest, std::move(arena), root);
}

Document WithMetadata(const Document& document, std::string_view name, std::string_view value) {
  Arena arena;
  arena.Retain(document);
  const Value metadata = With(document.root().Find("metadata"), arena.Copy(name), arena.String(value), arena);
  const Value root = With(&document.root(), "metadata", metadata, arena);
  return Derived(document, std::move(arena), root);
}

}  // namespace smp
