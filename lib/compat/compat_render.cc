#include "compat/compat_render.h"

#include "smp/directives.h"

namespace smp::compat {

namespace {

class Renderer {
 public:
  Renderer(CompatPart part, Arena& arena)
      : part_(part), drops_(part != CompatPart::kSets), sets_(part != CompatPart::kDrops), arena_(arena) {}

  Value Map(const CompatNode& node) {
    if (part_ == CompatPart::kSets && node.verbatim) return *node.sides.modified;
    std::vector<Member> out;
    for (const CompatNode& child : node.children) {
      if (!IsSent(child)) continue;
      if (child.op == CompatOp::kList) {
        List(child, out);
      } else {
        out.push_back({child.name, ValueOf(child)});
      }
    }
    if (!node.retain.empty() && SaysHow(node)) out.push_back({kRetainKeysDirective, arena_.Array(node.retain)});
    return arena_.Object(std::move(out));
  }

 private:
  bool IsSent(const CompatNode& node) const { return (node.drops && drops_) || (node.sets && sets_); }

  // Returns true if directives are sent beside the values. They are not where modified is sent as it is.
  bool SaysHow(const CompatNode& node) const {
    return (node.drops && drops_) || (node.sets && sets_ && !node.verbatim);
  }

  Value ValueOf(const CompatNode& node) {
    if (node.op == CompatOp::kMap) return Map(node);
    return node.op == CompatOp::kDelete ? Value() : node.value;
  }

  void List(const CompatNode& node, std::vector<Member>& out) {
    const std::vector<Value> items = Items(node);
    const bool whole = node.verbatim && sets_ && (node.scalars || part_ == CompatPart::kSets);
    if (whole) {
      out.push_back({node.name, *node.sides.modified});
    } else if (node.scalars && !node.adds.empty() && sets_) {
      out.push_back({node.name, arena_.Array(node.adds)});
    } else if (!items.empty() || (node.verbatim && sets_)) {
      out.push_back({node.name, arena_.Array(items)});
    }
    if (!node.removes.empty() && drops_) {
      out.push_back({arena_.Copy(DeleteFromListKey(node.name)), arena_.Array(node.removes)});
    }
    if (!node.order.empty() && SaysHow(node)) {
      out.push_back({arena_.Copy(OrderKey(node.name)), arena_.Array(node.order)});
    }
  }

  std::vector<Value> Items(const CompatNode& list) {
    std::vector<Value> out;
    for (const CompatNode& child : list.children) {
      if (IsSent(child)) out.push_back(Item(child));
    }
    return out;
  }

  Value Item(const CompatNode& node) {
    if (node.op == CompatOp::kSet) return node.value;
    std::vector<Member> members;
    if (node.op == CompatOp::kDelete) {
      members.push_back({kPatchDirective, Value::UnownedString(kPatchDelete)});
    } else {
      const Value changes = Map(node);
      members.assign(changes.Members().begin(), changes.Members().end());
    }
    members.insert(members.end(), node.key.begin(), node.key.end());
    return arena_.Object(std::move(members));
  }

  const CompatPart part_;
  const bool drops_, sets_;
  Arena& arena_;
};

}  // namespace

Value RenderCompat(const CompatNode& map, CompatPart part, Arena& arena) { return Renderer(part, arena).Map(map); }

}  // namespace smp::compat
