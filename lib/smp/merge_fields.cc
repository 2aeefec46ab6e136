#include "smp/merge_fields.h"

#include <algorithm>

#include "base/strings.h"
#include "smp/align.h"
#include "smp/directives.h"
#include "smp/order.h"
#include "value/names.h"
#include "value/path.h"

namespace smp {

// How the items of a list are identified.
struct ListRule {
  bool of_maps = false;
  const std::vector<std::string>* keys = nullptr;
  TypeId type = kNoType;

  Result<Identities> IdentitiesOf(std::span<const Value> items, Keyless keyless = Keyless::kRefuse) const {
    return Identities::Of(items, {.fields = of_maps ? keys : nullptr}, keyless);
  }
};

struct MergedList {
  std::vector<Value> items;
  std::vector<Value> anchors;  // the live positions that an outer $setElementOrder uses
};

// The items of a list in a patch, grouped by their $patch directive.
struct ListPatch {
  std::vector<Value> plain;
  std::vector<Value> gone;  // items with `$patch: delete`
  bool replace = false;
};

namespace {

void Join(FieldPatch& into, const FieldPatch& from) {
  if (from.value != nullptr) into.value = from.value;
  if (from.order != nullptr) into.order = from.order;
  if (from.gone != nullptr) into.gone = from.gone;
}

std::vector<Value> ToVector(std::span<const Value> items) { return {items.begin(), items.end()}; }

ListRule RuleOf(const Field& field, Kind element) { return {element == Kind::kObject, &field.patch_keys, field.type}; }

// The items of a list with a merge key are maps.
Status CheckIsKeyed(const Field& field, Kind element) {
  if (element == Kind::kObject || field.patch_keys.empty()) return Ok();
  return Error::MergeKey(StrCat("expected an object as list item, found ", KindName(element)));
}

Result<std::vector<Value>> InMergeOrder(std::span<const Value> merged, std::span<const Value> order,
                                        std::span<const Value> anchors, const ListRule& rule) {
  SMP_ASSIGN(const Identities order_ids, rule.IdentitiesOf(order));
  SMP_ASSIGN(const Identities anchor_ids, rule.IdentitiesOf(anchors));
  SMP_ASSIGN(const Identities ids, rule.IdentitiesOf(merged));
  const PositionIndex rank(order_ids), anchor(anchor_ids);
  std::vector<Placed> placed;
  placed.reserve(merged.size());
  for (size_t i = 0; i < merged.size(); ++i)
    placed.push_back({rank.First(ids, i), anchor.First(ids, i), IsDeletion(merged[i])});
  std::vector<Value> out;
  out.reserve(merged.size());
  for (const size_t i : MergeOrder(placed)) out.push_back(merged[i]);
  return out;
}

// The patch's items, except deletions, must be a subsequence of the order list; if either list is empty, this holds. An
// item with another $patch is skipped, but only while order entries are left (so a trailing `$patch: replace` may be
// refused).
Status CheckFollowsOrder(const Value& patch, const Value& order, const Field& field) {
  if (patch.empty() || order.empty()) return Ok();
  const ListRule rule = RuleOf(field, field.patch_keys.empty() ? patch.Items()[0].kind() : Kind::kObject);
  SMP_ASSIGN(const Identities wanted, rule.IdentitiesOf(patch.Items(), Keyless::kUnique));
  SMP_ASSIGN(const Identities named, rule.IdentitiesOf(order.Items()));
  size_t next = 0;
  for (size_t i = 0; i < patch.size(); ++i) {
    const Value& item = patch.Items()[i];
    if (rule.of_maps && IsDeletion(item)) continue;
    if (item.is_object() && item.Find(kPatchDirective) != nullptr && next < order.size()) continue;
    bool found = false;
    while (!found && next < order.size()) found = wanted.Same(i, named, next++);
    if (!found) return Error::PatchFormat("the items in the patch are not in the order of $setElementOrder");
  }
  return Ok();
}

Result<ListPatch> ReadListPatch(std::span<const Value> patch) {
  ListPatch out;
  for (const Value& item : patch) {
    const Value* directive = item.Find(kPatchDirective);
    const std::string_view word = directive != nullptr && directive->is_string() ? directive->AsString() : "";
    if (directive == nullptr) {
      out.plain.push_back(item);
    } else if (word == kPatchDelete) {
      out.gone.push_back(item);
    } else if (word == kPatchReplace) {
      out.replace = true;
    } else {
      return Error::PatchFormat("$patch must be \"replace\" or \"delete\" in a list");
    }
  }
  return out;
}

// Returns the items of `list` whose identity no item of `gone` has.
Result<std::vector<Value>> WithoutItems(std::span<const Value> list, std::span<const Value> gone,
                                        const ListRule& rule) {
  if (gone.empty()) return ToVector(list);
  SMP_ASSIGN(const Identities gone_ids, rule.IdentitiesOf(gone));
  SMP_ASSIGN(const Identities ids, rule.IdentitiesOf(list, Keyless::kUnique));  // an item without a key matches nothing
                                                                                // here
  const PositionIndex index(gone_ids);
  std::vector<Value> out;
  for (size_t i = 0; i < list.size(); ++i) {
    if (!index.Contains(ids, i)) out.push_back(list[i]);
  }
  return out;
}

// Merges two lists of scalars.
Result<MergedList> MergeSets(std::span<const Value> live, std::span<const Value> patch, const ListRule& rule) {
  std::vector<Value> all = ToVector(live);
  all.insert(all.end(), patch.begin(), patch.end());
  SMP_ASSIGN(const Identities ids, rule.IdentitiesOf(all));
  const PositionIndex index(ids);
  std::vector<Value> unique;
  for (size_t i = 0; i < all.size(); ++i) {
    if (index.First(ids, i) == i) unique.push_back(all[i]);
  }
  SMP_ASSIGN(auto ordered, InMergeOrder(unique, patch, live, rule));
  return MergedList{std::move(ordered), ToVector(live)};
}

}  // namespace

bool IsDeletion(const Value& v) { return v.StringOr(kPatchDirective) == kPatchDelete; }

std::optional<Value> Stripped(const Value& v, Nulls nulls, Arena& arena) {
  const Value* directive = v.Find(kPatchDirective);
  const bool dropped_first = directive != nullptr && directive->is_null() && nulls == Nulls::kDrop;
  if (directive != nullptr && !dropped_first) return std::nullopt;
  if (v.is_object()) {
    std::vector<Member> members;
    for (const Member& m : v.Members()) {
      if (m.value.is_null() && nulls == Nulls::kDrop) continue;
      if (auto value = Stripped(m.value, nulls, arena)) members.push_back({m.name, *value});
    }
    return arena.SortedObject(members);
  }
  if (!v.is_array()) return v;
  std::vector<Value> items;
  for (const Value& item : v.Items()) {
    if (auto value = Stripped(item, nulls, arena)) items.push_back(*value);
  }
  return arena.Array(items);
}

Result<FieldPatch> ReadMember(const Member& m) {
  if (!m.name.starts_with('$') || (!IsOrderKey(m.name) && !IsDeleteFromListKey(m.name)))
    return FieldPatch{m.name, &m.value};
  SMP_ASSIGN(const std::string_view list, ParallelList(m.name));
  if (IsOrderKey(m.name)) return FieldPatch{list, nullptr, &m.value};
  return FieldPatch{list, nullptr, nullptr, &m.value};
}

std::vector<FieldPatch> JoinedByName(std::vector<FieldPatch> fields) {
  const auto less = [](const FieldPatch& a, const FieldPatch& b) { return a.name < b.name; };
  if (!std::is_sorted(fields.begin(), fields.end(), less)) std::stable_sort(fields.begin(), fields.end(), less);
  size_t kept = 0;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (kept > 0 && fields[kept - 1].name == fields[i].name) {
      Join(fields[kept - 1], fields[i]);
    } else {
      fields[kept++] = fields[i];
    }
  }
  fields.resize(kept);
  return fields;
}

Result<Value> FieldMerger::MergeFields(std::span<const Member> live, const std::vector<FieldPatch>& fields,
                                       TypeId type) {
  std::vector<Member> out;
  out.reserve(live.size() + fields.size());
  auto at = live.begin();
  for (const FieldPatch& field : fields) {
    while (at != live.end() && CompareNames(at->name, field.name) < 0) out.push_back(*at++);
    std::optional<Value> value;
    if (at != live.end() && SameNames(at->name, field.name)) value = (at++)->value;
    if (auto status = MergeField(value, field, type); !status.ok()) {
      return Under(PathStep::Field(field.name), std::move(status).error());
    }
    if (value) out.push_back({field.name, *value});
  }
  out.insert(out.end(), at, live.end());
  return arena_.SortedObject(out);
}

// `value` is the live value (nullopt: absent) and is replaced by the merged value. The server visits members in random
// order, which matters only for a field beside its deletion list without $setElementOrder. We merge first and delete
// last, as the server does with $setElementOrder.
Status FieldMerger::MergeField(std::optional<Value>& value, const FieldPatch& field, TypeId type) {
  if (field.order != nullptr) {
    SMP_TRY(OrderedList(value, field, type));
  } else if (field.value != nullptr) {
    SMP_TRY(PlainField(value, field.name, *field.value, type));
  }
  return field.gone == nullptr ? Ok() : DeleteFromList(value, field.name, *field.gone, type);
}

Status FieldMerger::PlainField(std::optional<Value>& value, std::string_view name, const Value& patch, TypeId type) {
  const bool both = value && value->kind() == patch.kind() && !patch.is_scalar();
  if (both) return Branch(*value, name, patch, type);
  value = Replaced(patch);
  return Ok();
}

Result<const Field*> FieldMerger::LookUp(std::string_view name, TypeId type) const {
  const Field* field = schema_.Find(type, name);
  if (field == nullptr) return Error::Schema("the schema has no such field, so the server cannot merge it");
  return field;
}

// Merges two maps or two lists.
Status FieldMerger::Branch(Value& value, std::string_view name, const Value& patch, TypeId type) {
  SMP_ASSIGN(const Field* field, LookUp(name, type));
  if (patch.is_array()) {
    SMP_ASSIGN(const MergedList merged, List(value.Items(), patch.Items(), *field));
    value = arena_.Array(merged.items);
  } else if (field->patch.replace) {
    value = patch;
  } else {
    // If the value is a map although the schema says list, nothing is known about its members.
    SMP_ASSIGN(value, Maps(value, patch, field->is_list ? kNoType : field->type));
  }
  return Ok();
}

// Merges a list field and its $setElementOrder/name.
Status FieldMerger::OrderedList(std::optional<Value>& value, const FieldPatch& patch, TypeId type) {
  const bool lists =
      patch.order->is_array() && (!value || value->is_array()) && (patch.value == nullptr || patch.value->is_array());
  if (!lists) return Error::PatchFormat("$setElementOrder must be a list and refer to a list");
  SMP_ASSIGN(const Field* field, LookUp(patch.name, type));
  if (patch.value != nullptr) SMP_TRY(CheckFollowsOrder(*patch.value, *patch.order, *field));
  if (!value && patch.value == nullptr) return Ok();
  const auto live = value ? value->Items() : std::span<const Value>();
  const auto items = patch.value != nullptr ? patch.value->Items() : std::span<const Value>();
  MergedList merged;
  if (patch.value == nullptr) {
    merged = {ToVector(live), ToVector(live)};
  } else if (!value) {
    merged = {ToVector(Stripped(*patch.value, Nulls::kKeep, arena_)->Items()), {}};  // the server keeps nulls here
  } else {
    SMP_ASSIGN(merged, List(live, items, *field));
  }
  if (live.empty() && items.empty()) {
    return Error::PatchFormat("orders a list that has no items on either side");
  }
  SMP_ASSIGN(const Kind kind, ElementKind(live, items));
  SMP_TRY(CheckIsKeyed(*field, kind));
  SMP_ASSIGN(const auto ordered,
             InMergeOrder(merged.items, patch.order->Items(), merged.anchors, RuleOf(*field, kind)));
  value = arena_.Array(ordered);
  return Ok();
}

Status FieldMerger::DeleteFromList(std::optional<Value>& value, std::string_view name, const Value& gone, TypeId type) {
  if (gone.is_null()) {
    value.reset();
    return Ok();
  }
  if (!value || value->kind() != gone.kind() || !gone.is_array()) return Ok();
  SMP_ASSIGN(const Field* field, LookUp(name, type));
  if (value->empty() && gone.empty()) return Ok();
  SMP_ASSIGN(const Kind kind, ElementKind(value->Items(), gone.Items()));
  const ListRule rule = RuleOf(*field, kind);
  if (kind == Kind::kObject) {  // sic: the server merges the "deletions" into the list
    SMP_ASSIGN(const MergedList merged, ListOfMaps(value->Items(), gone.Items(), rule));
    value = arena_.Array(merged.items);
    return Ok();
  }
  SMP_ASSIGN(const auto left, WithoutItems(value->Items(), gone.Items(), rule));
  value = arena_.Array(left);
  return Ok();
}

Result<MergedList> FieldMerger::List(std::span<const Value> live, std::span<const Value> patch, const Field& field) {
  if (field.patch.list == ListMerge::kAtomic) return MergedList{ToVector(patch), ToVector(live)};  // not merged
  if (live.empty() && patch.empty()) return MergedList{};
  SMP_ASSIGN(const Kind kind, ElementKind(live, patch));
  SMP_TRY(CheckIsKeyed(field, kind));
  const ListRule rule = RuleOf(field, kind);
  return rule.of_maps ? ListOfMaps(live, patch, rule) : MergeSets(live, patch, rule);
}

Result<MergedList> FieldMerger::ListOfMaps(std::span<const Value> live, std::span<const Value> patch,
                                           const ListRule& rule) {
  SMP_ASSIGN(ListPatch list, ReadListPatch(patch));
  if (rule.keys->empty()) return Error::MergeKey("the schema has no merge key for this list");
  SMP_ASSIGN(std::vector<Value> kept, WithoutItems(live, list.gone, rule));
  if (list.replace) {
    for (Value& item : list.plain) item = Verbatim(item);
    SMP_ASSIGN(auto ordered, InMergeOrder(list.plain, {}, list.plain, rule));
    return MergedList{std::move(ordered), std::move(kept)};
  }
  SMP_ASSIGN(const auto merged, MergeItems(kept, list.plain, rule));
  SMP_ASSIGN(auto ordered, InMergeOrder(merged, list.plain, kept, rule));
  // The server overwrites the live list in place: the first new items take the positions of deleted ones, so these
  // count as having a position in live.
  const auto room = static_cast<std::ptrdiff_t>(std::min(live.size(), merged.size()));
  return MergedList{std::move(ordered), {merged.begin(), merged.begin() + room}};
}

// Merges each patch item into the first item with its key, be it live or new. New items are added as they are, with
// nulls and directives.
Result<std::vector<Value>> FieldMerger::MergeItems(const std::vector<Value>& kept, const std::vector<Value>& plain,
                                                   const ListRule& rule) {
  std::vector<Value> merged = kept;
  SMP_ASSIGN(const Identities kept_ids, rule.IdentitiesOf(kept, Keyless::kUnique));
  SMP_ASSIGN(const Identities plain_ids, rule.IdentitiesOf(plain));
  const PositionIndex in_kept(kept_ids), in_plain(plain_ids);
  std::vector<size_t> place_of(plain.size());
  for (size_t i = 0; i < plain.size(); ++i) {
    const size_t there = in_kept.First(plain_ids, i), first = in_plain.First(plain_ids, i);
    if (there == kNoPlace && first == i) {
      place_of[i] = merged.size();
      merged.push_back(Verbatim(plain[i]));
      continue;
    }
    const size_t place = there != kNoPlace ? there : place_of[first];
    auto both = Maps(merged[place], plain[i], rule.type);
    if (!both.ok()) return Under(KeyStep(plain[i], *rule.keys), std::move(both).error());
    merged[place] = *both;
  }
  return merged;
}

}  // namespace smp
