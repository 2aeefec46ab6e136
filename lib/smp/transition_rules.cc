#include "smp/transition_rules.h"

#include <algorithm>
#include <string>

#include "base/duration.h"
#include "smp/sides.h"
#include "value/equality.h"
#include "value/formats.h"
#include "value/value.h"

namespace smp {

namespace {

bool SameDuration(std::string_view a, std::string_view b) {
  const Result<int64_t> x = ParseTimeoutMs(a), y = ParseTimeoutMs(b);
  return x.ok() && y.ok() && *x == *y;
}

// The rule compares by the `format` of a string, which the schema does not keep.
bool MayBeSameText(std::string_view a, std::string_view b) {
  return a == b || SameTime(a, b) || SameBase64(a, b) || SameDuration(a, b);
}

// Members that only one map has may be defaults, or unknown to the rule.
bool MayBeSame(const Value& a, const Value& b) {
  if (a.is_string() && b.is_string()) return MayBeSameText(a.AsString(), b.AsString());
  if (a.is_scalar() && b.is_scalar()) return SameByNumber(a, b);
  if (a.kind() != b.kind()) return false;
  if (a.is_array()) {
    return std::equal(a.Items().begin(), a.Items().end(), b.Items().begin(), b.Items().end(), MayBeSame);
  }
  return std::all_of(a.Members().begin(), a.Members().end(), [&](const Member& m) {
    const Value* other = b.Find(m.name);
    return other == nullptr || MayBeSame(m.value, *other);
  });
}

class Rules {
 public:
  explicit Rules(const Schema& schema) : schema_(schema) {}

  void Collect(const PlanNode& node, FieldPath& path, std::vector<FixedChange>& out) const {
    if (!node.changes()) return;
    for (const PlanNode& child : node.children) {
      path.push_back(StepTo(node, child));
      const Value* words = WordsOf(child, node);
      if (words != nullptr && IsEvaluated(child) && Differs(child, node)) out.push_back({path, words->AsString()});
      Collect(child, path, out);
      path.pop_back();
    }
  }

 private:
  const Value* WordsOf(const PlanNode& node, const PlanNode& parent) const {
    if (parent.shape == Shape::kItems) return schema_.type(parent.type).fixed_words;
    return node.field != nullptr ? node.field->fixed_words : schema_.type(node.type).fixed_words;
  }

  static bool IsEvaluated(const PlanNode& node) {
    const bool is_left = node.op == Op::kPatch || (node.op == Op::kSet && !IsAbsentOrNull(node.modified));
    return is_left && !IsAbsentOrNull(node.live);
  }

  // Rules do not see members that the schema does not name.
  bool IsVisible(const PlanNode& node, const PlanNode& parent) const {
    return parent.shape == Shape::kItems || node.field != nullptr || schema_.type(parent.type).has_additional;
  }

  bool Differs(const PlanNode& node, const PlanNode& parent) const {
    if (!node.changes() || !IsVisible(node, parent)) return false;
    switch (node.op) {
      case Op::kSet:
        return !IsAbsentOrNull(node.modified) && (node.live == nullptr || !MayBeSame(*node.live, *node.modified));
      case Op::kDelete: return !IsAbsentOrNull(node.live);
      case Op::kPatch: break;
      default: return false;
    }
    if (!node.adds.empty() || !node.removes.empty()) return true;
    return std::any_of(node.children.begin(), node.children.end(),
                       [&](const PlanNode& child) { return Differs(child, node); });
  }

  const Schema& schema_;
};

}  // namespace

std::vector<FixedChange> RefusedByRules(const Plan& plan, const Schema& schema) {
  std::vector<FixedChange> out;
  FieldPath path;
  Rules(schema).Collect(plan.root, path, out);
  return out;
}

}  // namespace smp
