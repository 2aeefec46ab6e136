#include "compat/compat_patch.h"

#include <algorithm>
#include <iterator>

#include "base/strings.h"
#include "smp/align.h"
#include "smp/directives.h"
#include "smp/json_merge.h"
#include "smp/meaning.h"
#include "smp/merge.h"
#include "smp/outcome.h"
#include "value/at.h"

namespace smp::compat {

namespace {

constexpr size_t kMaxDeviations = 20;

bool IsStrategic(const DiffInput& input) { return input.schema->type(input.type).storage == Storage::kGoTypes; }

Result<Value> KubectlBody(const DiffInput& input, Overwrite overwrite, Arena& arena) {
  // kubectl looks for conflicts in strategic merge patches only.
  if (!IsStrategic(input)) return KubectlJsonMergePatch(input, arena);
  return KubectlThreeWayPatch(input, overwrite, arena);
}

// The server's merge keeps directives in new items as fields, and its decoder then drops these as unknown fields.
Value WithoutDirectives(const Value& value, Arena& arena) {
  if (value.is_array()) {
    std::vector<Value> items;
    for (const Value& item : value.Items()) items.push_back(WithoutDirectives(item, arena));
    return arena.Array(items);
  }
  if (!value.is_object()) return value;
  std::vector<Member> members;
  for (const Member& m : value.Members()) {
    if (!IsDirective(m.name)) members.push_back({m.name, WithoutDirectives(m.value, arena)});
  }
  return arena.SortedObject(members);
}

Result<Value> ServerOutcome(const DiffInput& input, const Value& body, Arena& arena) {
  if (!IsStrategic(input)) return ApplyJsonMergePatch(*input.live, body, arena);
  SMP_ASSIGN(const Value merged, Merge(*input.live, body, *input.schema, input.type, arena));
  return WithoutNulls(WithoutDirectives(merged, arena), arena);
}

// Returns the plan that turns `from` into `to`.
Result<Plan> ChangesBetween(const DiffInput& input, const Value& from, const Value& to) {
  return Diff({&from, &to, &from, input.schema, input.type});
}

bool Same(const Value* a, const Value* b) { return a == nullptr || b == nullptr ? a == b : SameMeaning(*a, *b); }

bool SameElements(const std::vector<const Value*>& a, const std::vector<const Value*>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), Same);
}

std::vector<Value> ItemsOf(const PlanNode& list) {
  std::vector<Value> items;
  for (const PlanNode& child : list.children) items.push_back(*child.item);
  return items;
}

// Copies sides and reasons from the engine's own plan to the plan of kubectl's patch (live → outcome). Where the engine
// decides otherwise, the reason describes what kubectl's patch does.
class Reasons {
 public:
  explicit Reasons(const DiffInput& input) : schema_(*input.schema), lists_sent_whole_(!IsStrategic(input)) {}

  // `decided`: the engine's node for the same field or item; nullptr if the engine changes nothing there.
  void Give(PlanNode& node, const PlanNode* decided, const Value* original) {
    node.original = original;
    if (node.op == Op::kSet || node.op == Op::kDelete) return Leaf(node, decided);
    if (node.op != Op::kPatch) return;
    const bool duplicates_before = among_duplicates_;
    among_duplicates_ |= node.irregular || (decided != nullptr && decided->irregular);
    if (decided != nullptr && decided->op != Op::kPatch) decided = nullptr;
    if (node.shape == Shape::kItems) {
      Items(node, decided);
    } else if (node.shape == Shape::kElements) {
      Elements(node, decided);
    } else {
      Members(node, decided);
    }
    among_duplicates_ = duplicates_before;
  }

 private:
  void Leaf(PlanNode& node, const PlanNode* decided) const {
    if (decided != nullptr && decided->op == node.op &&
        (node.op == Op::kDelete || Same(decided->modified, node.modified))) {
      node.reason = decided->reason;
      node.dropped_foreign = decided->dropped_foreign;
      if (node.op == Op::kSet) node.modified = decided->modified;
    } else if (among_duplicates_) {
      node.reason = Reason::kDuplicate;
    } else {
      node.reason = node.op == Op::kDelete ? Reason::kRemoved : Reason::kChanged;
    }
  }

  void Members(PlanNode& node, const PlanNode* decided) {
    for (PlanNode& child : node.children) {
      const Value* original = node.original == nullptr ? nullptr : node.original->Find(child.name);
      Give(child, MemberOf(decided, child.name), original);
    }
    if (decided == nullptr) return;
    PlanNode kept;
    for (const PlanNode& theirs : decided->children) {
      if (MemberOf(&node, theirs.name) == nullptr) AddKept(kept, theirs);
    }
    std::vector<PlanNode> all;
    std::merge(std::make_move_iterator(node.children.begin()), std::make_move_iterator(node.children.end()),
               std::make_move_iterator(kept.children.begin()), std::make_move_iterator(kept.children.end()),
               std::back_inserter(all), ByName);
    node.children = std::move(all);
  }

  static bool ByName(const PlanNode& a, const PlanNode& b) { return a.name < b.name; }

  static const PlanNode* MemberOf(const PlanNode* map, std::string_view name) {
    if (map == nullptr || map->shape != Shape::kMap) return nullptr;
    const auto at =
        std::lower_bound(map->children.begin(), map->children.end(), name,
                         [](const PlanNode& child, std::string_view wanted) { return child.name < wanted; });
    return at != map->children.end() && at->name == name ? &*at : nullptr;
  }

  // Adds live-only fields: kubectl's patch keeps them, too, and the report can show them.
  static void AddKept(PlanNode& parent, const PlanNode& decided) {
    if (decided.op == Op::kKeep) {
      parent.children.push_back(decided);
    } else if (decided.op == Op::kPatch && decided.shape == Shape::kMap) {
      PlanNode map = decided;
      map.children.clear();
      map.drops = map.sets = map.moved = false;
      for (const PlanNode& child : decided.children) AddKept(map, child);
      if (!map.children.empty()) parent.children.push_back(std::move(map));
    }
  }

  void Items(PlanNode& list, const PlanNode* decided) {
    const std::vector<Value> items = ItemsOf(list);
    const std::vector<Value> theirs = decided == nullptr ? std::vector<Value>() : ItemsOf(*decided);
    const auto original =
        list.original == nullptr || !list.original->is_array() ? std::span<const Value>() : list.original->Items();
    const std::vector<size_t> decided_at = Partners(list, items, theirs);
    const std::vector<size_t> original_at = Partners(list, items, original);
    size_t lost = 0;
    for (size_t i = 0; i < list.children.size(); ++i) {
      PlanNode& child = list.children[i];
      const PlanNode* partner = decided_at[i] == kNoPlace ? nullptr : &decided->children[decided_at[i]];
      if (child.op == Op::kDelete && (partner == nullptr || partner->op != Op::kDelete)) ++lost;
      if (child.op == Op::kNone && partner != nullptr && partner->op == Op::kKeep) child.op = Op::kKeep;
      Give(child, partner, original_at[i] == kNoPlace ? nullptr : &original[original_at[i]]);
    }
    if (lost > 0 && lists_sent_whole_) Replace(list, decided, lost);
  }

  std::vector<size_t> Partners(const PlanNode& list, std::span<const Value> items, std::span<const Value> side) const {
    const KeyRule rule = PairingRule(list, schema_);
    const auto wanted = Identities::Of(items, rule, Keyless::kUnique);
    const auto others = Identities::Of(side, rule, Keyless::kUnique);
    if (!wanted.ok() || !others.ok()) return std::vector<size_t>(items.size(), kNoPlace);
    PositionIndex index(*others);
    return PairUp(*wanted, index);
  }

  static void Elements(PlanNode& list, const PlanNode* decided) {
    if (decided != nullptr && SameElements(list.removes, decided->removes)) {
      if (!SameElements(list.adds, decided->adds)) return;
      list.adds = decided->adds;  // these are elements of `modified`, so they have line numbers
      list.modified = decided->modified;
    } else if (!list.removes.empty()) {
      Replace(list, decided, list.removes.size() - (decided == nullptr ? 0 : decided->removes.size()));
    }
  }

  // Marks a list that is sent as a whole and loses the items of others.
  static void Replace(PlanNode& list, const PlanNode* decided, size_t lost) {
    list.shape = Shape::kLeaf;
    list.op = Op::kSet;
    list.reason = Reason::kAtomic;
    list.dropped_foreign = lost;
    list.children.clear();
    if (decided != nullptr && Same(decided->modified, list.modified)) list.modified = decided->modified;
  }

  const Schema& schema_;
  const bool lists_sent_whole_;
  bool among_duplicates_ = false;  // in a list whose merge key does not identify its items
};

constexpr std::string_view kLoses = "kubectl's patch loses it";
constexpr std::string_view kLeaves = "kubectl's patch does not remove it";

Error Deviation(const FieldPath& path, std::string_view message) {
  Error error = Error::Refused(std::string(message));
  error.path = ToString(path);
  return error;
}

FieldPath Below(FieldPath path, PathStep step) {
  path.push_back(std::move(step));
  return path;
}

// `node`: what leads from the engine's outcome to that of kubectl's patch.
void AddDeviations(const PlanNode& node, const FieldPath& path, std::vector<Error>& out) {
  if (!node.changes()) return;
  if (node.op == Op::kDelete) return out.push_back(Deviation(path, kLoses));
  if (node.op == Op::kSet) {
    return out.push_back(
        Deviation(path, node.live == nullptr ? kLeaves : "kubectl's patch sets it to another value than apply would"));
  }
  if (node.moved) out.push_back(Deviation(path, "kubectl's patch leaves the list in another order than the manifest"));
  for (const Value* element : node.removes) out.push_back(Deviation(Below(path, PathStep::Element(*element)), kLoses));
  for (const Value* element : node.adds) out.push_back(Deviation(Below(path, PathStep::Element(*element)), kLeaves));
  for (const PlanNode& child : node.children) AddDeviations(child, Below(path, StepTo(node, child)), out);
}

// No patch can remove what the server manages itself (uid and the like); `changes` (live → outcome) marks these fields
// as kept.
Document WithKeptMetadata(const Document& outcome, const Plan& changes) {
  std::vector<Member> kept;
  for (const PlanNode& child : changes.root.children) {
    if (child.name != "metadata") continue;
    for (const PlanNode& field : child.children) {
      if (field.op == Op::kKeep) kept.push_back({field.name, *field.live});
    }
  }
  const Value* metadata = outcome.root().Find("metadata");
  if (kept.empty() || metadata == nullptr || !metadata->is_object()) return outcome;
  Arena arena;
  arena.Retain(outcome);
  kept.insert(kept.end(), metadata->Members().begin(), metadata->Members().end());
  const Value root = WithAt(outcome.root(), {"metadata"}, arena.Object(std::move(kept)), arena);
  return Document(std::move(arena), root);
}

Error Unexplained(std::string_view what, Error error) {
  error.message = StrCat(what, ": ", error.message);
  return error;
}

// Returns where the outcome differs from the engine's own. If `decided` is an error, nothing can be compared.
std::vector<Error> FindDeviations(const DiffInput& input, const Result<Plan>& decided, const Value& outcome) {
  if (!decided.ok()) return {Unexplained("kubectl's patch cannot be checked", decided.error())};
  Arena arena;
  const Value wanted = Outcome(*decided, arena);
  const Result<Plan> changes = ChangesBetween(input, wanted, outcome);
  if (!changes.ok()) return {Unexplained("kubectl's patch cannot be checked", changes.error())};
  std::vector<Error> out;
  AddDeviations(changes->root, {}, out);
  if (out.size() > kMaxDeviations) {
    const size_t more = out.size() - kMaxDeviations;
    out.resize(kMaxDeviations);
    out.push_back(Error::Refused(StrCat("kubectl's patch deviates in ", more, " more places")));
  }
  return out;
}

}  // namespace

Result<KubectlPatch> PlanKubectlPatch(const DiffInput& input, Overwrite overwrite) {
  KubectlPatch out;
  Arena arena;
  SMP_ASSIGN(const Value body, KubectlBody(input, overwrite, arena));
  out.patch.format = IsStrategic(input) ? PatchFormat::kStrategic : PatchFormat::kMerge;
  out.patch.body = Document(std::move(arena), body);
  out.patch.why = "as kubectl computes it (--compat=kubectl)";

  Arena outcome_arena;
  outcome_arena.Retain(out.patch.body);
  auto outcome = ServerOutcome(input, out.patch.body.root(), outcome_arena);
  if (!outcome.ok()) {
    out.refusal = Unexplained("the server will refuse kubectl's patch", std::move(outcome).error());
    return out;
  }
  out.patch.outcome = Document(std::move(outcome_arena), *outcome);
  auto changes = ChangesBetween(input, *input.live, out.patch.outcome.root());
  if (!changes.ok()) {
    out.refusal = Unexplained("cannot determine what kubectl's patch does", std::move(changes).error());
    return out;
  }
  out.patch.outcome = WithKeptMetadata(out.patch.outcome, *changes);
  const Result<Plan> decided = Diff(input);
  out.patch.plan = *std::move(changes);
  Reasons(input).Give(out.patch.plan.root, decided.ok() ? &decided->root : nullptr, input.original);
  out.deviations = FindDeviations(input, decided, out.patch.outcome.root());
  return out;
}

}  // namespace smp::compat
