#include "apply/forget.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "base/strings.h"
#include "smp/plan.h"
#include "value/json.h"
#include "value/path_match.h"
#include "value/redact.h"

namespace smp::apply {

namespace {

using Steps = std::span<const std::optional<PathStep>>;

// The current value's type; for a list or a list item, also the field that contains the list.
struct Place {
  TypeId type = kNoType;
  const Field* list = nullptr;
};

Error Refuse(const FieldPath& path, std::string_view why) {
  Error error = Error::Refused(StrCat("cannot forget this field: ", why));
  error.path = ToString(path);
  return error;
}

bool NamesTheObject(const FieldPath& path) {
  const std::string text = ToString(path);
  for (const std::string_view name : {"apiVersion", "kind", "metadata", "metadata.name", "metadata.namespace"}) {
    if (text == name) return true;
  }
  return false;
}

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool HasKey(const Value& item, const KeyRule& rule, const std::pair<std::string, std::string>& key) {
  const auto at = std::find(rule.fields->begin(), rule.fields->end(), key.first);
  const auto k = static_cast<size_t>(at - rule.fields->begin());
  const Value* value = at == rule.fields->end() ? item.Find(key.first) : KeyOf(item, rule, k);
  return value != nullptr && WriteJson(*value) == key.second;
}

// Like NamesItem, but a key that the item lacks has its default, which a row of explain-diff names: live has it.
bool NamesItemOf(const Field* list, const std::optional<PathStep>& step, const Value& item, int64_t index,
                 const Schema& schema) {
  const bool by_keys = step && step->kind == PathStep::Kind::kKey && item.is_object();
  if (!by_keys || list == nullptr) return NamesItem(step, item, index);
  const KeyRule rule = RuleOfKeys(*list, schema);
  return std::all_of(step->keys.begin(), step->keys.end(), [&](const auto& key) { return HasKey(item, rule, key); });
}

class Forgetter {
 public:
  explicit Forgetter(const Schema& schema) : schema_(schema) {}

  // Returns `value` without what is at the path `steps`, nullopt if it becomes empty. Recursion depth: the number of
  // steps.
  Result<std::optional<Value>> Without(const Value& value, Steps steps, const Place& place) {
    if (steps.empty()) {
      SMP_TRY(Check(place));
      forgotten.push_back({path_, value});
      return std::optional<Value>();
    }
    if (value.is_object()) return WithoutMembers(value, steps, place);
    if (value.is_array()) return WithoutItems(value, steps, place);
    return std::optional(value);
  }

  Arena arena;
  std::vector<Forgotten> forgotten;

 private:
  // Returns an error if the value must not be forgotten. Called when all steps are done.
  Status Check(const Place& place) const {
    if (NamesTheObject(path_)) return Refuse(path_, "it identifies the object");
    const bool field = path_.back().kind == PathStep::Kind::kField;
    if (!field || place.list == nullptr || path_.size() < 2) return Ok();
    const std::string& name = path_.back().name;
    if (!Contains(place.list->patch_keys, name) && !Contains(place.list->identity_keys, name)) return Ok();
    return Refuse(path_, "it identifies the list item; forget the whole item");
  }

  Place Below(const Place& place, std::string_view name) const {
    if (const Field* field = schema_.Find(place.type, name)) return {field->type, field->is_list ? field : nullptr};
    return {schema_.type(place.type).additional, nullptr};
  }

  Result<std::optional<Value>> WithoutMembers(const Value& map, Steps steps, const Place& place) {
    std::vector<Member> kept;
    for (const Member& member : map.Members()) {
      if (!NamesField(steps[0], member.name)) {
        kept.push_back(member);
        continue;
      }
      path_.push_back(PathStep::Field(member.name));
      // If the steps end here, Check needs the enclosing list to tell whether the field is one of its keys.
      Place below = Below(place, member.name);
      if (steps.size() == 1) below.list = place.list;
      SMP_ASSIGN(const std::optional<Value> left, Without(member.value, steps.subspan(1), below));
      path_.pop_back();
      if (left) kept.push_back({member.name, *left});
    }
    if (kept.empty() && !map.empty()) return std::optional<Value>();
    return std::optional(arena.SortedObject(kept));
  }

  Result<std::optional<Value>> WithoutItems(const Value& list, Steps steps, const Place& place) {
    std::vector<Value> kept;
    for (size_t i = 0; i < list.size(); ++i) {
      const Value& item = list.Items()[i];
      const auto index = static_cast<int64_t>(i);
      if (!NamesItemOf(place.list, steps[0], item, index, schema_)) {
        kept.push_back(item);
        continue;
      }
      if (!IsMerged(place.list)) return Refuse(path_, "apply replaces this list as a whole; forget the whole list");
      path_.push_back(ItemStep(item, index, *place.list));
      SMP_ASSIGN(const std::optional<Value> left, Without(item, steps.subspan(1), place));
      path_.pop_back();
      if (left) kept.push_back(*left);
    }
    if (kept.empty() && !list.empty()) return std::optional<Value>();
    return std::optional(arena.Array(kept));
  }

  static bool IsMerged(const Field* list) {
    return list != nullptr && (list->patch.list != ListMerge::kAtomic || list->list_type != ListMerge::kAtomic);
  }

  static PathStep ItemStep(const Value& item, int64_t index, const Field& list) {
    if (item.is_scalar()) return PathStep::Element(item);
    const PathStep step = KeyStep(item, list.identity_keys);
    return step.keys.empty() ? PathStep::Index(index) : step;
  }

  const Schema& schema_;
  FieldPath path_;
};

// stringData of a Secret is only the manifest's way to write data, which explain-diff shows: either name means both.
std::vector<PathPattern> PatternsOf(const PathPattern& steps, const Value& record) {
  std::vector<PathPattern> out = {steps};
  if (!IsSecret(record) || !steps.front()) return out;
  for (const auto& [name, other] : {std::pair("data", "stringData"), std::pair("stringData", "data")}) {
    if (!NamesField(steps.front(), name)) continue;
    out.push_back(steps);
    out.back().front() = PathStep::Field(other);
  }
  return out;
}

}  // namespace

Result<ForgetResult> Forget(const Document& record, const std::vector<std::optional<PathStep>>& steps,
                            const Schema& schema, TypeId type) {
  if (steps.empty()) return Error::InvalidArgument("must specify the path of a field, such as spec.replicas");
  Forgetter forgetter(schema);
  forgetter.arena.Retain(record);
  Value root = record.root();
  for (const PathPattern& pattern : PatternsOf(steps, record.root())) {
    SMP_ASSIGN(const std::optional<Value> left, forgetter.Without(root, pattern, {type, nullptr}));
    root = left ? *left : forgetter.arena.SortedObject({});
  }
  return ForgetResult{Document(std::move(forgetter.arena), root), std::move(forgetter.forgotten)};
}

}  // namespace smp::apply
