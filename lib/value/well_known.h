// Names to which Kubernetes and kubectl give a meaning.
#ifndef SMP_VALUE_WELL_KNOWN_H_
#define SMP_VALUE_WELL_KNOWN_H_

#include <string_view>

namespace smp {

// The manifest of the previous apply, as JSON.
inline constexpr std::string_view kLastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

}  // namespace smp

#endif  // SMP_VALUE_WELL_KNOWN_H_
