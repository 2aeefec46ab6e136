#include "smp/server_side_plan.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "schema/facts/allocated.h"
#include "schema/unions.h"
#include "smp/align.h"
#include "smp/defaulting.h"
#include "smp/derived.h"
#include "smp/go_nulls.h"
#include "smp/meaning.h"
#include "smp/merged_order.h"
#include "smp/plan_edit.h"
#include "smp/service.h"
#include "smp/sides.h"
#include "value/at.h"
#include "value/metadata.h"
#include "value/names.h"
#include "value/path_match.h"
#include "value/redact.h"

namespace smp {

namespace {

using Position = FieldOwners::Position;

// Returns those of the entries that are our Apply entries, or those that are not.
std::vector<Value> Those(bool ours, std::vector<Value> entries, std::string_view manager) {
  std::erase_if(entries, [&](const Value& entry) { return IsEntryOf(entry, manager, "Apply") != ours; });
  return entries;
}

// A field, and who owns it.
struct Spot {
  Place place;
  const Field* field = nullptr;  // nullptr: unknown, or an item
  Position ours, others;         // after the migration, if there is one
  Position rivals;               // the others before it
  bool loses_rest = false;       // of a map: what nobody owns goes, too
  TypeId parent = kNoType;       // of the map that has the field

  Spot At(const Place& below, const Field* its, const auto& step) const {
    return {below, its, step(ours), step(others), step(rivals)};
  }

  // x-kubernetes-list-type, and for lists that state none, the patch strategy, as the server reads it.
  ListMerge merge() const {
    if (field == nullptr) return ListMerge::kAtomic;
    return field->list_type != ListMerge::kAtomic ? field->list_type : field->strategy.list;
  }
  bool is_granular(const Value& map) const {
    const bool is_field = field != nullptr && field->granular;
    return map.is_object() && (is_field || !place.schema->type(place.type).atomic);
  }
  bool is_merged(const Value& list) const { return list.is_array() && merge() != ListMerge::kAtomic; }
  bool is_branch(const Value& value) const { return is_granular(value) || is_merged(value); }
};

// What happens at one place. `value`: what is there afterwards; nullopt: nothing.
struct Decided {
  PlanNode node;
  std::optional<Value> value;
};

Decided Nothing(const Value* stays) {
  return {PlanNode(), stays == nullptr ? std::nullopt : std::optional<Value>(*stays)};
}

// Returns the last-applied object if what it has counts as ours.
const Value* RecordedAsOurs(const ServerSideInput& input) {
  const Value* object = input.last_applied;
  if (object == nullptr || input.manager != kServerSideManager) return nullptr;
  return object->StringOr("apiVersion") == input.manifest->StringOr("apiVersion") ? object : nullptr;
}

bool IsServiceThatKeepsNodePorts(const ServerSideInput& input) {
  const Value *live = input.live->Find("spec"), *wanted = input.manifest->Find("spec");
  const bool are_maps = live != nullptr && wanted != nullptr && live->is_object() && wanted->is_object();
  return are_maps && input.manifest->StringOr("kind") == "Service" && KeepsNodePorts(*live, *wanted);
}

class Walker {
 public:
  Walker(const ServerSideInput& input, const Spot& root, ServerSidePlan& out, Arena& arena)
      : schema_(*input.schema),
        recorded_(RecordedAsOurs(input)),
        root_of_ours_(root.ours),
        root_of_rivals_(root.rivals),
        is_secret_(IsSecret(*input.manifest)),
        lacks_data_(input.lacks_data),
        keeps_node_ports_(IsServiceThatKeepsNodePorts(input)),
        out_(out),
        arena_(arena) {}

  // Decides the members of a map that both sides have. The recursion is bounded by the parser's kMaxDepth.
  Result<Decided> Map(PlanNode node, const Spot& spot) {
    std::vector<Member> members;
    SMP_TRY(
        ForEachMember({nullptr, node.modified, node.live}, [&](std::string_view name, const Sides& sides) -> Status {
          const Step step(path_, PathStep::Field(name));
          const bool goes = spot.loses_rest && sides.modified == nullptr;
          const Spot below = Below(spot, name);
          Result<Decided> child =
              goes ? Delete(*sides.live, Reason::kRemoved, below) : Field(spot.place.type, name, sides, below);
          if (!child.ok()) return Under(PathStep::Field(name), std::move(child).error());
          child->node.name = name;
          if (child->value) members.push_back({name, *child->value});
          AdoptIfAny(node, std::move(child->node));
          return Ok();
        }));
    if (GivesUpMembers(node) && std::ranges::all_of(members, [](const Member& m) { return m.value.is_null(); })) {
      if (std::optional<Decided> emptied = Emptied(*node.live, spot)) return *std::move(emptied);
    }
    AddWhatComesBack(node, members);
    const Value value = arena_.Object(std::move(members));
    AddClashes(node, spot, value);
    return Closed(std::move(node), value);
  }

 private:
  static bool GivesUpMembers(const PlanNode& node) {
    const bool states_none = IsAbsentOrNull(node.modified) || (node.modified->is_object() && node.modified->empty());
    return states_none && !node.live->empty();
  }

  // What `{}` of the manifest leaves of a map in which all is ours: removing the last member removes the map, and null is left
  // (structured-merge-diff, typed/remove.go). nullopt: where a map without members means the same.
  std::optional<Decided> Emptied(const Value& live, const Spot& spot) {
    static const Value kNull;
    const bool as_written = spot.place.storage == Storage::kAsWritten;
    if (as_written && spot.place.null_is_value) {
      return Decided{Node(Op::kSet, Reason::kChanged, {nullptr, &kNull, &live}, spot), kNull};
    }
    if (as_written && RefusesNull(spot.place)) out_.refused_nulls.push_back({path_, true});
    if (as_written ? StoresNull(spot.place) : Chooses(spot)) return Delete(live, Reason::kRemoved, spot);
    return std::nullopt;
  }

  // A pointer of Go to an emptied map is nil. This matters where the pointer itself chooses something: a volume without a source
  // is an emptyDir.
  bool Chooses(const Spot& spot) const {
    if (spot.parent == kNoType || path_.empty()) return false;
    const Type& type = schema_.type(spot.parent);
    const std::string& name = path_.back().name;
    const bool is_alternative = std::ranges::any_of(type.unions, [&](const Union& fields) {
      return std::ranges::any_of(fields.members, [&](const auto& member) { return member.first == name; });
    });
    const DerivedRule* rule = is_alternative ? DerivedRuleOf(type, schema_.release()) : nullptr;
    const bool derived = rule != nullptr && rule->complete != nullptr &&
                         rule->complete(Value::UnownedObject({}), nullptr, arena_).Find(name) != nullptr;
    return is_alternative && !derived;
  }

  void AddClashes(const PlanNode& node, const Spot& spot, const Value& value) {
    if (node.modified == nullptr || !node.changes()) return;
    for (const Union& fields : schema_.type(node.type).unions) {
      const std::string_view chosen = ChosenAlternative(*node.modified, fields);
      if (chosen.empty() || fields.by_presence) continue;
      for (const auto& [name, alternative] : fields.members) {
        if (alternative == chosen || IsSet(node.modified->Find(name), fields)) continue;
        // Before a migration, others own what we will own after it: the server refuses the first request.
        const bool is_theirs = IsSet(node.live->Find(name), fields) && !Below(spot, name).rivals.Holders().empty();
        if (!IsSet(value.Find(name), fields) && !is_theirs) continue;
        FieldPath path = path_;
        path.push_back(PathStep::Field(name));
        out_.clashes.push_back(std::move(path));
      }
    }
  }

  // Takes out the children that set null where no schema says anything, as in the values of a chart: the server stores it.
  std::vector<PlanNode> TakeUnknownNulls(PlanNode& node) const {
    const Type& type = schema_.type(node.type);
    const bool takes_all = type.preserve_unknown || type.kind == TypeKind::kAny;
    const auto stays = [&](const PlanNode& child) {
      const bool is_null = child.op == Op::kSet && child.modified->is_null();
      return !is_null || !takes_all || schema_.Find(node.type, child.name) != nullptr;
    };
    const auto nulls = std::ranges::stable_partition(node.children, stays);
    std::vector<PlanNode> out(std::make_move_iterator(nulls.begin()), std::make_move_iterator(nulls.end()));
    node.children.erase(nulls.begin(), nulls.end());
    return out;
  }

  static void PutBack(std::vector<PlanNode> children, PlanNode& node) {
    if (children.empty()) return;
    for (PlanNode& child : children) node.children.push_back(std::move(child));
    std::ranges::sort(node.children, [](const auto& a, const auto& b) { return CompareNames(a.name, b.name) < 0; });
    CountChanges(node);
  }

  // The server sets defaults again that are removed, or written as a zero that it does not store: targetPort 0. It drops what
  // means nothing beside other fields, such as sessionAffinityConfig.
  void AddWhatComesBack(PlanNode& node, std::vector<Member>& members) const {
    if (node.live == nullptr || !node.changes()) return;
    std::vector<Member> changed;
    for (const PlanNode& child : node.children) {
      if (child.changes() && child.live != nullptr) changed.push_back({child.name, *child.live});
    }
    std::vector<PlanNode> nulls = TakeUnknownNulls(node);
    KeepWhatComesBack(node, schema_);
    PutBack(std::move(nulls), node);
    const auto is_planned = [&](const Member& m) { return ChildCalled(node, m.name) != nullptr; };
    std::erase_if(changed, is_planned);
    std::erase_if(members, [&](const Member& m) { return node.live->Find(m.name) == nullptr && !is_planned(m); });
    members.insert(members.end(), changed.begin(), changed.end());
  }

  // Adds a step to the current path for its own lifetime.
  class Step {
   public:
    Step(FieldPath& path, PathStep step) : path_(path) { path_.push_back(std::move(step)); }
    ~Step() { path_.pop_back(); }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    FieldPath& path_;
  };

  Spot Below(const Spot& map, std::string_view name) const {
    const smp::Field* field = schema_.FindMerged(map.place.type, name);
    Place place = PlaceOfMember(map.place, name);
    if (field != nullptr && field->is_list && !place.is_list) {  // a list in additionalProperties
      place.type = field->type;
      place.is_list = true;
    }
    Spot out = map.At(place, field, [&](const Position& at) { return at.Field(name); });
    out.parent = map.place.type;
    const bool unsent = lacks_data_ && path_.size() == 1 && name == "data";
    out.loses_rest = unsent && !out.ours.Holders().empty() && out.others.Holders().empty();
    return out;
  }

  static Spot ItemOf(const Spot& list, const Value& item) {
    return list.At(PlaceOfItem(list.place), nullptr,
                   [&](const Position& at) { return item.is_object() ? at.Item(item) : at.Element(item); });
  }

  // The node of a value that is decided as a whole.
  static PlanNode Node(Op op, Reason reason, const Sides& sides, const Spot& spot) {
    PlanNode node = Branch(Shape::kLeaf, sides, spot);
    node.op = op;
    node.reason = reason;
    node.sets = op == Op::kSet;
    node.drops = op == Op::kDelete;
    return node;
  }

  static PlanNode Branch(Shape shape, const Sides& sides, const Spot& spot) {
    return BranchNode({}, shape, sides, spot.field, spot.place.type);
  }

  static void AdoptIfAny(PlanNode& parent, PlanNode child) {
    if (child.op != Op::kNone) Adopt(parent, std::move(child));
  }

  // A branch in which nothing happens is no part of the plan. One that lost everything is gone.
  static Decided Closed(PlanNode node, const Value& value) {
    const bool idle = node.children.empty() && !node.changes();
    if (idle) node.op = Op::kNone;
    const bool emptied = value.empty() && node.drops;
    return {std::move(node), emptied ? std::nullopt : std::optional<Value>(value)};
  }

  Result<Decided> Field(TypeId map, std::string_view name, Sides sides, const Spot& spot) {
    if (path_.size() == 1 && (name == "apiVersion" || name == "kind")) return Nothing(sides.live);
    if (path_.size() == 2 && path_[0].name == "metadata" && IsServerMetadata(name)) return Nothing(sides.live);
    if (name == kTemplateGenerationAnnotation) return Nothing(sides.live);
    const bool is_null = sides.live != nullptr && sides.live->is_null() && IsAbsentOrNull(sides.modified);
    const bool goes = sides.modified == nullptr && spot.place.storage == Storage::kAsWritten && IsOnlyOurs(spot);
    if (is_null) return goes ? Delete(*sides.live, Reason::kRemoved, spot) : Nothing(sides.live);
    if (IsKeptNodePort(map, name, sides, spot)) {
      AddConflict(sides, spot);
      return Nothing(sides.live);
    }
    if (sides.live != nullptr && sides.live->is_null()) sides.live = nullptr;
    return Decide(sides, spot);
  }

  // Other fields that the server allocated are kept only if it derives them again (AddWhatComesBack): a template's tolerations,
  // for example, go when the manifest empties them.
  bool IsKeptNodePort(TypeId map, std::string_view name, const Sides& sides, const Spot& spot) const {
    if (!keeps_node_ports_ || sides.live == nullptr || sides.modified == nullptr) return false;
    const bool says_nothing = sides.modified->is_null() || MeansNothing(*sides.modified, spot.place);
    return says_nothing && name == "nodePort" && IsAllocated(schema_, map, name);
  }

  Result<Decided> Decide(const Sides& sides, const Spot& spot) {
    const Value *modified = sides.modified, *live = sides.live;
    if (modified == nullptr) return Unwanted(*live, spot);
    const bool as_written = spot.place.storage == Storage::kAsWritten;
    if (modified->is_null() && as_written && live != nullptr && spot.is_branch(*live)) {
      if (!IsAllOurs(spot)) return Unwanted(*live, spot);
      if (HasUnowned(*live, spot)) return Map(Branch(Shape::kMap, {nullptr, nullptr, live}, spot), spot);
    }
    if (modified->is_null() && !StoresNull(spot.place)) return Null(live, spot);
    if (live == nullptr) return Added(*modified, spot);
    if (modified->kind() == live->kind()) {
      if (spot.is_granular(*live)) {
        return GivesAllUp(*modified, spot) ? Delete(*live, Reason::kRemoved, spot)
                                           : Map(Branch(Shape::kMap, sides, spot), spot);
      }
      if (spot.is_merged(*live)) return List(sides, spot);
    }
    return Leaf(sides, spot);
  }

  Decided Added(const Value& modified, const Spot& spot) {
    NoteNullsIn(modified, spot);
    if (!modified.is_null() && MeansNothing(AsRead(modified, spot.place, arena_), spot.place)) return Nothing(nullptr);
    // What others own and live has not is null or empty: somebody emptied a list, or applied a map without members.
    static const Value kNull;
    const bool rival = AddConflict({nullptr, &modified, &kNull}, spot);
    return Set({nullptr, &modified, nullptr}, rival ? Reason::kConflict : Reason::kAdded, spot);
  }

  Decided Set(const Sides& sides, Reason reason, const Spot& spot) {
    return {Node(Op::kSet, reason, sides, spot), AsRead(*sides.modified, spot.place, arena_)};
  }

  static Decided Delete(const Value& live, Reason reason, const Spot& spot) {
    return {Node(Op::kDelete, reason, {nullptr, nullptr, &live}, spot), std::nullopt};
  }

  static Decided Keep(const Value& live, Reason reason, const Spot& spot) {
    return {Node(Op::kKeep, reason, {nullptr, nullptr, &live}, spot), live};
  }

  void NoteNullsIn(const Value& written, const Spot& spot) {
    const bool as_written = spot.place.storage == Storage::kAsWritten;
    if (as_written) AddRefusedNulls(written, spot.place, path_, out_.refused_nulls);
  }

  // A value that is replaced as a whole, and differs in its spelling at least.
  Decided Leaf(const Sides& sides, const Spot& spot) {
    NoteNullsIn(*sides.modified, spot);
    const bool same = *sides.modified == *sides.live || AsRead(*sides.modified, spot.place, arena_) == *sides.live;
    const bool is_text = IsTextOfSecret();
    if (same && !is_text) return Nothing(sides.live);
    // The server compares texts, so it takes 0.5 for another value than 500m.
    const bool rival = AddConflict(sides, spot);
    if (same || SameMeaning(*sides.modified, *sides.live, spot.place)) return Nothing(sides.live);
    const bool ours = IsOurs(spot) && (!is_text || spot.others.Owners().empty());
    return Set(sides, rival ? Reason::kConflict : ours ? Reason::kChanged : Reason::kOwned, spot);
  }

  // The server compares stringData, which live never has, with who applied stringData, whatever they say.
  bool IsTextOfSecret() const { return lacks_data_ && IsDatum(); }
  bool IsDatum() const { return is_secret_ && path_.size() == 2 && path_[0].name == "data"; }

  // What was applied as stringData is ours, though the server does not remove it with what our entry lists of data.
  bool IsOurs(const Spot& spot) const {
    return !spot.ours.Owners().empty() ||
           (IsDatum() && !root_of_ours_.Field("stringData").Field(path_[1].name).Owners().empty());
  }

  bool IsAsRecorded(const Value& live) const {
    const Value* value = recorded_ == nullptr ? nullptr : ValueAt(*recorded_, path_);
    return value != nullptr && *value == live;
  }

  bool AddConflict(const Sides& sides, const Spot& spot) {
    std::vector<FieldManager> owners =
        IsTextOfSecret() ? root_of_rivals_.Field("stringData").Field(path_[1].name).Owners() : spot.rivals.Owners();
    if (owners.empty() || IsAsRecorded(*sides.live)) return false;
    out_.conflicts.push_back({path_, sides.modified, sides.live, std::move(owners)});
    return true;
  }

  // Unlike a JSON merge patch, the server stores a null where a custom resource has no schema.
  bool StoresNull(const Place& place) const {
    return place.null_is_value ||
           (place.storage == Storage::kAsWritten && schema_.type(place.type).kind == TypeKind::kAny);
  }

  // Differs from a patch: the server merges null into a map or list like an empty one.
  Result<Decided> Null(const Value* live, const Spot& spot) {
    const bool is_member = spot.field == nullptr && !path_.empty() && path_.back().kind == PathStep::Kind::kField;
    const Value* zero = is_member ? ZeroForNull(spot.place) : nullptr;
    if (zero != nullptr) return Decide({nullptr, zero, live}, spot);
    if (RefusesNull(spot.place)) out_.refused_nulls.push_back({path_});
    if (live == nullptr) return Nothing(nullptr);
    if (spot.is_branch(*live)) return Unwanted(*live, spot);
    AddConflict({nullptr, nullptr, live}, spot);
    return Delete(*live, Reason::kExplicitNull, spot);
  }

  static bool IsAllOurs(const Spot& spot) { return !spot.ours.Holders().empty() && spot.others.Holders().empty(); }

  // Defaults, for example.
  bool HasUnowned(const Value& live, const Spot& spot) const {
    return spot.is_granular(live) && std::ranges::any_of(live.Members(), [&](const Member& m) {
             return Below(spot, m.name).ours.Holders().empty();
           });
  }

  // --- lists that both sides have

  Result<Decided> List(const Sides& sides, const Spot& spot) {
    const bool keyed = spot.merge() == ListMerge::kKeyed;
    const KeyRule rule = keyed ? RuleOfKeys(*spot.field, schema_) : KeyRule{.numbers = Numbers::kByValue};
    SMP_ASSIGN(const Identities wanted, Identities::Of(sides.modified->Items(), rule, Keyless::kRefuse));
    SMP_ASSIGN(const Identities live, Identities::Of(sides.live->Items(), rule, Keyless::kUnique));
    if (PositionIndex(wanted).has_duplicates()) {
      return Error::Refused("has two items with the same key, which the server does not merge; remove one of them");
    }
    return ListOf(MergedOrder(live, wanted), sides, spot);
  }

  Result<Decided> ListOf(const std::vector<MergedItem>& pairs, const Sides& sides, const Spot& spot) {
    SMP_ASSIGN(Decided list, spot.merge() == ListMerge::kKeyed
                                 ? Items(Branch(Shape::kItems, sides, spot), pairs, spot)
                                 : Elements(Branch(Shape::kElements, sides, spot), pairs, spot));
    const bool goes = (!list.value || list.value->empty()) && !sides.live->empty();
    // Where only we had something in it, the list itself goes.
    if (goes && spot.place.storage == Storage::kAsWritten && !spot.others.Holders().empty()) {
      if (std::optional<Decided> emptied = Emptied(*sides.live, spot)) return *std::move(emptied);
    }
    return list;
  }

  Result<Decided> Items(PlanNode node, const std::vector<MergedItem>& pairs, const Spot& spot) {
    std::vector<Value> items;
    std::vector<PlanNode> gone;
    for (const MergedItem& pair : pairs) {
      const Sides sides = {nullptr, pair.wanted == kNoPlace ? nullptr : &node.modified->Items()[pair.wanted],
                           pair.live == kNoPlace ? nullptr : &node.live->Items()[pair.live]};
      SMP_ASSIGN(Decided item, Item(sides, spot));
      if (item.value) items.push_back(*item.value);
      item.value ? AdoptIfAny(node, std::move(item.node)) : gone.push_back(std::move(item.node));
    }
    for (PlanNode& item : gone) AdoptIfAny(node, std::move(item));
    node.moved = IsOutOfOrder(pairs);
    node.sets |= node.moved;
    return Closed(std::move(node), arena_.Array(items));
  }

  Result<Decided> Item(const Sides& sides, const Spot& list) {
    const Value* known = sides.modified != nullptr ? sides.modified : sides.live;
    const PathStep step = KeyStep(*known, list.field->identity_keys);
    const Step here(path_, step);
    const Spot spot = ItemOf(list, sides.live != nullptr ? *sides.live : *known);
    // An item goes with all that others have in it, unless one of them owns the item itself.
    const bool goes = sides.modified == nullptr && IsOnlyOurs(spot);
    Result<Decided> item = goes ? Delete(*sides.live, Reason::kRemoved, spot) : Decide(sides, spot);
    if (!item.ok()) return Under(step, std::move(item).error());
    item->node.item = known;
    item->node.field = list.field;
    return item;
  }

  Result<Decided> Elements(PlanNode node, const std::vector<MergedItem>& pairs, const Spot& spot) {
    std::vector<Value> elements;
    for (const MergedItem& pair : pairs) {
      const bool wanted = pair.wanted != kNoPlace;
      const Value* element = wanted ? &node.modified->Items()[pair.wanted] : &node.live->Items()[pair.live];
      if (wanted && pair.live == kNoPlace) node.adds.push_back(element);
      if (!wanted && IsOnlyOurs(ItemOf(spot, *element))) {
        node.removes.push_back(element);
      } else {
        elements.push_back(*element);
      }
    }
    node.moved = IsOutOfOrder(pairs);
    node.sets = node.moved || !node.adds.empty();
    node.drops = !node.removes.empty();
    return Closed(std::move(node), arena_.Array(elements));
  }

  // Returns true if a map goes with all that is in it, such as defaults: we alone owned something in it, and the manifest has
  // nothing there that an apply owns.
  bool GivesAllUp(const Value& modified, const Spot& spot) const {
    return IsAllOurs(spot) && OwnsNothing(modified, spot);
  }

  // An apply owns no field with an empty list that is merged. Source: structured-merge-diff, typed/tofieldset.go. The recursion is
  // bounded by the parser's kMaxDepth.
  bool OwnsNothing(const Value& map, const Spot& spot) const {
    if (map.empty()) return false;
    return std::ranges::all_of(map.Members(), [&](const Member& m) {
      if (schema_.Find(spot.place.type, m.name) == nullptr) return false;
      const Spot below = Below(spot, m.name);
      return below.is_merged(m.value) ? m.value.empty() : below.is_granular(m.value) && OwnsNothing(m.value, below);
    });
  }

  static bool IsOnlyOurs(const Spot& spot) { return !spot.ours.Owners().empty() && spot.others.Owners().empty(); }

  // --- what the manifest lacks

  Result<Decided> Unwanted(const Value& live, const Spot& spot) {
    // An entry of a map without named fields goes with all that others have in it, as an item of a list does.
    const bool is_entry = spot.field == nullptr && !path_.empty() && path_.back().kind == PathStep::Kind::kField;
    if (is_entry && IsOnlyOurs(spot)) return Delete(live, Reason::kRemoved, spot);
    if (spot.ours.Holders().empty()) return Keep(live, Reason::kLiveOnly, spot);
    return Gone(live, spot);
  }

  // REQUIRES: we own the field or something in it.
  Result<Decided> Gone(const Value& live, const Spot& spot) {
    if (spot.others.Holders().empty()) return Delete(live, Reason::kRemoved, spot);
    const Sides sides = {nullptr, nullptr, &live};
    if (spot.is_granular(live) && !live.empty()) return Map(Branch(Shape::kMap, sides, spot), spot);
    if (spot.is_merged(live)) return ListOf(ItemsOfLive(live), sides, spot);
    return Keep(live, Reason::kGivenUp, spot);
  }

  const Schema& schema_;
  const Value* recorded_;
  const Position root_of_ours_, root_of_rivals_;
  const bool is_secret_;
  const bool lacks_data_;
  const bool keeps_node_ports_;
  ServerSidePlan& out_;
  Arena& arena_;
  FieldPath path_;
};

std::string OtherVersion(const ServerSideInput& input) {
  for (const Value& entry : input.entries) {
    const std::string_view version = entry.StringOr("apiVersion");
    if (IsEntryOf(entry, input.manager, "Apply") && version != input.manifest->StringOr("apiVersion"))
      return std::string(version);
  }
  return {};
}

}  // namespace

Result<ServerSidePlan> PlanServerSide(const ServerSideInput& input) {
  const FieldOwners ours(Those(true, input.entries, input.manager));
  const FieldOwners others(Those(false, input.entries, input.manager));
  const FieldOwners rivals(Those(false, ManagedFields(*input.live), input.manager));
  const Spot root = {PlaceOfObject(*input.schema, input.type), nullptr, ours.root(), others.root(), rivals.root()};
  PlanNode node = BranchNode({}, Shape::kMap, {nullptr, input.manifest, input.live}, nullptr, input.type);
  ServerSidePlan out;
  out.other_version = OtherVersion(input);
  Arena arena;
  SMP_ASSIGN(Decided decided, Walker(input, root, out, arena).Map(std::move(node), root));
  decided.node.op = Op::kPatch;
  const bool stores_nulls = input.schema->type(input.type).storage == Storage::kAsWritten;
  out.patch.plan = {std::move(decided.node), stores_nulls ? input.schema : nullptr};
  out.patch.format = PatchFormat::kApply;
  out.patch.encoding = PatchEncoding::kApply;
  out.patch.outcome = Document(std::move(arena), decided.value.value_or(*input.live));
  return out;
}

}  // namespace smp
