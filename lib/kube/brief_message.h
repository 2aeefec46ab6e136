// Shortens what a server says for people: it may quote whole objects, in JSON or in Go's syntax.
//
//   spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"app":"b"},
//   MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: field is immutable
//   →  spec.selector: Invalid value: {MatchLabels:{"app":"b"}}: field is immutable
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace smp::kube {

// Returns the message with the field, the cause and the beginning of each value. Values in Go's syntax lose types and
// empty members; of a difference between two objects, only the lines that differ remain; what a decoder quotes around
// its error goes. A message that quotes nothing long is returned unchanged.
std::string BriefMessage(std::string_view message);

// Returns the error with its message shortened, if a server sent it.
Error Brief(Error error);

}  // namespace smp::kube
