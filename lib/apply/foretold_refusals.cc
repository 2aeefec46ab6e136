#include "apply/foretold_refusals.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "schema/facts/fixed.h"
#include "smp/meaning.h"
#include "value/at.h"
#include "value/json.h"
#include "value/path.h"

namespace smp::apply {

namespace {

using FieldNames = std::vector<std::string_view>;

Error Foretell(const Prepared& prepared, const FieldNames& path, std::string_view words) {
  Error error = Error::Refused(StrCat("foretold: ", words));
  FieldPath steps;
  for (const std::string_view name : path) steps.push_back(PathStep::Field(name));
  error.path = ToString(steps);
  error.source = prepared.manifest.SourceOf(&prepared.manifest.root());
  return error;
}

// --- metadata that the manifest must not state

// Returns the resourceVersion of the manifest; "" if it has none, or 0, which means any.
std::string_view StatedVersion(const Prepared& prepared) {
  const std::string_view version = TextAt(prepared.desired.root(), {"metadata", "resourceVersion"});
  return version == "0" ? "" : version;
}

// The server gives a new object a uid of its own, whatever the manifest says.
std::optional<Error> ForetoldOfCreation(const Prepared& prepared) {
  if (StatedVersion(prepared).empty()) return std::nullopt;
  return Foretell(prepared, {"metadata", "resourceVersion"},
                  "resourceVersion should not be set on objects to be created");
}

std::optional<Error> ForetoldOfMetadata(const Prepared& prepared) {
  const Value &wanted = prepared.desired.root(), &live = prepared.live->root();
  const auto differs = [&](std::string_view name) {
    const std::string_view text = TextAt(wanted, {"metadata", name});
    return !text.empty() && text != TextAt(live, {"metadata", name});
  };
  if (differs("uid")) return Foretell(prepared, {"metadata", "uid"}, "field is immutable");
  if (differs("resourceVersion") && !StatedVersion(prepared).empty()) {
    return Foretell(prepared, {"metadata", "resourceVersion"},
                    "the object has been modified; please apply your changes to the latest version and try again");
  }
  const bool being_deleted = !TextAt(live, {"metadata", "deletionTimestamp"}).empty();
  if (differs("deletionTimestamp") && !being_deleted) {
    return Foretell(prepared, {"metadata", "deletionTimestamp"}, "field is immutable");
  }
  return std::nullopt;
}

// --- fields that cannot change

const Value* ValueAt(const Value& root, const FieldNames& path) {
  const Value* value = &root;
  for (const std::string_view name : path) {
    value = value->Find(name);
    if (value == nullptr) return nullptr;
  }
  return value;
}

bool Has(const Value& object, const FixedField::Condition& condition) {
  const Value* value = ValueAt(object, condition.path);
  if (value == nullptr) return false;
  return value->is_string() ? value->AsString() == condition.value : WriteJson(*value) == condition.value;
}

bool Holds(const FixedField::Condition& condition, const Value& live, const Value& outcome) {
  if (condition.path.empty()) return true;
  return condition.negated ? !Has(live, condition) && !Has(outcome, condition) : Has(live, condition);
}

class FixedFields {
 public:
  FixedFields(const Prepared& prepared)
      : prepared_(prepared), live_(prepared.live->root()), outcome_(prepared.patch->outcome.root()) {}

  std::optional<Error> FirstChanged() {
    for (const FixedField* field : FixedFieldsOf(prepared_.resource, *prepared_.schema)) {
      if (!Holds(field->condition, live_, outcome_)) continue;
      if (const auto path = Changed(*field)) return Foretell(prepared_, *path, field->words);
    }
    return std::nullopt;
  }

 private:
  // Returns the path of the change; nullopt if the field stays as it is.
  std::optional<FieldNames> Changed(const FixedField& field) const {
    const Value* outcome = ValueAt(outcome_, field.path);
    if (outcome == nullptr || outcome->is_null()) return std::nullopt;  // perhaps a default takes its place
    if (field.except.empty()) return SameAt(field.path) ? std::nullopt : std::optional(field.path);
    if (!outcome->is_object()) return std::nullopt;
    for (const Member& m : outcome->Members()) {
      const bool excepted = std::find(field.except.begin(), field.except.end(), m.name) != field.except.end();
      FieldNames path = field.path;
      path.push_back(m.name);
      if (!excepted && !SameAt(path)) return path;
    }
    return std::nullopt;
  }

  // Returns true if live and the outcome mean the same at the path.
  bool SameAt(const FieldNames& path) const {
    const Storage storage = prepared_.resource.strategic ? Storage::kGoTypes : Storage::kAsWritten;
    Place place = {.schema = prepared_.schema.get(), .type = prepared_.resource.type, .storage = storage};
    for (const std::string_view name : path) place = PlaceOfMember(place, name);
    const Value *before = ValueAt(live_, path), *after = ValueAt(outcome_, path);
    if (before == nullptr) return CountsAsAbsent(*after, place);
    return SameMeaning(*before, *after, place);
  }

  const Prepared& prepared_;
  const Value& live_;
  const Value& outcome_;
};

}  // namespace

std::optional<Error> ForetoldRefusal(const Prepared& prepared) {
  if (!prepared.live) return ForetoldOfCreation(prepared);
  if (!prepared.patch || prepared.patch->empty()) return std::nullopt;
  if (auto error = ForetoldOfMetadata(prepared)) return error;
  return FixedFields(prepared).FirstChanged();
}

std::vector<std::string> MetadataWarnings(const Prepared& prepared) {
  std::vector<std::string> out;
  for (const std::string_view name : {"resourceVersion", "uid"}) {
    if (TextAt(prepared.manifest.root(), {"metadata", name}).empty()) continue;
    out.push_back(StrCat("metadata.", name, " belongs to one live object; remove it from the manifest"));
  }
  return out;
}

bool NamespaceCheck::IsMissing(const std::string& name) {
  const auto [at, unknown] = missing_.try_emplace(name, false);
  if (unknown) {
    const auto found = client_.Get({{"", "v1", "Namespace"}, "namespaces", "", name});
    at->second = !found.ok() && found.error().code == ErrorCode::kNotFound;
  }
  return at->second;
}

std::optional<Error> NamespaceCheck::MissingNamespaceOf(const Prepared& prepared) {
  const std::string& name = prepared.ref.name_space;
  if (prepared.live || name.empty() || definitions_.namespaces.contains(name)) return std::nullopt;
  if (!IsMissing(name)) return std::nullopt;
  return Foretell(prepared, {"metadata", "namespace"}, StrCat("namespaces \"", name, "\" not found"));
}

}  // namespace smp::apply
