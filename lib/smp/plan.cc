#include "smp/plan.h"

namespace smp {

namespace {

// The schema states a zero default ("" or 0) for every required field. That is Go's zero value and identifies nothing.
const Value* MeaningfulDefault(const Field* field) {
  if (field == nullptr || field->default_value == nullptr) return nullptr;
  const Value& value = *field->default_value;
  const bool zero = (value.is_string() && value.empty()) || (value.is_int() && value.AsInt() == 0);
  return zero ? nullptr : &value;
}

// What an absent key field means. The server does not store a name that is "", as in the imagePullSecrets of many charts. Differs
// from kubectl: it fails ("does not contain declared merge key").
const Value* DefaultOfKey(const Field* field) {
  static const Value nothing = Value::UnownedString("");
  const Value* stated = MeaningfulDefault(field);
  const bool omits = field != nullptr && field->omits_zero && field->kind == TypeKind::kString;
  return stated == nullptr && omits ? &nothing : stated;
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
    case Reason::kKeepLive: return "keep-live";
    case Reason::kGivenUp: return "given-up";
    case Reason::kServer: return "server";
  }
  return "in-sync";
}

KeyRule RuleOfKeys(const Field& list, const Schema& schema) {
  KeyRule rule{.fields = &list.identity_keys, .numbers = Numbers::kByValue};
  rule.defaults.reserve(rule.fields->size());
  for (const std::string& key : *rule.fields) {
    const Field* field = schema.Find(list.type, key);
    rule.defaults.push_back(DefaultOfKey(field));
    rule.empty_is_absent = rule.empty_is_absent || (field != nullptr && field->omits_zero);
  }
  return rule;
}

KeyRule PairingRule(const PlanNode& list, const Schema& schema) {
  if (list.shape != Shape::kItems) return {.numbers = Numbers::kByValue};
  return RuleOfKeys(*list.field, schema);
}

PathStep StepTo(const PlanNode& parent, const PlanNode& child) {
  // The live item has all its keys: one that the manifest leaves out has its default there.
  const Value* item = child.live != nullptr && child.live->is_object() ? child.live : child.item;
  if (parent.shape == Shape::kItems) return KeyStep(*item, parent.field->identity_keys);
  return PathStep::Field(child.name);
}

Place PlaceOfNode(const PlanNode& node, const PlanNode& parent, const Schema& schema) {
  const bool is_item = parent.shape == Shape::kItems;
  const TypeId type = is_item ? parent.type : node.type;
  return PlaceOf(schema, is_item ? nullptr : node.field, type, schema.type(type).storage);
}

}  // namespace smp
