#include "value/secret_index.h"

#include <algorithm>

namespace smp {

namespace {

// Polynomials over the integers modulo a prime (Rabin, Karp). The base is random: nobody can choose texts that collide,
// and that two texts of 64 MiB do by chance has a probability of 2^-35.
constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;

uint64_t Base() {
  static const uint64_t base = HashNumber(1) % (kPrime - 1'000) + 500;
  return base;
}

uint64_t Product(uint64_t a, uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{a} * b;
  const uint64_t sum = static_cast<uint64_t>(product & kPrime) + static_cast<uint64_t>(product >> 61);
  return sum >= kPrime ? sum - kPrime : sum;
}

uint64_t Appended(uint64_t hash, char c) {
  return (Product(hash, Base()) + static_cast<unsigned char>(c) + 1) % kPrime;
}

uint64_t HashOf(std::string_view text, uint64_t hash = 0) {
  for (const char c : text) hash = Appended(hash, c);
  return hash;
}

uint64_t Power(size_t exponent) {
  uint64_t out = 1;
  for (uint64_t square = Base(); exponent > 0; exponent >>= 1, square = Product(square, square)) {
    if ((exponent & 1) != 0) out = Product(out, square);
  }
  return out;
}

}  // namespace

// The hashes of what a text begins with. Keeps one for every kStep bytes, and computes the others from it.
class SecretIndex::Prefixes {
 public:
  explicit Prefixes(std::string_view text) : text_(text) {
    uint64_t hash = 0;
    for (size_t at = 0; at <= text.size(); at += kStep) {
      hashes_.push_back(hash);
      hash = HashOf(text.substr(at, kStep), hash);
    }
  }

  std::string_view text() const { return text_; }

  // `power`: that of the base to the `size`.
  uint64_t HashOfPart(size_t at, size_t size, uint64_t power) const {
    const uint64_t before = Product(Hash(at), power), whole = Hash(at + size);
    return whole >= before ? whole - before : whole + kPrime - before;
  }

 private:
  static constexpr size_t kStep = 64;

  uint64_t Hash(size_t size) const {
    const size_t known = size / kStep * kStep;
    return HashOf(text_.substr(known, size - known), hashes_[size / kStep]);
  }

  std::string_view text_;
  std::vector<uint64_t> hashes_;
};

void SecretIndex::Add(std::string_view secret) {
  if (secret.size() < kShortestSecret) return;
  OfLength& same = by_beginning_[FirstBytes(secret)][secret.size()];
  if (same.hashes.empty()) same.power = Power(secret.size());
  same.hashes.insert(HashOf(secret));
}

size_t SecretIndex::LongestAt(const Prefixes& text, size_t at, const Lengths& lengths, const Accept& accept) {
  for (auto i = lengths.lower_bound(text.text().size() - at); i != lengths.end(); ++i) {
    const auto& [size, same] = *i;
    if (accept({at, at + size}) && same.hashes.contains(text.HashOfPart(at, size, same.power))) return size;
  }
  return 0;
}

std::vector<Range> SecretIndex::FindIn(std::string_view text, const Accept& accept) const {
  std::vector<Range> found;
  if (empty() || text.size() < kShortestSecret) return found;
  const Prefixes prefixes(text);
  for (size_t at = 0; at + kShortestSecret <= text.size(); ++at) {
    const auto lengths = by_beginning_.find(FirstBytes(text.substr(at)));
    const size_t size = lengths == by_beginning_.end() ? 0 : LongestAt(prefixes, at, lengths->second, accept);
    if (size > 0) found.push_back({at, at + size});
  }
  return found;
}

}  // namespace smp
