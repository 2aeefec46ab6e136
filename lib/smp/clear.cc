#include "smp/clear.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "schema/unions.h"

namespace smp {

namespace {

bool HasNonNullMember(const Value& map) {
  const auto members = map.Members();
  return std::any_of(members.begin(), members.end(), [](const Member& m) { return !m.value.is_null(); });
}

// Returns true if the server refuses `alternative` beside the chosen one. Where presence counts, it refuses only
// complete alternatives.
bool IsInTheWay(const PlanNode& node, const Union& fields, std::string_view alternative) {
  if (!fields.by_presence) return true;
  return std::all_of(fields.members.begin(), fields.members.end(), [&](const auto& member) {
    if (member.second != alternative || IsSet(node.modified->Find(member.first), fields)) return true;
    const auto child = std::find_if(node.children.begin(), node.children.end(),
                                    [&](const PlanNode& c) { return c.name == member.first; });
    return child != node.children.end() && child->op == Op::kKeep && IsSet(child->live, fields);
  });
}

}  // namespace

void ClearUnretained(PlanNode& node) {
  if (!HasNonNullMember(*node.modified)) return;
  const auto cleared = [](const PlanNode& c) { return c.op == Op::kKeep && !c.live->is_null(); };
  const bool clears = std::any_of(node.children.begin(), node.children.end(), cleared);
  if (!clears && !node.changes()) return;
  node.retain = true;
  for (PlanNode& child : node.children) {
    if (!cleared(child)) continue;
    child.op = Op::kDelete;
    child.reason = Reason::kRetainKeys;
    child.sets = true;
    node.sets = true;
  }
}

void ClearOthers(PlanNode& node, const Union& fields) {
  const std::string_view chosen = ChosenAlternative(*node.modified, fields);
  if (chosen.empty()) return;
  const auto excluded = [&](const PlanNode& child) {
    if (child.name == fields.discriminator) return child.live->is_string() && child.live->AsString() != chosen;
    const auto at = std::find_if(fields.members.begin(), fields.members.end(),
                                 [&](const auto& member) { return member.first == child.name; });
    return at != fields.members.end() && at->second != chosen && IsInTheWay(node, fields, at->second);
  };
  std::vector<PlanNode*> cleared;
  for (PlanNode& child : node.children) {
    if (child.op == Op::kKeep && IsSet(child.live, fields) && excluded(child)) cleared.push_back(&child);
  }
  for (PlanNode* child : cleared) {
    child->op = Op::kDelete;
    child->reason = Reason::kUnion;
    child->sets = true;
    node.sets = true;
  }
}

}  // namespace smp
