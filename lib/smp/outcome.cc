#include "smp/outcome.h"

#include <algorithm>

#include "smp/align.h"
#include "smp/meaning.h"
#include "smp/order.h"

namespace smp {

namespace {

// Returns the value written for a node with kSet; `nulls` as in Plan.
Value Written(const PlanNode& node, const Schema* nulls, Arena& arena) {
  if (nulls == nullptr) return WithoutNulls(*node.modified, arena);
  const bool is_list = node.item == nullptr && node.field != nullptr && node.field->is_list;
  return WithoutNulls(*node.modified, arena,
                      {.schema = nulls, .type = node.type, .is_list = is_list, .storage = Storage::kAsWritten});
}

Value OutcomeOf(const PlanNode& node, const Schema* nulls, Arena& arena);

Value MapOutcome(const PlanNode& node, const Schema* nulls, Arena& arena) {
  const auto live = node.live->Members();
  std::vector<Member> members;
  members.reserve(live.size() + node.children.size());
  auto at = live.begin();
  for (const PlanNode& child : node.children) {
    while (at != live.end() && at->name < child.name) members.push_back(*at++);
    const bool in_live = at != live.end() && at->name == child.name;
    if (child.op == Op::kSet || child.op == Op::kPatch) members.push_back({child.name, OutcomeOf(child, nulls, arena)});
    if (in_live && child.op == Op::kKeep) members.push_back(*at);
    if (in_live) ++at;
  }
  members.insert(members.end(), at, live.end());
  return arena.SortedObject(members);
}

size_t PositionIn(const Value& list, const Value* item) { return static_cast<size_t>(item - list.Items().data()); }

Value ItemOutcome(const PlanNode& item, const Schema* nulls, Arena& arena) {
  return item.op == Op::kSet || item.op == Op::kPatch ? OutcomeOf(item, nulls, arena) : *item.live;
}

// Numbers the anchors (order.h) like the server: kept live items by their position after the deletions, then new items,
// up to the old length of the live list.
std::vector<size_t> Anchors(const PlanNode& list) {
  std::vector<std::pair<size_t, size_t>> kept;  // live position, index of child
  std::vector<size_t> added;
  for (size_t i = 0; i < list.children.size(); ++i) {
    const PlanNode& child = list.children[i];
    if (child.op == Op::kDelete) continue;
    if (child.live != nullptr) {
      kept.emplace_back(PositionIn(*list.live, child.live), i);
    } else {
      added.push_back(i);
    }
  }
  std::sort(kept.begin(), kept.end());
  std::vector<size_t> anchors(list.children.size(), kNoPlace);
  size_t next = 0;
  for (const auto& [position, child] : kept) anchors[child] = next++;
  for (const size_t child : added) {
    if (next < list.live->size()) anchors[child] = next++;
  }
  return anchors;
}

Value ItemsOutcome(const PlanNode& list, const Schema* nulls, Arena& arena) {
  const std::vector<size_t> anchors = Anchors(list);
  std::vector<Placed> places;
  std::vector<const PlanNode*> nodes;
  for (size_t i = 0; i < list.children.size(); ++i) {
    const PlanNode& child = list.children[i];
    if (child.op == Op::kDelete) continue;
    const bool ordered = list.order && child.modified != nullptr;
    places.push_back({ordered ? i : kNoPlace, anchors[i]});
    nodes.push_back(&child);
  }
  std::vector<Value> items;
  for (const size_t i : MergeOrder(places)) items.push_back(ItemOutcome(*nodes[i], nulls, arena));
  return arena.Array(items);
}

// Never fails: diff.cc has checked the added and removed elements. Other live elements may be of any kind and are kept.
Identities ElementIdentities(std::span<const Value> elements) {
  return *Identities::Of(elements, {.numbers = Numbers::kByValue}, Keyless::kUnique);
}

std::vector<Value> Copies(const std::vector<const Value*>& elements) {
  std::vector<Value> out;
  for (const Value* element : elements) out.push_back(*element);
  return out;
}

Value ElementsOutcome(const PlanNode& list, Arena& arena) {
  const Identities live = ElementIdentities(list.live->Items());
  // A server-side apply also removes elements of a set that the manifest lacks as a whole.
  const Identities modified =
      ElementIdentities(list.modified == nullptr ? std::span<const Value>() : list.modified->Items());
  const std::vector<Value> removed_elements = Copies(list.removes);
  const Identities removed = ElementIdentities(removed_elements);
  const PositionIndex live_index(live), modified_index(modified), removed_index(removed);
  const auto rank = [&](const Identities& of, size_t i) { return list.order ? modified_index.First(of, i) : kNoPlace; };

  std::vector<Value> elements;
  std::vector<Placed> places;
  for (size_t i = 0; i < live.size(); ++i) {
    // The server deduplicates a set that it adds to.
    const bool repeated = !list.adds.empty() && live_index.First(live, i) < i;
    if (repeated) continue;
    elements.push_back(list.live->Items()[i]);
    places.push_back({rank(live, i), i});
  }
  for (const Value* element : list.adds) {
    elements.push_back(*element);
    places.push_back({rank(modified, static_cast<size_t>(element - list.modified->Items().data())), kNoPlace});
  }

  const Identities all = ElementIdentities(elements);
  std::vector<Value> out;
  for (const size_t i : MergeOrder(places)) {
    if (!removed_index.Contains(all, i)) out.push_back(elements[i]);
  }
  return arena.Array(out);
}

Value OutcomeOf(const PlanNode& node, const Schema* nulls, Arena& arena) {
  if (node.op == Op::kSet) return Written(node, nulls, arena);
  switch (node.shape) {
    case Shape::kMap: return MapOutcome(node, nulls, arena);
    case Shape::kItems: return ItemsOutcome(node, nulls, arena);
    case Shape::kElements: return ElementsOutcome(node, arena);
    case Shape::kLeaf: break;
  }
  return *node.live;
}

}  // namespace

Value Outcome(const Plan& plan, Arena& arena) { return OutcomeOf(plan.root, plan.nulls, arena); }

Value OutcomeOf(const PlanNode& node, Arena& arena) { return OutcomeOf(node, nullptr, arena); }

}  // namespace smp
