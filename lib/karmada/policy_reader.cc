#include "karmada/policy_reader.h"

#include <algorithm>

#include "base/strings.h"
#include "value/path.h"

namespace smp::karmada {

namespace {

Error AtPlace(PolicyPlace place, std::string message) {
  return {ErrorCode::kPolicy, std::move(message), std::move(place.path), std::move(place.source)};
}

std::string Below(const std::string& path, std::string_view name) {
  const std::string step = ToString(PathStep::Field(name));
  return StrCat(path, path.empty() || step.starts_with('[') ? "" : ".", step);
}

}  // namespace

Result<PolicyReader> PolicyReader::Open(const Value& value, std::string path, const Document& document) {
  PolicyPlace place = {document.SourceOf(&value), std::move(path)};
  if (!value.is_object()) return AtPlace(std::move(place), StrCat("must be a map, found ", KindName(value.kind())));
  return PolicyReader(value, std::move(place), document);
}

PolicyPlace PolicyReader::PlaceOf(std::string_view name) const {
  const Value* value = value_->Find(name);
  return {value == nullptr ? place_.source : document_->SourceOf(value), Below(place_.path, name)};
}

Error PolicyReader::Wrong(std::string_view name, std::string message) const {
  return AtPlace(PlaceOf(name), std::move(message));
}

Error PolicyReader::Wrong(std::string message) const { return AtPlace(place_, std::move(message)); }

const Value* PolicyReader::Any(std::string_view name) {
  known_.push_back(name);
  return value_->Find(name);
}

const Value* PolicyReader::Find(std::string_view name) {
  const Value* value = Any(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

Status PolicyReader::Expect(std::string_view name, const Value& value, Kind kind) const {
  if (value.kind() == kind) return Ok();
  const bool quote = kind == Kind::kString && value.is_scalar();
  return Wrong(name, StrCat("must be ",
                            kind == Kind::kString  ? "a string"
                            : kind == Kind::kArray ? "a list"
                                                   : "a map",
                            ", found ", KindName(value.kind()), quote ? "; quote it" : ""));
}

Result<std::string> PolicyReader::Text(std::string_view name) {
  const Value* value = Find(name);
  if (value == nullptr) return std::string();
  SMP_TRY(Expect(name, *value, Kind::kString));
  return std::string(value->AsString());
}

Result<std::string> PolicyReader::RequiredText(std::string_view name) {
  if (Find(name) == nullptr) return Wrong(StrCat(name, " is required"));
  return Text(name);
}

Result<std::vector<std::string>> PolicyReader::Texts(std::string_view name) {
  std::vector<std::string> out;
  const Value* value = Find(name);
  if (value == nullptr) return out;
  SMP_TRY(Expect(name, *value, Kind::kArray));
  for (const Value& item : value->Items()) {
    SMP_TRY(Expect(name, item, Kind::kString));
    out.emplace_back(item.AsString());
  }
  return out;
}

Result<std::map<std::string, std::string>> PolicyReader::TextMap(std::string_view name) {
  std::map<std::string, std::string> out;
  SMP_ASSIGN(const std::optional<PolicyReader> map, Map(name));
  if (!map) return out;
  for (const Member& m : map->value_->Members()) {
    SMP_TRY(map->Expect(m.name, m.value, Kind::kString));
    out.emplace(m.name, m.value.AsString());
  }
  return out;
}

Result<std::optional<PolicyReader>> PolicyReader::Map(std::string_view name) {
  const Value* value = Find(name);
  if (value == nullptr) return std::optional<PolicyReader>();
  SMP_ASSIGN(PolicyReader map, Open(*value, Below(place_.path, name), *document_));
  return std::optional<PolicyReader>(std::move(map));
}

Result<std::vector<PolicyReader>> PolicyReader::Maps(std::string_view name) {
  std::vector<PolicyReader> out;
  const Value* value = Find(name);
  if (value == nullptr) return out;
  SMP_TRY(Expect(name, *value, Kind::kArray));
  const std::string path = Below(place_.path, name);
  for (size_t i = 0; i < value->size(); ++i) {
    SMP_ASSIGN(PolicyReader map, Open(value->Items()[i], StrCat(path, "[", i, "]"), *document_));
    out.push_back(std::move(map));
  }
  return out;
}

Result<edit::EditKind> PolicyReader::Operator(const std::vector<edit::EditKind>& allowed) {
  SMP_ASSIGN(const std::string text, RequiredText("operator"));
  std::vector<std::string_view> names;
  for (const edit::EditKind kind : allowed) {
    if (text == EditKindName(kind)) return kind;
    names.push_back(EditKindName(kind));
  }
  return Wrong("operator", StrCat("\"", text, "\" is not supported; it must be one of ", Join(names, ", ")));
}

Status PolicyReader::RefuseUnknown() const {
  for (const Member& m : value_->Members()) {
    if (std::find(known_.begin(), known_.end(), m.name) != known_.end()) continue;
    std::vector<std::string_view> names = known_;
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return Wrong(m.name, StrCat("unknown field \"", m.name, "\"; known fields are ", Join(names, ", ")));
  }
  return Ok();
}

std::string_view EditKindName(edit::EditKind kind) {
  switch (kind) {
    case edit::EditKind::kAdd: return "add";
    case edit::EditKind::kRemove: return "remove";
    case edit::EditKind::kReplace: return "replace";
    case edit::EditKind::kMove: return "move";
    case edit::EditKind::kCopy: return "copy";
    case edit::EditKind::kTest: return "test";
  }
  return "add";
}

}  // namespace smp::karmada
