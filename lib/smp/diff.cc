#include "smp/diff.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "base/strings.h"
#include "smp/align.h"
#include "smp/clear.h"
#include "smp/decide.h"
#include "smp/defaulting.h"
#include "smp/derived.h"
#include "smp/directives.h"
#include "smp/meaning.h"
#include "smp/order.h"
#include "smp/plan_edit.h"
#include "smp/sides.h"
#include "value/metadata.h"

namespace smp {

namespace {

// The members of `live`, at any depth, that neither other side has. Defaults do not count: the server sets them again.
size_t CountForeignMembers(const Value& live, const Value* original, const Value* modified, const Place& place) {
  size_t count = 0;
  for (const Member& m : live.Members()) {
    const Value* o = original == nullptr ? nullptr : original->Find(m.name);
    const Value* w = modified == nullptr ? nullptr : modified->Find(m.name);
    const Place member = PlaceOfMember(place, m.name);
    if (o == nullptr && w == nullptr) {
      count += CountsAsAbsent(m.value, member) ? 0 : 1;
    } else if (m.value.is_object()) {
      count += CountForeignMembers(m.value, o, w, member);
    }
  }
  return count;
}

bool HasAllItems(const Value& list, const Value* of) {
  if (of == nullptr || !of->is_array()) return true;
  std::unordered_set<size_t> hashes;
  for (const Value& item : list.Items()) hashes.insert(HashValue(item));
  const auto items = of->Items();
  return std::all_of(items.begin(), items.end(), [&](const Value& v) { return hashes.contains(HashValue(v)); });
}

// Counts the items that somebody added to an atomic list in live and that replacing the list removes. They get the
// reason kAtomic instead of kDrift.
void NoteDroppedItems(PlanNode& node) {
  if (node.op != Op::kSet || node.live == nullptr || !node.live->is_array() || !node.modified->is_array()) return;
  if (!HasAllItems(*node.live, node.original)) return;
  node.dropped_foreign = ForeignItems(*node.live, node.original, *node.modified).size();
  if (node.dropped_foreign > 0) node.reason = Reason::kAtomic;
}

PlanNode LeafNode(std::string_view name, const Sides& sides, const Field* field, const Place& place) {
  PlanNode node = BranchNode(name, Shape::kLeaf, sides, field, place.type);
  const Decision decision = Decide(sides.original, sides.modified, sides.live, place);
  node.op = decision.op;
  node.reason = decision.reason;
  NoteDroppedItems(node);
  node.sets = node.op == Op::kSet;
  node.drops = node.op == Op::kDelete;
  return node;
}

Sides SidesOf(const PlanNode& node) { return {node.original, node.modified, node.live}; }

bool IsObject(const Value* value) { return value != nullptr && value->is_object(); }

ListMerge MergeOf(const Field* field) { return field == nullptr ? ListMerge::kAtomic : field->patch.list; }

bool IsSameScalar(const Sides& sides) {
  return sides.modified != nullptr && sides.live != nullptr && sides.modified->is_scalar() &&
         *sides.modified == *sides.live;
}

// Returns true if `value` has what `part` has, and maybe members that the server added.
bool HasAllOf(const Value& value, const Value& part) {
  if (!value.is_object() || !part.is_object()) return value == part;
  return std::ranges::all_of(part.Members(), [&](const Member& member) {
    const Value* same = value.Find(member.name);
    return same != nullptr && HasAllOf(*same, member.value);
  });
}

class Walker {
 public:
  explicit Walker(const Schema& schema) : schema_(schema) {}

  // Decides the whole object. REQUIRES: modified and live are objects; original is one or nullptr.
  Result<PlanNode> Object(PlanNode node) {
    SMP_TRY(ForEachMember(SidesOf(node), [&](std::string_view name, const Sides& sides) {
      return name == "metadata" ? ObjectMetadata(node, name, sides) : Member(node, name, sides);
    }));
    return Completed(std::move(node), false);
  }

 private:
  // Decides a map below the root. REQUIRES: as for Object.
  Result<PlanNode> Map(PlanNode node, bool retain) {
    SMP_TRY(ForEachMember(SidesOf(node),
                          [&](std::string_view name, const Sides& sides) { return Member(node, name, sides); }));
    return Completed(std::move(node), retain);
  }

  // Applies the rules that concern several members. REQUIRES: `node` has all its children.
  PlanNode Completed(PlanNode node, bool retain) {
    if (retain) ClearUnretained(node);
    const Type& type = schema_.type(node.type);
    for (const Union& fields : type.unions) ClearOthers(node, fields);
    const DerivedRule* derived = DerivedRuleOf(type, schema_.release());
    if (derived != nullptr && derived->follow != nullptr) derived->follow(node);
    if (derived != nullptr && derived->complete != nullptr) CallUnstoredAdded(node, *derived);
    KeepWhatComesBack(node, schema_);
    return node;
  }

  // The server dropped a value when it was last applied, because of the fields beside it. So nobody removed it from live.
  static void CallUnstoredAdded(PlanNode& node, const DerivedRule& derived) {
    for (PlanNode& child : node.children) {
      Arena arena;
      if (child.reason != Reason::kRestored || node.original == nullptr) continue;
      if (derived.complete(*node.original, nullptr, arena).Find(child.name) == nullptr) child.reason = Reason::kAdded;
    }
  }

  // Adds the node of one member to `parent` unless nothing happens to it.
  Status Member(PlanNode& parent, std::string_view name, const Sides& sides) {
    if (IsSameScalar(sides) && !name.starts_with('$')) return Ok();  // fast path: most members
    const Field* field = schema_.Find(parent.type, name);
    // Differs from kubectl: it takes a directive in a manifest for its own and loses the fields beside it.
    const bool directives = schema_.type(parent.type).storage == Storage::kGoTypes;
    if (field == nullptr && sides.modified != nullptr && directives && IsDirective(name)) {
      return Under(PathStep::Field(name),
                   Error::PatchFormat("is a patch directive, which manifests must not contain; remove it"));
    }
    const TypeId type = TypeOfMember(parent.type, field);
    return AdoptMember(parent, FieldNode(name, sides, field, type), name);
  }

  static Status AdoptMember(PlanNode& parent, Result<PlanNode> child, std::string_view name) {
    if (!child.ok()) return Under(PathStep::Field(name), std::move(child).error());
    if (child->op != Op::kNone) Adopt(parent, *std::move(child));
    return Ok();
  }

  TypeId TypeOfMember(TypeId map, const Field* field) const {
    return field != nullptr ? field->type : schema_.type(map).additional;
  }

  Status ObjectMetadata(PlanNode& object, std::string_view name, const Sides& sides) {
    const Field* field = schema_.Find(object.type, name);
    const TypeId type = TypeOfMember(object.type, field);
    if (!IsObject(sides.modified) || !IsObject(sides.live)) {
      return AdoptMember(object, FieldNode(name, sides, field, type), name);
    }
    const Sides maps = {IfKind(sides.original, Kind::kObject), sides.modified, sides.live};
    return AdoptMember(object, MetadataNode(BranchNode(name, Shape::kMap, maps, field, type)), name);
  }

  // No patch can remove the fields that the server sets. An exported manifest may have had them, and generators write
  // null. Differs from kubectl: it sends such deletions at every apply.
  Result<PlanNode> MetadataNode(PlanNode node) {
    SMP_TRY(ForEachMember(SidesOf(node), [&](std::string_view name, Sides sides) {
      if (!IsSameScalar(sides) && IsAbsentOrNull(sides.modified) && IsServerMetadata(name)) {
        sides.original = sides.modified = nullptr;
      }
      return Member(node, name, sides);
    }));
    return PruneIfSame(Completed(std::move(node), false));
  }

  Result<PlanNode> FieldNode(std::string_view name, const Sides& sides, const Field* field, TypeId type) {
    const Place place = PlaceOf(schema_, field, type, schema_.type(type).storage);
    // Go writes a required list that is empty as null.
    if (IsAbsentOrNull(sides.live) && sides.modified != nullptr && MeansNothing(*sides.modified, place))
      return PlanNode();
    if (HasTheDefaultThatEmptyMeans(sides, place)) return PlanNode();
    if (sides.modified == nullptr || sides.live == nullptr) return WholeNode(name, sides, field, place);
    const Kind kind = sides.modified->kind();
    if (sides.live->kind() != kind || sides.modified->is_scalar()) return LeafNode(name, sides, field, place);
    const Sides same_kind = {IfKind(sides.original, kind), sides.modified, sides.live};
    if (kind == Kind::kObject && schema_.type(type).is_atomic_map()) return AtomicMap(name, sides, field, place);
    if (kind == Kind::kObject) return MapField(name, same_kind, field, place);
    const ListMerge merge = MergeOf(field);
    if (merge == ListMerge::kAtomic) return LeafNode(name, sides, field, place);
    if (*sides.modified == *sides.live) return PlanNode();
    if (sides.live->empty() && !sides.modified->empty()) return WholeNode(name, sides, field, place);
    return merge == ListMerge::kKeyed ? Items(BranchNode(name, Shape::kItems, same_kind, field, type))
                                      : Elements(BranchNode(name, Shape::kElements, same_kind, field, type));
  }

  // If so, nothing is sent: the server would set the default again, and every apply would send the empty list again.
  static bool HasTheDefaultThatEmptyMeans(const Sides& sides, const Place& place) {
    if (place.fallback == nullptr || sides.modified == nullptr || sides.live == nullptr) return false;
    return !sides.modified->is_scalar() && MeansNothing(*sides.modified, place) && IsDefault(*sides.live, place);
  }

  // If somebody adds items to the list between our read and our write, the server merges them with ours, so a list with
  // ambiguous keys is irregular.
  static PlanNode WholeNode(std::string_view name, const Sides& sides, const Field* field, const Place& place) {
    PlanNode node = LeafNode(name, sides, field, place);
    const bool list = node.op == Op::kSet && MergeOf(field) != ListMerge::kAtomic && node.modified->is_array();
    node.irregular = list && HasAmbiguousKeys(*field);
    return node;
  }

  Result<PlanNode> MapField(std::string_view name, const Sides& sides, const Field* field, const Place& place) {
    // Differs from kubectl: it sends such a map at every apply, changed or not.
    if (field != nullptr && field->patch.replace) return LeafNode(name, sides, field, place);
    const bool retain = field != nullptr && field->patch.retain_keys;
    return PruneIfSame(Map(BranchNode(name, Shape::kMap, sides, field, place.type), retain));
  }

  // Differs from kubectl: it merges an atomic map of a custom resource member by member, and so keeps what others
  // added.
  static PlanNode AtomicMap(std::string_view name, const Sides& sides, const Field* field, const Place& place) {
    PlanNode node = LeafNode(name, sides, field, place);
    if (node.op != Op::kSet) return node;
    node.dropped_foreign = CountForeignMembers(*sides.live, sides.original, sides.modified, place);
    if (node.dropped_foreign > 0) node.reason = Reason::kAtomic;
    return node;
  }

  static Result<PlanNode> PruneIfSame(Result<PlanNode> node) {
    if (node.ok() && node->children.empty() && !node->changes()) node->op = Op::kNone;
    return node;
  }

  // Items of live and original without a key have no partner (kUnique). In the manifest, a missing key is an error.
  static Result<Identities> IdentitiesOf(const Value* list, const KeyRule& rule, Keyless keyless) {
    return Identities::Of(list == nullptr ? std::span<const Value>() : list->Items(), rule, keyless);
  }

  // Decides a merged list of maps. REQUIRES: modified and live exist; live is not empty unless modified is.
  Result<PlanNode> Items(PlanNode node) {
    const KeyRule rule = PairingRule(node, schema_);
    SMP_ASSIGN(const Identities wanted, IdentitiesOf(node.modified, rule, Keyless::kRefuse));
    SMP_ASSIGN(const Identities live_ids, IdentitiesOf(node.live, rule, Keyless::kUnique));
    SMP_ASSIGN(const Identities original_ids, IdentitiesOf(node.original, rule, Keyless::kUnique));
    PositionIndex live(live_ids), original(original_ids);
    const bool wants_duplicates = PositionIndex(wanted).has_duplicates();
    node.irregular = HasAmbiguousKeys(*node.field) || live.has_duplicates() || wants_duplicates;

    node.children.reserve(wanted.size());
    const std::vector<size_t> live_at = PairUp(wanted, live);
    const std::vector<size_t> original_at = PairUp(wanted, original);
    for (size_t i = 0; i < wanted.size(); ++i) {
      const Value* o = original_at[i] == kNoPlace ? nullptr : &node.original->Items()[original_at[i]];
      const Value* l = live_at[i] == kNoPlace ? nullptr : &node.live->Items()[live_at[i]];
      SMP_TRY(Item(node, {o, &node.modified->Items()[i], l}));
    }
    const bool may_be_changed =
        HasAmbiguousKeys(*node.field) && !wants_duplicates && !original.has_duplicates() && !live.has_duplicates();
    const std::vector<MissingItem> missing =
        may_be_changed ? MissingItems(node, live_at, original_at) : std::vector<MissingItem>();
    AddUnwantedItems(node, live_ids, live_at, original, live.has_duplicates(), missing);
    return Ordered(std::move(node), OutOfOrder(live_at));
  }

  // Items that were applied and are in the manifest, but no longer in live. None of so many that comparing each with each live item
  // would take long.
  struct MissingItem {
    const Value *original, *modified;
  };
  static std::vector<MissingItem> MissingItems(const PlanNode& list, const std::vector<size_t>& live_at,
                                               const std::vector<size_t>& original_at) {
    constexpr size_t kMost = 100;
    std::vector<MissingItem> out;
    for (size_t i = 0; i < live_at.size() && out.size() <= kMost; ++i) {
      const bool is_missing = live_at[i] == kNoPlace && original_at[i] != kNoPlace;
      if (is_missing) out.push_back({&list.original->Items()[original_at[i]], &list.modified->Items()[i]});
    }
    return out.size() > kMost ? std::vector<MissingItem>() : out;
  }

  // Returns what was applied of the one of `missing` that somebody has changed into the live item: it has the same name, and the
  // same first key, by which the server merges. Both together would have one name, or, in a Service, none, which the server
  // refuses. nullptr: none of them.
  const Value* ChangedInto(const Value& live, const PlanNode& list, const std::vector<MissingItem>& missing) const {
    if (missing.empty() || !live.is_object()) return nullptr;
    const bool needs_name = schema_.type(list.type).name != "io.k8s.api.core.v1.ServicePort";
    const std::string_view name = live.StringOr("name");
    const Value* key = live.Find(list.field->patch_keys.front());
    if (key == nullptr || (name.empty() && needs_name)) return nullptr;
    const auto at = std::ranges::find_if(missing, [&](const MissingItem& item) {
      const Value* other = item.modified->Find(list.field->patch_keys.front());
      return other != nullptr && *other == *key && item.modified->StringOr("name") == name;
    });
    return at == missing.end() ? nullptr : at->original;
  }

  static bool HasAmbiguousKeys(const Field& list) {
    return !list.patch_keys.empty() && list.identity_keys != list.patch_keys;
  }

  Status Item(PlanNode& list, const Sides& sides) {
    PlanNode node;
    if (sides.live == nullptr) {
      node = LeafNode({}, sides, list.field, {.type = list.type});
    } else if (*sides.modified == *sides.live) {
      node = SameItem(list, sides);
    } else if (schema_.type(list.type).is_atomic_map()) {
      node = AtomicMap({}, sides, list.field, PlaceOf(schema_, nullptr, list.type, Storage::kAsWritten));
    } else {
      auto map =
          PruneIfSame(Map(BranchNode({}, Shape::kMap, sides, list.field, list.type), list.field->patch.retain_keys));
      if (!map.ok()) {
        return Under(KeyStep(*sides.modified, list.field->identity_keys), std::move(map).error());
      }
      node = *std::move(map);
    }
    node.item = sides.modified;
    Adopt(list, std::move(node));
    return Ok();
  }

  // Returns the node of an item that is equal on all sides, as most are, without comparing its members.
  static PlanNode SameItem(const PlanNode& list, const Sides& sides) {
    PlanNode node = BranchNode({}, Shape::kMap, sides, list.field, list.type);
    node.op = Op::kNone;
    return node;
  }

  // Returns for each live item that is not taken the position of the original item that it was, or kNoPlace. Of several with the same
  // identity, the one that is still as it was applied was ours; else the last one.
  static std::vector<size_t> PairRemoved(const PlanNode& list, const Identities& live_ids,
                                         const std::vector<bool>& taken, PositionIndex& original_left) {
    const PositionIndex live(live_ids);
    std::map<size_t, std::vector<size_t>> alike;  // positions, by the first one with the same identity
    for (size_t i = 0; i < live_ids.size(); ++i) {
      if (!taken[i] && !live_ids.is_keyless(i)) alike[live.First(live_ids, i)].push_back(i);
    }
    std::vector<size_t> out(live_ids.size(), kNoPlace);
    for (auto& [first, places] : alike) {
      while (!places.empty()) {
        const size_t o = original_left.TakeLast(live_ids, first);
        if (o == kNoPlace) break;
        out[TakeAsApplied(places, *list.live, list.original->Items()[o])] = o;
      }
    }
    return out;
  }

  // Takes the last of the places whose item has all that `original` has, or else the last one.
  static size_t TakeAsApplied(std::vector<size_t>& places, const Value& live, const Value& original) {
    constexpr size_t kMostCompared = 64;  // so that thousands of duplicates take no quadratic time
    const size_t end = places.size(), begin = end - std::min(end, kMostCompared);
    size_t at = end - 1;
    for (size_t i = end; i-- > begin;) {
      if (!HasAllOf(live.Items()[places[i]], original)) continue;
      at = i;
      break;
    }
    const size_t place = places[at];
    places.erase(places.begin() + static_cast<std::ptrdiff_t>(at));
    return place;
  }

  // Adds the live items without a partner in the manifest. An item is deleted if the original has an unpaired item with
  // the same identity, or if it was one of `missing` before somebody changed it, otherwise kept. Differs from kubectl: it deletes
  // all items that have the key of a removed one.
  void AddUnwantedItems(PlanNode& list, const Identities& live_ids, const std::vector<size_t>& live_at,
                        PositionIndex& original_left, bool has_duplicates, const std::vector<MissingItem>& missing) {
    std::vector<bool> taken(live_ids.size(), false);
    for (const size_t at : live_at) {
      if (at != kNoPlace) taken[at] = true;
    }
    std::vector<size_t> removed;
    if (has_duplicates) removed = PairRemoved(list, live_ids, taken, original_left);
    for (size_t i = 0; i < live_ids.size(); ++i) {
      if (taken[i]) continue;
      const size_t o = has_duplicates ? removed[i] : original_left.TakeLast(live_ids, i);
      const Value* live = &list.live->Items()[i];
      const Value* original = o == kNoPlace ? ChangedInto(*live, list, missing) : &list.original->Items()[o];
      PlanNode node = LeafNode({}, {original, nullptr, live}, list.field, {});
      node.item = live;
      Adopt(list, std::move(node));
    }
  }

  static PlanNode Ordered(PlanNode node, bool moved) {
    node.moved = moved;
    if (moved) node.sets = true;
    node.order = !node.modified->empty() && node.changes();
    const bool silent =
        std::all_of(node.children.begin(), node.children.end(), [](const PlanNode& c) { return c.op == Op::kNone; });
    if (!node.changes() && silent) node.op = Op::kNone;
    return node;
  }

  // Decides a set of scalars, whose order does not matter. Differs from kubectl: it sends $setElementOrder if the order
  // differs.
  Result<PlanNode> Elements(PlanNode node) {
    const KeyRule rule = PairingRule(node, schema_);
    SMP_ASSIGN(const Identities wanted, IdentitiesOf(node.modified, rule, Keyless::kRefuse));
    SMP_ASSIGN(const Identities live_ids, IdentitiesOf(node.live, rule, Keyless::kUnique));
    SMP_ASSIGN(const Identities original_ids, IdentitiesOf(node.original, rule, Keyless::kUnique));
    const PositionIndex modified(wanted), live(live_ids), original(original_ids);

    for (size_t i = 0; i < wanted.size(); ++i) {
      const bool first = modified.First(wanted, i) == i;
      if (first && !live.Contains(wanted, i)) node.adds.push_back(&node.modified->Items()[i]);
    }
    bool foreign = false;
    for (size_t i = 0; i < live_ids.size(); ++i) {
      if (modified.Contains(live_ids, i)) continue;
      const bool ours = original.Contains(live_ids, i);
      foreign |= !ours;
      if (ours && live.First(live_ids, i) == i) node.removes.push_back(&node.live->Items()[i]);
    }
    node.sets = !node.adds.empty();
    node.drops = !node.removes.empty();
    node.order = !node.modified->empty() && node.changes();
    if (!node.changes() && !foreign) node.op = Op::kNone;
    return node;
  }

  const Schema& schema_;
};

// Returns true if last-applied was recorded in another version of the API, in which fields have other names.
bool IsOfOtherVersion(const DiffInput& input) {
  const std::string_view version = input.original == nullptr ? "" : input.original->StringOr("apiVersion");
  return !version.empty() && version != input.modified->StringOr("apiVersion");
}

// Nobody knows who added the items of a list that the record has under another name, if at all: targetCPUUtilizationPercentage of
// autoscaling/v1 is an item of metrics in autoscaling/v2.
void ForgetDroppedItems(PlanNode& node) {
  if (node.reason == Reason::kAtomic && node.original == nullptr) {
    node.reason = Reason::kOwned;
    node.dropped_foreign = 0;
  }
  for (PlanNode& child : node.children) ForgetDroppedItems(child);
}

}  // namespace

std::vector<const Value*> ForeignItems(const Value& live, const Value* original, const Value& modified) {
  std::unordered_set<size_t> known;
  for (const Value* side : {original, &modified}) {
    if (side == nullptr || !side->is_array()) continue;
    for (const Value& item : side->Items()) known.insert(HashValue(item));
  }
  std::vector<const Value*> out;
  for (const Value& item : live.Items()) {
    if (!known.contains(HashValue(item))) out.push_back(&item);
  }
  return out;
}

Result<Plan> Diff(const DiffInput& input) {
  PlanNode root = BranchNode({}, Shape::kMap, {IfKind(input.original, Kind::kObject), input.modified, input.live},
                             nullptr, input.type);
  SMP_ASSIGN(root, Walker(*input.schema).Object(std::move(root)));
  if (IsOfOtherVersion(input)) ForgetDroppedItems(root);
  const bool stores_nulls = input.schema->type(input.type).storage == Storage::kAsWritten;
  return Plan{std::move(root), stores_nulls ? input.schema : nullptr};
}

}  // namespace smp
