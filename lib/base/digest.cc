#include "base/digest.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include <array>
#include <cstdint>

namespace smp {

namespace {

const unsigned char* BytesOf(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

}  // namespace

std::string Sha256(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  SHA256(BytesOf(bytes), bytes.size(), digest.data());
  return {digest.begin(), digest.end()};
}

std::string Sha256Hex(std::string_view bytes) { return Hex(Sha256(bytes)); }

std::string HmacSha256(std::string_view key, std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  const bool done = HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), BytesOf(bytes), bytes.size(),
                         digest.data(), nullptr) != nullptr;
  return done ? std::string(digest.begin(), digest.end()) : std::string();
}

std::string StretchedKey(std::string_view password, std::string_view salt) {
  constexpr uint64_t kCost = 1 << 15, kBlockSize = 8, kParallel = 1, kMaxMemory = 64 << 20;
  std::array<unsigned char, SHA256_DIGEST_LENGTH> key;
  const bool done = EVP_PBE_scrypt(password.data(), password.size(), BytesOf(salt), salt.size(), kCost, kBlockSize,
                                   kParallel, kMaxMemory, key.data(), key.size()) == 1;
  return done ? std::string(key.begin(), key.end()) : std::string();
}

std::optional<std::string> RandomBytes(size_t count) {
  std::string out(count, '\0');
  auto* bytes = reinterpret_cast<unsigned char*>(out.data());
  return RAND_bytes(bytes, static_cast<int>(count)) == 1 ? std::optional(std::move(out)) : std::nullopt;
}

std::string Hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kDigits[byte >> 4];
    out += kDigits[byte & 0xF];
  }
  return out;
}

void StartOpenssl(OpensslConfig config) {
  const uint64_t no_config = config == OpensslConfig::kIgnored ? OPENSSL_INIT_NO_LOAD_CONFIG : 0;
  (void)OPENSSL_init_crypto(no_config | OPENSSL_INIT_NO_ATEXIT, nullptr);
}

}  // namespace smp
