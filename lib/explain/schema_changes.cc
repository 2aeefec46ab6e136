#include "explain/schema_changes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/strings.h"
#include "explain/changed_fields.h"
#include "explain/in_words.h"
#include "explain/one_line.h"
#include "value/at.h"
#include "value/utf8.h"

namespace smp::explain {

namespace {

using Effect = SchemaChange::Effect;
using Steps = std::span<const PathStep>;
using NameSet = std::set<std::string>;

constexpr size_t kLongestLimit = 60;     // bytes
constexpr size_t kLongestMessage = 160;  // bytes, of a validation rule

bool IsField(const PathStep& step, std::string_view name) {
  return step.kind == PathStep::Kind::kField && step.name == name;
}

// A position in a schema.
struct KeywordPlace {
  std::string field;        // "" for the object
  std::string keyword;      // "" if the change is about the whole field
  bool is_below = false;    // the change is about a part of the keyword's value
  std::string_view last{};  // field of the path
};

std::string Below(const std::string& field, std::string_view name) {
  return StrCat(field, field.empty() ? "" : ".", name);
}

// `steps`: below openAPIV3Schema.
KeywordPlace PlaceOf(Steps steps) {
  KeywordPlace out;
  size_t i = 0;
  for (; i < steps.size(); ++i) {
    if (IsField(steps[i], "properties") && i + 1 < steps.size()) {
      out.field = Below(out.field, steps[++i].name);
    } else if (IsField(steps[i], "items")) {
      out.field += "[]";
    } else if (IsField(steps[i], "additionalProperties")) {
      out.field += "[*]";
    } else {
      break;
    }
  }
  if (i == steps.size()) return out;
  out.keyword = steps[i].name;
  out.is_below = i + 1 < steps.size();
  for (const PathStep& step : steps) {
    if (step.kind == PathStep::Kind::kField) out.last = step.name;
  }
  return out;
}

std::string InWords(const Value& value) { return CutEnd(OneLine(value), kLongestLimit); }

// Returns "minLength 1 → 2", "pattern ^a$", or "no maxItems 3".
std::string RuleOf(std::string_view keyword, const Value* before, const Value* after) {
  if (before == nullptr) return StrCat(keyword, " ", InWords(*after));
  if (after == nullptr) return StrCat("no ", keyword, " ", InWords(*before));
  const std::string old = InWords(*before), now = InWords(*after);
  return old == now ? StrCat("another ", keyword) : StrCat(keyword, " ", old, " → ", now);
}

std::optional<double> NumberOf(const Value* value) {
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->is_int() ? static_cast<double>(value->AsInt()) : value->AsDouble();
}

NameSet NamesIn(const Value* list) {
  NameSet out;
  if (list == nullptr || !list->is_array()) return out;
  for (const Value& item : list->Items()) out.insert(OneLine(item));
  return out;
}

bool IsTrue(const Value* value) { return value != nullptr && value->is_bool() && value->AsBool(); }

bool OneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// How a server merges lists and maps of the objects, and nothing else.
constexpr std::string_view kListType = "x-kubernetes-list-type";
constexpr std::string_view kMerging = "how lists and maps are merged";

bool IsAboutMerging(std::string_view keyword) {
  return OneOf(keyword, {kListType, "x-kubernetes-list-map-keys", "x-kubernetes-map-type",
                         "x-kubernetes-patch-strategy", "x-kubernetes-patch-merge-key"});
}

bool MakesItemsUnique(const Value* list_type) {
  return list_type != nullptr && list_type->is_string() && OneOf(list_type->AsString(), {"set", "map"});
}

constexpr std::string_view kKeepsUnknown = "x-kubernetes-preserve-unknown-fields";

const Value* FindIn(const Value* schema, std::string_view keyword) {
  return schema != nullptr && schema->is_object() ? schema->Find(keyword) : nullptr;
}

// Returns true for apiVersion, kind and metadata, which the server stores whether or not the schema of an object describes them.
bool IsOfEveryObject(std::string_view field) {
  return OneOf(field.substr(field.rfind('.') + 1), {"apiVersion", "kind", "metadata"});
}

// A map in the objects of a version, as a schema describes it.
struct MapSchema {
  const Value* schema = nullptr;
  bool keeps_unknown = false;  // fields that it does not describe
  bool is_object = false;      // with apiVersion, kind and metadata
};

MapSchema SchemaOfMap(const Value* schema, bool inherits, bool is_root) {
  const Value* others = FindIn(schema, "additionalProperties");
  const bool has_others = others != nullptr && (others->is_object() || IsTrue(others));
  return {.schema = schema,
          .keeps_unknown = inherits || has_others || IsTrue(FindIn(schema, kKeepsUnknown)),
          .is_object = is_root || IsTrue(FindIn(schema, "x-kubernetes-embedded-resource"))};
}

// Returns the innermost described map that contains the field, or has the keyword, which the path leads to. `steps`: below
// openAPIV3Schema.
// Source: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning. The items of a list inherit
// x-kubernetes-preserve-unknown-fields, fields that are described do not.
MapSchema MapAround(const Value* schema, Steps steps) {
  MapSchema out = SchemaOfMap(schema, false, true);
  for (size_t i = 0; i < steps.size(); ++i) {
    const bool is_field = IsField(steps[i], "properties") && i + 1 < steps.size(), is_item = IsField(steps[i], "items");
    if (!is_field && !is_item && !IsField(steps[i], "additionalProperties")) break;
    if (i + (is_field ? 2 : 1) == steps.size()) break;
    const Value* below = FindIn(out.schema, steps[i].name);
    if (is_field) below = FindIn(below, steps[++i].name);
    if (below == nullptr) break;
    const bool is_metadata = is_field && out.is_object && IsOfEveryObject(steps[i].name);
    out = SchemaOfMap(below, is_metadata || (is_item && out.keeps_unknown), false);
  }
  return out;
}

// Returns the openAPIV3Schema of a version.
const Value* SchemaIn(const Value& versions, std::string_view version) {
  if (!versions.is_array()) return nullptr;
  for (const Value& item : versions.Items()) {
    if (!item.is_object() || item.StringOr("name") != version) continue;
    const Value* schema = item.Find("schema");
    return schema != nullptr && schema->is_object() ? schema->Find("openAPIV3Schema") : nullptr;
  }
  return nullptr;
}

// Returns the effect of a keyword that is only on one side, and refuses values.
Effect EffectOfRule(const Value* before, const Value* after) {
  return after == nullptr ? Effect::kAllowsMore : before == nullptr ? Effect::kMayRefuse : Effect::kOther;
}

Effect EffectOfLimit(const Value* before, const Value* after, bool is_least) {
  const auto old = NumberOf(before), now = NumberOf(after);
  if (!old || !now) return EffectOfRule(before, after);
  return (*now > *old) == is_least ? Effect::kMayRefuse : Effect::kAllowsMore;
}

// REQUIRES: the keyword is allowed where it is true, as nullable.
Effect EffectOfPermission(const Value* before, const Value* after) {
  return IsTrue(before) == IsTrue(after) ? Effect::kOther : IsTrue(after) ? Effect::kAllowsMore : Effect::kMayRefuse;
}

// The sizes of numbers refuse hardly anything, and are often added.
bool IsCheckedFormat(const Value* format) {
  const std::string_view name = format != nullptr && format->is_string() ? format->AsString() : "";
  return !name.empty() && !OneOf(name, {"double", "float", "int32", "int64"});
}

// Returns true if `after` is `before` with alternatives: "^a$" → "^a$|^$".
bool HasMoreAlternatives(const Value& before, const Value& after) {
  if (!before.is_string() || !after.is_string()) return false;
  const std::string old(before.AsString());
  const std::string_view now = after.AsString();
  return now.starts_with(old + "|") || now.ends_with("|" + old);
}

Effect EffectOf(std::string_view keyword, const Value* before, const Value* after) {
  if (OneOf(keyword, {"minimum", "minLength", "minItems", "minProperties"})) return EffectOfLimit(before, after, true);
  if (OneOf(keyword, {"maximum", "maxLength", "maxItems", "maxProperties"})) return EffectOfLimit(before, after, false);
  if (keyword == "nullable") return EffectOfPermission(before, after);
  if (keyword == kKeepsUnknown) return IsTrue(after) ? Effect::kAllowsMore : Effect::kOther;
  const bool both = before != nullptr && after != nullptr;
  if (keyword == "default" && both) return Effect::kDefault;
  if (keyword == "type" && both && OneLine(*before) == "integer" && OneLine(*after) == "number")
    return Effect::kAllowsMore;
  if (keyword == "pattern" && both && HasMoreAlternatives(*before, *after)) return Effect::kAllowsMore;
  if (OneOf(keyword, {"exclusiveMaximum", "exclusiveMinimum"}))
    return EffectOfPermission(after, before);  // the reverse
  const bool refuses = OneOf(keyword, {"pattern", "type", "enum", "x-kubernetes-validations", "allOf", "anyOf", "oneOf",
                                       "not", "multipleOf"}) ||
                       (keyword == "format" && IsCheckedFormat(after));
  if (refuses) return both ? Effect::kMayRefuse : EffectOfRule(before, after);
  return Effect::kOther;
}

size_t DepthOf(std::string_view field) { return static_cast<size_t>(std::count(field.begin(), field.end(), '.')); }

class SchemaDiff {
 public:
  // `before`, `after`: the whole schemas, or nullptr.
  void Add(const NestedChange& change, Steps steps, const Value* before, const Value* after) {
    const KeywordPlace place = PlaceOf(steps);
    old_map_ = MapAround(before, steps);
    new_map_ = MapAround(after, steps);
    if (OneOf(place.last, {"description", "title", "example", "message"}) && !place.keyword.empty()) {
      ++descriptions_;
    } else if (place.keyword.empty()) {
      AddField(place.field, change.before, change.after);
    } else if (place.keyword == "properties") {
      AddFields(place.field, change);
    } else if (place.keyword == kKeepsUnknown && DropsUnknown()) {
      Put(Effect::kUnknownGone, "", NameOf(place));
    } else if (place.keyword == "required") {
      AddRequired(change, place.field);
    } else if (place.keyword == "enum" && change.before != nullptr && change.after != nullptr) {
      AddValues(change, place.field);
    } else if (place.keyword == "x-kubernetes-validations" && change.before == nullptr && !change.after->is_scalar()) {
      AddValidations(*change.after, NameOf(place));
    } else if (place.keyword == "x-kubernetes-validations" && place.last == "rule" && change.after != nullptr) {
      AddChangedValidation(*change.after, NameOf(place));
    } else if (place.keyword == kListType && MakesItemsUnique(change.after) && !MakesItemsUnique(change.before)) {
      Put(Effect::kMayRefuse, std::string(kNoDuplicates), NameOf(place));
    } else if (IsAboutMerging(place.keyword)) {
      Put(Effect::kOther, std::string(kMerging), NameOf(place));
    } else {
      AddRule(place, change);
    }
  }

  // Returns the changes by effect. Those of the same rule are one.
  SchemaOfVersions Take() {
    SchemaOfVersions out{
        .versions = {}, .changes = {}, .descriptions = descriptions_, .describes_kept = describes_kept_};
    DropWhatIsNotAllowed();
    std::map<std::pair<Effect, std::vector<std::string>>, size_t> places;  // rules of the same fields are one change
    for (SchemaChange& change : changes_) {
      const auto [at, is_new] = places.try_emplace({change.effect, change.fields}, out.changes.size());
      if (is_new) {
        out.changes.push_back(std::move(change));
      } else {
        out.changes[at->second].rule += StrCat(", ", change.rule);
        out.changes[at->second].is_other_pattern &= change.is_other_pattern;
      }
    }
    for (SchemaChange& change : out.changes) std::ranges::stable_sort(change.fields, {}, DepthOf);
    std::ranges::stable_sort(out.changes, {}, &SchemaChange::effect);
    return out;
  }

 private:
  // A field that becomes stricter in one way allows no more for it in another: a pattern may ask for what minLength did.
  void DropWhatIsNotAllowed() {
    std::set<std::string> stricter;
    for (const SchemaChange& change : changes_) {
      if (change.effect == Effect::kMayRefuse) stricter.insert(change.fields.begin(), change.fields.end());
    }
    for (SchemaChange& change : changes_) {
      if (change.effect != Effect::kAllowsMore || change.rule.starts_with("also ")) continue;
      std::erase_if(change.fields, [&](const std::string& field) { return stricter.contains(field); });
    }
    std::erase_if(changes_, [](const SchemaChange& change) { return change.fields.empty(); });
  }

  // `of`: changes of it are one, whatever the values.
  SchemaChange& Put(Effect effect, const std::string& of, const std::string& rule, std::string field) {
    const auto [at, is_new] = places_.try_emplace({effect, of}, changes_.size());
    if (is_new) changes_.push_back({.effect = effect, .rule = rule, .fields = {}});
    SchemaChange& change = changes_[at->second];
    if (change.rule != rule) change.rule = of;
    change.fields.push_back(std::move(field));
    return change;
  }

  void Put(Effect effect, const std::string& rule, std::string field) { Put(effect, rule, rule, std::move(field)); }

  // A value of another type is refused, and loses nothing.
  bool DropsUnknown() const {
    const Value* type = FindIn(new_map_.schema, "type");
    const bool has_fields = type != nullptr && type->is_string() && OneOf(type->AsString(), {"object", "array"});
    return old_map_.keeps_unknown && !new_map_.keeps_unknown && has_fields;
  }

  void AddField(const std::string& field, const Value* before, const Value* after) {
    if (after == nullptr) {
      AddFieldGone(field);
    } else if (before == nullptr) {
      AddNewField(field, *after);
    } else {
      Put(Effect::kOther, RuleOf("schema", before, after), field);
    }
  }

  void AddFieldGone(const std::string& field) {
    if (new_map_.is_object && IsOfEveryObject(field)) {
      ++descriptions_;
    } else if (new_map_.keeps_unknown) {
      Put(Effect::kOther, "no longer described", field);
    } else {
      Put(Effect::kFieldsGone, "", field);
    }
  }

  void AddNewField(const std::string& field, const Value& schema) {
    if (old_map_.is_object && IsOfEveryObject(field) && FindIn(&schema, "properties") == nullptr) {
      ++descriptions_;
      return;
    }
    const Value* type = FindIn(&schema, "type");
    Put(Effect::kNewFields, "", type != nullptr ? StrCat(field, " (", OneLine(*type), ")") : field);
    if (old_map_.keeps_unknown && !new_map_.keeps_unknown) AddRequiredIn(schema, field);
    describes_kept_ |= old_map_.keeps_unknown;
  }

  // Adds the fields that values need that had no schema. Where unknown fields are still kept, hardly an object has the fields that
  // a schema begins to describe. The recursion is bounded by the parser's kMaxDepth.
  void AddRequiredIn(const Value& schema, const std::string& field) {
    const Value* properties = FindIn(&schema, "properties");
    for (const std::string& name : NamesIn(FindIn(&schema, "required"))) AddRequiredField(&schema, field, name);
    if (properties != nullptr && properties->is_object()) {
      for (const Member& member : properties->Members()) AddRequiredIn(member.value, Below(field, member.name));
    }
    if (const Value* items = FindIn(&schema, "items")) AddRequiredIn(*items, field + "[]");
    if (const Value* others = FindIn(&schema, "additionalProperties")) AddRequiredIn(*others, field + "[*]");
  }

  void AddFields(const std::string& field, const NestedChange& change) {
    const Value* all = change.before != nullptr ? change.before : change.after;
    if ((change.before != nullptr && change.after != nullptr) || !all->is_object()) return;
    for (const Member& member : all->Members()) {
      AddField(Below(field, member.name), change.before != nullptr ? &member.value : nullptr,
               change.after != nullptr ? &member.value : nullptr);
    }
  }

  void AddRequired(const NestedChange& change, const std::string& field) {
    const NameSet old = NamesIn(change.before), now = NamesIn(change.after);
    for (const std::string& name : now) {
      if (!old.contains(name)) AddRequiredField(new_map_.schema, field, name);
    }
    for (const std::string& name : old) {
      if (!now.contains(name)) Put(Effect::kAllowsMore, "no longer required", Below(field, name));
    }
  }

  // The server sets defaults before it validates. `schema`: of the map `field`.
  void AddRequiredField(const Value* schema, const std::string& field, const std::string& name) {
    const bool has_default = FindIn(FindIn(FindIn(schema, "properties"), name), "default") != nullptr;
    Put(has_default ? Effect::kOther : Effect::kMayRefuse, has_default ? "required, with a default" : "required",
        Below(field, name));
  }

  void AddValues(const NestedChange& change, const std::string& field) {
    const NameSet old = NamesIn(change.before), now = NamesIn(change.after);
    std::vector<std::string> gone, more;
    std::set_difference(old.begin(), old.end(), now.begin(), now.end(), std::back_inserter(gone));
    std::set_difference(now.begin(), now.end(), old.begin(), old.end(), std::back_inserter(more));
    if (!gone.empty()) Put(Effect::kMayRefuse, StrCat("not ", Join(gone, ", ")), field);
    if (!more.empty()) Put(Effect::kAllowsMore, StrCat("also ", Join(more, ", ")), field);
  }

  static std::string NameOf(const KeywordPlace& place) { return place.field.empty() ? "the object" : place.field; }

  void AddValidations(const Value& rules, const std::string& field) {
    if (rules.is_object()) return AddValidation(rules, field);
    for (const Value& rule : rules.Items()) {
      if (rule.is_object()) AddValidation(rule, field);
    }
  }

  void AddValidation(const Value& validation, const std::string& field) {
    const std::string_view rule = validation.StringOr("rule"), message = validation.StringOr("message");
    const std::string words = CutEnd(VisibleBlanks(message.empty() ? rule : message), kLongestMessage);
    Put(EffectOfValidation(rule), StrCat("\"", words, "\""), field);
  }

  // A rule that compares with the old object (a transition rule) refuses only changes.
  static Effect EffectOfValidation(std::string_view rule) {
    return rule.find("oldSelf") != rule.npos ? Effect::kFixed : Effect::kMayRefuse;
  }

  void AddChangedValidation(const Value& rule, const std::string& field) {
    const std::string_view text = rule.is_string() ? rule.AsString() : "";
    Put(EffectOfValidation(text), StrCat("new rule \"", CutEnd(VisibleBlanks(text), kLongestMessage), "\""), field);
  }

  void AddRule(const KeywordPlace& place, const NestedChange& change) {
    const bool is_part = place.is_below && place.last != place.keyword;
    const std::string name = is_part ? StrCat(place.keyword, " … ", place.last) : place.keyword;
    const Effect effect = EffectOf(place.keyword, change.before, change.after);
    const std::string rule = RuleOf(name, change.before, change.after);
    SchemaChange& put = Put(effect, effect == Effect::kOther ? place.keyword : rule, rule, NameOf(place));
    put.is_other_pattern = place.keyword == "pattern" && change.before != nullptr && change.after != nullptr;
  }

  std::vector<SchemaChange> changes_;
  std::map<std::pair<Effect, std::string>, size_t> places_;
  size_t descriptions_ = 0;
  bool describes_kept_ = false;
  MapSchema old_map_, new_map_;  // around the change that is added
};

bool SameChanges(const SchemaOfVersions& a, const SchemaOfVersions& b) {
  const auto same = [](const SchemaChange& one, const SchemaChange& other) {
    return std::tie(one.effect, one.rule, one.fields) == std::tie(other.effect, other.rule, other.fields);
  };
  return a.descriptions == b.descriptions && std::ranges::equal(a.changes, b.changes, same);
}

void AddSchema(std::string version, SchemaOfVersions schema, std::vector<SchemaOfVersions>& out) {
  const auto same =
      std::ranges::find_if(out, [&](const SchemaOfVersions& other) { return SameChanges(other, schema); });
  if (same != out.end()) return same->versions.push_back(std::move(version));
  schema.versions.push_back(std::move(version));
  out.push_back(std::move(schema));
}

bool IsInSchema(const FieldPath& path) {
  return path.size() > 3 && !FirstKey(path[0]).empty() && IsField(path[1], "schema") &&
         IsField(path[2], "openAPIV3Schema");
}

// "spec.a.labels (array)" and "spec.b.labels" are alike.
std::string NameOfField(const std::string& field) {
  const std::string path = field.substr(0, field.find(" ("));
  return path.substr(path.rfind('.') + 1);
}

}  // namespace

std::string NameFields(const std::vector<std::string>& fields, size_t most) {
  std::vector<std::pair<std::string, size_t>> groups;  // the first field, and how many are like it
  std::map<std::string, size_t> places;
  for (const std::string& field : fields) {
    const auto [at, is_new] = places.try_emplace(NameOfField(field), groups.size());
    if (is_new) groups.emplace_back(field, 0);
    ++groups[at->second].second;
  }
  std::vector<std::string> names;
  size_t left = fields.size();
  for (const auto& [field, count] : groups) {
    if (names.size() == most) break;
    names.push_back(count == 1 ? field : StrCat(field, " (and ", count - 1, " like it)"));
    left -= count;
  }
  return StrCat(Join(names, ", "), left == 0 ? "" : StrCat(" and ", left, " more"));
}

bool AreVersions(const Value& value) {
  return value.is_array() && std::ranges::all_of(value.Items(), [](const Value& item) {
           return item.is_object() && item.Find("name") != nullptr && item.Find("served") != nullptr;
         });
}

std::optional<std::vector<NestedChange>> ChangesOfVersions(const Value& before, const Value& after) {
  return NestedChanges(before, after, OrderOfNamed::kMeansNothing);
}

SchemaChanges DivideSchemaChanges(const std::vector<NestedChange>& changes, const Value& before, const Value& after) {
  SchemaChanges out;
  std::map<std::string, SchemaDiff> schemas;
  for (const NestedChange& change : changes) {
    if (IsInSchema(change.path)) {
      const std::string version = FirstKey(change.path[0]);
      schemas[version].Add(change, Steps(change.path).subspan(3), SchemaIn(before, version), SchemaIn(after, version));
    } else {
      out.others.push_back(change);
    }
  }
  for (auto& [version, schema] : schemas) AddSchema(version, schema.Take(), out.schemas);
  return out;
}

std::vector<std::string> VersionsGone(const std::vector<NestedChange>& others) {
  std::vector<std::string> out;
  for (const NestedChange& change : others) {
    if (change.path.empty() || change.path[0].kind != PathStep::Kind::kKey) continue;
    const bool removed = change.path.size() == 1 && change.after == nullptr;
    const bool stopped = change.path.size() == 2 && change.path[1].name == "served" && change.after != nullptr &&
                         change.after->is_bool() && !change.after->AsBool();
    if (removed || stopped) out.push_back(FirstKey(change.path[0]));
  }
  return out;
}

std::string OtherStorage(const std::vector<NestedChange>& others) {
  std::string before, after;
  for (const NestedChange& change : others) {
    if (change.path.empty() || change.path[0].kind != PathStep::Kind::kKey) continue;
    const bool whole = change.path.size() == 1, is_flag = change.path.size() == 2 && change.path[1].name == "storage";
    const auto stores = [&](const Value* value) {
      return value != nullptr &&
             (whole ? IsTrueAt(*value, {"storage"}) : is_flag && value->is_bool() && value->AsBool());
    };
    if (stores(change.before) && !stores(change.after)) before = FirstKey(change.path[0]);
    if (stores(change.after) && !stores(change.before)) after = FirstKey(change.path[0]);
  }
  if (after.empty()) return {};
  return before.empty() ? after : StrCat(before, " → ", after);
}

std::string ChangeOfConversion(const FieldPath& path, const Value* before, const Value* after) {
  const bool is_whole = path.size() == 2, is_strategy = path.size() == 3 && path[2].name == "strategy";
  if ((!is_whole && !is_strategy) || path[1].name != "conversion") return {};
  const auto strategy = [&](const Value* value) -> std::string_view {
    if (value == nullptr) return "None";  // the default
    return is_whole ? TextAt(*value, {"strategy"}) : value->is_string() ? value->AsString() : "";
  };
  const std::string_view old = strategy(before), now = strategy(after);
  return old.empty() || now.empty() || old == now ? "" : StrCat("conversion ", old, " → ", now);
}

bool MayRefuseUntold(const Value& before, const Value& after) {
  const auto changes = ChangesOfVersions(before, after);
  if (!changes) return false;
  const SchemaChanges divided = DivideSchemaChanges(*changes, before, after);
  return std::ranges::any_of(divided.schemas, [](const SchemaOfVersions& schema) {
    return schema.describes_kept ||
           std::ranges::find(schema.changes, kNoDuplicates, &SchemaChange::rule) != schema.changes.end();
  });
}

SchemaCounts& SchemaCounts::operator+=(const SchemaCounts& more) {
  new_fields += more.new_fields;
  fields_gone += more.fields_gone;
  unknown_gone += more.unknown_gone;
  stricter += more.stricter;
  other_patterns += more.other_patterns;
  others += more.others;
  names_gone.insert(more.names_gone.begin(), more.names_gone.end());
  return *this;
}

namespace {

// Returns "eips" of "spec.eips[]".
std::string LastName(std::string_view path) {
  std::string_view name = path.substr(path.rfind('.') + 1);
  return std::string(name.substr(0, name.find('[')));
}

}  // namespace

SchemaCounts CountSchemaChanges(const std::vector<SchemaOfVersions>& schemas) {
  std::map<Effect, NameSet> changed;
  NameSet patterns;
  for (const SchemaOfVersions& schema : schemas) {
    for (const auto& [effect, rule, fields, is_other_pattern] : schema.changes) {
      const bool counts_fields = effect == Effect::kNewFields || effect == Effect::kFieldsGone;
      if (counts_fields) changed[effect].insert(fields.begin(), fields.end());
      // Few objects have duplicates, and many lists of a new version are sets.
      const Effect counted = rule == kNoDuplicates ? Effect::kOther : effect;
      if (counted == Effect::kMayRefuse && is_other_pattern) {
        patterns.insert(StrCat(rule, " ", Join(fields, " ")));
        continue;
      }
      if (!counts_fields) changed[counted].insert(StrCat(rule, " ", Join(fields, " ")));
    }
  }
  const auto count = [&](Effect effect) { return changed[effect].size(); };
  std::set<std::string> names;
  for (const std::string& path : changed[Effect::kFieldsGone]) names.insert(LastName(path));
  return {
      .new_fields = count(Effect::kNewFields),
      .fields_gone = count(Effect::kFieldsGone),
      .unknown_gone = count(Effect::kUnknownGone),
      .stricter = count(Effect::kMayRefuse),
      .other_patterns = patterns.size(),
      .others = count(Effect::kFixed) + count(Effect::kDefault) + count(Effect::kOther) + count(Effect::kAllowsMore),
      .names_gone = std::move(names)};
}

std::string SchemaInWords(const SchemaCounts& counts, std::string_view stricter) {
  constexpr size_t kMostGone = 4;
  const size_t more = counts.new_fields, gone = counts.fields_gone;
  const bool names = gone > 0 && gone == counts.names_gone.size() && gone <= kMostGone;
  const std::string count = more > 0 ? StrCat("-", gone) : StrCat("-", Counted(gone, "field"));
  std::vector<std::string> parts;
  if (more > 0) parts.push_back(StrCat("+", Counted(more, "field")));
  if (gone > 0 && !names) parts.push_back(count);
  if (counts.unknown_gone > 0) parts.emplace_back("drops unknown fields");
  if (counts.stricter > 0) parts.emplace_back(stricter);
  if (counts.stricter == 0 && counts.other_patterns > 0) parts.emplace_back("other patterns");
  if (names) {
    parts.push_back(
        StrCat(count, ": ", Join(std::vector<std::string>(counts.names_gone.begin(), counts.names_gone.end()), ", ")));
  }
  if (parts.empty() && counts.others > 0) parts.push_back(Counted(counts.others, "rule"));
  return Join(parts, ", ");
}

bool AreOnlyDescriptions(const SchemaChanges& changes) {
  return changes.others.empty() &&
         std::ranges::all_of(changes.schemas, [](const SchemaOfVersions& schema) { return schema.changes.empty(); });
}

}  // namespace smp::explain
