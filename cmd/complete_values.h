// Candidates for values that stand in the kubeconfig, are known to the cluster, or are kinds.
#ifndef SMP_CMD_COMPLETE_VALUES_H_
#define SMP_CMD_COMPLETE_VALUES_H_

#include <string>
#include <vector>

#include "cmd/flags.h"

namespace smp {

// Prints and asks nothing; nothing is found where something fails. A cluster is asked for its namespaces, types
// and names: when that
// takes more than two seconds, "no candidates" is printed and the program ends.
std::vector<std::string> LookUpValues(Hint hint, const ParsedFlags& flags, const std::string& typed);

}  // namespace smp

#endif  // SMP_CMD_COMPLETE_VALUES_H_
