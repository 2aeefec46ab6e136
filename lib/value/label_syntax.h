// Kubernetes' rules for the key and the value of a label (apimachinery, util/validation).
#pragma once

#include <string>
#include <string_view>

namespace smp {

// Return why the text is invalid, empty if it is valid.
std::string ProblemOfQualifiedName(std::string_view key);  // a label key, or an annotation key in lower case
std::string ProblemOfLabelValue(std::string_view value);

}  // namespace smp
