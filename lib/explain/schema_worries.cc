#include "explain/schema_worries.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/hit_objects.h"
#include "explain/schema_changes.h"
#include "value/utf8.h"

namespace smp::explain {

namespace {

constexpr size_t kMostSchemaFields = 2;  // of a CRD
constexpr size_t kMostStricter = 1;      // likewise, or two
constexpr size_t kLongestRule = 48;      // bytes

// Returns "…hostAliases[].ip" of a field deep in a schema: it is at other paths in other CRDs.
std::string EndOfPath(const std::string& field) {
  const size_t last = field.rfind('.');
  const size_t before = last == std::string::npos || last == 0 ? std::string::npos : field.rfind('.', last - 1);
  return before == std::string::npos ? field : StrCat("…", field.substr(before + 1));
}

// Returns "…path.name is now required", "minLength 1 in …path.name", or "the rule \"a < b\" in spec".
std::string StricterInWords(const SchemaChange& change) {
  const std::string field = EndOfPath(change.fields.front());
  if (change.rule == "required") return StrCat(field, " is now required");
  const std::string rule = CutEnd(change.rule, kLongestRule);
  const bool cuts_quote = std::ranges::count(rule, '"') % 2 == 1;
  return StrCat(rule, cuts_quote ? "\"" : "", " in ", field);
}

// Returns "unknown fields in spec, status".
std::string UnknownInWords(const std::vector<std::string>& places) {
  constexpr size_t kMost = 2;
  return StrCat("unknown fields in ", NameFields(places, kMost));
}

// Returns "…mode audit → Enforce", or "…mode" where that is long, for the rule "default audit → Enforce".
std::string DefaultInWords(const std::string& field, std::string_view rule) {
  constexpr std::string_view kDefault = "default ";
  if (rule.starts_with(kDefault)) rule.remove_prefix(kDefault.size());
  return StrCat(EndOfPath(field), rule.size() > kLongestRule ? "" : StrCat(" ", rule));
}

// Returns "string → object" of the rule "type string → object, minLength 1"; "" for other rules.
std::string ChangeOfType(std::string_view rule) {
  constexpr std::string_view kType = "type ";
  if (!rule.starts_with(kType) || rule.find(" → ") == rule.npos) return {};
  rule.remove_prefix(kType.size());
  return std::string(rule.substr(0, rule.find(',')));
}

// What there is to worry about in the schemas of a CRD.
struct SchemaWorries {
  NamesOnce types = {}, gone = {}, stricter = {}, fixed = {}, defaults = {};

  void Add(const SchemaChange& change) {
    // Few objects have duplicates, and many lists of a new version are sets.
    const bool refuses = change.effect == SchemaChange::Effect::kMayRefuse && change.rule != kNoDuplicates;
    const std::string type = refuses ? ChangeOfType(change.rule) : "";
    for (const std::string& field : change.fields) {
      const bool is_written_anew = field.starts_with("status");  // by a controller
      if (!type.empty() && !is_written_anew) types.Add(StrCat(EndOfPath(field), " ", type));
    }
    if (refuses && type.empty()) stricter.Add(StricterInWords(change));
    if (change.effect == SchemaChange::Effect::kUnknownGone) gone.Add(UnknownInWords(change.fields));
    for (const std::string& field : change.fields) {
      if (change.effect == SchemaChange::Effect::kFixed) fixed.Add(EndOfPath(field));
      if (change.effect == SchemaChange::Effect::kFieldsGone) gone.Add(EndOfPath(field));
      if (change.effect == SchemaChange::Effect::kDefault) defaults.Add(DefaultInWords(field, change.rule));
    }
  }
};

}  // namespace

void AddSchemas(const ReportRow& row, FoundWorries& out) {
  if (row.live == nullptr) return;
  const auto changes = ChangesOfVersions(*row.live, *row.outcome);
  if (!changes) return;
  const SchemaChanges divided = DivideSchemaChanges(*changes, *row.live, *row.outcome);
  const std::vector<std::string> versions = VersionsGone(divided.others);
  if (const std::string stored = OtherStorage(divided.others); !stored.empty()) out[Worry::kStorage] = {stored};
  SchemaWorries found;
  for (const SchemaOfVersions& schema : divided.schemas) {
    for (const SchemaChange& change : schema.changes) found.Add(change);
  }
  if (!found.stricter.empty()) out[Worry::kMayRefuse] = {found.stricter.Some(kMostStricter), ""};
  if (!versions.empty()) out[Worry::kVersionsGone] = NameInBoth(versions, kMostTold);
  if (!found.fixed.empty()) out[Worry::kFixedFields] = NameInBoth(found.fixed, kMostSchemaFields);
  if (!found.types.empty()) out[Worry::kTypes] = NameInBoth(found.types, kMostSchemaFields);
  if (!found.gone.empty()) out[Worry::kFieldsGone] = NameInBoth(found.gone, kMostSchemaFields);
  if (!found.defaults.empty()) out[Worry::kDefaults] = NameInBoth(found.defaults, kMostSchemaFields);
}

void AddUnknownGone(const ObjectReport& object, FoundWorries& out) {
  const auto is_true = [](const Value* value) { return value != nullptr && value->is_bool() && value->AsBool(); };
  const bool drops = std::ranges::any_of(object.rows, [&](const ReportRow& row) {
    const bool is_field = row.path.size() == 2 && row.path[0].name == "spec" && row.path[1].name == kPreserve;
    return is_field && row.op != RowOp::kKeep && is_true(row.live) && !is_true(row.outcome);
  });
  if (!drops || object.kind != "CustomResourceDefinition") return;
  std::vector<std::string> names = {"unknown fields in all objects"};
  const std::vector<std::string>& others = out[Worry::kFieldsGone].names;
  names.insert(names.end(), others.begin(), others.end());
  out[Worry::kFieldsGone] = NameInBoth(names, kMostSchemaFields);
}

void TellHits(const HitObjects& hits, FoundWorries& out) {
  out.erase(Worry::kTypes);
  out.erase(Worry::kFieldsGone);
  if (!hits.unchecked) out.erase(Worry::kMayRefuse);
  const auto gone = out.find(Worry::kVersionsGone);
  if (gone != out.end() && !hits.writers.empty()) {
    std::vector<std::string> names = gone->second.names;
    names.push_back(StrCat("written by ", NameSome(hits.writers, kMostBrief)));
    gone->second = NameInBoth(names, kMostTold);
  }
  if (!hits.losing.empty()) out[Worry::kValuesLost] = NameInBoth(hits.losing, kMostTold);
  if (!hits.invalid.empty()) out[Worry::kBreaksObjects] = NameInBoth(hits.invalid, kMostTold);
}

}  // namespace smp::explain
