// Label selectors as they are in objects.
#pragma once

#include <optional>

#include "kube/label_selector.h"
#include "value/value.h"

namespace smp::lint {

// Returns the selector of a map of labels; nullopt if it has something else.
std::optional<kube::LabelSelector> SelectorOfLabels(const Value& labels);

// Returns the selector of a metav1.LabelSelector: matchLabels and matchExpressions.
std::optional<kube::LabelSelector> SelectorOf(const Value& selector);

}  // namespace smp::lint
