// The rule `self == oldSelf` of x-kubernetes-validations: a value that exists cannot change. It is not evaluated where
// the field is absent before or after, or where the server cannot tell which old value belongs to the new one (the
// items of an atomic list). Source: apiextensions-apiserver, pkg/apiserver/schema/cel/validation.go.
#pragma once

#include <string_view>
#include <vector>

#include "schema/schema.h"
#include "smp/plan.h"
#include "value/path.h"

namespace smp {

struct FixedChange {
  FieldPath path;
  std::string_view words;  // of the server's refusal
};

// Returns the changes that such rules refuse for certain. Values that may be equal to the server in spite of
// their spelling (times, durations, base64) do not count as changed. `schema` is that of the plan.
std::vector<FixedChange> RefusedByRules(const Plan& plan, const Schema& schema);

}  // namespace smp
