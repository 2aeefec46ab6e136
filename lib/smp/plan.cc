#include "smp/plan.h"

#include "base/strings.h"
#include "value/json.h"

namespace smp {

namespace {

std::string_view OpName(Op op) {
  switch (op) {
    case Op::kNone: return "none";
    case Op::kKeep: return "keep";
    case Op::kSet: return "set";
    case Op::kDelete: return "delete";
    case Op::kPatch: return "patch";
  }
  return "none";
}

std::string TextOf(const Value* value) { return value == nullptr ? "-" : WriteJson(*value); }

std::string TextOf(const std::vector<const Value*>& values) {
  std::vector<std::string> texts;
  for (const Value* v : values) texts.push_back(WriteJson(*v));
  return Join(texts, ",");
}

std::string Flags(const PlanNode& node) {
  std::string out;
  if (node.retain) out += " retain";
  if (node.order) out += " order";
  if (node.moved) out += " moved";
  if (node.irregular) out += " irregular";
  if (!node.adds.empty()) out += " add " + TextOf(node.adds);
  if (!node.removes.empty()) out += " remove " + TextOf(node.removes);
  return out;
}

void DumpNode(const PlanNode& node, const FieldPath& path, std::string& out) {
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

// The schema states a zero default ("" or 0) for every required field. That is Go's zero value and identifies nothing.
const Value* MeaningfulDefault(const Field* field) {
  if (field == nullptr || field->default_value == nullptr) return nullptr;
  const Value& value = *field->default_value;
  const bool zero = (value.is_string() && value.empty()) || (value.is_int() && value.AsInt() == 0);
  return zero ? nullptr : &value;
}

}  // namespace

std::string_view ReasonName(Reason reason) {
  switch (reason) {
    case Reason::kInSync: return "in-sync";
    case Reason::kAdded: return "added";
    case Reason::kChanged: return "changed";
    case Reason::kConflict: return "conflict";
    case Reason::kDrift: return "drift";
    case Reason::kRestored: return "restored";
    case Reason::kOwned: return "owned";
    case Reason::kRemoved: return "removed";
    case Reason::kRetainKeys: return "retain-keys";
    case Reason::kUnion: return "union";
    case Reason::kDerived: return "derived";
    case Reason::kReordered: return "reordered";
    case Reason::kAtomic: return "atomic";
    case Reason::kSetAdded: return "set-added";
    case Reason::kSetRemoved: return "set-removed";
    case Reason::kExplicitNull: return "explicit-null";
    case Reason::kDuplicate: return "duplicate";
    case Reason::kLiveOnly: return "live-only";
  }
  return "in-sync";
}

KeyRule RuleOfKeys(const Field& list, const Schema& schema) {
  KeyRule rule{.fields = &list.identity_keys, .numbers = Numbers::kByValue};
  rule.defaults.reserve(rule.fields->size());
  for (const std::string& key : *rule.fields) {
    const Field* field = schema.Find(list.type, key);
    rule.defaults.push_back(MeaningfulDefault(field));
    rule.empty_is_absent = rule.empty_is_absent || (field != nullptr && field->omits_zero);
  }
  return rule;
}

KeyRule PairingRule(const PlanNode& list, const Schema& schema) {
  if (list.shape != Shape::kItems) return {.numbers = Numbers::kByValue};
  return RuleOfKeys(*list.field, schema);
}

PathStep StepTo(const PlanNode& parent, const PlanNode& child) {
  if (parent.shape == Shape::kItems) return KeyStep(*child.item, parent.field->identity_keys);
  return PathStep::Field(child.name);
}

std::string Dump(const Plan& plan) {
  std::string out;
  DumpNode(plan.root, {}, out);
  return out;
}

}  // namespace smp
