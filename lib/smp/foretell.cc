#include "smp/foretell.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "smp/align.h"
#include "smp/comparable_answer.h"
#include "smp/defaulting.h"
#include "smp/foretold_object.h"
#include "smp/go_nulls.h"
#include "smp/meaning.h"
#include "smp/order.h"
#include "smp/outcome.h"
#include "smp/plan_edit.h"
#include "smp/service.h"
#include "smp/sides.h"
#include "value/at.h"
#include "value/metadata.h"

namespace smp {

namespace {

// A place in the live object, and what is stored there after the patch. `usual` is what the server would store if live
// were written again: where it equals `after`, the patch changes nothing, and live may differ only because we do not
// know the server well enough. If the server was asked, `after` is its answer, and `usual` is live. nullptr: absent.
struct Stored {
  const Value* live = nullptr;
  const Value* usual = nullptr;
  const Value* after = nullptr;
};

const Value* NonNull(const Value* value) { return IsAbsentOrNull(value) ? nullptr : value; }

bool Same(const Value* a, const Value* b, const Place& place) {
  a = NonNull(a);
  b = NonNull(b);
  return a == nullptr || b == nullptr ? a == b : SameButForSpelling(*a, *b, place);
}

bool AreBoth(const Stored& at, Kind kind) {
  return at.live != nullptr && at.after != nullptr && at.live->kind() == kind && at.after->kind() == kind;
}

bool IsUnchanged(const Stored& at, const Place& place) {
  return Same(at.live, at.after, place) || Same(at.usual, at.after, place);
}

// Returns true if two sets have the same elements, in any order: a server-side apply orders them otherwise than a patch.
bool SameElements(const Value& a, const Value& b) {
  if (!a.is_array() || !b.is_array() || a.size() != b.size()) return false;
  const KeyRule rule = {.numbers = Numbers::kByValue};
  const auto x = Identities::Of(a.Items(), rule, Keyless::kUnique),
             y = Identities::Of(b.Items(), rule, Keyless::kUnique);
  if (!x.ok() || !y.ok()) return false;
  const PositionIndex in_x(*x), in_y(*y);
  if (in_x.has_duplicates() || in_y.has_duplicates()) return false;
  for (size_t i = 0; i < x->size(); ++i) {
    if (!in_y.Contains(*x, i)) return false;
  }
  return true;
}

// A node of what is not in the manifest.
PlanNode LiveNode(std::string_view name, Shape shape, const Field* field, const Place& place, const Value* live) {
  return BranchNode(name, shape, {nullptr, nullptr, live}, field, place.type);
}

bool IsChosenMember(const Value& member, const Place&) { return IsChosenByServer(member); }

using Node = std::optional<PlanNode>;  // nullopt: nothing happens

// The planned items of a list: by their item in live, or by their identity if live has none.
class PlannedItems {
 public:
  PlannedItems(std::vector<PlanNode> children, const KeyRule& rule) : children_(std::move(children)) {
    for (size_t i = 0; i < children_.size(); ++i) {
      const PlanNode& child = children_[i];
      if (child.live != nullptr) of_live_.emplace(child.live, i);
      if (child.live != nullptr || child.op != Op::kSet || child.modified == nullptr) continue;
      added_.push_back(i);
      written_.push_back(*child.modified);
    }
    identities_ = Identities::Of(written_, rule, Keyless::kUnique);
    if (identities_.ok()) in_written_.emplace(*identities_);
  }

  Node TakeOf(const Value* live) {
    const auto at = of_live_.find(live);
    return at == of_live_.end() ? Node() : Node(std::move(children_[at->second]));
  }

  Node TakeAdded(const Identities& items, size_t i) {
    const size_t at = in_written_ ? in_written_->First(items, i) : kNoPlace;
    return at == kNoPlace ? Node() : Node(std::move(children_[added_[at]]));
  }

 private:
  std::vector<PlanNode> children_;
  std::unordered_map<const Value*, size_t> of_live_;  // index in children_
  std::vector<size_t> added_;                         // likewise
  std::vector<Value> written_;                        // the items of added_
  Result<Identities> identities_ = Identities();
  std::optional<PositionIndex> in_written_;
};

enum class By { kReading, kAnswer };  // how `after` is known

class Foreteller {
 public:
  Foreteller(const Schema& schema, By by, Arena& arena) : schema_(schema), by_(by), arena_(arena) {}

  PlanNode Map(PlanNode node, const Stored& at, const Place& place) const {
    Children planned;
    for (PlanNode& child : node.children) planned.emplace(child.name, std::move(child));
    node.children.clear();
    const Sides sides = {at.usual, at.after, at.live};
    (void)ForEachMember(sides, [&](std::string_view name, const Sides& of) {
      const auto child = planned.extract(name);
      Node below = child.empty() ? Node() : Node(std::move(child.mapped()));
      const Stored member = {of.live, of.original, of.modified};
      below = Member(name, std::move(below), member, schema_.Find(place.type, name), PlaceOfMember(place, name));
      if (below) node.children.push_back(*std::move(below));
      return Ok();
    });
    // The server's answer has none of what is left.
    return WithRest(std::move(node), by_ == By::kAnswer ? Children() : std::move(planned));
  }

  // Each member of the manifest is a row, and each that the answer has beyond what reading shows.
  PlanNode Creation(const Value& manifest, const Value& read, const Value& after, const Place& place) const {
    PlanNode root = LiveNode({}, Shape::kMap, nullptr, place, nullptr);
    (void)ForEachMember({&read, &manifest, &after}, [&](std::string_view name, const Sides& of) {
      const Stored at = {nullptr, of.original, of.live};
      Node child = of.modified != nullptr ? Created(name, *of.modified, at, PlaceOfMember(place, name))
                                          : CreatedBeside(name, at, schema_.Find(place.type, name), place);
      if (child && !IsTypeMeta(name)) root.children.push_back(*std::move(child));
      return Ok();
    });
    return root;
  }

  // What the answer has beyond what reading shows of a value that is written as a whole: rows below it.
  void AddBeyond(PlanNode& written, const Value& read, const Value& answer, const Place& place) const {
    const Stored at = {&read, &read, &answer};
    Node beyond = Consequence({}, at, nullptr, place);
    written.shows_stored = beyond && (beyond->op != Op::kPatch || Drops(*beyond));
    if (!beyond || written.shows_stored) return;
    ForgetLive(*beyond);
    written.shape = beyond->shape;
    written.type = beyond->type;
    written.children = std::move(beyond->children);
  }

 private:
  static bool IsTypeMeta(std::string_view name) { return name == "apiVersion" || name == "kind"; }

  // `at.usual`: what reading shows.
  Node Created(std::string_view name, const Value& written, const Stored& at, const Place& place) const {
    if (IsGone(at)) return std::nullopt;
    PlanNode node;
    node.name = name;
    node.op = Op::kSet;
    node.reason = Reason::kAdded;
    node.modified = &written;
    if (at.after == nullptr || SameButForSpelling(*at.after, written, place)) return node;
    node.stored = Known(at.after);
    if (by_ == By::kAnswer && at.usual != nullptr) AddBeyond(node, *at.usual, *at.after, place);
    return node;
  }

  Node CreatedBeside(std::string_view name, const Stored& at, const Field* field, const Place& map) const {
    if (by_ == By::kReading || name == "status") return std::nullopt;
    if (at.after == nullptr || Same(at.usual, at.after, PlaceOfMember(map, name))) return std::nullopt;
    return ServerNode(name, field, at);
  }

  using Children = std::map<std::string_view, PlanNode>;

  // What the server does not store of a new value has no row of its own: the value is shown as it is stored.
  static bool Drops(const PlanNode& node) {
    return node.op == Op::kDelete || std::ranges::any_of(node.children, Drops);
  }

  // In a value that is new, what the server adds is new, too; what it changes, the manifest has otherwise.
  static void ForgetLive(PlanNode& node) {
    for (PlanNode& child : node.children) {
      child.modified = std::exchange(child.live, nullptr);
      ForgetLive(child);
    }
  }
  // Adds the planned children that none of the maps has: what the plan writes and the server does not store.
  static PlanNode WithRest(PlanNode node, Children&& planned) {
    for (auto& [name, child] : planned) node.children.push_back(std::move(child));
    std::stable_sort(node.children.begin(), node.children.end(),
                     [](const PlanNode& a, const PlanNode& b) { return CompareNames(a.name, b.name) < 0; });
    CountChanges(node);
    return node;
  }

  Node Member(std::string_view name, Node planned, const Stored& at, const Field* field, const Place& place) const {
    if (planned) {
      switch (planned->op) {
        case Op::kSet: return IsGone(at) ? Gone(*std::move(planned), at) : Written(*std::move(planned), at, place);
        case Op::kDelete: return Removed(*std::move(planned), at, place);
        case Op::kPatch: return Patched(*std::move(planned), at, place);
        default: break;
      }
    }
    if (IsUnchanged(at, place)) return planned;
    return Consequence(name, at, field, place);
  }

  // Reading does not show this: admission or the server drops what the patch writes.
  bool IsGone(const Stored& at) const { return by_ == By::kAnswer && at.after == nullptr; }

  Node Gone(const PlanNode& node, const Stored& at) const {
    return at.live == nullptr ? Node() : ServerNode(node.name, node.field, at);
  }

  Node Written(PlanNode node, const Stored& at, const Place& place) const {
    if (at.after == nullptr || node.modified == nullptr) return node;
    const bool as_written = SameMeaning(*at.after, *node.modified, place);
    if (!as_written && Same(at.live, at.after, place)) return std::nullopt;
    if (!Same(at.after, node.modified, place)) node.stored = Known(at.after);
    node.shows_stored = node.stored != nullptr && HasNull(*node.modified);
    if (by_ == By::kAnswer && node.stored != nullptr) {
      const Value* read = arena_.Keep(AsStored(*node.modified, at.live, place, arena_));
      AddBeyond(node, *read, *at.after, place);
    }
    return node;
  }

  PlanNode ServerNode(std::string_view name, const Field* field, const Stored& at) const {
    PlanNode node;
    node.name = name;
    node.field = field;
    node.reason = Reason::kServer;
    node.live = NonNull(at.live);
    node.op = at.after == nullptr ? Op::kDelete : Op::kSet;
    if (at.after != nullptr && !IsChosenByServer(*at.after)) node.stored = Known(at.after);
    node.sets = true;
    return node;
  }

  // Returns the value without what the server will choose.
  const Value* Known(const Value* value) const {
    const Value known = WithoutMembers(*value, arena_, {}, IsChosenMember);
    return SharesMemory(known, *value) ? value : arena_.Keep(known);
  }

  static Node Removed(PlanNode node, const Stored& at, const Place& place) {
    if (at.after == nullptr) return node;
    if (Same(at.live, at.after, place)) return std::nullopt;
    node.stored = at.after;
    return node;
  }

  Node Patched(PlanNode node, const Stored& at, const Place& place) const {
    if (node.shape == Shape::kMap && AreBoth(at, Kind::kObject)) return Map(std::move(node), at, place);
    if (node.shape == Shape::kItems && AreBoth(at, Kind::kArray)) return Items(std::move(node), at, place);
    return AsWhole(std::move(node), at, place);
  }

  // Returns true if the server drops what the plan leaves, because of the fields beside it.
  bool IsDropped(const PlanNode& node, const Stored& at, const Place& place) const {
    return node.shape == Shape::kMap && at.after == nullptr && at.live != nullptr &&
           !MeansNothing(OutcomeOf(node, arena_), place);
  }

  // Without looking at details. If the answer is not what was planned, they do not hold.
  PlanNode AsWhole(PlanNode node, const Stored& at, const Place& place) const {
    if (by_ == By::kReading && !IsDropped(node, at, place)) return node;
    if (at.after == nullptr) return ServerNode(node.name, node.field, at);
    const Value* outcome = arena_.Keep(OutcomeOf(node, arena_));
    const bool is_set = node.shape == Shape::kElements;
    const bool as_planned = is_set ? SameElements(*outcome, *at.after) : Same(outcome, at.after, place);
    return as_planned ? std::move(node) : ServerNode(node.name, node.field, at);
  }

  // What happens where nothing is planned.
  Node Consequence(std::string_view name, const Stored& at, const Field* field, const Place& place) const {
    PlanNode node;
    if (AreBoth(at, Kind::kObject)) {
      node = Map(LiveNode(name, Shape::kMap, field, place, at.live), at, place);
    } else if (AreBoth(at, Kind::kArray) && field != nullptr && field->patch.list == ListMerge::kKeyed) {
      node = Items(LiveNode(name, Shape::kItems, field, place, at.live), at, place);
    } else {
      return ServerNode(name, field, at);
    }
    return IsEmptyBranch(node) ? Node() : Node(std::move(node));
  }

  static bool IsEmptyBranch(const PlanNode& node) { return node.op == Op::kPatch && node.children.empty(); }

  static Result<Identities> IdentitiesOf(const Value* list, const KeyRule& rule) {
    const bool is_list = list != nullptr && list->is_array();
    return Identities::Of(is_list ? list->Items() : std::span<const Value>(), rule, Keyless::kUnique);
  }

  // Returns true if all items of live that stay have the same order. An item that repeats may be said to move, though
  // only another one with the same identity was added.
  static bool IsOnlyAddedTo(const Identities& live, const PositionIndex& in_live, const Identities& after,
                            const PositionIndex& in_after) {
    size_t next = 0;  // in live
    const auto skip_removed = [&] {
      while (next < live.size() && !in_after.Contains(live, next)) ++next;
    };
    skip_removed();
    for (size_t i = 0; i < after.size() && next < live.size(); ++i) {
      if (!in_live.Contains(after, i) || !after.Same(i, live, next)) continue;
      ++next;
      skip_removed();
    }
    return next == live.size();
  }

  PlanNode Items(PlanNode node, const Stored& at, const Place& place) const {
    const KeyRule rule = PairingRule(node, schema_);
    const auto live = IdentitiesOf(at.live, rule), usual = IdentitiesOf(at.usual, rule),
               after = IdentitiesOf(at.after, rule);
    if (!live.ok() || !usual.ok() || !after.ok()) return AsWhole(std::move(node), at, place);
    const PositionIndex in_live(*live), in_usual(*usual), in_after(*after);
    node.moved = node.moved && !IsOnlyAddedTo(*live, in_live, *after, in_after);
    if (in_after.has_duplicates() || in_live.has_duplicates()) return AsWhole(std::move(node), at, place);
    if (by_ == By::kAnswer)
      return AnsweredItems(std::move(node), {*live, in_live}, {*after, in_after}, rule, at, place);
    Added(node, in_after, rule, at, place);
    std::unordered_map<const Value*, size_t> planned;
    for (size_t i = 0; i < node.children.size(); ++i) planned.emplace(node.children[i].live, i);
    const auto item = [](const Value* list, size_t i) { return i == kNoPlace ? nullptr : &list->Items()[i]; };
    for (size_t i = 0; i < live->size(); ++i) {
      const Stored below = {&at.live->Items()[i], item(at.usual, in_usual.First(*live, i)),
                            item(at.after, in_after.First(*live, i))};
      if (!AreBoth(below, Kind::kObject) || IsUnchanged(below, PlaceOfItem(place))) continue;
      const auto child = planned.find(below.live);
      if (child != planned.end()) {
        Item(node.children[child->second], below, PlaceOfItem(place));
      } else {
        PlanNode added = LiveNode({}, Shape::kMap, node.field, PlaceOfItem(place), below.live);
        Item(added, below, PlaceOfItem(place));
        if (!added.children.empty()) node.children.push_back(std::move(added));
      }
    }
    CountChanges(node);
    return node;
  }

  // Items that live has not: they are written as a whole.
  void Added(PlanNode& list, const PositionIndex& in_after, const KeyRule& rule, const Stored& at,
             const Place& place) const {
    for (PlanNode& child : list.children) {
      if (child.op != Op::kSet || child.live != nullptr || child.modified == nullptr) continue;
      const auto wanted = Identities::Of({child.modified, 1}, rule, Keyless::kUnique);
      const size_t i = wanted.ok() ? in_after.First(*wanted, 0) : kNoPlace;
      if (i == kNoPlace) continue;
      const Value* stored = &at.after->Items()[i];
      if (Same(stored, child.modified, PlaceOfItem(place))) continue;
      child.stored = Known(stored);
      // Beyond defaults: the node port that a port of a Service keeps under another number.
      const Value defaulted = AsStored(*child.modified, nullptr, PlaceOfItem(place), arena_);
      child.shows_stored = child.stored != nullptr && !Same(stored, &defaulted, PlaceOfItem(place));
    }
  }

  struct List {
    const Identities& items;
    const PositionIndex& index;
  };

  // The items of the answer, in its order, then those that go.
  PlanNode AnsweredItems(PlanNode node, const List& live, const List& after, const KeyRule& rule, const Stored& at,
                         const Place& list) const {
    PlannedItems planned(std::move(node.children), rule);
    node.children.clear();
    const Place place = PlaceOfItem(list);
    const auto add = [&](Node child) {
      if (child) node.children.push_back(*std::move(child));
    };
    for (size_t j = 0; j < after.items.size(); ++j) {
      const Value* item = &at.after->Items()[j];
      const size_t i = live.index.First(after.items, j);
      const Value* before = i == kNoPlace ? nullptr : &at.live->Items()[i];
      add(AnsweredItem(before == nullptr ? planned.TakeAdded(after.items, j) : planned.TakeOf(before),
                       {before, before, item}, node.field, place));
    }
    for (size_t i = 0; i < live.items.size(); ++i) {
      if (after.index.Contains(live.items, i)) continue;
      const Value* before = &at.live->Items()[i];
      Node child = planned.TakeOf(before);
      add(child && child->op == Op::kDelete ? std::move(child) : ServerItem(node.field, {before, before, nullptr}));
    }
    CountChanges(node);
    return node;
  }

  Node AnsweredItem(Node planned, const Stored& at, const Field* list, const Place& place) const {
    if (planned && planned->op == Op::kKeep && Same(at.live, at.after, place)) return planned;
    if (Same(at.live, at.after, place)) return std::nullopt;
    if (planned && planned->op == Op::kSet) return Written(*std::move(planned), at, place);
    if (!AreBoth(at, Kind::kObject)) return ServerItem(list, at);
    PlanNode node =
        planned && planned->op == Op::kPatch ? *std::move(planned) : LiveNode({}, Shape::kMap, list, place, at.live);
    Item(node, at, place);
    return IsEmptyBranch(node) ? Node() : Node(std::move(node));
  }

  PlanNode ServerItem(const Field* list, const Stored& at) const {
    PlanNode node = ServerNode({}, list, at);
    node.item = at.after != nullptr ? at.after : at.live;
    return node;
  }

  void Item(PlanNode& node, const Stored& at, const Place& place) const {
    if (node.op == Op::kSet || node.op == Op::kDelete) return;
    node.shape = Shape::kMap;
    node.op = Op::kPatch;
    if (node.item == nullptr) node.item = at.live;
    node = Map(std::move(node), at, place);
  }

  const Schema& schema_;
  const By by_;
  Arena& arena_;
};

}  // namespace

namespace {

// Returns true if an autoscaler of autoscaling/v1 has more metrics than the CPU's, which an annotation has
// (Convert_autoscaling_HorizontalPodAutoscaler_To_v1_HorizontalPodAutoscaler).
bool HasOtherMetrics(const Value& scaler) {
  return scaler.FindPath({"metadata", "annotations", "autoscaling.alpha.kubernetes.io/metrics"}) != nullptr;
}

// Returns the outcome of the patch as the server stores it. The CPU's target has its default only where no metric is left.
Value OutcomeAsStored(const Value& outcome, const Value& live, const Place& place, Arena& arena) {
  constexpr std::string_view kTarget = "targetCPUUtilizationPercentage";
  const Value stored = AsStored(outcome, &live, place, arena);
  const std::string_view type = place.type == kNoType ? "" : std::string_view(place.schema->type(place.type).name);
  const bool lacks = type == "io.k8s.api.autoscaling.v1.HorizontalPodAutoscaler" && HasOtherMetrics(outcome) &&
                     IsAbsentOrNull(outcome.FindPath({"spec", kTarget}));
  return lacks ? WithoutAt(stored, {"spec"}, {kTarget}, arena) : stored;
}

}  // namespace

Plan Foretell(const VerifiedPatch& patch, const Value& live, const Value* answer, const Schema& schema, TypeId type,
              Arena& arena) {
  const Place place = PlaceOfObject(schema, type);
  const Value* read = arena.Keep(OutcomeAsStored(patch.outcome.root(), live, place, arena));
  const Foreteller foreteller(schema, answer == nullptr ? By::kReading : By::kAnswer, arena);
  if (answer != nullptr) {
    const Value* after = arena.Keep(ComparableAnswer(*answer, &live, *read, arena));
    return {foreteller.Map(patch.plan.root, {&live, &live, after}, place), patch.plan.nulls};
  }
  const Value* usual = arena.Keep(AsStored(live, &live, place, arena));
  return {foreteller.Map(patch.plan.root, {&live, usual, read}, place), patch.plan.nulls};
}

Plan ForetellCreation(const Value& manifest, const Value* answer, const Schema& schema, TypeId type, Arena& arena) {
  const Place place = PlaceOfObject(schema, type);
  const Value* read = arena.Keep(AsStored(manifest, nullptr, place, arena));
  const Foreteller foreteller(schema, answer == nullptr ? By::kReading : By::kAnswer, arena);
  const Value* after = answer == nullptr ? read : arena.Keep(ComparableAnswer(*answer, nullptr, *read, arena));
  return {foreteller.Creation(manifest, *read, *after, place)};
}

Plan ForetellRecreation(const Plan& plan, const Value& created, const Value& live, const Schema& schema, TypeId type,
                        Arena& arena) {
  const Place place = PlaceOfObject(schema, type);
  const Value* before = arena.Keep(WithoutServerFields(live, arena));
  const Value* after = arena.Keep(WithoutServerFields(StoredAnew(created, live, place, arena), arena));
  return {Foreteller(schema, By::kAnswer, arena).Map(plan.root, {before, before, after}, place), plan.nulls};
}

}  // namespace smp
