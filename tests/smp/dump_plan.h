// A plan as text, for the messages of failing tests.
#pragma once

#include <string>
#include <vector>

#include "base/strings.h"
#include "smp/plan.h"
#include "value/json.h"

namespace smp {

inline std::string_view OpName(Op op) {
  switch (op) {
    case Op::kNone: return "none";
    case Op::kKeep: return "keep";
    case Op::kSet: return "set";
    case Op::kDelete: return "delete";
    case Op::kPatch: return "patch";
  }
  return "none";
}

inline std::string TextOf(const Value* value) { return value == nullptr ? "-" : WriteJson(*value); }

inline std::string TextOf(const std::vector<const Value*>& values) {
  std::vector<std::string> texts;
  for (const Value* v : values) texts.push_back(WriteJson(*v));
  return Join(texts, ",");
}

inline std::string Flags(const PlanNode& node) {
  std::string out;
  if (node.retain) out += " retain";
  if (node.order) out += " order";
  if (node.moved) out += " moved";
  if (node.irregular) out += " irregular";
  if (!node.adds.empty()) out += " add " + TextOf(node.adds);
  if (!node.removes.empty()) out += " remove " + TextOf(node.removes);
  return out;
}

inline void DumpNode(const PlanNode& node, const FieldPath& path, std::string& out) {
  out += StrCat(path.empty() ? "." : ToString(path), " ", OpName(node.op));
  if (node.op == Op::kPatch) {
    out += Flags(node);
  } else {
    out += StrCat(" ", ReasonName(node.reason), " ", TextOf(node.live), " -> ", TextOf(node.modified));
  }
  out += "\n";
  for (const PlanNode& child : node.children) {
    FieldPath below = path;
    below.push_back(StepTo(node, child));
    DumpNode(child, below, out);
  }
}

// One line a node: "spec.replicas set changed 1 -> 2".
inline std::string Dump(const Plan& plan) {
  std::string out;
  DumpNode(plan.root, {}, out);
  return out;
}

}  // namespace smp
