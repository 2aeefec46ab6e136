// SHA-256, for names that must resist deliberate collisions.
#pragma once

#include <string>
#include <string_view>

namespace smp {

std::string Sha256(std::string_view bytes);  // 32 bytes

// Returns 64 lower-case hex digits.
std::string Sha256Hex(std::string_view bytes);

}  // namespace smp
