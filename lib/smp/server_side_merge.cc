#include "smp/server_side_merge.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/strings.h"
#include "smp/managed_fields.h"
#include "smp/merge_place.h"
#include "smp/merged_order.h"
#include "smp/plan.h"
#include "smp/sides.h"
#include "value/at.h"
#include "value/metadata.h"

namespace smp {

KeyRule RuleOfItems(const MergePlace& list) {
  const bool keyed = list.merge() == ListMerge::kKeyed;
  return keyed ? RuleOfKeys(*list.field, *list.place.schema) : KeyRule{.numbers = Numbers::kByValue};
}

std::string ItemStep(const Value& item, const KeyRule& rule) {
  if (rule.fields == nullptr) return StepOfElement(item);
  Arena arena;
  std::vector<Member> keys;
  for (size_t k = 0; k < rule.fields->size(); ++k) {
    const Value* key = item.is_object() ? KeyOf(item, rule, k) : nullptr;
    if (key != nullptr) keys.push_back({(*rule.fields)[k], *key});
  }
  return StepOfKeys(arena.Object(std::move(keys)));
}

std::string ItemStep(const Value& item, const MergePlace& list) { return ItemStep(item, RuleOfItems(list)); }

namespace {

// A set of paths. A named field that has something in it is in the set, too (EnsureNamedFieldsAreMembers).
struct Paths {
  bool here = false;
  std::map<std::string, Paths, std::less<>> below;  // by the step as in FieldsV1

  bool empty() const { return !here && below.empty(); }
  const Paths& At(std::string_view step) const {
    static const Paths nothing;
    const auto at = below.find(step);
    return at == below.end() ? nothing : at->second;
  }
  void Add(std::string step, Paths paths) {
    if (!paths.empty()) below.insert_or_assign(std::move(step), std::move(paths));
  }
};

std::string StepOfField(std::string_view name) { return StrCat("f:", name); }

bool IsNamed(const MergePlace& map, std::string_view name) {
  return map.place.schema != nullptr && !map.place.is_list && map.place.schema->Find(map.place.type, name) != nullptr;
}

// Returns what an entry owns. The recursion is bounded by the parser's kMaxDepth.
Paths ReadFields(const Value& fields, const MergePlace& at) {
  Paths out;
  out.here = IsOwned(fields);
  for (const Member& m : fields.Members()) {
    if (m.name == kItself || !m.value.is_object()) continue;
    const bool is_field = m.name.starts_with("f:");
    const std::string_view name = m.name.substr(is_field ? 2 : 0);
    Paths below = ReadFields(m.value, is_field ? at.Member(name) : at.Item());
    below.here = below.here || (is_field && IsNamed(at, name));
    out.Add(CanonicalStep(m.name), std::move(below));
  }
  return out;
}

// Returns what an apply of the value owns. The recursion is bounded by the parser's kMaxDepth.
Paths PathsOf(const Value& value, const MergePlace& at) {
  Paths out;
  if (at.is_merged(value)) {
    const KeyRule rule = RuleOfItems(at);
    for (const Value& item : value.Items()) {
      Paths below = PathsOf(item, at.Item());
      below.here = true;
      out.Add(ItemStep(item, rule), std::move(below));
    }
  } else if (at.is_granular(value)) {
    for (const Member& m : value.Members()) {
      Paths below = PathsOf(m.value, at.Member(m.name));
      const bool is_empty_map = m.value.is_object() && m.value.empty();
      below.here = below.here || is_empty_map || !IsNamed(at, m.name) || !below.below.empty();
      out.Add(StepOfField(m.name), std::move(below));
    }
  } else {
    out.here = true;
  }
  return out;
}

// Returns the paths of either set for which `op`, called with whether each set has it, is true.
template <class Op>
Paths Combined(const Paths& a, const Paths& b, Op op) {
  Paths out;
  out.here = op(a.here, b.here);
  for (const auto& [step, paths] : a.below) out.Add(step, Combined(paths, b.At(step), op));
  for (const auto& [step, paths] : b.below) {
    if (!a.below.contains(step)) out.Add(step, Combined(Paths(), paths, op));
  }
  return out;
}

Paths InEither(const Paths& a, const Paths& b) {
  return Combined(a, b, [](bool x, bool y) { return x || y; });
}
Paths InFirstOnly(const Paths& a, const Paths& b) {
  return Combined(a, b, [](bool x, bool y) { return x && !y; });
}
Paths InBoth(const Paths& a, const Paths& b) {
  return Combined(a, b, [](bool x, bool y) { return x && y; });
}

// REQUIRES: `cut` is not empty. The recursion is bounded by the parser's kMaxDepth.
Value WithoutPaths(const Value& value, const Paths& cut, const MergePlace& at, Arena& arena) {
  if (value.is_scalar()) return value;
  if (at.is_granular(value)) {
    std::vector<Member> members;
    for (const Member& m : value.Members()) {
      const Paths& of_member = cut.At(StepOfField(m.name));
      if (of_member.here) continue;
      members.push_back(
          {m.name, of_member.empty() ? m.value : WithoutPaths(m.value, of_member, at.Member(m.name), arena)});
    }
    return members.empty() ? Value() : arena.Object(std::move(members));
  }
  if (!at.is_merged(value)) return Value();
  std::vector<Value> items;
  const KeyRule rule = RuleOfItems(at);
  for (const Value& item : value.Items()) {
    const Paths& of_item = cut.At(ItemStep(item, rule));
    if (!of_item.here) items.push_back(of_item.empty() ? item : WithoutPaths(item, of_item, at.Item(), arena));
  }
  return items.empty() ? Value() : arena.Array(items);
}

Value WithoutAny(const Value& object, const Paths& cut, const MergePlace& at, Arena& arena) {
  return cut.empty() ? object : WithoutPaths(object, cut, at, arena);
}

Value OnlyPaths(const Value& value, const Paths& kept, const MergePlace& at, Arena& arena);

Value OnlyMembers(const Value& map, const Paths& kept, const MergePlace& at, Arena& arena) {
  std::vector<Member> members;
  for (const Member& m : map.Members()) {
    const Value part = OnlyPaths(m.value, kept.At(StepOfField(m.name)), at.Member(m.name), arena);
    if (!part.is_null()) members.push_back({m.name, part});
  }
  return members.empty() && !kept.here ? Value() : arena.Object(std::move(members));
}

// Of an item that is a map, its keys, too.
Value OnlyItem(const Value& item, const KeyRule& rule, const Paths& kept, const MergePlace& at, Arena& arena) {
  if (kept.empty() || rule.fields == nullptr) return kept.empty() ? Value() : item;
  Value out = OnlyMembers(item, kept, at, arena);
  if (out.is_null()) out = arena.Object({});
  for (const std::string& key : *rule.fields) {
    if (const Value* value = item.Find(key)) out = WithAt(out, {key}, *value, arena);
  }
  return out;
}

// Returns what the paths lead to; a null, if they lead nowhere. A map that is ours itself is there, whoever owns what is in it. The
// recursion is bounded by the parser's kMaxDepth.
Value OnlyPaths(const Value& value, const Paths& kept, const MergePlace& at, Arena& arena) {
  if (kept.empty()) return {};
  if (at.is_granular(value) && !value.empty()) return OnlyMembers(value, kept, at, arena);
  if (!at.is_merged(value) || value.empty()) return kept.here ? value : Value();
  std::vector<Value> items;
  const KeyRule rule = RuleOfItems(at);
  for (const Value& item : value.Items()) {
    const Value part = OnlyItem(item, rule, kept.At(ItemStep(item, rule)), at.Item(), arena);
    if (!part.is_null()) items.push_back(part);
  }
  return items.empty() && !kept.here ? Value() : arena.Array(items);
}

Value MergedValue(const Value& live, const Value& wanted, const MergePlace& at, Arena& arena);

Value MergedMaps(const Value& live, const Value& wanted, const MergePlace& at, Arena& arena) {
  std::vector<Member> members;
  (void)ForEachMember({nullptr, &wanted, &live}, [&](std::string_view name, const Sides& sides) {
    const Value* only = sides.live == nullptr ? sides.modified : sides.modified == nullptr ? sides.live : nullptr;
    members.push_back({name, only ? *only : MergedValue(*sides.live, *sides.modified, at.Member(name), arena)});
    return Ok();
  });
  return arena.Object(std::move(members));
}

// Lists that cannot be merged are an error of the plan.
Value MergedLists(const Value& live, const Value& wanted, const MergePlace& at, Arena& arena) {
  const KeyRule rule = RuleOfItems(at);
  const auto in_live = Identities::Of(live.Items(), rule, Keyless::kUnique),
             in_wanted = Identities::Of(wanted.Items(), rule, Keyless::kUnique);
  if (!in_live.ok() || !in_wanted.ok()) return wanted;
  std::vector<Value> items;
  const Copies copies(*in_live);
  for (const MergedItem& pair : MergedOrder(*in_live, *in_wanted)) {
    const Value* ours = pair.wanted == kNoPlace ? nullptr : &wanted.Items()[pair.wanted];
    const Value* theirs = pair.live == kNoPlace ? nullptr : &live.Items()[pair.live];
    const bool replaces = theirs == nullptr || copies.At(pair.live) != nullptr;
    items.push_back(ours == nullptr ? *theirs : replaces ? *ours : MergedValue(*theirs, *ours, at.Item(), arena));
  }
  return arena.Array(items);
}

// Two that are empty or null are merged as a whole. The recursion is bounded by the parser's kMaxDepth.
Value MergedValue(const Value& live, const Value& wanted, const MergePlace& at, Arena& arena) {
  const auto is = [&](const Value& value, Kind kind) { return value.kind() == kind || value.is_null(); };
  const Value& known = live.is_null() ? wanted : live;
  if (live.empty() && wanted.empty()) return wanted;
  if (at.is_granular(known) && is(live, Kind::kObject) && is(wanted, Kind::kObject)) {
    return MergedMaps(live, wanted, at, arena);
  }
  if (at.is_merged(known) && is(live, Kind::kArray) && is(wanted, Kind::kArray)) {
    return MergedLists(live, wanted, at, arena);
  }
  return wanted;
}

// Returns the FieldsV1 of the value. The recursion is bounded by the parser's kMaxDepth.
Value FieldsIn(const Value& value, const MergePlace& at, Arena& arena) {
  std::vector<Member> members;
  const Value all = arena.Object({});
  const bool is_list = at.is_merged(value), is_map = !is_list && at.is_granular(value);
  if (is_list) {
    const KeyRule rule = RuleOfItems(at);
    for (const Value& item : value.Items()) {
      Value below = at.Item().is_granular(item) ? FieldsIn(item, at.Item(), arena) : all;
      if (!below.empty()) below = WithAt(below, {kItself}, all, arena);
      members.push_back({arena.Copy(ItemStep(item, rule)), below});
    }
  }
  if (is_map) {
    const bool is_free = std::ranges::any_of(value.Members(), [&](const Member& m) { return !IsNamed(at, m.name); });
    if (is_free) members.push_back({kItself, all});
    for (const Member& m : value.Members()) {
      if (m.value.is_null()) continue;  // an empty object of the kind has it, too
      members.push_back({arena.Copy(StepOfField(m.name)), FieldsIn(m.value, at.Member(m.name), arena)});
    }
  }
  return arena.Object(std::move(members));
}

MergePlace RootOf(const Schema& schema, TypeId type) { return {PlaceOfObject(schema, type), nullptr}; }

Paths ReadAll(const std::vector<Value>& entries, const MergePlace& root) {
  Paths out;
  for (const Value& entry : entries) {
    const Value* fields = entry.Find("fieldsV1");
    if (fields != nullptr && fields->is_object()) out = InEither(out, ReadFields(*fields, root));
  }
  out.here = false;
  return out;
}

}  // namespace

std::map<std::string, const Value*> ItemsByStep(const Value* list, const MergePlace& at) {
  std::map<std::string, const Value*> out;
  if (list == nullptr || !at.is_merged(*list)) return out;
  const KeyRule rule = RuleOfItems(at);
  for (const Value& item : list->Items()) out.emplace(ItemStep(item, rule), &item);
  return out;
}

Value FieldsOfAll(const Value& object, const Schema& schema, TypeId type, Arena& arena) {
  Value rest = WithoutAt(object, {}, {"apiVersion", "kind", "status"}, arena);
  if (const Value* metadata = object.Find("metadata"); metadata != nullptr && metadata->is_object()) {
    const Value named = WithoutAt(*metadata, {}, kServerMetadata, arena);
    rest = WithAt(rest, {"metadata"}, WithoutAt(named, {}, {"name", "namespace"}, arena), arena);
  }
  return FieldsIn(rest, RootOf(schema, type), arena);
}

Value OwnedByUsAlone(const Value& object, const OwnedFields& owned, const Schema& schema, TypeId type, Arena& arena) {
  const MergePlace root = RootOf(schema, type);
  return OnlyPaths(object, InFirstOnly(ReadAll(owned.ours, root), ReadAll(owned.others, root)), root, arena);
}

bool ApplyChanges(const Value* alone, const Value* modified, const Value* live, const MergePlace& at) {
  if (live == nullptr || live->is_null()) return !IsAbsentOrNull(modified);
  if (IsAbsentOrNull(modified)) return alone != nullptr;
  Arena arena;
  if (!SameMeaning(MergedValue(*live, *modified, at, arena), *live, at.place)) return true;
  return alone != nullptr && !InFirstOnly(PathsOf(*alone, at), PathsOf(*modified, at)).empty();
}

Value MergedIntoLive(const Value& live, const Value& manifest, const Schema& schema, TypeId type, Arena& arena) {
  return MergedValue(live, manifest, RootOf(schema, type), arena);
}

Value Pruned(const Value& merged, const Value& manifest, const OwnedFields& owned, const Schema& schema, TypeId type,
             Arena& arena) {
  const MergePlace root = RootOf(schema, type);
  const Paths wanted = PathsOf(manifest, root);
  const Paths before = ReadAll(owned.ours, root), ours = owned.applied_before ? InEither(before, wanted) : before;
  if (ours.empty()) return merged;
  const Paths all = PathsOf(merged, root);
  const auto rest_of = [&](const Paths& cut) { return PathsOf(WithoutAny(merged, cut, root, arena), root); };
  const Paths owned_now = InEither(wanted, ReadAll(owned.others, root));
  const Paths with_owned = rest_of(InFirstOnly(all, InEither(rest_of(ours), owned_now)));
  return WithoutAny(merged, InBoth(InFirstOnly(all, with_owned), ours), root, arena);
}

}  // namespace smp
