// A digest of everything that a compiled schema depends on: the sources of this module and of the modules that it
// includes, with the data files. The build computes it, so no change can be forgotten.
#pragma once

#include <string_view>

namespace smp {

// SHA-256, 64 hex digits. A schema that was compiled by a program with another digest may be out of date.
std::string_view CompilerDigest();

}  // namespace smp
