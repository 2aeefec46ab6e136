#include "explain/message.h"

#include <algorithm>
#include <vector>

#include "base/strings.h"
#include "value/path.h"

namespace smp::explain {

namespace {

// Returns the members that the manifest has in a map with $retainKeys: "type", "type, recreate".
std::string RetainedNames(const PlanNode& map) {
  std::vector<std::string> names;
  if (map.modified == nullptr) return {};
  for (const Member& m : map.modified->Members()) {
    if (!m.value.is_null()) names.emplace_back(m.name);
  }
  return Join(names, ", ");
}

std::string AtomicMessage(const PlanNode& node) {
  const bool one = node.dropped_foreign == 1, map = node.live->is_object();
  return StrCat("the ", map ? "map" : "list", " can only be replaced as a whole; ", node.dropped_foreign,
                map ? " field" : " item", one ? "" : "s", " that somebody else put there ", one ? "goes" : "go");
}

std::string ServerMessage(const PlanNode& node) {
  if (node.op == Op::kDelete) return "the server removes it because of the other changes";
  return node.stored == nullptr ? "the server will choose a value" : "the server sets it because of the other changes";
}

std::string ItemName(const PlanNode& list, const Value& item) {
  const std::string step = ToString(KeyStep(item, list.field->identity_keys));  // "[name=web]"
  const size_t equals = step.find('=');
  const bool single = list.field->identity_keys.size() == 1 && equals != std::string::npos;
  return single ? step.substr(equals + 1, step.size() - equals - 2) : step;
}

std::string ReasonSentence(const PlanNode& node, const PlanNode& parent) {
  switch (node.reason) {
    case Reason::kInSync: return "live is as the manifest says";
    case Reason::kAdded: return "new in the manifest";
    case Reason::kChanged: return "the manifest changed it since the last apply";
    case Reason::kConflict: return "the manifest changed it, and so did somebody else in live; the manifest wins";
    case Reason::kDrift: return "somebody changed it in live; the manifest still says what was applied";
    case Reason::kRestored: return "live lost what was applied before";
    case Reason::kOwned: return "live has a value that was never applied; from now on the manifest decides";
    case Reason::kRemoved: return "was applied before, and the manifest has it no longer";
    case Reason::kRetainKeys:
      return StrCat("cleared by $retainKeys: the manifest has ", RetainedNames(parent), " here and nothing else");
    case Reason::kUnion: return "cleared: the server does not take it beside what the manifest has here";
    case Reason::kDerived: return "the server derives it from fields that change, and would leave it as it is";
    case Reason::kReordered: return ReorderMessage(node);
    case Reason::kAtomic: return AtomicMessage(node);
    case Reason::kSetAdded: return "new in this set";
    case Reason::kSetRemoved: return "was applied before, and the manifest has it no longer";
    case Reason::kExplicitNull: return "the manifest says null";
    case Reason::kDuplicate:
      return "the manifest does not ask for it: kubectl's patch tells the items of this list apart by one key, which "
             "is "
             "not enough";
    case Reason::kLiveOnly: return "only live has it; it stays";
    case Reason::kServer: return ServerMessage(node);
  }
  return {};
}

}  // namespace

std::string MessageFor(const PlanNode& node, const PlanNode& parent) {
  const std::string why = ReasonSentence(node, parent);
  // A map or list that is written gets defaults besides.
  const bool filled_in = node.op == Op::kSet && node.modified != nullptr && !node.modified->is_scalar();
  const bool set_again = node.stored != nullptr && node.reason != Reason::kServer && !filled_in;
  return set_again ? StrCat(why, "; the server sets ", node.op == Op::kDelete ? "its default" : "another value") : why;
}

std::string ReorderMessage(const PlanNode& list) {
  std::vector<std::pair<const Value*, std::string>> shared;
  for (const PlanNode& child : list.children) {
    if (child.live != nullptr && child.modified != nullptr)
      shared.emplace_back(child.live, ItemName(list, *child.item));
  }
  std::vector<std::string> now, then;
  for (const auto& [live, name] : shared) then.push_back(name);
  std::sort(shared.begin(), shared.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [live, name] : shared) now.push_back(name);
  return StrCat("stands as ", Join(now, ", "), " in live; the manifest says ", Join(then, ", "));
}

}  // namespace smp::explain
