// Label selectors as in kubectl's -l, for objects that the server cannot select for us (those in manifests).
//
//   SMP_ASSIGN(const LabelSelector selector, ParseLabelSelector("app=web,tier in (front,back),!canary"));
//   if (Matches(selector, object)) …
//
// Grammar and meaning are those of apimachinery, pkg/labels: KEY=V, KEY==V, KEY!=V, KEY in (V,V), KEY notin (V), KEY,
// !KEY, KEY>N, KEY<N; all comma-separated requirements must hold. An object without the key satisfies != and notin.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "value/value.h"

namespace smp::kube {

struct LabelRequirement {
  enum class Op { kIn, kNotIn, kExists, kAbsent, kGreater, kLess };
  std::string key;
  Op op = Op::kExists;
  std::vector<std::string> values;
};

using LabelSelector = std::vector<LabelRequirement>;  // empty: matches everything

// Error: invalid-argument, with kubectl's wording.
Result<LabelSelector> ParseLabelSelector(std::string_view text);

// Returns true if the metadata.labels of `object` meet all requirements.
bool Matches(const LabelSelector& selector, const Value& object);

}  // namespace smp::kube
