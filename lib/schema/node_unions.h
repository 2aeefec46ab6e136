// What one node of an OpenAPI document says of fields that exclude each other: x-kubernetes-unions (KEP-1027), and the
// `oneOf`, `not` and `maxProperties` of structural schemas (KEP-1111, "value validation"), as people and generators of
// custom resource definitions write them:
//
//   oneOf: [{required: [a]}, {required: [b]}]                  one of them, and one there must be
//   oneOf: [{not: {anyOf: […]}}, {required: [a]}, …]           one of them or none (Istio, Knative)
//   not: {required: [a, b]}                                    not both
//   maxProperties: 1                                           one of all
//
// A branch that says more than `required` is no alternative of fields, and nothing is concluded.
#ifndef SMP_SCHEMA_NODE_UNIONS_H_
#define SMP_SCHEMA_NODE_UNIONS_H_

#include <vector>

#include "schema/schema.h"
#include "value/value.h"

namespace smp {

std::vector<Union> UnionsOf(const Value& node);

}  // namespace smp

#endif  // SMP_SCHEMA_NODE_UNIONS_H_
