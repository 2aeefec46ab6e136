// Kubernetes' rules for the key and the value of a label (apimachinery, util/validation).
#pragma once

#include <string>
#include <string_view>

namespace smp {

// Return why the text is invalid; "" if it is valid.
std::string ProblemOfQualifiedName(std::string_view key);  // of a label, or a lower-cased one of an annotation
std::string ProblemOfLabelValue(std::string_view value);

}  // namespace smp
