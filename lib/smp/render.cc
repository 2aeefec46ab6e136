#include "smp/render.h"

#include "smp/directives.h"
#include "smp/meaning.h"
#include "smp/outcome.h"

namespace smp {

namespace {

class Renderer {
 public:
  Renderer(ListEncoding encoding, Arena& arena) : encoding_(encoding), arena_(arena) {}

  Value Map(const PlanNode& node) {
    std::vector<Member> out;
    for (const PlanNode& child : node.children) {
      if (child.changes()) Field(child, out);
    }
    if (node.retain) out.push_back({kRetainKeysDirective, RetainedNames(*node.modified)});
    return arena_.Object(std::move(out));
  }

 private:
  void Field(const PlanNode& node, std::vector<Member>& out) {
    if (node.reason == Reason::kRetainKeys) return;  // the parent's $retainKeys clears it
    if (node.op == Op::kDelete) {
      out.push_back({node.name, Value()});
    } else if (node.op == Op::kSet) {
      out.push_back({node.name, WithoutNulls(*node.modified, arena_)});
    } else if (node.shape == Shape::kMap) {
      out.push_back({node.name, Map(node)});
    } else if (node.shape == Shape::kElements) {
      Elements(node, out);
    } else {
      Items(node, out);
    }
  }

  Value RetainedNames(const Value& modified) {
    std::vector<Value> names;
    for (const Member& m : modified.Members()) {
      if (!m.value.is_null()) names.push_back(Value::UnownedString(m.name));
    }
    return arena_.Array(names);
  }

  void Elements(const PlanNode& node, std::vector<Member>& out) {
    if (!node.adds.empty()) out.push_back({node.name, List(node.adds)});
    if (!node.removes.empty()) out.push_back({Name(DeleteFromListKey(node.name)), List(node.removes)});
    if (node.order) out.push_back({Name(OrderKey(node.name)), *node.modified});
  }

  void Items(const PlanNode& list, std::vector<Member>& out) {
    if (list.irregular && encoding_ == ListEncoding::kReplaceIrregular) {
      out.push_back({list.name, Replacement(list)});
      return;
    }
    std::vector<Value> items;
    for (const PlanNode& child : list.children) {
      if (child.changes() && child.op != Op::kDelete) items.push_back(Item(child, *list.field));
    }
    AddDeletions(list, items);
    if (!items.empty()) out.push_back({list.name, arena_.Array(items)});
    if (list.order) out.push_back({Name(OrderKey(list.name)), Order(list)});
  }

  Value Item(const PlanNode& node, const smp::Field& list) {
    if (node.op == Op::kSet) return WithoutNulls(*node.modified, arena_);
    const Value changes = Map(node);
    std::vector<Member> members(changes.Members().begin(), changes.Members().end());
    for (Member& key : KeyFields(node, list)) members.push_back(key);
    return arena_.Object(std::move(members));
  }

  void AddDeletions(const PlanNode& list, std::vector<Value>& items) {
    for (const PlanNode& child : list.children) {
      if (child.op != Op::kDelete) continue;
      std::vector<Member> members = KeyFields(child, *list.field);
      members.push_back({kPatchDirective, Value::UnownedString(kPatchDelete)});
      items.push_back(arena_.Object(std::move(members)));
    }
  }

  Value Order(const PlanNode& list) {
    std::vector<Value> entries;
    for (const PlanNode& child : list.children) {
      if (child.modified != nullptr) entries.push_back(arena_.Object(KeyFields(child, *list.field)));
    }
    return arena_.Array(entries);
  }

  // Returns the new list with the directive that makes the server replace the old list instead of merging.
  Value Replacement(const PlanNode& list) {
    const Value outcome = OutcomeOf(list, arena_);
    std::vector<Value> items(outcome.Items().begin(), outcome.Items().end());
    items.push_back(arena_.Object({{kPatchDirective, Value::UnownedString(kPatchReplace)}}));
    return arena_.Array(items);
  }

  // Copies the names, because a patch may outlive the schema.
  std::vector<Member> KeyFields(const PlanNode& node, const smp::Field& list) {
    std::vector<Member> out;
    for (const std::string& key : list.patch_keys) {
      if (const Value* value = node.item->Find(key)) out.push_back({arena_.Copy(key), *value});
    }
    return out;
  }

  Value List(const std::vector<const Value*>& elements) {
    std::vector<Value> items;
    for (const Value* element : elements) items.push_back(*element);
    return arena_.Array(items);
  }

  std::string_view Name(const std::string& name) { return arena_.Copy(name); }

  const ListEncoding encoding_;
  Arena& arena_;
};

}  // namespace

Value Render(const Plan& plan, ListEncoding encoding, Arena& arena) { return Renderer(encoding, arena).Map(plan.root); }

}  // namespace smp
