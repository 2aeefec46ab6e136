#include "base/authorities.h"

namespace smp {

// Not those of other systems: anybody may create them on the current drive.
std::string AuthoritiesFile() { return {}; }

bool HasAuthoritiesStore() { return true; }

}  // namespace smp
