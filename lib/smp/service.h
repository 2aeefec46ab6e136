// What the server makes of a Service: the addresses and ports that it allocates, keeps and releases as the type of the
// Service changes. The rules of derived.h for the three types concerned.
//
// Source: k8s.io/kubernetes/pkg/apis/core/v1/defaults.go SetDefaults_Service; pkg/registry/core/service: strategy.go
// dropTypeDependentFields, storage/storage.go patchAllocatedValues, storage/alloc.go.
#pragma once

#include "smp/plan.h"
#include "value/document.h"
#include "value/value.h"

namespace smp {

// Stands for a value that the server will choose, such as a node port. Only in results of `complete` (derived.h).
const Value& ChosenByServer();
bool IsChosenByServer(const Value& value);

Value CompletedService(const Value& service, const Value* before, Arena& arena);
Value CompletedServiceSpec(const Value& spec, const Value* before, Arena& arena);
// Until 1.28 external addresses of a ClusterIP Service ask for no externalTrafficPolicy.
Value CompletedServiceSpecUntil128(const Value& spec, const Value* before, Arena& arena);
Value CompletedServicePort(const Value& port, const Value* before, Arena& arena);

// Returns true if an update keeps the node ports that it does not mention, or has as null or 0. A load balancer that does not
// allocate node ports loses them. Both are a ServiceSpec.
bool KeepsNodePorts(const Value& live, const Value& wanted);

// Returns true if the server gives a port that it keeps the node port of before, as `wanted_port` names none: by the port's name, unless
// another port of `wanted`, a ServiceSpec, asks for the number.
bool KeepsNodePort(const Value& live_port, const Value& wanted_port, const Value& wanted);

// Plans so. `spec`: the plan of a ServiceSpec with all its children.
void KeepNodePorts(PlanNode& spec);

}  // namespace smp
