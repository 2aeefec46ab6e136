#include "smp/keep_live.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "smp/align.h"
#include "smp/derived.h"
#include "smp/meaning.h"
#include "smp/merge_place.h"
#include "smp/server_side_merge.h"
#include "smp/sides.h"
#include "value/derived_document.h"
#include "value/path_match.h"

namespace smp {

namespace {

using Steps = PatternSteps;
using Wanted = std::optional<Value>;  // what the desired object has at a place; nullopt: nothing

bool IsPresent(const Value* value) { return !IsAbsentOrNull(value); }

Wanted AsIs(const Sides& sides) { return sides.modified == nullptr ? Wanted() : Wanted(*sides.modified); }

std::string TextOf(Steps steps) {
  std::string out;
  for (const std::optional<PathStep>& step : steps) {
    const std::string text = step ? ToString(*step) : "[*]";
    out += StrCat(out.empty() || text.starts_with('[') ? "" : ".", text);
  }
  return out;
}

bool NamesNothing(const KeepPath& path, const DiffInput& input) {
  const std::array objects = {input.live, input.modified, input.original};
  return std::ranges::none_of(
      objects, [&](const Value* object) { return object != nullptr && NamesPart(path.pattern, *object); });
}

// A map or list on the way to the field.
struct Spot {
  Sides sides;
  TypeId type = kNoType;        // of the map, or of the list's items
  const Field* list = nullptr;  // of a list
  FieldOwners::Position owners;
  MergePlace place;                                // of the map or list, to a server-side apply
  const std::vector<std::string>* keys = nullptr;  // of a map that is an item, the fields that identify it
  bool goes = false;                               // the plan would delete it with all that live has there
  bool retain = false;                             // the plan would clear what the manifest lacks ($retainKeys)
};

// Returns the place of the same kind as live or, if live lacks it, as the manifest. A manifest without it, or with null,
// deletes all of it if the last-applied object had it.
Spot OfKind(const Spot& spot, Kind kind) {
  Spot out = spot;
  out.sides = {IfKind(spot.sides.original, kind), IfKind(spot.sides.modified, kind), IfKind(spot.sides.live, kind)};
  const bool lost = out.sides.modified == nullptr && (spot.sides.modified != nullptr || IsPresent(spot.sides.original));
  out.goes = spot.goes || lost;
  return out;
}

class Keeper {
 public:
  Keeper(const DiffInput& input, KeepHow how, Arena& arena)
      : input_(input),
        is_server_side_(how == KeepHow::kServerSide),
        schema_(*input.schema),
        arena_(arena),
        owners_(*input.live) {}

  // Returns `desired` with the fields that `path` names as live has them.
  Result<Value> Keep(const Value& desired, const KeepPath& path) {
    by_ = path.by;
    SMP_TRY(CheckSteps(path.pattern));
    const Spot root = {{input_.original, &desired, input_.live},
                       input_.type,
                       nullptr,
                       owners_.root(),
                       {PlaceOfObject(schema_, input_.type)}};
    SMP_ASSIGN(const Wanted kept, Members(root, path.pattern));
    return kept.value_or(desired);
  }

  std::vector<KeptField> fields;

 private:
  // Recursion depth: the number of steps, but no more than that of the three objects.
  Result<Wanted> Below(const Spot& spot, Steps steps) {
    const Value* shown = IsPresent(spot.sides.live) ? spot.sides.live : spot.sides.modified;
    if (shown == nullptr || shown->is_scalar()) return AsIs(spot.sides);
    const size_t before = edits_;
    Result<Wanted> wanted = !shown->is_object() ? List(spot, steps)
                            : is_whole(spot)    ? WholeMap(spot, steps)
                                                : Members(OfKind(spot, Kind::kObject), steps);
    return wanted.ok() && edits_ == before ? AsIs(spot.sides) : std::move(wanted);
  }

  Result<Wanted> List(const Spot& spot, Steps steps) {
    SMP_TRY(CheckList(spot.list, steps));
    const Spot list = OfKind(spot, Kind::kArray);
    return spot.list->patch.list == ListMerge::kSet ? Elements(list, steps) : Items(list, steps);
  }

  // --- maps

  // Returns true for a map that apply replaces as a whole.
  bool is_whole(const Spot& map) const {
    const Value* shown = IsPresent(map.sides.live) ? map.sides.live : map.sides.modified;
    const bool merges = is_server_side_ ? map.place.is_granular(*shown) : !schema_.type(map.type).is_atomic_map();
    return !within_whole_ && !merges;
  }

  // Returns the map with the values that live has at the steps. Server-side it is left out where this is all of live. It stays as
  // it is where the manifest lacks it and did so before.
  Result<Wanted> WholeMap(const Spot& map, Steps steps) {
    if (!IsPresent(map.sides.modified) && !IsPresent(map.sides.original)) return AsIs(map.sides);
    within_whole_ = true;
    Result<Wanted> wanted = Members(OfKind(map, Kind::kObject), steps);
    within_whole_ = false;
    const bool is_live = wanted.ok() && *wanted && map.sides.live != nullptr && **wanted == *map.sides.live;
    return is_live && is_server_side_ ? Alone(map.sides) : std::move(wanted);
  }

  Result<Wanted> Members(const Spot& map, Steps steps) {
    const size_t before = edits_;
    std::vector<Member> members;
    SMP_TRY(ForEachMember(map.sides, [&](std::string_view name, const Sides& sides) -> Status {
      SMP_ASSIGN(const Wanted value,
                 NamesField(steps.front(), name) ? NamedMember(map, name, sides, steps) : AsIs(sides));
      if (value) members.push_back({name, *value});
      return Ok();
    }));
    if (edits_ == before) return AsIs(map.sides);
    const bool is_nothing = is_server_side_ && !IsPresent(map.sides.original);  // to own, in a map that others own
    if (members.empty() && (map.sides.live == nullptr || is_nothing)) return Wanted();
    return Wanted(arena_.SortedObject(members));
  }

  Result<Wanted> NamedMember(const Spot& map, std::string_view name, const Sides& sides, Steps steps) {
    path_.push_back(PathStep::Field(name));
    const FieldOwners::Position at = sides.live == nullptr ? map.owners.Nowhere() : map.owners.Field(name);
    Result<Wanted> value =
        steps.size() == 1 ? NamedField(map, name, sides, at) : BelowMember(map, name, sides, at, steps);
    path_.pop_back();
    return value;
  }

  Result<Wanted> BelowMember(const Spot& map, std::string_view name, const Sides& sides,
                             const FieldOwners::Position& at, Steps steps) {
    const Field* field = schema_.Find(map.type, name);
    const TypeId type = field != nullptr ? field->type : schema_.type(map.type).additional;
    const Field* list = field != nullptr && field->is_list ? field : nullptr;
    const bool retain = field != nullptr && field->patch.retain_keys;
    return Below({sides, type, list, at, map.place.Member(name), nullptr, map.goes, retain}, steps.subspan(1));
  }

  Result<Wanted> NamedField(const Spot& map, std::string_view name, const Sides& sides,
                            const FieldOwners::Position& at) {
    SMP_TRY(CheckField());
    if (map.keys != nullptr && std::ranges::find(*map.keys, name) != map.keys->end()) return AsIs(sides);
    if (within_whole_) return SameValue(sides.modified, sides.live) ? AsIs(sides) : Live(sides, at);
    if (is_server_side_) return OnServer(sides, at, map.place.Member(name));
    if (map.goes && IsPresent(sides.live)) return Live(sides, at);
    if (FieldChanges(map.type, name, sides)) return Live(sides, at);
    const bool only_live = sides.modified == nullptr && IsPresent(sides.live) && map.sides.modified != nullptr;
    return only_live && DependsOnOthers(map) ? Stated(*sides.live) : AsIs(sides);
  }

  static bool SameValue(const Value* a, const Value* b) {
    return IsPresent(a) == IsPresent(b) && (!IsPresent(a) || *a == *b);
  }

  // What only we own is sent as live has it, and the rest left out.
  Wanted OnServer(const Sides& sides, const FieldOwners::Position& at, const MergePlace& place) {
    if (ApplyChanges(sides.original, sides.modified, sides.live, place)) (void)Live(sides, at);
    return Alone(sides);
  }

  Wanted Alone(const Sides& sides) {
    if (!SameValue(sides.original, sides.modified)) ++edits_;
    return IsPresent(sides.original) ? Wanted(*sides.original) : Wanted();
  }

  // Returns true if the plan may change a field that only live has, for what the manifest has beside it.
  bool DependsOnOthers(const Spot& map) const {
    const Type& type = schema_.type(map.type);
    return map.retain || !type.unions.empty() || DerivedRuleOf(type, schema_.release()) != nullptr;
  }

  Wanted Stated(const Value& live) {
    ++edits_;
    return live;
  }

  // Returns true if the plan for a map with this one member has a change.
  bool FieldChanges(TypeId map, std::string_view name, const Sides& sides) const {
    Arena arena;
    const auto alone = [&](const Value* value) {
      return value == nullptr ? arena.SortedObject({}) : arena.Object({{name, *value}});
    };
    const Value original = alone(sides.original), modified = alone(sides.modified), live = alone(sides.live);
    const auto plan = Diff({&original, &modified, &live, &schema_, map});
    return !plan.ok() || plan->changed();
  }

  // --- lists

  Result<Wanted> Items(const Spot& list, Steps steps) {
    const KeyRule rule = RuleOfKeys(*list.list, schema_);
    SMP_ASSIGN(const Identities wanted, IdentitiesOf(list.sides.modified, rule));
    SMP_ASSIGN(const Identities live_ids, IdentitiesOf(list.sides.live, rule));
    SMP_ASSIGN(const Identities original_ids, IdentitiesOf(list.sides.original, rule));
    PositionIndex live(live_ids), original(original_ids);
    const std::vector<size_t> live_at = PairUp(wanted, live), original_at = PairUp(wanted, original);
    std::vector<Placed> items;
    for (size_t i = 0; i < wanted.size(); ++i) {
      const Sides sides = {ItemAt(list.sides.original, original_at[i]), ItemAt(list.sides.modified, i),
                           ItemAt(list.sides.live, live_at[i])};
      SMP_ASSIGN(const Wanted item, Item(list, sides, steps));
      if (item) items.push_back({*item, live_at[i]});
    }
    SMP_ASSIGN(const std::vector<Placed> rest, Rest(list, live_ids, live_at, original, steps));
    return Merged(items, rest, list);
  }

  struct Placed {
    Value item;
    size_t live_at;  // position in live, or kNoPlace
  };

  // Returns the items that the plan would delete and that are kept, in live's order.
  Result<std::vector<Placed>> Rest(const Spot& list, const Identities& live_ids, const std::vector<size_t>& live_at,
                                   PositionIndex& original_left, Steps steps) {
    std::vector<bool> paired(live_ids.size(), false);
    for (const size_t at : live_at) {
      if (at != kNoPlace) paired[at] = true;
    }
    std::vector<Placed> out;
    for (size_t i = 0; i < live_ids.size(); ++i) {
      const size_t o = paired[i] ? kNoPlace : original_left.TakeLast(live_ids, i);
      if (paired[i] || (o == kNoPlace && !list.goes)) continue;
      const Sides sides = {ItemAt(list.sides.original, o), nullptr, ItemAt(list.sides.live, i)};
      SMP_ASSIGN(const Wanted item, Item(list, sides, steps));
      if (item) out.push_back({*item, i});
    }
    return out;
  }

  // Both lists in live's order, so that the plan moves nothing.
  Wanted Merged(const std::vector<Placed>& items, const std::vector<Placed>& rest, const Spot& list) {
    std::vector<Value> out;
    auto next = rest.begin();
    for (const Placed& item : items) {
      for (; item.live_at != kNoPlace && next != rest.end() && next->live_at < item.live_at; ++next) {
        out.push_back(next->item);
      }
      out.push_back(item.item);
    }
    for (; next != rest.end(); ++next) out.push_back(next->item);
    return out.empty() && list.sides.live == nullptr ? Wanted() : Wanted(arena_.Array(out));
  }

  Result<Wanted> Item(const Spot& list, const Sides& sides, Steps steps) {
    const Value& shown = sides.live != nullptr ? *sides.live : *sides.modified;
    const auto named = [&](const Value* item) { return item != nullptr && NamesItem(steps.front(), *item, -1); };
    if ((!named(sides.modified) && !named(sides.live)) || !shown.is_object()) return AsIs(sides);
    path_.push_back(KeyStep(shown, list.list->identity_keys));
    const FieldOwners::Position at = sides.live == nullptr ? list.owners.Nowhere() : list.owners.Item(*sides.live);
    Result<Wanted> item = steps.size() == 1 ? WholeItem(list, sides, at) : BelowItem(list, sides, at, steps.subspan(1));
    path_.pop_back();
    return item;
  }

  Result<Wanted> WholeItem(const Spot& list, const Sides& sides, const FieldOwners::Position& at) {
    if (is_server_side_) return OnServer(sides, at, list.place.Item());
    return ItemChanges(list, sides) ? Live(sides, at) : AsIs(sides);
  }

  // Items without a partner in the manifest are only looked at if the plan deletes them.
  bool ItemChanges(const Spot& list, const Sides& sides) const {
    if (sides.modified == nullptr || sides.live == nullptr) return true;
    if (schema_.type(list.type).is_atomic_map()) return !SameMeaning(*sides.modified, *sides.live);
    const auto plan = Diff({sides.original, sides.modified, sides.live, &schema_, list.type});
    return !plan.ok() || plan->changed();
  }

  // A new item gets what the manifest says, like a new object. One that the plan deletes goes as a whole: a part of it,
  // such as a container's image, would be an item that nobody asked for.
  Result<Wanted> BelowItem(const Spot& list, const Sides& sides, const FieldOwners::Position& at, Steps steps) {
    if (sides.live == nullptr || sides.modified == nullptr) return AsIs(sides);
    const bool retain = list.list->patch.retain_keys;
    return Members({sides, list.type, nullptr, at, list.place.Item(), &list.list->identity_keys, list.goes, retain},
                   steps);
  }

  Result<Wanted> Elements(const Spot& set, Steps steps) {
    if (steps.size() > 1) return AsIs(set.sides);
    const KeyRule rule = {.numbers = Numbers::kByValue};
    SMP_ASSIGN(const Identities wanted, IdentitiesOf(set.sides.modified, rule));
    SMP_ASSIGN(const Identities live, IdentitiesOf(set.sides.live, rule));
    SMP_ASSIGN(const Identities original, IdentitiesOf(set.sides.original, rule));
    const PositionIndex in_wanted(wanted), in_live(live), in_original(original);
    std::vector<Value> elements;
    for (size_t i = 0; i < wanted.size(); ++i) {
      const Value* element = ItemAt(set.sides.modified, i);
      const bool kept = !in_live.Contains(wanted, i) && KeepElement(set, {nullptr, element, nullptr}, steps);
      if (!kept) elements.push_back(*element);
    }
    for (size_t i = 0; i < live.size(); ++i) {
      const Value* element = ItemAt(set.sides.live, i);
      const bool goes = !in_wanted.Contains(live, i) && (set.goes || in_original.Contains(live, i));
      if (goes && KeepElement(set, {element, nullptr, element}, steps)) elements.push_back(*element);
    }
    return elements.empty() && set.sides.live == nullptr ? Wanted() : Wanted(arena_.Array(elements));
  }

  // Returns true if the step names the element.
  bool KeepElement(const Spot& set, const Sides& sides, Steps steps) {
    const Value& element = sides.live != nullptr ? *sides.live : *sides.modified;
    if (!NamesItem(steps.front(), element, -1)) return false;
    path_.push_back(PathStep::Element(element));
    (void)Live(sides, sides.live == nullptr ? set.owners.Nowhere() : set.owners.Element(element));
    path_.pop_back();
    return true;
  }

  static const Value* ItemAt(const Value* list, size_t i) { return i == kNoPlace ? nullptr : &list->Items()[i]; }

  static Result<Identities> IdentitiesOf(const Value* list, const KeyRule& rule) {
    return Identities::Of(list == nullptr ? std::span<const Value>() : list->Items(), rule, Keyless::kUnique);
  }

  // --- the field

  Wanted Live(const Sides& sides, const FieldOwners::Position& at) {
    ++edits_;
    fields.push_back({path_, by_, sides.original, sides.modified, sides.live,
                      sides.live == nullptr ? std::vector<FieldManager>() : at.Nearest()});
    return sides.live == nullptr ? Wanted() : Wanted(*sides.live);
  }

  Error Refuse(std::string_view why) const {
    Error error = Error::Refused(StrCat(by_, " cannot keep this field: ", why));
    error.path = ToString(path_);
    return error;
  }

  Status CheckField() const {
    const std::string path = ToString(path_);
    for (const std::string_view name : {"apiVersion", "kind", "metadata", "metadata.name", "metadata.namespace"}) {
      if (path == name) return Refuse("it identifies the object; remove the path");
    }
    return Ok();
  }

  // Checks the path as far as the schema knows it, so that the answer does not depend on what the objects have.
  Status CheckSteps(Steps steps) const {
    TypeId type = input_.type;
    for (size_t i = 0; i < steps.size() && steps[i]; ++i) {
      const Field* field = schema_.Find(type, steps[i]->name);
      if (field != nullptr && field->is_list && i + 1 < steps.size()) {
        SMP_TRY(At(steps.first(i + 1), CheckList(field, steps.subspan(i + 1))));
        ++i;
      }
      type = field != nullptr ? field->type : schema_.type(type).additional;
    }
    return Ok();
  }

  // Returns the status; its error names the steps, which may have wildcards.
  static Status At(Steps steps, Status status) {
    if (status.ok()) return status;
    Error error = std::move(status).error();
    error.path = TextOf(steps);
    return error;
  }

  // `steps`: those into the list, an item first.
  Status CheckList(const Field* list, Steps steps) const {
    if (list == nullptr || list->patch.list == ListMerge::kAtomic) {
      return Refuse("apply replaces this list as a whole; keep the whole list");
    }
    if (!steps.front() || steps.front()->kind != PathStep::Kind::kIndex) return Ok();
    return Refuse("an index does not identify an item of this list; name the item by its keys, as in [name=web]");
  }

  const DiffInput& input_;
  const bool is_server_side_;
  const Schema& schema_;
  Arena& arena_;
  const FieldOwners owners_;
  std::string by_;
  FieldPath path_;
  bool within_whole_ = false;  // within a map that is_whole
  size_t edits_ = 0;           // so far; a map or list without a new one is returned as it is
};

}  // namespace

Result<KeptLive> KeepLive(const Document& desired, const DiffInput& input, const std::vector<KeepPath>& paths,
                          KeepHow how) {
  Arena arena;
  arena.Retain(desired);
  Keeper keeper(input, how, arena);
  Value root = desired.root();
  for (const KeepPath& path : paths) {
    SMP_ASSIGN(root, keeper.Keep(root, path));
  }
  std::vector<KeepPath> unmatched;
  std::ranges::copy_if(paths, std::back_inserter(unmatched),
                       [&](const KeepPath& path) { return NamesNothing(path, input); });
  if (SharesMemory(root, desired.root())) return KeptLive{desired, {}, std::move(unmatched)};
  return KeptLive{DerivedDocument(desired, std::move(arena), root), std::move(keeper.fields), std::move(unmatched)};
}

}  // namespace smp
