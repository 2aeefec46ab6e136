// SHA-256, for names that must be safe against deliberate collisions.
#ifndef SMP_BASE_DIGEST_H_
#define SMP_BASE_DIGEST_H_

#include <string>
#include <string_view>

namespace smp {

// Returns 64 lower-case hex digits.
std::string Sha256Hex(std::string_view bytes);

}  // namespace smp

#endif  // SMP_BASE_DIGEST_H_
