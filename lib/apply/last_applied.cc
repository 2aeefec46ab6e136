#include "apply/last_applied.h"

#include "base/strings.h"
#include "value/at.h"
#include "value/derived_document.h"
#include "value/json.h"

namespace smp::apply {

namespace {

Value NoFields() { return Value::UnownedObject({}); }

}  // namespace

Result<std::optional<Document>> ReadLastApplied(const Value& live) {
  const std::string_view text = LastAppliedTextOf(live);
  if (text.empty()) return std::optional<Document>();
  auto document = ParseJson(text);
  if (document.ok() && document->root().is_null()) return std::optional<Document>(Document(Arena(), NoFields()));
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
  return DerivedDocument(manifest, std::move(arena), root);
}

Document WithoutLastApplied(const Document& object) {
  if (LastAppliedTextOf(object.root()).empty()) return object;
  Arena arena;
  arena.Retain(object);
  const Value root = WithoutAt(object.root(), {"metadata", "annotations"}, {kLastAppliedAnnotation}, arena);
  return DerivedDocument(object, std::move(arena), root);
}

Value WithNamesOf(const Value& object, const Value& part, Arena& arena) {
  Value out = part;
  for (const char* name : {"name", "namespace"}) {
    const Value* value = object.FindPath({"metadata", name});
    if (value != nullptr) out = WithAt(out, {"metadata", name}, *value, arena);
  }
  for (const char* name : {"apiVersion", "kind"}) {
    if (const Value* value = object.Find(name)) out = WithAt(out, {name}, *value, arena);
  }
  return out;
}

Document WithNamespace(const Document& document, std::string_view name_space) {
  Arena arena;
  arena.Retain(document);
  const Value root = WithAt(document.root(), {"metadata", "namespace"}, arena.String(name_space), arena);
  return DerivedDocument(document, std::move(arena), root);
}

// Source: cli-runtime, resource.FilterNamespace.
Document WithoutNamespace(const Document& document) {
  if (document.root().FindPath({"metadata", "namespace"}) == nullptr) return document;
  Arena arena;
  arena.Retain(document);
  const Value root = WithoutAt(document.root(), {"metadata"}, {"namespace"}, arena);
  return DerivedDocument(document, std::move(arena), root);
}

// Source: apimachinery, Unstructured.GetAnnotations, which reads by NestedNullCoercingStringMap.
Document WithNullAnnotationsEmpty(const Document& manifest) {
  return WithTextsForNulls(manifest, {"metadata", "annotations"});
}

}  // namespace smp::apply
