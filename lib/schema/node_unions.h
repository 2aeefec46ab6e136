// Finds fields that exclude each other in a node of an OpenAPI document: x-kubernetes-unions (KEP-1027), and `oneOf`,
// `not` and `maxProperties` of structural schemas (KEP-1111, "value validation"), in the forms that CRDs use:
//
//   oneOf: [{required: [a]}, {required: [b]}]                  exactly one of them
//   oneOf: [{not: {anyOf: […]}}, {required: [a]}, …]           at most one of them (Istio, Knative)
//   not: {required: [a, b]}                                    not both
//   maxProperties: 1                                           at most one of all properties
//
// If a branch contains more than `required`, it is not just a choice of fields, so the node is ignored.
#pragma once

#include <vector>

#include "schema/schema.h"
#include "value/value.h"

namespace smp {

std::vector<Union> UnionsOf(const Value& node);

}  // namespace smp
