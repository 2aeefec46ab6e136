// SecretIndex: finds copies of many secrets in a text, in time that is linear in both, whatever they begin with and however
// often a character repeats. It keeps hashes of the secrets, not the secrets. Private to redact.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/hash.h"
#include "value/secret_texts.h"

namespace smp {

class SecretIndex {
 public:
  // Ignores secrets that are shorter than kShortestSecret.
  void Add(std::string_view secret);
  bool empty() const { return by_beginning_.empty(); }
  // Returns for each position at which a secret begins the range of the longest that is accepted.
  using Accept = std::function<bool(const Range&)>;
  std::vector<Range> FindIn(
      std::string_view text, const Accept& accept = [](const Range&) { return true; }) const;

 private:
  class Prefixes;
  struct OfLength {
    uint64_t power = 0;  // of the base, to the length
    std::unordered_set<uint64_t, NumberHash> hashes;
  };
  using Lengths = std::map<size_t, OfLength, std::greater<>>;

  static size_t LongestAt(const Prefixes& text, size_t at, const Lengths& lengths, const Accept& accept);

  std::unordered_map<uint32_t, Lengths, NumberHash> by_beginning_;  // by FirstBytes
};

}  // namespace smp
