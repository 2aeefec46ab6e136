// SHA-256, for names that must resist deliberate collisions, and keyed digests, for values that must not be guessed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace smp {

std::string Sha256(std::string_view bytes);  // 32 bytes

// Returns 64 lower-case hex digits.
std::string Sha256Hex(std::string_view bytes);

// HMAC-SHA256: 32 bytes; "" if OpenSSL fails.
std::string HmacSha256(std::string_view key, std::string_view bytes);

// Returns a key (32 bytes) that takes about 0.1 s and 32 MiB of memory to derive from `password`, so that guessing is
// expensive (scrypt, RFC 7914); "" if OpenSSL fails.
std::string StretchedKey(std::string_view password, std::string_view salt);

// Returns nullopt if the system has no random bytes.
std::optional<std::string> RandomBytes(size_t count);

std::string Hex(std::string_view bytes);  // lower-case digits

// kIgnored: openssl.cnf may name modules that a static program cannot load, such as those for FIPS.
enum class OpensslConfig { kRead, kIgnored };

// Starts OpenSSL, also that of libcurl. At the end of the program, the system takes back its memory: OpenSSL would need a
// twentieth of a short run for that. Call it before anything else uses OpenSSL.
void StartOpenssl(OpensslConfig config);

}  // namespace smp
