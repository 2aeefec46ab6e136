#include "compat/compat_plan.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/hash.h"
#include "base/strings.h"
#include "compat/keys.h"
#include "smp/align.h"
#include "smp/directives.h"

namespace smp::compat {

namespace {

bool IsDeep(const Value* v) { return v != nullptr && !v->is_scalar(); }

bool NotEmpty(const Value* v) { return v != nullptr && !v->empty(); }

CompatNode Branch(CompatOp op, std::string_view name, const Sides& sides) {
  CompatNode node;
  node.op = op;
  node.name = name;
  node.sides = sides;
  return node;
}

CompatNode Decide(std::string_view name, const Sides& sides) {
  const bool same = sides.live != nullptr && *sides.live == *sides.modified;
  CompatNode node = Branch(same ? CompatOp::kNone : CompatOp::kSet, name, sides);
  node.value = *sides.modified;
  node.sets = !same;
  return node;
}

void Adopt(CompatNode& parent, CompatNode child) {
  parent.drops |= child.drops;
  parent.sets |= child.sets;
  parent.children.push_back(std::move(child));
}

std::vector<Member> KeyFields(const Value& item, const std::vector<std::string>& keys, Arena& arena) {
  std::vector<Member> out;
  for (const std::string& key : keys) out.push_back({arena.Copy(key), *item.Find(key)});
  return out;
}

std::vector<Value> ItemsOf(const Value* list) {
  if (list == nullptr) return {};
  return {list->Items().begin(), list->Items().end()};
}

using Counts = TextMap<int64_t>;

Result<Counts> CountScalars(const Value* list) {
  Counts out;
  if (list == nullptr) return out;
  for (const Value& v : list->Items()) {
    SMP_ASSIGN(const std::string identity, ScalarIdentity(v));
    ++out[identity];
  }
  return out;
}

int64_t CountOf(const Counts& counts, const std::string& identity) {
  const auto at = counts.find(identity);
  return at == counts.end() ? 0 : at->second;
}

// For one side (original or live): the partner of each item of modified, and the items without a partner (`left`), in
// the order in which the reference visits them.
struct Pairing {
  std::vector<const Value*> partners;
  std::vector<const Value*> left;
};

// If keys repeat, the last item pairs with the last.
Result<Pairing> PairByText(const Value* side, const Value& modified, const std::vector<std::string>& keys) {
  Pairing out{std::vector<const Value*>(modified.size(), nullptr), {}};
  if (!NotEmpty(side)) return out;
  TextMap<size_t> group;
  std::vector<std::vector<const Value*>> items;
  for (const Value& item : side->Items()) {
    SMP_ASSIGN(const std::string text, KeyText(item, keys));
    const auto [at, is_new] = group.try_emplace(text, items.size());
    if (is_new) items.emplace_back();
    items[at->second].push_back(&item);
  }
  for (size_t i = modified.size(); i-- > 0;) {
    SMP_ASSIGN(const std::string text, KeyText(modified.Items()[i], keys));
    const auto at = group.find(text);
    if (at == group.end() || items[at->second].empty()) continue;
    out.partners[i] = items[at->second].back();
    items[at->second].pop_back();
  }
  for (const auto& same_key : items) out.left.insert(out.left.end(), same_key.rbegin(), same_key.rend());
  return out;
}

class Walker {
 public:
  Walker(const Schema& schema, CompatOrder order, Arena& arena)
      : schema_(schema), ordered_(order == CompatOrder::kKeep), arena_(arena) {}

  bool irregular() const { return irregular_; }

  Result<CompatNode> Map(CompatNode node, TypeId type, bool retain) {
    const bool live = node.sides.live != nullptr;
    node.verbatim = !live;
    SMP_TRY(ForEachMember(node.sides, [&](std::string_view name, const Sides& sides) -> Status {
      auto child = MemberNode(name, sides, type);
      if (!child.ok()) return Under(PathStep::Field(name), std::move(child).error());
      Adopt(node, *std::move(child));
      return Ok();
    }));
    if (retain) Retain(node);
    return node;
  }

 private:
  Result<CompatNode> MemberNode(std::string_view name, const Sides& sides, TypeId type) {
    if (sides.modified != nullptr) return FieldNode(name, sides, type);
    CompatNode node = Branch(sides.original != nullptr ? CompatOp::kDelete : CompatOp::kKeep, name, sides);
    node.drops = sides.original != nullptr;  // sent even if live no longer has it
    return node;
  }

  Result<CompatNode> FieldNode(std::string_view name, const Sides& sides, TypeId type) {
    if (name == kPatchDirective && (sides.original != nullptr || sides.live != nullptr)) return Marker(sides);
    const Value& m = *sides.modified;
    const Sides same = {IsDeep(&m) ? IfKind(sides.original, m.kind()) : nullptr, &m,
                        IsDeep(&m) ? IfKind(sides.live, m.kind()) : nullptr};
    if (same.original == nullptr && same.live == nullptr) return Decide(name, sides);
    const auto use = LookUp(schema_, type, name, m);
    if (!use.ok()) {
      const auto differs = [&](const Value* side) { return side != nullptr && !(*side == m); };
      if (differs(same.original) || differs(same.live)) return use.error();
      return Decide(name, sides);
    }
    SMP_ASSIGN(CompatNode node, Deep(name, sides, same, *use));
    if (same.live == nullptr && !node.drops && node.op != CompatOp::kSet) return Decide(name, sides);
    node.sets |= same.live == nullptr;
    return node;
  }

  Result<CompatNode> Deep(std::string_view name, const Sides& sides, const Sides& same, const FieldUse& use) {
    if (same.modified->is_object()) {
      if (use.field->patch.replace) return AlwaysSent(name, sides);
      return Map(Branch(CompatOp::kMap, name, same), use.type, use.field->patch.retain_keys);
    }
    return use.field->patch.list != ListMerge::kAtomic ? List(Branch(CompatOp::kList, name, same), use)
                                                       : Decide(name, sides);
  }

  // The reference sends a map with the strategy replace even when it is equal.
  static CompatNode AlwaysSent(std::string_view name, const Sides& sides) {
    CompatNode node = Decide(name, sides);
    node.op = CompatOp::kSet;
    node.sets = true;
    return node;
  }

  // A "$patch" in the manifest that another side has, too, is sent if it differs from that side.
  static Result<CompatNode> Marker(const Sides& sides) {
    CompatNode node = Branch(CompatOp::kNone, kPatchDirective, sides);
    node.value = *sides.modified;
    for (const Value* side : {sides.original, sides.live}) {
      if (side == nullptr) continue;
      if (!side->is_string() || !sides.modified->is_string()) return Error::PatchFormat("$patch must be a string");
      if (*side == *sides.modified) continue;
      node.op = CompatOp::kSet;
      (side == sides.original ? node.drops : node.sets) = true;
    }
    if (sides.live == nullptr) {
      node.op = CompatOp::kSet;
      node.sets = true;
    }
    return node;
  }

  static void Retain(CompatNode& node) {
    std::vector<Value> names;
    for (const Member& m : node.sides.modified->Members()) {
      if (!m.value.is_null()) names.push_back(Value::UnownedString(m.name));
    }
    const Value* live = node.sides.live;
    const bool clears =
        live != nullptr && std::any_of(live->Members().begin(), live->Members().end(), [&](const Member& m) {
          return !m.value.is_null() && node.sides.modified->Find(m.name) == nullptr;
        });
    const bool live_differs = live != nullptr && (node.sets || clears);
    if (names.empty() || !(node.drops || live_differs)) return;
    node.retain = std::move(names);
    node.sets |= live_differs;
  }

  Result<CompatNode> List(CompatNode node, const FieldUse& use) {
    const Sides& sides = node.sides;
    node.field = use.field;
    node.verbatim = sides.live == nullptr || (sides.live->empty() && !sides.modified->empty());
    std::optional<Kind> drop_kind, set_kind;
    if (NotEmpty(sides.original)) {
      SMP_ASSIGN(drop_kind, ElementKind(sides.original->Items(), sides.modified->Items()));
    }
    if (NotEmpty(sides.live)) {
      SMP_ASSIGN(set_kind, ElementKind(sides.live->Items(), sides.modified->Items()));
    }
    if (!drop_kind && !set_kind) return Decide(node.name, sides);
    node.sets = node.verbatim;
    // The two kinds can differ only if modified is empty; then each side has deletions of its own kind.
    const auto side_of = [](const Value* side, std::optional<Kind> kind, bool maps) {
      return kind && (*kind == Kind::kObject) == maps ? side : nullptr;
    };
    const bool maps = drop_kind == Kind::kObject || set_kind == Kind::kObject;
    const bool scalars = (drop_kind && drop_kind != Kind::kObject) || (set_kind && set_kind != Kind::kObject);
    if (maps) SMP_TRY(Items(node, side_of(sides.original, drop_kind, true), side_of(sides.live, set_kind, true), use));
    if (scalars)
      SMP_TRY(Scalars(node, side_of(sides.original, drop_kind, false), side_of(sides.live, set_kind, false)));
    return node;
  }

  // Finds multiset differences. The reference sorts original and live in place before it compares live with modified,
  // so an unsorted but equal list is "reordered", and a reordering into sorted order is missed.
  Status Scalars(CompatNode& node, const Value* original, const Value* live) {
    node.scalars = true;
    const Value& m = *node.sides.modified;
    SMP_ASSIGN(const Counts wanted, CountScalars(&m));
    SMP_ASSIGN(const Counts there, CountScalars(live));
    SMP_ASSIGN(node.removes, Removed(original, wanted));
    if (live != nullptr) {
      SMP_ASSIGN(node.adds, Added(m, wanted, there));
    }
    const bool reordered = ordered_ && live != nullptr && !m.empty() && SortedByText(ItemsOf(live)) != ItemsOf(&m);
    node.drops |= !node.removes.empty();
    node.sets |= !node.adds.empty() || reordered;
    if (ordered_ && (!node.removes.empty() || reordered)) node.order = ItemsOf(&m);
    irregular_ |= wanted.size() < m.size();
    return Ok();
  }

  static Result<std::vector<Value>> Removed(const Value* original, Counts wanted) {
    std::vector<Value> out;
    for (const Value& v : ItemsOf(original)) {
      SMP_ASSIGN(const std::string identity, ScalarIdentity(v));
      if (wanted[identity]-- <= 0) out.push_back(v);
    }
    return DeduplicateAsGo(SortedByText(std::move(out))).kept;
  }

  static Result<std::vector<Value>> Added(const Value& modified, const Counts& wanted, const Counts& there) {
    std::vector<Value> out;
    std::set<std::string> seen;
    for (const Value& v : modified.Items()) {
      SMP_ASSIGN(const std::string identity, ScalarIdentity(v));
      if (!seen.insert(identity).second) continue;
      for (int64_t n = CountOf(wanted, identity) - CountOf(there, identity); n > 0; --n) out.push_back(v);
    }
    return out;
  }

  Status Items(CompatNode& node, const Value* original, const Value* live, const FieldUse& use) {
    const std::vector<std::string>& keys = use.field->patch_keys;
    const auto m = node.sides.modified->Items();
    SMP_ASSIGN(const Pairing o, PairByText(original, *node.sides.modified, keys));
    SMP_ASSIGN(const Pairing l, PairByText(live, *node.sides.modified, keys));
    for (size_t i = 0; i < m.size(); ++i) {
      SMP_ASSIGN(CompatNode child, Item({o.partners[i], &m[i], l.partners[i]}, use));
      Adopt(node, std::move(child));
    }
    SMP_TRY(JoinEqualKeys(node, keys));
    SMP_TRY(AddDeletions(node, o.left, keys));
    return Order(node, live, keys);
  }

  Result<CompatNode> Item(const Sides& sides, const FieldUse& use) {
    const std::vector<std::string>& keys = use.field->patch_keys;
    SMP_TRY(KeyText(*sides.modified, keys));
    CompatNode node;
    if (sides.original == nullptr && sides.live == nullptr) {
      node = Decide({}, sides);
    } else {
      SMP_ASSIGN(node, Map(Branch(CompatOp::kMap, {}, sides), use.type, use.field->patch.retain_keys));
      if (sides.live == nullptr) {
        if (!node.drops) node = Decide({}, sides);
        node.sets = true;
      }
    }
    node.key = KeyFields(*sides.modified, keys, arena_);
    return node;
  }

  // Moves items with equal keys to the position of the first of them, in reverse order. This is the order after the
  // reference's sort.
  Status JoinEqualKeys(CompatNode& node, const std::vector<std::string>& keys) {
    TextMap<size_t> first;
    std::vector<std::pair<size_t, size_t>> ranks;
    const auto m = node.sides.modified->Items();
    for (size_t i = 0; i < m.size(); ++i) {
      SMP_ASSIGN(const std::string identity, MergeKeyOf(m[i], keys));
      ranks.emplace_back(first.try_emplace(identity, i).first->second, m.size() - i);
    }
    if (first.size() == m.size()) return Ok();
    irregular_ = true;
    std::sort(ranks.begin(), ranks.end());
    std::vector<CompatNode> joined;
    for (const auto& [rank, from_end] : ranks) joined.push_back(std::move(node.children[m.size() - from_end]));
    node.children = std::move(joined);
    return Ok();
  }

  Status AddDeletions(CompatNode& node, const std::vector<const Value*>& gone, const std::vector<std::string>& keys) {
    std::set<std::string> wanted;
    for (const Value& item : node.sides.modified->Items()) {
      SMP_ASSIGN(std::string identity, MergeKeyOf(item, keys));
      wanted.insert(std::move(identity));
    }
    std::vector<std::pair<std::string, const Value*>> sorted;
    for (const Value* item : gone) {
      SMP_ASSIGN(const std::string identity, MergeKeyOf(*item, keys));
      irregular_ |= wanted.contains(identity);
      SMP_ASSIGN(std::string text, KeyText(*item, keys));
      sorted.emplace_back(std::move(text), item);
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [text, item] : sorted) {
      CompatNode child = Branch(CompatOp::kDelete, {}, {item, nullptr, nullptr});
      child.key = KeyFields(*item, keys, arena_);
      child.drops = true;
      Adopt(node, std::move(child));
    }
    return Ok();
  }

  Status Order(CompatNode& node, const Value* live, const std::vector<std::string>& keys) {
    const auto m = node.sides.modified->Items();
    const bool there = NotEmpty(live);
    SMP_ASSIGN(const bool moved, Moved(live, m, keys));
    if (!m.empty() && ordered_ && (node.drops || (there && (node.sets || moved)))) {
      for (const Value& item : m) node.order.push_back(arena_.Object(KeyFields(item, keys, arena_)));
    }
    node.sets |= moved && !m.empty();
    return Ok();
  }

  // Like the reference, compares the lengths, too, so a list with a live-only item is "reordered" at every apply.
  Result<bool> Moved(const Value* live, std::span<const Value> m, const std::vector<std::string>& keys) const {
    if (!ordered_ || !NotEmpty(live)) return false;
    if (live->size() != m.size()) return true;
    for (size_t i = 0; i < m.size(); ++i) {
      SMP_ASSIGN(const std::string a, MergeKeyOf(live->Items()[i], keys));
      SMP_ASSIGN(const std::string b, MergeKeyOf(m[i], keys));
      if (a != b) return true;
    }
    return false;
  }

  const Schema& schema_;
  const bool ordered_;
  Arena& arena_;
  bool irregular_ = false;
};

}  // namespace

Result<CompatPlan> PlanAsKubectl(const Sides& sides, const Schema& schema, TypeId type, CompatOrder order,
                                 Arena& arena) {
  Walker walker(schema, order, arena);
  // The reference treats an absent root as an empty object.
  static const Value kEmpty = Value::UnownedObject({});
  Sides roots = sides;
  if (roots.live == nullptr) roots.live = &kEmpty;
  CompatPlan plan;
  SMP_ASSIGN(plan.root, walker.Map(Branch(CompatOp::kMap, {}, roots), type, false));
  plan.irregular = walker.irregular();
  return plan;
}

Deduplicated DeduplicateAsGo(std::vector<Value> values) {
  size_t size = values.size();
  for (size_t i = 0; i + 1 < size; ++i) {
    for (size_t j = i + 1; j < size;) {
      if (values[i] == values[j]) {
        values[j] = values[--size];
      } else {
        ++j;
      }
    }
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(size);
  return {{values.begin(), middle}, {middle, values.end()}};
}

Result<std::string> KeyText(const Value& item, const std::vector<std::string>& keys) {
  if (!item.is_object()) return Error::MergeKey("expected an object in the list");
  if (keys.empty()) return Error::MergeKey("the schema has no merge key for this list");
  std::string out;
  for (const std::string& key : keys) {
    const Value* value = item.Find(key);
    if (value == nullptr) return Error::MergeKey(StrCat("needs `", key, "`, the merge key of this list"));
    if (!out.empty()) out += '\0';
    out += GoText(*value);
  }
  return out;
}

Result<FieldUse> LookUp(const Schema& schema, TypeId type, std::string_view name, const Value& value) {
  const Field* field = schema.Find(type, name);
  if (field == nullptr) return Error::Schema(StrCat("unable to find api field \"", name, "\""));
  // If the value is a map although the schema says list, nothing is known about its members.
  return FieldUse{field, value.is_object() && field->is_list ? kNoType : field->type};
}

}  // namespace smp::compat
