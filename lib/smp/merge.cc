#include "smp/merge.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "base/strings.h"
#include "smp/directives.h"
#include "smp/keys.h"
#include "smp/order.h"
#include "value/path.h"

namespace smp {

namespace {

using Fields = std::map<std::string_view, Value>;

Fields FieldsOf(const Value& map) {
  Fields out;
  for (const Member& m : map.Members()) out.emplace_hint(out.end(), m.name, m.value);
  return out;
}

Value ToValue(const Fields& fields, Arena& arena) {
  std::vector<Member> members;
  members.reserve(fields.size());
  for (const auto& [name, value] : fields) members.push_back({name, value});
  return arena.SortedObject(members);
}

Value Without(const Value& map, std::string_view name, Arena& arena) {
  Fields fields = FieldsOf(map);
  fields.erase(name);
  return ToValue(fields, arena);
}

bool HoldsDirective(const Value& v) { return v.is_object() && v.Find(kPatchDirective) != nullptr; }

enum class Nulls { kDrop, kKeep };

// A value that is new to live: nulls and maps with $patch mean nothing any more. ($retainKeys, $setElementOrder and
// $deleteFromPrimitiveList stay as fields: so does the server.) nullopt: the value is itself such a map.
std::optional<Value> Stripped(const Value& v, Nulls nulls, Arena& arena) {
  if (HoldsDirective(v)) return std::nullopt;
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

bool IsDeletion(const Value& v) { return v.StringOr(kPatchDirective) == kPatchDelete; }

// What one list is merged by.
struct ListRule {
  bool of_maps = false;
  const std::vector<std::string>* keys = nullptr;
  TypeId type = kNoType;
  bool merge = false;

  Result<std::string> Identity(const Value& item) const {
    return of_maps ? MergeKeyOf(item, *keys) : ScalarIdentity(item, Numbers::kByKind);
  }
};

// All elements of both lists must have one kind; lists of lists and nulls cannot be merged.
Result<Kind> ElementKind(std::span<const Value> a, std::span<const Value> b) {
  std::optional<Kind> kind;
  for (const auto& list : {a, b}) {
    for (const Value& v : list) {
      if (kind && *kind != v.kind()) return Error::PatchFormat("the items of the list are of different kinds");
      kind = v.kind();
    }
  }
  if (!kind) return Error::PatchFormat("orders a list that has no items on either side");
  if (*kind == Kind::kArray) return Error::PatchFormat("lists of lists cannot be merged");
  if (*kind == Kind::kNull) return Error::PatchFormat("a list with null items cannot be merged");
  return *kind;
}

struct Entry {
  Value value;
  std::string identity;
};

Result<std::unordered_map<std::string, size_t>> Places(std::span<const Value> list, const ListRule& rule) {
  std::unordered_map<std::string, size_t> places;
  for (size_t i = 0; i < list.size(); ++i) {
    auto identity = rule.Identity(list[i]);
    if (!identity.ok()) return Under(PathStep::Index(static_cast<int64_t>(i)), std::move(identity).error());
    places.try_emplace(*std::move(identity), i);
  }
  return places;
}

Result<std::vector<Value>> WeaveList(std::span<const Value> merged, std::span<const Value> order,
                                     std::span<const Value> anchors, const ListRule& rule) {
  SMP_ASSIGN(const auto rank, Places(order, rule));
  SMP_ASSIGN(const auto anchor, Places(anchors, rule));
  const auto place = [](const auto& places, const std::string& identity) {
    const auto at = places.find(identity);
    return at == places.end() ? kNoPlace : at->second;
  };
  std::vector<Placed> placed;
  for (size_t i = 0; i < merged.size(); ++i) {
    auto identity = rule.Identity(merged[i]);
    if (!identity.ok()) return Under(PathStep::Index(static_cast<int64_t>(i)), std::move(identity).error());
    placed.push_back({place(rank, *identity), place(anchor, *identity), IsDeletion(merged[i])});
  }
  std::vector<Value> out;
  for (const size_t i : Weave(placed)) out.push_back(merged[i]);
  return out;
}

struct MergedList {
  std::vector<Value> items;
  std::vector<Value> anchors;  // the live positions that an outer $setElementOrder uses
};

std::vector<Value> ToVector(std::span<const Value> items) { return {items.begin(), items.end()}; }

enum class Combine { kMerge, kGraft };

class Merger {
 public:
  Merger(const Schema& schema, Combine combine, Arena& arena) : schema_(schema), combine_(combine), arena_(arena) {}

  Result<Value> Both(const Value& a, const Value& b, TypeId type) {
    return combine_ == Combine::kMerge ? Map(a, b, type) : GraftMap(a, b, type);
  }

  // The server's merge of an object.
  Result<Value> Map(const Value& live, const Value& patch, TypeId type) {
    if (const Value* directive = patch.Find(kPatchDirective)) return Directive(*directive, patch);
    Fields out = FieldsOf(live);
    Fields todo = FieldsOf(patch);
    SMP_TRY(RetainKeys(out, todo));
    SMP_TRY(OrderedLists(out, todo, type));
    // The server visits the rest in random order, which matters only where a field stands beside its deletion list without
    // $setElementOrder; we merge first and delete last, as it always happens with $setElementOrder.
    for (const auto& [name, value] : todo) {
      if (IsDeleteFromListKey(name)) continue;
      if (auto status = Field(out, name, value, type); !status.ok()) {
        return Under(PathStep::Field(name), std::move(status).error());
      }
    }
    for (const auto& [name, value] : todo) {
      if (IsDeleteFromListKey(name)) SMP_TRY(DeleteFromList(out, name, value, type));
    }
    return ToValue(out, arena_);
  }

  Result<Value> GraftMap(const Value& a, const Value& b, TypeId type) {
    if (b.Find(kPatchDirective) != nullptr) return Merger(schema_, Combine::kMerge, arena_).Map(a, b, type);
    Fields out = FieldsOf(a);
    Fields todo = FieldsOf(b);
    for (const auto& [name, value] : todo) {
      if (name != kRetainKeysDirective && !IsOrderKey(name)) continue;
      if (!(out.try_emplace(name, value).first->second == value)) {
        return Error::PatchFormat(StrCat(name, " differs between what is deleted and what is changed"));
      }
    }
    todo.erase(kRetainKeysDirective);
    SMP_TRY(OrderedLists(out, todo, type));
    for (const auto& [name, value] : todo) {
      if (auto status = GraftField(out, name, value, type); !status.ok()) {
        return Under(PathStep::Field(name), std::move(status).error());
      }
    }
    return ToValue(out, arena_);
  }

 private:
  Status GraftField(Fields& out, std::string_view name, const Value& value, TypeId type) {
    const auto at = out.find(name);
    if (value.is_null() || IsDeleteFromListKey(name)) {
      out[name] = value;
    } else if (at == out.end() || at->second.kind() != value.kind()) {
      SetNew(out, name, value, Nulls::kKeep);
    } else if (value.is_scalar()) {
      at->second = value;
    } else {
      return Branch(at->second, name, value, type);
    }
    return Ok();
  }

  Result<Value> Directive(const Value& directive, const Value& patch) {
    const std::string_view word = directive.is_string() ? directive.AsString() : std::string_view();
    if (word == kPatchReplace) return Without(patch, kPatchDirective, arena_);  // verbatim, nested directives stay
    if (word == kPatchDelete) return arena_.SortedObject({});
    return Error::PatchFormat("$patch must be \"replace\" or \"delete\" in an object");
  }

  static Status RetainKeys(Fields& out, Fields& todo) {
    const auto at = todo.find(kRetainKeysDirective);
    if (at == todo.end()) return Ok();
    const Value names = at->second;
    todo.erase(at);
    if (!names.is_array()) return Error::PatchFormat("$retainKeys must be a list of field names");
    std::unordered_set<std::string_view> keep;
    for (const Value& name : names.Items()) {
      if (!name.is_scalar()) return Error::PatchFormat("$retainKeys must be a list of field names");
      if (name.is_string()) keep.insert(name.AsString());
    }
    for (const auto& [name, value] : todo) {
      if (value.is_null() || IsOrderKey(name) || IsDeleteFromListKey(name) || keep.contains(name)) continue;
      return Error::PatchFormat(StrCat("$retainKeys does not name `", name, "`, which the patch sets"));
    }
    std::erase_if(out, [&](const auto& field) { return !keep.contains(field.first); });
    return Ok();
  }

  Result<const smp::Field*> LookUp(std::string_view name, TypeId type) const {
    const smp::Field* field = schema_.Find(type, name);
    if (field == nullptr) return Error::Schema("the schema has no such field, so the server cannot merge it");
    return field;
  }

  static ListRule RuleOf(const smp::Field& field, Kind element) {
    return {element == Kind::kObject, &field.patch_keys, field.type, field.merge};
  }

  Status OrderedLists(Fields& out, Fields& todo, TypeId type) {
    std::vector<std::pair<std::string_view, Value>> orders;
    for (const auto& [name, value] : todo) {
      if (IsOrderKey(name)) orders.emplace_back(name, value);
    }
    for (const auto& [directive, order] : orders) {
      todo.erase(directive);
      SMP_ASSIGN(const std::string_view name, ParallelList(directive));
      if (auto status = OrderedList(out, todo, name, order, type); !status.ok()) {
        return Under(PathStep::Field(name), std::move(status).error());
      }
    }
    return Ok();
  }

  static Result<const Value*> ListIn(const Fields& fields, std::string_view name) {
    const auto at = fields.find(name);
    if (at == fields.end()) return nullptr;
    if (!at->second.is_array()) return Error::PatchFormat("$setElementOrder is about a list; this is none");
    return &at->second;
  }

  // $setElementOrder/name with the field itself.
  Status OrderedList(Fields& out, Fields& todo, std::string_view name, const Value& order, TypeId type) {
    if (!order.is_array()) return Error::PatchFormat("$setElementOrder must be a list");
    SMP_ASSIGN(const Value* live, ListIn(out, name));
    SMP_ASSIGN(const Value* patch, ListIn(todo, name));
    SMP_ASSIGN(const smp::Field* field, LookUp(name, type));
    if (patch != nullptr) SMP_TRY(CheckFollowsOrder(*patch, order, *field));
    if (live == nullptr && patch == nullptr) return Ok();
    const auto live_items = live == nullptr ? std::span<const Value>() : live->Items();
    const auto patch_items = patch == nullptr ? std::span<const Value>() : patch->Items();
    MergedList merged;
    if (patch == nullptr) {
      merged = {ToVector(live_items), ToVector(live_items)};
    } else if (live == nullptr) {
      const auto stripped = Stripped(*patch, Nulls::kKeep, arena_);  // nobody removes nulls here
      merged = {ToVector(stripped->Items()), {}};
    } else {
      SMP_ASSIGN(merged, List(live_items, patch_items, *field));
    }
    SMP_ASSIGN(const Kind kind, ElementKind(live_items, patch_items));
    SMP_ASSIGN(const auto woven, WeaveList(merged.items, order.Items(), merged.anchors, RuleOf(*field, kind)));
    todo.erase(name);
    out[name] = arena_.Array(woven);
    return Ok();
  }

  // The patch's items, deletions aside, must be a subsequence of the order list; an empty list on either side passes. An item with another
  // $patch is skipped, but only while order entries are left (so a trailing `$patch: replace` may be refused).
  static Status CheckFollowsOrder(const Value& patch, const Value& order, const smp::Field& field) {
    if (patch.empty() || order.empty()) return Ok();
    const ListRule rule = RuleOf(field, field.patch_keys.empty() ? patch.Items()[0].kind() : Kind::kObject);
    size_t next = 0;
    for (const Value& item : patch.Items()) {
      if (rule.of_maps && IsDeletion(item)) continue;
      if (HoldsDirective(item) && next < order.size()) continue;
      SMP_ASSIGN(const std::string wanted, rule.Identity(item));
      bool found = false;
      while (!found && next < order.size()) {
        SMP_ASSIGN(const std::string named, rule.Identity(order.Items()[next++]));
        found = named == wanted;
      }
      if (!found) return Error::PatchFormat("the order of the items in the patch is not the one of $setElementOrder");
    }
    return Ok();
  }

  Status Field(Fields& out, std::string_view name, const Value& value, TypeId type) {
    if (value.is_null()) {
      out.erase(name);
      return Ok();
    }
    const auto at = out.find(name);
    if (at == out.end() || at->second.kind() != value.kind()) {
      SetNew(out, name, value, Nulls::kDrop);
    } else if (value.is_scalar()) {
      at->second = value;
    } else {
      return Branch(at->second, name, value, type);
    }
    return Ok();
  }

  // Two maps or two lists.
  Status Branch(Value& there, std::string_view name, const Value& value, TypeId type) {
    SMP_ASSIGN(const smp::Field* field, LookUp(name, type));
    if (value.is_array()) {
      SMP_ASSIGN(const MergedList merged, List(there.Items(), value.Items(), *field));
      there = arena_.Array(merged.items);
    } else if (field->replace) {
      there = value;
    } else {
      SMP_ASSIGN(there, Both(there, value, MapType(*field)));
    }
    return Ok();
  }

  // A map where the schema says list: nothing is known of its members.
  static TypeId MapType(const smp::Field& field) { return field.is_list ? kNoType : field.type; }

  void SetNew(Fields& out, std::string_view name, const Value& value, Nulls nulls) {
    if (const auto stripped = Stripped(value, nulls, arena_)) {
      out[name] = *stripped;
    } else {
      out.erase(name);
    }
  }

  Status DeleteFromList(Fields& out, std::string_view directive, const Value& gone, TypeId type) {
    SMP_ASSIGN(const std::string_view name, ParallelList(directive));
    const auto at = out.find(name);
    if (gone.is_null()) {
      out.erase(name);
      return Ok();
    }
    if (at == out.end() || at->second.kind() != gone.kind() || !gone.is_array()) return Ok();
    SMP_TRY(LookUp(name, type));
    if (at->second.empty() && gone.empty()) return Ok();
    SMP_ASSIGN(const Kind kind, ElementKind(at->second.Items(), gone.Items()));
    if (kind == Kind::kObject) {  // sic: the server merges the "deletions" into the list
      SMP_ASSIGN(const smp::Field* field, LookUp(name, type));
      SMP_ASSIGN(const MergedList merged, ListOfMaps(at->second.Items(), gone.Items(), RuleOf(*field, kind)));
      at->second = arena_.Array(merged.items);
      return Ok();
    }
    std::unordered_set<std::string> drop;
    for (const Value& v : gone.Items()) {
      SMP_ASSIGN(std::string identity, ScalarIdentity(v, Numbers::kByKind));
      drop.insert(std::move(identity));
    }
    std::vector<Value> rest;
    for (const Value& v : at->second.Items()) {
      SMP_ASSIGN(const std::string identity, ScalarIdentity(v, Numbers::kByKind));
      if (!drop.contains(identity)) rest.push_back(v);
    }
    at->second = arena_.Array(rest);
    return Ok();
  }

  Result<MergedList> List(std::span<const Value> live, std::span<const Value> patch, const smp::Field& field) {
    if (!field.merge) return MergedList{ToVector(patch), ToVector(live)};  // atomic: verbatim
    if (live.empty() && patch.empty()) return MergedList{};
    SMP_ASSIGN(const Kind kind, ElementKind(live, patch));
    const ListRule rule = RuleOf(field, kind);
    if (!rule.of_maps && !rule.keys->empty()) {
      return Error::MergeKey(StrCat("the items of this list are objects, found ", KindName(kind)));
    }
    return rule.of_maps ? ListOfMaps(live, patch, rule) : Set(live, patch, rule);
  }

  static Result<MergedList> Set(std::span<const Value> live, std::span<const Value> patch, const ListRule& rule) {
    std::unordered_set<std::string> seen;
    std::vector<Value> all;
    for (const auto& list : {live, patch}) {
      for (const Value& v : list) {
        SMP_ASSIGN(std::string identity, ScalarIdentity(v, Numbers::kByKind));
        if (seen.insert(std::move(identity)).second) all.push_back(v);
      }
    }
    SMP_ASSIGN(auto woven, WeaveList(all, patch, live, rule));
    return MergedList{std::move(woven), ToVector(live)};
  }

  struct ListPatch {
    std::vector<Value> plain;
    std::unordered_set<std::string> gone;
    bool replace = false;
  };

  static Result<ListPatch> ReadListPatch(std::span<const Value> patch, const ListRule& rule) {
    ListPatch out;
    for (const Value& item : patch) {
      const Value* directive = item.Find(kPatchDirective);
      const std::string_view word = directive != nullptr && directive->is_string() ? directive->AsString() : "";
      if (directive == nullptr) {
        out.plain.push_back(item);
      } else if (word == kPatchDelete) {
        SMP_ASSIGN(std::string identity, rule.Identity(item));
        out.gone.insert(std::move(identity));
      } else if (word == kPatchReplace) {
        out.replace = true;
      } else {
        return Error::PatchFormat("$patch must be \"replace\" or \"delete\" in a list");
      }
    }
    return out;
  }

  Result<MergedList> ListOfMaps(std::span<const Value> live, std::span<const Value> patch, const ListRule& rule) {
    SMP_ASSIGN(const ListPatch list, ReadListPatch(patch, rule));
    if (rule.keys->empty()) return Error::MergeKey("the schema names no merge key for this list");
    std::vector<Value> kept;
    for (const Value& item : live) {
      auto identity = rule.Identity(item);
      const bool gone = identity.ok() && list.gone.contains(*identity);  // an item without key is no match here
      if (!gone) kept.push_back(item);
    }
    if (list.replace) {
      SMP_ASSIGN(auto woven, WeaveList(list.plain, {}, list.plain, rule));
      return MergedList{std::move(woven), std::move(kept)};
    }
    SMP_ASSIGN(const auto merged, MergeItems(kept, list.plain, rule));
    SMP_ASSIGN(auto woven, WeaveList(merged, list.plain, kept, rule));
    // The server's live list was overwritten in place: the first new items sit in the room that deleted ones left and so have a live place.
    std::vector<Value> anchors(merged.begin(), merged.begin() + std::min(live.size(), merged.size()));
    return MergedList{std::move(woven), std::move(anchors)};
  }

  Result<std::vector<Value>> MergeItems(const std::vector<Value>& kept, const std::vector<Value>& plain,
                                        const ListRule& rule) {
    std::vector<Value> merged = kept;
    std::unordered_map<std::string, size_t> at;
    for (size_t i = 0; i < kept.size(); ++i) {
      if (auto identity = rule.Identity(kept[i]); identity.ok()) at.try_emplace(*std::move(identity), i);
    }
    for (const Value& item : plain) {
      SMP_ASSIGN(const std::string identity, rule.Identity(item));
      const auto [place, is_new] = at.try_emplace(identity, merged.size());
      if (is_new) {
        merged.push_back(item);  // verbatim: a new item keeps its nulls and nested directives
        continue;
      }
      auto both = Both(merged[place->second], item, rule.type);
      if (!both.ok()) return Under(KeyStep(item, *rule.keys), std::move(both).error());
      merged[place->second] = *both;
    }
    return merged;
  }

  const Schema& schema_;
  const Combine combine_;
  Arena& arena_;
};

}  // namespace

Result<Value> Merge(const Value& live, const Value& patch, const Schema& schema, TypeId type, Arena& arena) {
  if (!live.is_object() || !patch.is_object()) return Error::PatchFormat("a patch and its target are objects");
  return Merger(schema, Combine::kMerge, arena).Map(live, patch, type);
}

Result<Value> Graft(const Value& a, const Value& b, const Schema& schema, TypeId type, Arena& arena) {
  return Merger(schema, Combine::kGraft, arena).GraftMap(a, b, type);
}

}  // namespace smp
