// What Kubernetes accepts as the key and the value of a label (apimachinery, util/validation).
#ifndef SMP_OVERRIDE_LABEL_SYNTAX_H_
#define SMP_OVERRIDE_LABEL_SYNTAX_H_

#include <string>
#include <string_view>

namespace smp {

// Why it is none; "": it is one.
std::string ProblemOfQualifiedName(std::string_view key);  // of labels; of annotations in lower case
std::string ProblemOfLabelValue(std::string_view value);

}  // namespace smp

#endif  // SMP_OVERRIDE_LABEL_SYNTAX_H_
