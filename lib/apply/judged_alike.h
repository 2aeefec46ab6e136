// Whether two states of a CRD make the server say the same of an object of its kind: an answer by the former one then holds for the
// one to come.
#pragma once

#include <string_view>

#include "value/value.h"

namespace smp::apply {

// Returns true if everything in the CRD that judges or completes the object in this version is the same in both: the schema of this
// version and of the one that is stored (in which the server completes what it reads), along the object's fields with its rules
// (x-kubernetes-validations), the defaults of the fields that it lacks, scope and subresources.
// Linear in the object, times the fields of a map's schema for each map.
bool AreJudgedAlike(const Value& crd_before, const Value& crd_after, std::string_view version, const Value& object);

}  // namespace smp::apply
