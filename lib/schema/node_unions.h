// Finds fields that exclude each other in a node of an OpenAPI document: x-kubernetes-unions (KEP-1027), and `oneOf`,
// `not` and `maxProperties` of structural schemas (KEP-1111, "value validation"), in the forms that CRDs use:
//
//   oneOf: [{required: [a]}, {required: [b]}]                  one of them, and one there must be
//   oneOf: [{not: {anyOf: […]}}, {required: [a]}, …]           one of them or none (Istio, Knative)
//   not: {required: [a, b]}                                    not both
//   maxProperties: 1                                           one of all
//
// A branch with more than `required` is not an alternative of fields, so the node is ignored.
#pragma once

#include <vector>

#include "schema/schema.h"
#include "value/value.h"

namespace smp {

std::vector<Union> UnionsOf(const Value& node);

}  // namespace smp
