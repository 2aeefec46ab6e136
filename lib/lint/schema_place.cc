#include "lint/schema_place.h"

#include <utility>

#include "base/spelling.h"
#include "base/strings.h"

namespace smp::lint {

namespace {

std::string_view NameOfKind(TypeKind kind) {
  switch (kind) {
    case TypeKind::kAny: return "any value";
    case TypeKind::kString: return "string";
    case TypeKind::kInteger: return "integer";
    case TypeKind::kNumber: return "number";
    case TypeKind::kBoolean: return "boolean";
    case TypeKind::kObject: return "map";
    case TypeKind::kArray: return "list";
    case TypeKind::kIntOrString: return "integer or string";
    case TypeKind::kQuantity: return "quantity";
    case TypeKind::kTime: return "time";
    case TypeKind::kBytes: return "base64";
  }
  return "";
}

// Splits at dots; what is in brackets after a name is left out.
std::vector<std::string> NamesIn(std::string_view path) {
  std::vector<std::string> out;
  if (path.empty()) return out;
  for (const std::string_view part : Split(path, '.')) out.emplace_back(part.substr(0, part.find('[')));
  return out;
}

std::vector<std::string> NamesOfFields(const Schema& schema, TypeId type) {
  std::vector<std::string> out;
  for (const Field& field : schema.type(type).fields) out.push_back(field.name);
  return out;
}

Error UnknownFieldIn(const SchemaPlace& place, std::string_view name) {
  const std::vector<std::string> known = NamesOfFields(place.schema(), place.type);
  const std::string where = place.steps.empty() ? place.kind->resource.gvk.kind : place.path();
  if (known.empty()) return Error::InvalidArgument(StrCat(where, " has no fields"));
  const std::vector<std::string> meant = SpelledLike(name, known);
  return Error::InvalidArgument(
      StrCat(where, " has no field \"", name, "\"", meant.empty() ? "" : StrCat("; did you mean ", meant[0], "?")));
}

Status Step(SchemaPlace& place, const std::string& name) {
  const Schema& schema = place.schema();
  const Field* field = place.type == kNoType ? nullptr : schema.Find(place.type, name);
  const bool is_map = place.type != kNoType && schema.type(place.type).has_additional;
  if (field == nullptr && !is_map) return UnknownFieldIn(place, name);
  const TypeId next = field != nullptr ? field->type : schema.type(place.type).additional;
  place.steps.push_back({name, field, place.type});
  place.type = next;
  return Ok();
}

}  // namespace

std::string SchemaPlace::path() const {
  std::vector<std::string> names;
  for (const SchemaStep& step : steps) names.push_back(step.name);
  return Join(names, ".");
}

Result<SchemaPlace> FindSchemaPlace(std::shared_ptr<const Kind> kind, std::string_view path) {
  SchemaPlace out = {.kind = std::move(kind)};
  out.type = out.kind->resource.type;
  for (const std::string& name : NamesIn(path)) SMP_TRY(Step(out, name));
  return out;
}

std::vector<std::string> FieldsBeside(std::shared_ptr<const Kind> kind, std::string_view path) {
  const size_t dot = path.rfind('.');
  const std::string_view above = dot == path.npos ? std::string_view() : path.substr(0, dot);
  const auto place = FindSchemaPlace(std::move(kind), above);
  if (!place.ok() || place->type == kNoType) return {};
  std::vector<std::string> out;
  for (const std::string& name : NamesOfFields(place->schema(), place->type)) {
    out.push_back(above.empty() ? name : StrCat(above, ".", name));
  }
  return out;
}

std::string NameOfType(const Schema& schema, TypeId id) {
  if (id == kNoType) return "any value";
  const Type& type = schema.type(id);
  if (type.kind == TypeKind::kArray) return StrCat("list of ", NameOfType(schema, type.additional));
  if (type.kind != TypeKind::kObject && type.kind != TypeKind::kAny) return std::string(NameOfKind(type.kind));
  if (!type.name.empty()) return type.name.substr(type.name.rfind('.') + 1);
  if (type.has_additional && type.fields.empty()) return StrCat("map of ", NameOfType(schema, type.additional));
  return std::string(NameOfKind(type.kind));
}

std::string NameOfValue(const Schema& schema, const Field& field) {
  if (field.is_list) return StrCat("list of ", NameOfType(schema, field.type));
  const bool is_map = field.kind == TypeKind::kObject || field.kind == TypeKind::kAny;
  return is_map && field.type != kNoType ? NameOfType(schema, field.type) : std::string(NameOfKind(field.kind));
}

}  // namespace smp::lint
