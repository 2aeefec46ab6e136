// SHA-256, for names that must not collide by somebody's design.
#ifndef SMP_BASE_DIGEST_H_
#define SMP_BASE_DIGEST_H_

#include <string>
#include <string_view>

namespace smp {

// 64 lower-case hex digits.
std::string Sha256Hex(std::string_view bytes);

}  // namespace smp

#endif  // SMP_BASE_DIGEST_H_
