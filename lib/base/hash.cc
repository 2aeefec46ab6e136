#include "base/hash.h"

#include <bit>
#include <cstring>
#include <exception>
#include <random>

namespace smp {

namespace {

struct Key {
  uint64_t first = 0x9E3779B97F4A7C15, second = 0xC2B2AE3D27D4EB4F;
};

// If the system has no random numbers, the key is the same in every process.
Key MakeKey() {
  Key out;
  try {
    std::random_device random;
    for (uint64_t* part : {&out.first, &out.second}) *part ^= (uint64_t{random()} << 32) | random();
  } catch (const std::exception&) {
  }
  return out;
}

const Key& ProcessKey() {
  static const Key key = MakeKey();
  return key;
}

// SipHash (Aumasson, Bernstein), with one round for each word and three at the end.
struct SipState {
  uint64_t a, b, c, d;

  void Round() {
    a += b;
    b = std::rotl(b, 13) ^ a;
    a = std::rotl(a, 32);
    c += d;
    d = std::rotl(d, 16) ^ c;
    a += d;
    d = std::rotl(d, 21) ^ a;
    c += b;
    b = std::rotl(b, 17) ^ c;
    c = std::rotl(c, 32);
  }

  void Take(uint64_t word) {
    d ^= word;
    Round();
    a ^= word;
  }
};

SipState Begin() {
  const Key& key = ProcessKey();
  return {key.first ^ 0x736F6D6570736575, key.second ^ 0x646F72616E646F6D, key.first ^ 0x6C7967656E657261,
          key.second ^ 0x7465646279746573};
}

size_t End(SipState state) {
  state.c ^= 0xFF;
  for (int i = 0; i < 3; ++i) state.Round();
  return static_cast<size_t>(state.a ^ state.b ^ state.c ^ state.d);
}

}  // namespace

size_t HashNumber(uint64_t number) {
  SipState state = Begin();
  state.Take(number);
  return End(state);
}

size_t HashText(std::string_view text) {
  SipState state = Begin();
  uint64_t last = static_cast<uint64_t>(text.size()) << 56;
  for (; text.size() >= sizeof(uint64_t); text.remove_prefix(sizeof(uint64_t))) {
    uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof(word));
    state.Take(word);
  }
  uint64_t rest = 0;
  if (!text.empty()) std::memcpy(&rest, text.data(), text.size());
  state.Take(last | rest);
  return End(state);
}

}  // namespace smp
