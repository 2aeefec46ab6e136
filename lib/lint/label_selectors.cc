#include "lint/label_selectors.h"

#include <string>
#include <string_view>

#include "value/at.h"

namespace smp::lint {

namespace {

using Op = kube::LabelRequirement::Op;

std::optional<Op> OpOf(std::string_view word) {
  if (word == "In") return Op::kIn;
  if (word == "NotIn") return Op::kNotIn;
  if (word == "Exists") return Op::kExists;
  if (word == "DoesNotExist") return Op::kAbsent;
  return std::nullopt;
}

}  // namespace

std::optional<kube::LabelSelector> SelectorOfLabels(const Value& labels) {
  if (!labels.is_object()) return std::nullopt;
  kube::LabelSelector out;
  for (const Member& label : labels.Members()) {
    if (!label.value.is_string()) return std::nullopt;
    out.push_back({std::string(label.name), Op::kIn, {std::string(label.value.AsString())}});
  }
  return out;
}

std::optional<kube::LabelSelector> SelectorOf(const Value& selector) {
  if (!selector.is_object()) return std::nullopt;
  const Value* labels = selector.Find("matchLabels");
  const bool none = labels == nullptr || labels->is_null();
  std::optional<kube::LabelSelector> out = none ? kube::LabelSelector() : SelectorOfLabels(*labels);
  for (const Value& expression : ItemsAt(selector, {"matchExpressions"})) {
    const std::optional<Op> op = OpOf(expression.StringOr("operator"));
    if (!op || !out) return std::nullopt;
    out->push_back({std::string(expression.StringOr("key")), *op, TextsAt(expression, {"values"})});
  }
  return out;
}

}  // namespace smp::lint
