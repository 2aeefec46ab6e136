#include "pull/items.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "smp/align.h"
#include "smp/plan.h"
#include "value/json.h"
#include "value/path_match.h"

namespace smp::pull {

namespace {

bool IsKeyed(const PathStep& step) { return step.kind == PathStep::Kind::kKey; }

// Returns an item with the keys of the step.
Document ItemWith(const PathStep& step) {
  std::string text = "{";
  for (const auto& [name, value] : step.keys) {
    text += StrCat(text.size() > 1 ? "," : "", WriteJson(Value::UnownedString(name)), ":", value);
  }
  const Result<Document> item = ParseJson(text + "}");
  return item.ok() ? *item : Document();
}

bool HasOnlyKeysOf(const PathStep& step, const Spot& list) {
  return std::ranges::all_of(step.keys, [&](const auto& key) {
    return std::ranges::find(list.field->identity_keys, key.first) != list.field->identity_keys.end();
  });
}

const std::vector<size_t>& Nowhere() {
  static const std::vector<size_t> nowhere;
  return nowhere;
}

}  // namespace

Spot Spot::Member(std::string_view name) const {
  if (schema == nullptr) return {};
  const Field* member = schema->Find(type, name);
  return {schema, member != nullptr ? member->type : schema->type(type).additional, member};
}

Spot Spot::Item() const {
  if (schema == nullptr) return {};
  const bool is_list = field != nullptr && field->is_list;
  return {schema, is_list ? type : schema->type(type).additional, nullptr};
}

Spot Spot::At(const PathStep& step) const { return step.kind == PathStep::Kind::kField ? Member(step.name) : Item(); }

std::string IdentityOf(const Value& item, const Spot& list) {
  if (!item.is_object() || !list.is_keyed_list()) return WriteJson(item);
  const KeyRule rule = RuleOfKeys(*list.field, *list.schema);
  std::string out;
  for (size_t k = 0; k < rule.fields->size(); ++k) {
    const Value* key = KeyOf(item, rule, k);
    out += StrCat(key == nullptr ? "" : WriteJson(*key), ",");
  }
  return out;
}

std::string IdentityOf(const PathStep& step, const Spot& list) {
  if (IsKeyed(step)) return IdentityOf(ItemWith(step).root(), list);
  return step.kind == PathStep::Kind::kElement ? step.element : WriteJson(Value::UnownedString(step.name));
}

std::string NameOf(const PathStep& step) {
  const bool quoted = step.kind == PathStep::Kind::kElement && step.element.size() >= 2;
  return quoted ? step.element.substr(1, step.element.size() - 2) : step.name;
}

ItemIndex::ItemIndex(const Value& list, const Spot& spot) : list_(list), spot_(spot) {
  for (size_t i = 0; i < list.size(); ++i) places_[IdentityOf(list.Items()[i], spot)].push_back(i);
}

std::vector<size_t> ItemIndex::Find(const PathStep& step) const {
  const bool by_identity = !IsKeyed(step) || (spot_.is_keyed_list() && HasOnlyKeysOf(step, spot_));
  if (step.kind != PathStep::Kind::kIndex && by_identity) return Find(IdentityOf(step, spot_));
  std::vector<size_t> out;
  for (size_t i = 0; i < list_.size(); ++i) {
    if (NamesItem(step, list_.Items()[i], static_cast<int64_t>(i))) out.push_back(i);
  }
  return out;
}

const std::vector<size_t>& ItemIndex::Find(const std::string& identity) const {
  const auto at = places_.find(identity);
  return at == places_.end() ? Nowhere() : at->second;
}

PathFinder::Descent PathFinder::Down(const FieldPath& path) const {
  Descent out = {&object_};
  Spot spot = Spot::Of(kind_);
  for (; out.steps < path.size(); spot = spot.At(path[out.steps++])) {
    const PathStep& step = path[out.steps];
    const bool is_list = out.value->is_array();
    out.value = is_list ? Item(*out.value, spot, step, out.ambiguous) : out.value->Find(NameOf(step));
    if (out.value == nullptr) return out;
  }
  return out;
}

const Value* PathFinder::Item(const Value& list, const Spot& spot, const PathStep& step, bool& ambiguous) const {
  const auto [at, is_new] = lists_.try_emplace(&list);
  if (is_new) at->second = std::make_unique<ItemIndex>(list, spot);
  const std::vector<size_t> found = at->second->Find(step);
  ambiguous = found.size() > 1;
  return found.size() == 1 ? &list.Items()[found.front()] : nullptr;
}

std::optional<size_t> PathFinder::AmbiguousStep(const FieldPath& path) const {
  const Descent down = Down(path);
  return down.ambiguous ? std::optional(down.steps) : std::nullopt;
}

}  // namespace smp::pull
