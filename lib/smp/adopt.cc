#include "smp/adopt.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "schema/facts/allocated.h"
#include "smp/align.h"
#include "smp/defaulting.h"
#include "smp/meaning.h"
#include "smp/plan.h"
#include "value/at.h"
#include "value/derived_document.h"
#include "value/metadata.h"

namespace smp {

namespace {

using Position = FieldOwners::Position;

bool IsOf(const Value& entry, const Value& live, std::string_view manager) {
  return entry.StringOr("manager") == manager && entry.StringOr("subresource").empty() &&
         !NamesFieldsOtherwise(entry, live);
}

// Returns an object that has only these entries of the managers.
Value OnlyEntriesOf(const Value& live, const std::vector<std::string>& managers, EntriesOf which, Arena& arena) {
  std::vector<Value> entries;
  for (const Value& entry : ManagedFields(live)) {
    const auto is = [&](const std::string& manager) { return IsOf(entry, live, manager); };
    const bool fits = which == EntriesOf::kAnyOperation || entry.StringOr("operation") == "Apply";
    if (fits && std::any_of(managers.begin(), managers.end(), is)) entries.push_back(entry);
  }
  return WithAt(live, {"metadata", "managedFields"}, arena.Array(entries), arena);
}

bool IsOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// What is adopted at one place.
struct Part {
  std::optional<Value> original;
  bool all = false;  // nothing else is there: the plan may delete the whole value
};

// A field of live: what the schema says of it, and who owns it.
struct Spot {
  Place place;
  const Field* field = nullptr;  // nullptr: unknown, or an item
  Position at;                   // in the entries of the managers
  Position of_all;               // in all entries
  bool within = false;           // the managers own a map or list around it as a whole

  ListMerge merge() const { return field == nullptr ? ListMerge::kAtomic : field->patch.list; }
  bool owned() const { return within || !at.Owners().empty(); }
  bool holds() const { return within || !at.Holders().empty(); }
};

class Adopter {
 public:
  // `kind`: of the object.
  Adopter(const Schema& schema, std::string_view kind, Arena& arena) : schema_(schema), kind_(kind), arena_(arena) {}

  // Returns the new map. `stored`: the desired one with what the server fills in; nullptr: unknown. Sets `original` to what
  // is adopted of live's, if anything is. The recursion is bounded by the parser's kMaxDepth.
  Value Map(const Value& desired, const Value* stored, const Value& live, const Spot& spot,
            std::optional<Value>& original) {
    std::vector<Member> kept, adopted;
    const bool whole = OwnedAsAWhole(live, spot);
    for (const Member& m : live.Members()) {
      const Spot below = Below(spot, m.name, whole);
      if (!below.holds() || IsOfServer(spot, m.name)) continue;
      const Value* wanted = desired.Find(m.name);
      const Value* filled = stored == nullptr ? nullptr : stored->Find(m.name);
      Part part;
      if (wanted == nullptr) {
        part = Gone(m.value, filled, below);
        if (part.original && !part.all) kept.push_back({m.name, EmptyLike(m.value)});
      } else if (const Value now = Both(*wanted, filled, m.value, below, part.original); !SharesMemory(now, *wanted)) {
        kept.push_back({m.name, now});
      }
      if (part.original) adopted.push_back({m.name, *part.original});
    }
    if (!adopted.empty()) original = arena_.SortedObject(adopted);
    return WithMembers(desired, kept);
  }

  // `whole`: the managers own the map as a whole.
  Spot Below(const Spot& map, std::string_view name, bool whole) const {
    return {PlaceOfMember(map.place, name), schema_.Find(map.place.type, name), map.at.Field(name),
            map.of_all.Field(name), whole};
  }

 private:
  // Returns true if an entry, of whichever manager, lists a member of the map.
  static bool IsListedMap(const Value& map, const Spot& spot) {
    return std::ranges::any_of(map.Members(),
                               [&](const Member& m) { return !spot.of_all.Field(m.name).Holders().empty(); });
  }

  static bool IsListedList(const Value& list, const Spot& spot) {
    return std::ranges::any_of(list.Items(), [&](const Value& item) {
      return !(item.is_object() ? spot.of_all.Item(item) : spot.of_all.Element(item)).Holders().empty();
    });
  }

  // Returns true if the managers own the map or list and no entry lists its members: it is atomic to managedFields,
  // which need not mean that apply replaces it as a whole (spec.selector of a Service).
  static bool OwnedAsAWhole(const Value& value, const Spot& spot) {
    return spot.owned() && !(value.is_object() ? IsListedMap(value, spot) : IsListedList(value, spot));
  }

  bool IsOfServer(const Spot& map, std::string_view name) const {
    if (IsOfTemplate(schema_.type(map.place.type), kind_)) return false;
    return name == kNameLabelOfNamespaces || IsAllocated(schema_, map.place.type, name);
  }

  Value EmptyLike(const Value& value) { return value.is_array() ? arena_.Array({}) : arena_.SortedObject({}); }

  Value WithMembers(const Value& map, const std::vector<Member>& more) {
    if (more.empty()) return map;
    std::vector<Member> members(map.Members().begin(), map.Members().end());
    members.insert(members.end(), more.begin(), more.end());
    return arena_.Object(std::move(members));
  }

  // --- what both have

  Value Both(const Value& desired, const Value* stored, const Value& live, const Spot& spot,
             std::optional<Value>& original) {
    if (desired.kind() != live.kind() || desired.is_scalar()) return desired;
    if (live.is_object()) {
      const bool whole = schema_.type(spot.place.type).is_atomic_map() || (spot.field && spot.field->patch.replace);
      return whole ? desired : Map(desired, stored, live, spot, original);
    }
    if (spot.merge() == ListMerge::kKeyed) return Items(desired, stored, live, spot, original);
    if (spot.merge() == ListMerge::kSet) AdoptElements(desired, live, spot, original);
    return desired;
  }

  Value Items(const Value& desired, const Value* stored, const Value& live, const Spot& list,
              std::optional<Value>& original) {
    const KeyRule rule = RuleOfKeys(*list.field, schema_);
    const auto wanted = Identities::Of(desired.Items(), rule, Keyless::kUnique);
    const auto ids = Identities::Of(live.Items(), rule, Keyless::kUnique);
    if (!wanted.ok() || !ids.ok()) return desired;
    const PositionIndex index(*wanted);
    std::vector<Value> items(desired.Items().begin(), desired.Items().end()), adopted;
    const bool whole = OwnedAsAWhole(live, list);
    bool changed = false;
    for (size_t i = 0; i < live.size(); ++i) {
      const Value& item = live.Items()[i];
      const Spot spot = ItemOf(list, item, whole);
      const size_t partner = index.First(*ids, i);
      std::optional<Value> part;
      if (partner == kNoPlace) {
        if (spot.owned()) part = item;
      } else if (item.is_object() && items[partner].is_object()) {
        const Value* filled = stored != nullptr && stored->is_array() ? &stored->Items()[partner] : nullptr;
        const Value now = Map(items[partner], filled, item, spot, part);
        changed |= !SharesMemory(now, items[partner]);
        items[partner] = now;
        if (part) part = WithKeys(*part, item, *list.field);
      }
      if (part) adopted.push_back(*part);
    }
    if (!adopted.empty()) original = arena_.Array(adopted);
    return changed ? arena_.Array(items) : desired;
  }

  Value WithKeys(const Value& part, const Value& item, const Field& list) {
    std::vector<Member> members(part.Members().begin(), part.Members().end());
    for (const std::string& key : list.identity_keys) {
      if (const Value* value = item.Find(key)) members.push_back({arena_.Copy(key), *value});
    }
    return arena_.Object(std::move(members));
  }

  static Spot ItemOf(const Spot& list, const Value& item, bool whole) {
    return {PlaceOfItem(list.place), nullptr, list.at.Item(item), list.of_all.Item(item), whole};
  }

  void AdoptElements(const Value& desired, const Value& live, const Spot& set, std::optional<Value>& original) {
    std::vector<Value> adopted;
    const bool whole = OwnedAsAWhole(live, set);
    for (const Value& element : live.Items()) {
      const auto wanted = desired.Items();
      const bool gone = std::find(wanted.begin(), wanted.end(), element) == wanted.end();
      if (gone && (whole || !set.at.Element(element).Owners().empty())) adopted.push_back(element);
    }
    if (!adopted.empty()) original = arena_.Array(adopted);
  }

  // --- what the manifest lacks

  // `stored`: what the server fills in; nullptr: nothing.
  Part Gone(const Value& live, const Value* stored, const Spot& spot) {
    if (CountsAsAbsent(live, spot.place)) return {{}, true};
    if (stored != nullptr && SameMeaning(*stored, live, spot.place)) return {{}, true};
    if (live.is_object() && !live.empty() && !schema_.type(spot.place.type).is_atomic_map())
      return GoneMap(live, stored, spot);
    if (live.is_array() && spot.merge() != ListMerge::kAtomic) return GoneList(live, spot);
    return Whole(live, spot);
  }

  static Part Whole(const Value& live, const Spot& spot) { return spot.owned() ? Part{live, true} : Part{}; }

  Part GoneMap(const Value& map, const Value* stored, const Spot& spot) {
    if (!IsListedMap(map, spot)) return Whole(map, spot);
    std::vector<Member> adopted;
    bool all = true;
    for (const Member& m : map.Members()) {
      const Spot below = Below(spot, m.name, false);
      const Value* filled = stored == nullptr ? nullptr : stored->Find(m.name);
      const Part part = IsOfServer(spot, m.name) ? Part{} : Gone(m.value, filled, below);
      if (part.original) adopted.push_back({m.name, *part.original});
      all &= part.all;
    }
    if (adopted.empty()) return {{}, all};
    return {arena_.SortedObject(adopted), all};
  }

  Part GoneList(const Value& list, const Spot& spot) {
    if (!IsListedList(list, spot)) return Whole(list, spot);
    std::vector<Value> adopted;
    for (const Value& item : list.Items()) {
      const Position at = item.is_object() ? spot.at.Item(item) : spot.at.Element(item);
      if (!at.Owners().empty()) adopted.push_back(item);
    }
    if (adopted.empty()) return {};
    return {arena_.Array(adopted), adopted.size() == list.size()};
  }

  const Schema& schema_;
  const std::string_view kind_;
  Arena& arena_;
};

// Returns live without what no manifest states, or should lose by this.
Value Adoptable(const Value& live, Arena& arena) {
  std::vector<Member> members;
  for (const Member& m : live.Members()) {
    if (IsOneOf(m.name, {"apiVersion", "kind", "status"})) continue;
    if (m.name != "metadata" || !m.value.is_object()) {
      members.push_back(m);
      continue;
    }
    std::vector<Member> metadata;
    for (const Member& of : m.value.Members()) {
      const bool fixed = IsOneOf(of.name, {"finalizers", "generateName", "name", "namespace", "ownerReferences"});
      if (fixed || IsServerMetadata(of.name)) continue;
      // Whoever created the DaemonSet owns this annotation; the server counts it.
      const bool counted = of.name == "annotations" && of.value.is_object();
      metadata.push_back(
          {of.name, counted ? WithoutAt(of.value, {}, {kTemplateGenerationAnnotation}, arena) : of.value});
    }
    members.push_back({m.name, arena.SortedObject(metadata)});
  }
  return arena.SortedObject(members);
}

}  // namespace

Adopted Adopt(const Document& desired, const Document& live, const std::vector<std::string>& managers,
              EntriesOf entries, const Schema& schema, TypeId type) {
  Arena arena, arena_of_original;
  arena.Retain(desired);
  arena.Retain(live);
  const FieldOwners owners(OnlyEntriesOf(live.root(), managers, entries, arena)), owners_of_all(live.root());
  const Spot root = {PlaceOfObject(schema, type), nullptr, owners.root(), owners_of_all.root()};
  std::optional<Value> original;
  const Value stored = AsStored(desired.root(), &live.root(), root.place, arena);
  Adopter adopter(schema, live.root().StringOr("kind"), arena);
  const Value now = adopter.Map(desired.root(), &stored, Adoptable(live.root(), arena), root, original);
  Adopted out = {Document(), DerivedDocument(desired, std::move(arena), now)};
  if (!original) return out;
  arena_of_original.Retain(out.desired);
  out.original = Document(std::move(arena_of_original), *original);
  return out;
}

std::vector<std::string> UnknownManagers(const Value& live, const std::vector<std::string>& managers) {
  const std::vector<Value> entries = ManagedFields(live);
  std::vector<std::string> out;
  for (const std::string& manager : managers) {
    const auto is = [&](const Value& entry) { return IsOf(entry, live, manager); };
    if (std::none_of(entries.begin(), entries.end(), is)) out.push_back(manager);
  }
  return out;
}

}  // namespace smp
