// Validates the objects of a CRD by what its schema says of their values, as the API server does after it has filled in
// defaults: required fields, enumerations, patterns, formats, ranges, and combinations (allOf, anyOf, oneOf, not). Types and unknown
// fields are in check.h. Rules in CEL (x-kubernetes-validations) are not evaluated but listed.
//
// Source: k8s.io/kube-openapi/pkg/validation/validate; KEP-1111 (structural schemas).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schema/walk_path.h"
#include "value/re2_pattern.h"
#include "value/value.h"

namespace smp {

struct Violation {
  enum class Kind {
    kMissing,      // a required field
    kChoice,       // not in the enumeration
    kPattern,      // does not match
    kTime,         // is no time or date
    kBytes,        // is not base64
    kRange,        // too large, small, long, short, …
    kAlternative,  // anyOf, oneOf, not
    kUnchecked     // a rule in CEL, or a pattern or format that this program cannot match
  };
  Kind kind;
  std::vector<WalkStep> path;
  const Value* at;      // the value
  std::string message;  // does not have the value
  std::string advice;   // may be empty
};

class Validator {
 public:
  // Returns what is wrong with `value` by `node`, the openAPIV3Schema of a CRD's version, which must outlive the result. Values
  // of the wrong type are left out, and so are nulls. All calls together check patterns for some seconds; then one result says
  // that the others are unchecked.
  std::vector<Violation> Validate(const Value& value, const Value& node);

 private:
  class Walk;
  const Result<Re2Pattern>& PatternOf(std::string_view text);

  static constexpr uint64_t kMostWork = 500'000'000;  // steps of all patterns together: some seconds

  std::map<std::string, Result<Re2Pattern>, std::less<>> patterns_;
  uint64_t work_ = kMostWork;  // that is left
  bool said_ = false;          // that there is none left
};

}  // namespace smp
