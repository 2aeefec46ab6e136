#include "smp/foretell.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "smp/align.h"
#include "smp/meaning.h"
#include "smp/order.h"
#include "smp/service.h"
#include "smp/sides.h"
#include "smp/stored.h"

namespace smp {

namespace {

// A place in the live object, and what is stored there after the patch. `usual` is what the server would store if live
// were written again: where it equals `after`, the patch changes nothing, and live may differ only because we do not
// know the server well enough. nullptr: absent.
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

PlanNode BranchNode(std::string_view name, Shape shape, const Field* field, const Place& place, const Value* live) {
  PlanNode node;
  node.name = name;
  node.shape = shape;
  node.op = Op::kPatch;
  node.field = field;
  node.type = place.type;
  node.live = live;
  return node;
}

PlanNode ServerNode(std::string_view name, const Field* field, const Stored& at) {
  PlanNode node;
  node.name = name;
  node.field = field;
  node.reason = Reason::kServer;
  node.live = NonNull(at.live);
  node.op = at.after == nullptr ? Op::kDelete : Op::kSet;
  if (at.after != nullptr && !IsChosenByServer(*at.after)) node.stored = at.after;
  node.sets = true;
  return node;
}

bool IsChosenMember(const Value& member, const Place&) { return IsChosenByServer(member); }

using Node = std::optional<PlanNode>;  // nullopt: nothing happens

class Foreteller {
 public:
  Foreteller(const Schema& schema, Arena& arena) : schema_(schema), arena_(arena) {}

  PlanNode Map(PlanNode node, const Stored& at, const Place& place) const {
    std::map<std::string_view, PlanNode> planned;
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
    return WithRest(std::move(node), std::move(planned));
  }

 private:
  // Adds the planned children that none of the maps has: what the plan writes and the server does not store.
  static PlanNode WithRest(PlanNode node, std::map<std::string_view, PlanNode>&& planned) {
    for (auto& [name, child] : planned) node.children.push_back(std::move(child));
    std::stable_sort(node.children.begin(), node.children.end(),
                     [](const PlanNode& a, const PlanNode& b) { return CompareNames(a.name, b.name) < 0; });
    return node;
  }

  Node Member(std::string_view name, Node planned, const Stored& at, const Field* field, const Place& place) const {
    if (planned) {
      switch (planned->op) {
        case Op::kSet: return Written(*std::move(planned), at, place);
        case Op::kDelete: return Removed(*std::move(planned), at, place);
        case Op::kPatch: return Patched(*std::move(planned), at, place);
        default: break;
      }
    }
    if (IsUnchanged(at, place)) return planned;
    return Consequence(name, at, field, place);
  }

  Node Written(PlanNode node, const Stored& at, const Place& place) const {
    if (at.after == nullptr || node.modified == nullptr) return node;
    const bool as_written = SameMeaning(*at.after, *node.modified, place);
    if (!as_written && Same(at.live, at.after, place)) return std::nullopt;
    if (!Same(at.after, node.modified, place)) node.stored = Known(at.after);
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
    return node;
  }

  // What happens where nothing is planned.
  Node Consequence(std::string_view name, const Stored& at, const Field* field, const Place& place) const {
    PlanNode node;
    if (AreBoth(at, Kind::kObject)) {
      node = Map(BranchNode(name, Shape::kMap, field, place, at.live), at, place);
    } else if (AreBoth(at, Kind::kArray) && field != nullptr && field->patch.list == ListMerge::kKeyed) {
      node = Items(BranchNode(name, Shape::kItems, field, place, at.live), at, place);
    } else {
      return ServerNode(name, field, at);
    }
    return node.children.empty() ? Node() : Node(std::move(node));
  }

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
    if (!live.ok() || !usual.ok() || !after.ok()) return node;
    const PositionIndex in_live(*live), in_usual(*usual), in_after(*after);
    node.moved = node.moved && !IsOnlyAddedTo(*live, in_live, *after, in_after);
    if (in_after.has_duplicates() || in_live.has_duplicates()) return node;
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
        PlanNode added = BranchNode({}, Shape::kMap, node.field, PlaceOfItem(place), below.live);
        Item(added, below, PlaceOfItem(place));
        if (!added.children.empty()) node.children.push_back(std::move(added));
      }
    }
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
      if (!Same(stored, child.modified, PlaceOfItem(place))) child.stored = Known(stored);
    }
  }

  void Item(PlanNode& node, const Stored& at, const Place& place) const {
    if (node.op == Op::kSet || node.op == Op::kDelete) return;
    node.shape = Shape::kMap;
    node.op = Op::kPatch;
    if (node.item == nullptr) node.item = at.live;
    node = Map(std::move(node), at, place);
  }

  const Schema& schema_;
  Arena& arena_;
};

}  // namespace

Plan Foretell(const VerifiedPatch& patch, const Value& live, const Schema& schema, TypeId type, Arena& arena) {
  const Place place = PlaceOf(schema, nullptr, type, schema.type(type).storage);
  const Value* usual = arena.Keep(AsStored(live, &live, place, arena));
  const Value* after = arena.Keep(AsStored(patch.outcome.root(), &live, place, arena));
  return {Foreteller(schema, arena).Map(patch.plan.root, {&live, usual, after}, place), patch.plan.nulls};
}

}  // namespace smp
