// The version and the platform of this program.
#pragma once

#include <string_view>

namespace smp::cmd {

std::string_view ClientVersion();  // "v0.1.0"
std::string_view Platform();       // "linux/amd64", as Go names it

}  // namespace smp::cmd
