#include "explain/folded_items.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/name_some.h"
#include "base/strings.h"
#include "explain/changed_fields.h"
#include "explain/message.h"
#include "explain/row_values.h"

namespace smp::explain {

namespace {

constexpr size_t kFewItemsAlike = 3;  // each has a row
constexpr size_t kFewVariables = 12;  // likewise, where they have values of their own
constexpr size_t kMostShown = 3;      // of many
constexpr size_t kLongestValue = 48;  // bytes, of a variable
constexpr std::string_view kVariables = "variables";

struct VariableSource {
  std::string object;  // "ConfigMap settings"
  std::string key;
  bool optional = false;
};

// nullopt for any other value of a variable. It may have its name.
std::optional<VariableSource> SourceOf(const Value& value) {
  const Value* from = value.is_object() ? value.Find("valueFrom") : nullptr;
  const size_t members = value.is_object() && value.Find("name") != nullptr ? 2 : 1;
  if (from == nullptr || value.size() != members || !from->is_object() || from->size() != 1) return std::nullopt;
  const auto& [where, at] = from->Members().front();
  if ((where != "configMapKeyRef" && where != "secretKeyRef") || !at.is_object()) return std::nullopt;
  const Value* optional = at.Find("optional");
  const std::string_view name = at.StringOr("name"), key = at.StringOr("key");
  if (name.empty() || key.empty() || at.size() != (optional == nullptr ? 2 : 3)) return std::nullopt;
  return VariableSource{StrCat(where == "secretKeyRef" ? "Secret " : "ConfigMap ", name), std::string(key),
                        optional != nullptr && optional->is_bool() && optional->AsBool()};
}

bool IsVariable(const FieldPath& path) {
  return path.size() > 1 && path.back().kind == PathStep::Kind::kKey && path[path.size() - 2].name == "env";
}

// Returns true for {value: 5}, with or without a name, where the value is short.
bool HasShortValue(const Value& variable) {
  const Value* value = variable.Find("value");
  const size_t members = variable.Find("name") != nullptr ? 2 : 1;
  return value != nullptr && variable.size() == members && value->is_string() &&
         value->AsString().size() <= kLongestValue && value->AsString().find('\n') == std::string_view::npos;
}

std::string SourceInWords(const VariableSource& source) {
  return StrCat("variables from ", source.object, source.optional ? ", optional" : "");
}

// Returns "volumes from ConfigMaps"; nullopt for volumes of other kinds, of which each may be of interest.
std::optional<std::string> VolumesLike(const Value& volume) {
  if (volume.Find("configMap") != nullptr) return "volumes from ConfigMaps";
  if (volume.Find("secret") != nullptr) return "volumes from Secrets";
  return std::nullopt;
}

// Returns what the item of a list is one of many of: "variables from ConfigMap settings"; nullopt for other rows.
std::optional<std::string> ManyLike(const ReportRow& row) {
  const bool is_plain = IsPlain(row.message) && !IsSurprise(row.reason) && !row.masked && row.policy.empty();
  const bool is_item = row.path.size() > 1 && row.path.back().kind == PathStep::Kind::kKey;
  if (!is_item || !is_plain || (Sign(row) != '+' && Sign(row) != '-')) return std::nullopt;
  const Value* value = Sign(row) == '+' ? ValueAfter(row) : ValueBefore(row);
  if (value == nullptr || !value->is_object()) return std::nullopt;
  const std::string_view list = row.path[row.path.size() - 2].name;
  if (list == "volumeMounts") return "mounts";
  if (list == "volumes") return VolumesLike(*value);
  if (list != "env") return std::nullopt;
  if (HasShortValue(*value)) return std::string(kVariables);
  const auto source = SourceOf(*value);
  return source ? std::optional(SourceInWords(*source)) : std::nullopt;
}

bool AreAlike(const ReportRow& a, const ReportRow& b) {
  const auto like = ManyLike(a);
  const bool same_list = a.path.size() == b.path.size() && std::equal(a.path.begin(), a.path.end() - 1, b.path.begin());
  return like && same_list && like == ManyLike(b) && Sign(a) == Sign(b) && a.reason == b.reason &&
         a.source.file == b.source.file;
}

}  // namespace

const Value* VariableInWords(const Value* value, const FieldPath& path, Arena& arena) {
  const auto source = value != nullptr && IsVariable(path) ? SourceOf(*value) : std::nullopt;
  if (!source) return value;
  const std::string_view optional = source->optional ? ", optional" : "";
  return arena.Keep(arena.String(StrCat("from ", source->object, ", key ", source->key, optional)));
}

size_t CountItemsAlike(RowPointers rows) {
  size_t count = 0;
  while (count < rows.size() && AreAlike(*rows.front(), *rows[count])) ++count;
  const bool have_values = count > 0 && ManyLike(*rows.front()) == kVariables;
  return count > (have_values ? kFewVariables : kFewItemsAlike) ? count : 0;
}

std::string ItemsInWords(RowPointers rows) {
  std::vector<std::string> names;
  const std::string like = *ManyLike(*rows.front());
  for (const ReportRow* row : rows) {
    const Value* variable = Sign(*row) == '+' ? ValueAfter(*row) : ValueBefore(*row);
    names.push_back(FirstKey(row->path.back()));
    if (like == kVariables) names.back() += StrCat(" = ", variable->Find("value")->AsString());
  }
  return StrCat(like, ": ", NameSome(std::move(names), kMostShown), " (--wide)");
}

}  // namespace smp::explain
