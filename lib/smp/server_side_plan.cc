#include "smp/server_side_plan.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "schema/facts/allocated.h"
#include "schema/unions.h"
#include "smp/align.h"
#include "smp/defaulting.h"
#include "smp/go_nulls.h"
#include "smp/meaning.h"
#include "smp/merge_place.h"
#include "smp/merged_order.h"
#include "smp/plan_edit.h"
#include "smp/refused_items.h"
#include "smp/server_side_merge.h"
#include "smp/service.h"
#include "smp/sides.h"
#include "value/at.h"
#include "value/equality.h"
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
struct Spot : MergePlace {
  Position ours, others;  // after the migration, if there is one
  Position rivals;        // the others before it

  Spot At(const MergePlace& below, const auto& step) const { return {below, step(ours), step(others), step(rivals)}; }
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
  if (FirstRefusedItem(*object, *input.schema, input.type)) return nullptr;  // then the server cannot read it
  return object->StringOr("apiVersion") == input.manifest->StringOr("apiVersion") ? object : nullptr;
}

bool IsExternalName(const Value& object) {
  return object.StringOr("kind") == "Service" && object.StringOr("apiVersion") == "v1" &&
         TextAt(object, {"spec", "type"}) == "ExternalName";
}

// Returns the manifest's spec of a Service that keeps node ports; nullptr for all else.
const Value* SpecThatKeepsNodePorts(const ServerSideInput& input) {
  const Value *live = input.live->Find("spec"), *wanted = input.manifest->Find("spec");
  const bool are_maps = live != nullptr && wanted != nullptr && live->is_object() && wanted->is_object();
  const bool is_service = are_maps && input.manifest->StringOr("kind") == "Service";
  return is_service && KeepsNodePorts(*live, *wanted) ? wanted : nullptr;
}

class Walker {
 public:
  Walker(const ServerSideInput& input, const Spot& root, ServerSidePlan& out, Arena& arena)
      : schema_(*input.schema),
        recorded_(RecordedAsOurs(input)),
        root_of_ours_(root.ours),
        root_of_rivals_(root.rivals),
        is_secret_(IsSecret(*input.manifest)),
        string_data_(input.string_data),
        sent_data_(input.sent_data),
        service_(SpecThatKeepsNodePorts(input)),
        is_external_name_(IsExternalName(*input.live)),
        out_(out),
        arena_(arena) {}

  // Decides the members of a map that both sides have. `after`: what the merge leaves of it; nullptr, or no map: nothing. The
  // recursion is bounded by the parser's kMaxDepth.
  Result<Decided> Map(PlanNode node, const Spot& spot, const Value* after) {
    std::vector<Member> members;
    SMP_TRY(
        ForEachMember({nullptr, node.modified, node.live}, [&](std::string_view name, const Sides& sides) -> Status {
          const Step step(path_, PathStep::Field(name));
          const Value* left = after == nullptr ? nullptr : after->Find(name);
          Result<Decided> child = Field(node, name, sides, Below(spot, name), left);
          if (!child.ok()) return Under(PathStep::Field(name), std::move(child).error());
          child->node.name = name;
          if (child->value) members.push_back({name, *child->value});
          AdoptIfAny(node, std::move(child->node));
          return Ok();
        }));
    AddWhatComesBack(node, members);
    const Value value = arena_.Object(std::move(members));
    AddClashes(node, value);
    if (node.drops && schema_.type(spot.place.type).embedded) NoteLostType(value);
    return Closed(std::move(node), value, !IsAbsentOrNull(after));
  }

 private:
  void NoteLostType(const Value& embedded) {
    for (const char* name : {"apiVersion", "kind"}) {
      const Step step(path_, PathStep::Field(name));
      if (!embedded.empty() && embedded.Find(name) == nullptr) out_.refused.push_back({path_, Refused::Why::kRequired});
    }
  }

  void AddClashes(const PlanNode& node, const Value& value) {
    if (node.modified == nullptr || !node.changes()) return;
    for (const Union& fields : schema_.type(node.type).unions) {
      const std::string_view chosen = ChosenAlternative(*node.modified, fields);
      if (chosen.empty() || fields.by_presence) continue;
      for (const auto& [name, alternative] : fields.members) {
        if (alternative == chosen || IsSet(node.modified->Find(name), fields)) continue;
        if (!IsSet(value.Find(name), fields)) continue;
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
    KeepWhatComesBack(node, schema_, NullsInMaps::kStoredAsZeros);
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

  static Spot Below(const Spot& map, std::string_view name) {
    return map.At(map.Member(name), [&](const Position& at) { return at.Field(name); });
  }

  static Spot ItemOf(const Spot& list, const Value& item) {
    return list.At(list.Item(),
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

  // A branch in which nothing happens is no part of the plan. One that lost everything is gone, unless the merge leaves it.
  static Decided Closed(PlanNode node, const Value& value, bool stays) {
    const bool idle = node.children.empty() && !node.changes();
    if (idle) node.op = Op::kNone;
    const bool emptied = value.empty() && node.drops && !stays;
    return {std::move(node), emptied ? std::nullopt : std::optional<Value>(value)};
  }

  Result<Decided> Field(const PlanNode& map, std::string_view name, Sides sides, const Spot& spot, const Value* after) {
    if (path_.size() == 1 && (name == "apiVersion" || name == "kind")) return Nothing(sides.live);
    if (path_.size() == 2 && path_[0].name == "metadata" && IsServerMetadata(name)) return Nothing(sides.live);
    if (name == kTemplateGenerationAnnotation) return Nothing(sides.live);
    const bool is_null = sides.live != nullptr && sides.live->is_null() && IsAbsentOrNull(sides.modified);
    const bool goes = after == nullptr && spot.place.storage == Storage::kAsWritten;
    if (is_null) return goes ? Delete(*sides.live, Reason::kRemoved, spot) : Nothing(sides.live);
    if (IsKeptNodePort(map, name, sides, spot)) {
      if (sides.modified != nullptr) AddConflict(sides, spot);
      return Nothing(sides.live);
    }
    if (sides.live == nullptr || !sides.live->is_null()) return Decide(sides, spot, after);
    sides.live = nullptr;
    Spot was_null = spot;
    // What is merged is new below the null. Only who owned something there would object.
    if (spot.is_branch(*sides.modified) && !sides.modified->empty()) was_null.rivals = spot.rivals.Nowhere();
    return Decide(sides, was_null, after);
  }

  // Other fields that the server allocated are kept only if it derives them again (AddWhatComesBack): a template's tolerations,
  // for example, go when the manifest empties them.
  bool IsKeptNodePort(const PlanNode& port, std::string_view name, const Sides& sides, const Spot& spot) const {
    if (service_ == nullptr || sides.live == nullptr || name != "nodePort") return false;
    if (!IsAllocated(schema_, port.type, name)) return false;
    if (port.modified == nullptr) return false;  // another manager has the port
    if (sides.modified == nullptr) return KeepsNodePort(*port.live, *port.modified, *service_);
    return sides.modified->is_null() || MeansNothing(*sides.modified, spot.place);
  }

  // `after`: what the merge leaves here; nullptr: nothing.
  Result<Decided> Decide(const Sides& sides, const Spot& spot, const Value* after) {
    const Value *modified = sides.modified, *live = sides.live;
    const bool same_kind = modified != nullptr && live != nullptr && modified->kind() == live->kind();
    const bool empties = after == nullptr && spot.place.storage == Storage::kAsWritten;
    if (same_kind && spot.is_merged(*live) && !empties) return List(sides, spot, after);
    if (after == nullptr) return Emptied(sides, spot);
    if (after->is_null() && (modified == nullptr || !modified->is_null())) return LeftNull(sides, spot);
    if (live != nullptr && IsAbsentOrNull(modified) && !after->is_null()) return Unwanted(*live, spot, *after);
    if (modified->is_null() && !StoresNull(spot.place)) return Null(live, spot);
    if (live == nullptr) return Added(*modified, spot);
    return same_kind && spot.is_granular(*live) ? Map(Branch(Shape::kMap, sides, spot), spot, after)
                                                : Leaf(sides, spot);
  }

  // The merge leaves nothing, not even of a map that the manifest has without members.
  static Decided Emptied(const Sides& sides, const Spot& spot) {
    if (sides.live == nullptr) return Nothing(nullptr);
    return {Node(Op::kDelete, Reason::kRemoved, sides, spot), std::nullopt};
  }

  // The merge leaves null of a map or list that loses all that it has. Go reads it as what is absent. A struct that is no pointer,
  // which has {} as its default, is stored as {}.
  Result<Decided> LeftNull(const Sides& sides, const Spot& spot) {
    if (spot.place.storage == Storage::kAsWritten) {
      if (RefusesNull(spot.place)) out_.refused.push_back({path_, Refused::Why::kEmptied});
      return StoresNull(spot.place) ? SetNull(sides, spot) : Emptied(sides, spot);
    }
    static const Value kNoMembers = Value::UnownedObject({});
    const bool is_map = sides.live != nullptr && spot.is_granular(*sides.live);
    const bool stays = spot.place.fallback != nullptr || MeansNothing(kNoMembers, spot.place);
    return is_map && sides.modified != nullptr && stays ? Map(Branch(Shape::kMap, sides, spot), spot, nullptr)
                                                        : Emptied(sides, spot);
  }

  static Decided SetNull(Sides sides, const Spot& spot) {
    static const Value kNull;
    if (sides.modified == nullptr) sides.modified = &kNull;
    PlanNode node = Node(Op::kSet, Reason::kRemoved, sides, spot);
    node.stored = &kNull;
    return {std::move(node), kNull};
  }

  Decided Added(const Value& modified, const Spot& spot) {
    NoteNullsIn(modified, spot);
    // What others own and live has not is null or empty: somebody emptied a list, or applied a map without members.
    static const Value kNull;
    const bool rival = AddConflict({nullptr, &modified, &kNull}, spot);
    if (!spot.rivals.Holders().empty()) AddConflictsBelow(modified, spot);
    if (!modified.is_null() && MeansNothing(AsRead(modified, spot.place, arena_), spot.place)) return Nothing(nullptr);
    return Set({nullptr, &modified, nullptr}, rival ? Reason::kConflict : Reason::kAdded, spot);
  }

  // The recursion is bounded by the parser's kMaxDepth.
  void AddConflictsBelow(const Value& added, const Spot& spot) {
    static const Value kNull;
    if (!spot.is_granular(added)) return;
    for (const Member& m : added.Members()) {
      const Step step(path_, PathStep::Field(m.name));
      const Spot below = Below(spot, m.name);
      if (!AddConflict({nullptr, &m.value, &kNull}, below)) AddConflictsBelow(m.value, below);
    }
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
    if (as_written) AddRefusedNulls(written, spot.place, path_, out_.refused);
  }

  // A value that is replaced as a whole, and differs in its spelling at least.
  Decided Leaf(const Sides& sides, const Spot& spot) {
    NoteNullsIn(*sides.modified, spot);
    const Value read = AsRead(*sides.modified, spot.place, arena_);
    // The server compares what is sent: 0.5 and 500m differ, and so do null and "", but not 1e3 and 1000.
    const bool same = SameByNumber(*sides.modified, *sides.live);
    const bool is_text = IsTextOfSecret();
    if (same && !is_text) return Nothing(sides.live);
    // A null removes what is in a map or list, one by one.
    const bool by_members = read.is_null() && spot.is_branch(*sides.live) && !sides.live->empty();
    const bool rival =
        (!by_members && AddConflict(sides, spot)) || (is_text && AddConflictOfSentData(*sides.live, spot));
    if (same || SameMeaning(read, *sides.live, spot.place)) return Nothing(sides.live);
    const bool ours =
        IsAsRecorded(*sides.live) || (IsOurs(*sides.live, spot) && (!is_text || spot.others.Owners().empty()));
    return Set(sides, rival ? Reason::kConflict : ours ? Reason::kChanged : Reason::kOwned, spot);
  }

  // The server compares stringData, which live never has, with who applied stringData, whatever they say.
  bool IsTextOfSecret() const {
    return IsDatum() && string_data_ != nullptr && string_data_->Find(path_[1].name) != nullptr;
  }
  bool IsDatum() const { return is_secret_ && path_.size() == 2 && path_[0].name == "data"; }

  // A key that is sent as data, too, is merged before stringData is written over it. What last-applied has of it is its stringData.
  bool AddConflictOfSentData(const Value& live, const Spot& spot) {
    const Value* sent = sent_data_ == nullptr ? nullptr : sent_data_->Find(path_[1].name);
    std::vector<FieldManager> owners = spot.rivals.Owners();
    if (sent == nullptr || SameByNumber(*sent, live) || owners.empty()) return false;
    out_.conflicts.push_back({path_, sent, &live, std::move(owners)});
    return true;
  }

  // Returns who owns the value itself. A list or map that is merged no longer, since its CRD has changed, is owned by all who owned
  // something in it (structured-merge-diff, typed/reconcile_schema.go).
  static std::vector<FieldManager> OwnersOf(const Position& at, const Value& live, const Spot& spot) {
    const bool is_atomic = !live.is_scalar() && !spot.is_branch(live);
    return is_atomic ? at.Holders() : at.Owners();
  }

  // What was applied as stringData is ours, though the server does not remove it with what our entry lists of data.
  bool IsOurs(const Value& live, const Spot& spot) const {
    return !OwnersOf(spot.ours, live, spot).empty() ||
           (IsDatum() && !root_of_ours_.Field("stringData").Field(path_[1].name).Owners().empty());
  }

  bool IsAsRecorded(const Value& live) const {
    const Value* value = recorded_ == nullptr ? nullptr : ValueAt(*recorded_, path_);
    return value != nullptr && SameByNumber(*value, live);
  }

  // The server stores a Service of this type with the policy, and leaves it out of every answer (defaultOnReadInternalTrafficPolicy).
  bool IsHiddenInLive(const Value& live) const {
    return live.is_null() && is_external_name_ && path_.size() == 2 && path_[1].name == "internalTrafficPolicy";
  }

  bool AddConflict(const Sides& sides, const Spot& spot) {
    if (IsHiddenInLive(*sides.live)) return false;
    std::vector<FieldManager> owners = IsTextOfSecret()
                                           ? root_of_rivals_.Field("stringData").Field(path_[1].name).Owners()
                                           : OwnersOf(spot.rivals, *sides.live, spot);
    if (owners.empty() || IsAsRecorded(*sides.live)) return false;
    out_.conflicts.push_back({path_, sides.modified, sides.live, std::move(owners)});
    return true;
  }

  // REQUIRES: the merge leaves null.
  Result<Decided> Null(const Value* live, const Spot& spot) {
    const bool is_member = spot.field == nullptr && !path_.empty() && path_.back().kind == PathStep::Kind::kField;
    const Value* zero = is_member ? ZeroForNull(spot.place) : nullptr;
    if (zero != nullptr) {
      // The server compares the null, not what it stands for.
      if (live != nullptr && *live == *zero) AddConflict({nullptr, zero, live}, spot);
      return Decide({nullptr, zero, live}, spot, zero);
    }
    if (RefusesNull(spot.place)) out_.refused.push_back({path_});
    static const Value kNull;
    if (live != nullptr && spot.is_branch(*live) && !live->empty()) return Delete(*live, Reason::kRemoved, spot);
    AddConflict({nullptr, nullptr, live != nullptr ? live : &kNull}, spot);
    return live == nullptr ? Nothing(nullptr) : Delete(*live, Reason::kExplicitNull, spot);
  }

  // --- lists that both sides have

  Result<Decided> List(const Sides& sides, const Spot& spot, const Value* after) {
    const bool keyed = spot.merge() == ListMerge::kKeyed;
    const KeyRule rule = keyed ? RuleOfKeys(*spot.field, schema_) : KeyRule{.numbers = Numbers::kByValue};
    SMP_ASSIGN(const Identities wanted, Identities::Of(sides.modified->Items(), rule, Keyless::kRefuse));
    SMP_ASSIGN(const Identities live, Identities::Of(sides.live->Items(), rule, Keyless::kUnique));
    if (PositionIndex(wanted).has_duplicates()) {
      return Error::Refused("has two items with the same key, which the server does not merge; remove one of them");
    }
    const bool is_null = after != nullptr && after->is_null() && spot.place.storage == Storage::kAsWritten;
    if (is_null) return LeftNull(sides, spot);
    return ListOf(MergedOrder(live, wanted), sides, spot, after, Copies(live));
  }

  Result<Decided> ListOf(const std::vector<MergedItem>& pairs, const Sides& sides, const Spot& spot, const Value* after,
                         const Copies& copies = {}) {
    const Left left = ItemsByStep(after, spot);
    return spot.merge() == ListMerge::kKeyed
               ? Items(Branch(Shape::kItems, sides, spot), pairs, spot, left, copies)
               : Elements(Branch(Shape::kElements, sides, spot), pairs, spot, left, copies);
  }

  using Left = std::map<std::string, const Value*>;  // what the merge leaves of a list, by step

  Result<Decided> Items(PlanNode node, const std::vector<MergedItem>& pairs, const Spot& spot, const Left& left,
                        const Copies& copies) {
    std::vector<Value> items;
    std::vector<PlanNode> gone;
    for (const MergedItem& pair : pairs) {
      const Sides sides = {nullptr, pair.wanted == kNoPlace ? nullptr : &node.modified->Items()[pair.wanted],
                           pair.live == kNoPlace ? nullptr : &node.live->Items()[pair.live]};
      const std::vector<size_t>* same = sides.modified == nullptr ? nullptr : copies.At(pair.live);
      if (same != nullptr) {
        for (Decided& copy : InPlaceOf(*same, sides, *node.live, spot)) {
          if (copy.value) items.push_back(*copy.value);
          copy.value ? AdoptIfAny(node, std::move(copy.node)) : gone.push_back(std::move(copy.node));
        }
        continue;
      }
      SMP_ASSIGN(Decided item, Item(sides, spot, left));
      if (item.value) items.push_back(*item.value);
      item.value ? AdoptIfAny(node, std::move(item.node)) : gone.push_back(std::move(item.node));
    }
    for (PlanNode& item : gone) AdoptIfAny(node, std::move(item));
    node.moved = IsOutOfOrder(pairs);
    node.sets |= node.moved;
    return Closed(std::move(node), arena_.Array(items), false);
  }

  // The manifest's item, which is merged with none of the copies that live has, and takes the place of all. The server takes it for a
  // change of the whole item, even if one of them is the same.
  std::vector<Decided> InPlaceOf(const std::vector<size_t>& copies, const Sides& sides, const Value& live,
                                 const Spot& list) {
    const Step here(path_, KeyStep(*sides.modified, list.field->identity_keys));
    const Spot spot = ItemOf(list, *sides.live);
    const bool rival = AddConflict(sides, spot);
    const bool ours = IsAsRecorded(*sides.live) || IsOurs(*sides.live, spot);
    const Reason reason = rival ? Reason::kConflict : ours ? Reason::kChanged : Reason::kOwned;
    std::vector<Decided> out;
    const bool same = SameMeaning(AsRead(*sides.modified, spot.place, arena_), *sides.live, spot.place);
    out.push_back(same ? Nothing(sides.live) : Set(sides, reason, spot));
    for (size_t i = 1; i < copies.size(); ++i) out.push_back(Delete(live.Items()[copies[i]], reason, spot));
    for (Decided& item : out) {
      item.node.item = item.node.live != nullptr ? item.node.live : sides.modified;
      item.node.field = list.field;
    }
    return out;
  }

  Result<Decided> Item(const Sides& sides, const Spot& list, const Left& left) {
    const Value* known = sides.modified != nullptr ? sides.modified : sides.live;
    const PathStep step = KeyStep(*known, list.field->identity_keys);
    const Step here(path_, step);
    const Spot spot = ItemOf(list, sides.live != nullptr ? *sides.live : *known);
    const auto after = left.find(ItemStep(*known, list));
    Result<Decided> item = Decide(sides, spot, after == left.end() ? nullptr : after->second);
    if (!item.ok()) return Under(step, std::move(item).error());
    item->node.item = known;
    item->node.field = list.field;
    return item;
  }

  Result<Decided> Elements(PlanNode node, const std::vector<MergedItem>& pairs, const Spot& spot, const Left& left,
                           const Copies& copies) {
    std::vector<Value> elements;
    for (const MergedItem& pair : pairs) {
      const bool wanted = pair.wanted != kNoPlace;
      const Value* element = wanted ? &node.modified->Items()[pair.wanted] : &node.live->Items()[pair.live];
      if (wanted && pair.live == kNoPlace) node.adds.push_back(element);
      if (const std::vector<size_t>* same = wanted ? copies.At(pair.live) : nullptr) {
        const Step here(path_, PathStep::Element(*element));
        AddConflict({nullptr, element, element}, ItemOf(spot, *element));
        for (size_t i = 1; i < same->size(); ++i) node.removes.push_back(&node.live->Items()[(*same)[i]]);
      }
      if (!wanted && !left.contains(ItemStep(*element, spot))) {
        node.removes.push_back(element);
      } else {
        elements.push_back(*element);
      }
    }
    node.moved = IsOutOfOrder(pairs);
    node.sets = node.moved || !node.adds.empty();
    node.drops = !node.removes.empty();
    return Closed(std::move(node), arena_.Array(elements), false);
  }

  // --- what the manifest lacks

  Result<Decided> Unwanted(const Value& live, const Spot& spot, const Value& after) {
    if (spot.ours.Holders().empty()) return Keep(live, Reason::kLiveOnly, spot);
    const Sides sides = {nullptr, nullptr, &live};
    if (spot.is_granular(live) && !live.empty()) return Map(Branch(Shape::kMap, sides, spot), spot, &after);
    if (spot.is_merged(live)) return ListOf(ItemsOfLive(live), sides, spot, &after);
    return Keep(live, Reason::kGivenUp, spot);
  }

  const Schema& schema_;
  const Value* recorded_;
  const Position root_of_ours_, root_of_rivals_;
  const bool is_secret_;
  const Value *string_data_, *sent_data_;
  const Value* service_;  // SpecThatKeepsNodePorts
  const bool is_external_name_;
  ServerSidePlan& out_;
  Arena& arena_;
  FieldPath path_;
};

// Returns the manifest without the data that is sent as stringData.
Value WithoutStringData(const ServerSideInput& input, Arena& arena) {
  if (input.string_data == nullptr) return *input.manifest;
  const Value rest = WithoutAt(*input.manifest, {}, {"data"}, arena);
  return input.sent_data == nullptr ? rest : WithAt(rest, {"data"}, *input.sent_data, arena);
}

// Returns the object after the apply, or after the two applies of a migration, as far as a value is there or not.
Value AfterApply(const ServerSideInput& input, Arena& arena) {
  const Schema& schema = *input.schema;
  const Value& live = *input.live;
  const Value sent = WithoutStringData(input, arena);
  const auto merged = [&](const Value& into, const Value& manifest) {
    return MergedIntoLive(into, manifest, schema, input.type, arena);
  };
  const bool migrates = input.entries != ManagedFields(live);
  const Value first = migrates ? AsStored(merged(live, sent), &live, PlaceOfObject(schema, input.type), arena) : live;
  const OwnedFields owned = {Those(true, input.entries, input.manager), Those(false, input.entries, input.manager),
                             migrates};
  const Value after = Pruned(merged(first, sent), sent, owned, schema, input.type, arena);
  return input.string_data == nullptr ? after : merged(after, *input.manifest);
}

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
  const Spot root = {{PlaceOfObject(*input.schema, input.type), nullptr}, ours.root(), others.root(), rivals.root()};
  PlanNode node = BranchNode({}, Shape::kMap, {nullptr, input.manifest, input.live}, nullptr, input.type);
  ServerSidePlan out;
  out.other_version = OtherVersion(input);
  Arena arena;
  const Value after = AfterApply(input, arena);
  SMP_ASSIGN(Decided decided, Walker(input, root, out, arena).Map(std::move(node), root, &after));
  decided.node.op = Op::kPatch;
  const bool stores_nulls = input.schema->type(input.type).storage == Storage::kAsWritten;
  out.patch.plan = {std::move(decided.node), stores_nulls ? input.schema : nullptr};
  out.patch.format = PatchFormat::kApply;
  out.patch.encoding = PatchEncoding::kApply;
  out.patch.outcome = Document(std::move(arena), decided.value.value_or(*input.live));
  return out;
}

}  // namespace smp
