// The version and the platform of this program.
#ifndef SMP_CMD_VERSION_H_
#define SMP_CMD_VERSION_H_

#include <string_view>

namespace smp {

std::string_view ClientVersion();  // "v0.1.0"
std::string_view Platform();       // "linux/amd64", as Go names it

}  // namespace smp

#endif  // SMP_CMD_VERSION_H_
